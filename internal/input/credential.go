package input

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/internal/lazyregexp"
)

// credentialParts are parts of the names of members that hold credentials, by their first
// byte: without the first letter of the name, which may be a capital, or in capitals.
var credentialParts = func() (out [256][][]byte) {
	for _, part := range []string{"oken", "ecret", "assw", "redential", "uthoriz", "api", "API", "TOKEN", "SECRET", "PASSW"} {
		out[part[0]] = append(out[part[0]], []byte(part))
	}
	return out
}()

// credentialName is the name of a member that holds a credential, or a part of it.
var credentialName = lazyregexp.New(`(?i)token|secret|passw(?:or)?d|credential|authorization|api[_-]?key`)

// NamesCredential reports whether a text has a member whose name says that it
// holds a credential, as a draft or a log writes it: "sender_token": …, api-key = ….
// JSON in JSON escapes the quotes. Such a text is not shown where it cannot be read: a
// draft is easily taken for something else then.
func NamesCredential(text []byte) bool {
	for _, sign := range []byte{':', '='} {
		for from := 0; ; {
			i := bytes.IndexByte(text[from:], sign)
			if i < 0 {
				break
			}
			if isCredentialName(nameAtEnd(text[from : from+i])) {
				return true
			}
			from += i + 1
		}
	}
	return false
}

// shortestName is the length of the shortest name of a credential.
const shortestName = len("token")

// nameAtEnd is the name of a member that a text ends with, before quotation marks and
// white space.
func nameAtEnd(text []byte) []byte {
	if n := len(text); n > 0 && !nameBytes[text[n-1]] {
		if text[n-1] <= ' ' { // seldom
			text = bytes.TrimRight(text, " \t\n\f\r")
		}
		if n = len(text); n > 0 && (text[n-1] >= utf8.RuneSelf || strings.IndexByte(quotes, text[n-1]) >= 0) {
			text = bytes.TrimRight(text, quotes)
		}
	}
	start := len(text)
	for start > 0 && nameBytes[text[start-1]] {
		start--
	}
	return text[start:]
}

// quotes may be after a name.
const quotes = "\\\"'`”’"

// nameBytes are the bytes that names are made of.
var nameBytes = func() (is [256]bool) {
	for c := range is {
		c := byte(c)
		is[c] = '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || c == '_' || c == '-'
	}
	return is
}()

func isCredentialName(name []byte) bool {
	if len(name) < shortestName {
		return false
	}
	for i, c := range name {
		for _, part := range credentialParts[c] {
			if bytes.HasPrefix(name[i:], part) {
				return credentialName().Match(name)
			}
		}
	}
	return false
}
