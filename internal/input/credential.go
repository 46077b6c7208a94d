package input

import (
	"bytes"

	"github.com/brennerlint/brennerlint/internal/lazyregexp"
)

// credentialName matches a name, or a part of one, of a member that holds a credential.
var credentialName = lazyregexp.New(`(?i)token|secret|passw(?:or)?d|credential|authorization|api[_-]?key`)

// letters is a set of letters.
type letters uint32

// lettersOf returns the set of the letters of a text, in either case.
func lettersOf(s string) (set letters) {
	for _, c := range []byte(s) {
		set |= letterOf[c]
	}
	return set
}

// letterOf gives each letter as a set, in either case; the empty set for other bytes.
var letterOf = func() (sets [256]letters) {
	for i := range 26 {
		sets['a'+i], sets['A'+i] = 1<<i, 1<<i
	}
	return sets
}()

// credentialLetters are sets of letters: every name that credentialName matches contains all
// letters of at least one of them.
var credentialLetters = []letters{
	lettersOf("token"), lettersOf("secret"), lettersOf("passwd"), lettersOf("credential"), lettersOf("authorization"), lettersOf("apikey"),
}

// NamesCredential reports whether a text has a member whose name says that it holds a
// credential, as in a draft or a log: "sender_token": …, api-key = …. JSON in JSON escapes
// the quotes. Such a text is not shown if it cannot be parsed, since it may be a draft
// that was not recognised.
func NamesCredential(text []byte) bool {
	for _, sign := range []byte{':', '='} {
		for from := 0; ; {
			i := bytes.IndexByte(text[from:], sign)
			if i < 0 {
				break
			}
			if i > 0 && endsName[text[from+i-1]] && isCredentialName(nameAtEnd(text[from:from+i])) {
				return true
			}
			from += i + 1
		}
	}
	return false
}

// shortestName is the length of the shortest name of a credential.
const shortestName = len("token")

// nameAtEnd returns the member name that a text ends with, before quotation marks and
// white space.
func nameAtEnd(text []byte) []byte {
	if n := len(text); n > 0 && !nameBytes[text[n-1]] {
		text = bytes.TrimRight(bytes.TrimRight(text, blanks), quotes)
	}
	start := len(text)
	for start > 0 && nameBytes[text[start-1]] {
		start--
	}
	return text[start:]
}

// quotes may be after a name, and blanks after these.
const (
	quotes = "\\\"'`”’"
	blanks = " \t\n\f\r"
)

// nameBytes are the bytes that names consist of.
var nameBytes = func() (is [256]bool) {
	for c := range is {
		c := byte(c)
		is[c] = '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || c == '_' || c == '-'
	}
	return is
}()

// endsName are the bytes that can directly precede the sign after a name: after any other
// byte there is no name.
var endsName = func() (is [256]bool) {
	is = nameBytes
	for _, c := range []byte(quotes + blanks) {
		is[c] = true
	}
	return is
}()

func isCredentialName(name []byte) bool {
	if len(name) < shortestName {
		return false
	}
	var has letters
	for _, c := range name {
		has |= letterOf[c]
	}
	for _, least := range credentialLetters {
		if has&least == least {
			return credentialName().Match(name)
		}
	}
	return false
}
