package input

import (
	"bytes"
	"regexp"
	"sync"
)

// credentialName matches a name, or a part of one, of a member that holds a credential.
var credentialName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)token|secret|passw(?:or)?d|credential|authorization|api[_-]?key`)
})

// letters is a set of letters; with nameByte it is what a name is made of.
type letters uint32

// nameByte is in the set of each byte that names consist of.
const nameByte letters = 1 << 31

// lettersOf returns the set of a text.
func lettersOf(s string) (set letters) {
	for _, c := range []byte(s) {
		set |= letterOf[c]
	}
	return set
}

// letterOf gives each byte of a name as a set, a letter in either case; the empty set for
// other bytes.
var letterOf = func() (sets [256]letters) {
	for i := range 26 {
		sets['a'+i], sets['A'+i] = nameByte|1<<i, nameByte|1<<i
	}
	for _, c := range []byte("0123456789_-") {
		sets[c] = nameByte
	}
	return sets
}()

// credentialLetters are sets of letters: every name that credentialName matches contains all
// letters of at least one of them. Each has one of rareLetters.
var (
	credentialLetters = []letters{
		lettersOf("token"), lettersOf("secret"), lettersOf("passwd"), lettersOf("credential"), lettersOf("authorization"), lettersOf("apikey"),
	}
	rareLetters = lettersOf("kcwz") &^ nameByte
)

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
			if i > 0 && endsName[text[from+i-1]] && endsWithCredential(text[from:from+i]) {
				return true
			}
			from += i + 1
		}
	}
	return false
}

// endsWithCredential reports whether a text ends with the name of a member that holds a
// credential, before quotation marks and white space.
func endsWithCredential(text []byte) bool {
	if letterOf[text[len(text)-1]] == 0 {
		text = bytes.TrimRight(bytes.TrimRight(text, blanks), quotes)
	}
	var has letters
	start := len(text)
	for start > 0 && letterOf[text[start-1]] != 0 {
		start--
		has |= letterOf[text[start]]
	}
	if has&rareLetters == 0 {
		return false // as most names
	}
	for _, least := range credentialLetters {
		if has&least == least {
			return credentialName().Match(text[start:])
		}
	}
	return false
}

// quotes may be after a name, and blanks after these.
const (
	quotes = "\\\"'`”’"
	blanks = " \t\n\f\r"
)

// endsName are the bytes that can directly precede the sign after a name: after any other
// byte there is no name.
var endsName = func() (is [256]bool) {
	for c := range is {
		is[c] = letterOf[c] != 0
	}
	for _, c := range []byte(quotes + blanks) {
		is[c] = true
	}
	return is
}()
