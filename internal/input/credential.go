package input

import (
	"bytes"

	"github.com/brennerlint/brennerlint/internal/lazyregexp"
)

// credentialParts are parts of the names of members that hold credentials, without
// their first letters, which may be capitals.
var credentialParts = [][]byte{[]byte("oken"), []byte("ecret"), []byte("assw"), []byte("redential"), []byte("uthoriz"), []byte("api"), []byte("API"), []byte("TOKEN"), []byte("SECRET"), []byte("PASSW")}

// credentialName is the name of a member that holds a credential, as a draft or a
// log writes it: "sender_token": …, api-key = …. JSON in JSON escapes the quotes.
var credentialName = lazyregexp.New(`(?i)(?:token|secret|passw(?:or)?d|credential|authorization|api[_-]?key)[\w-]*[\\"'` + "`" + `”’]*\s*[:=]`)

// NamesCredential reports whether a text has a member whose name says that it
// holds a credential. Such a text is not shown where it cannot be read: a draft is
// easily taken for something else then.
func NamesCredential(text []byte) bool {
	for _, part := range credentialParts {
		if bytes.Contains(text, part) {
			return credentialName().Match(text)
		}
	}
	return false
}
