package input

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/internal/lazyregexp"
)

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
	if n := len(text); n > 0 && !isNameByte(text[n-1]) {
		if text[n-1] <= ' ' { // seldom
			text = bytes.TrimRight(text, " \t\n\f\r")
		}
		const quotes = "\\\"'`”’"
		if last, _ := utf8.DecodeLastRune(text); strings.ContainsRune(quotes, last) {
			text = bytes.TrimRight(text, quotes)
		}
	}
	start := len(text)
	for start > 0 && isNameByte(text[start-1]) {
		start--
	}
	return text[start:]
}

func isNameByte(c byte) bool {
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || c == '_' || c == '-'
}

func isCredentialName(name []byte) bool {
	if len(name) < shortestName {
		return false
	}
	for i := range name {
		if beginsCredential(name[i:]) {
			return credentialName().Match(name)
		}
	}
	return false
}

// beginsCredential reports whether a text begins with a part of the name of a member that
// holds a credential: without its first letter, which may be a capital, or in capitals.
func beginsCredential(text []byte) bool {
	switch text[0] {
	case 'a':
		return bytes.HasPrefix(text, []byte("assw")) || bytes.HasPrefix(text, []byte("api"))
	case 'e':
		return bytes.HasPrefix(text, []byte("ecret"))
	case 'o':
		return bytes.HasPrefix(text, []byte("oken"))
	case 'r':
		return bytes.HasPrefix(text, []byte("redential"))
	case 'u':
		return bytes.HasPrefix(text, []byte("uthoriz"))
	case 'A':
		return bytes.HasPrefix(text, []byte("API"))
	case 'P':
		return bytes.HasPrefix(text, []byte("PASSW"))
	case 'S':
		return bytes.HasPrefix(text, []byte("SECRET"))
	case 'T':
		return bytes.HasPrefix(text, []byte("TOKEN"))
	}
	return false
}
