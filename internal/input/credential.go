package input

import (
	"bytes"
	"slices"
)

// credentialNames are parts of the names of members that hold a credential, in lower case.
var credentialNames = [][]byte{
	[]byte("token"), []byte("secret"), []byte("password"), []byte("passwd"), []byte("credential"), []byte("authorization"),
	[]byte("apikey"), []byte("api_key"), []byte("api-key"),
}

// NamesCredential reports whether a text has a member whose name says that it holds a
// credential, as in a draft or a log: "sender_token": …, api-key = …. JSON in JSON escapes
// the quotes. Such a text is not shown if it cannot be parsed, since it may be a draft
// that was not recognised.
func NamesCredential(text []byte) bool {
	start := 0
	for i, c := range text {
		if c != ':' && c != '=' {
			continue
		}
		name := bytes.TrimRight(text[start:i], " \t\n\f\r\\\"'`”’")
		name = bytes.ToLower(name[bytes.LastIndexFunc(name, isNoName)+1:])
		if slices.ContainsFunc(credentialNames, func(part []byte) bool { return bytes.Contains(name, part) }) {
			return true
		}
		start = i + 1
	}
	return false
}

// isNoName reports whether a character cannot be in the name of a member.
func isNoName(c rune) bool {
	return c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
}
