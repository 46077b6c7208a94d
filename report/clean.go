package report

import (
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/source"
)

// clean makes a foreign text safe to show on one line: what cannot be seen, or
// would move the cursor or reorder what follows, is shown as <U+202E>, a byte
// that is no UTF-8 as <0xFF>. It also breaks `##[command]`, which CI systems obey
// wherever it is in a line.
func clean(s string) string {
	if isClean(s) {
		return s
	}
	var buf [256]byte // enough for most, and not allocated
	return string(appendClean(buf[:0], s))
}

// cleanName is clean for the name of a file: two names never look the same for
// what was left out of one of them, or because one spells what the other holds.
func cleanName(s string) string {
	if isPlain(s) && !strings.Contains(s, "<") {
		return s
	}
	dst := make([]byte, 0, len(s)+16)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == 0xfe0e || r == 0xfe0f || r == '<' && (strings.HasPrefix(s[i:], "<U+") || strings.HasPrefix(s[i:], "<0x")) {
			dst = fmt.Appendf(dst, "<U+%04X>", r)
		} else {
			dst = appendRune(dst, s, i, r, size, 0)
		}
		i += size
	}
	return string(dst)
}

// isClean reports whether all of s is shown as it is, as nearly all texts are.
func isClean(s string) bool {
	for i := 0; i < len(s); {
		if isLatin(s, i) {
			i += 2
		} else if n := source.PrintableLen([]byte(s[i:])); n > 0 {
			i += n
		} else {
			r, size := utf8.DecodeRuneInString(s[i:])
			if size == 1 || isHidden(r) { // size 1: a control character, or no UTF-8
				return false
			}
			i += size
		}
	}
	return !hasCommand(s)
}

// isLatin reports whether a rune of two bytes begins at s[i] that is simple and shown as it
// is. Most that are not ASCII are such: letters with accents, and signs like §.
func isLatin(s string, i int) bool {
	if s[i] < utf8.RuneSelf || i+1 == len(s) {
		return false
	}
	r := rune(s[i]&0x1f)<<6 | rune(s[i+1]&0x3f)
	return s[i]&0xe0 == 0xc0 && s[i+1]&0xc0 == 0x80 && r >= 0xa0 && isSimple(r) && r != softHyphen
}

const softHyphen = 0xad

// isPlain reports whether s is ASCII that is shown as it is.
func isPlain(s string) bool { return plainLen(s, 0) == len(s) }

// plainLen returns how many bytes of s from i on are ASCII that is shown as it is.
func plainLen(s string, i int) int {
	const ahead = 256 // no more is looked at in vain, however often a run ends
	at := i
	for at < len(s) {
		end := min(at+ahead, len(s))
		n := source.PrintableLen([]byte(s[at:end]))
		if c := commandIn(s, at, at+n); c >= 0 {
			return c - i
		}
		if at += n; at < end {
			break
		}
	}
	return at - i
}

// hasCommand reports whether a [ begins a logging command in s. Most texts have none.
func hasCommand(s string) bool {
	return strings.IndexByte(s, '[') >= 0 && commandIn(s, 0, len(s)) >= 0
}

// commandIn returns where, between two offsets of s, a [ begins a logging command; -1 if
// none does.
func commandIn(s string, from, to int) int {
	for ; ; from++ {
		n := strings.IndexByte(s[from:to], '[')
		if n < 0 {
			return -1
		}
		if from += n; opensCommand(s[:from]) {
			return from
		}
	}
}

func appendClean(dst []byte, s string) []byte {
	last := rune(0)
	for i := 0; i < len(s); {
		if n := plainLen(s, i); n > 0 {
			dst = append(dst, s[i:i+n]...)
			i += n
			last = rune(s[i-1])
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		dst = appendRune(dst, s, i, r, size, last)
		last = r
		i += size
	}
	return dst
}

// appendRune appends the rune r, of size bytes at s[i], as it may be shown after
// the rune last.
func appendRune(dst []byte, s string, i int, r rune, size int, last rune) []byte {
	switch {
	case ' ' <= r && r <= '~' && r != '[':
		return append(dst, byte(r))
	case r == utf8.RuneError && size == 1:
		return fmt.Appendf(dst, "<0x%02X>", s[i])
	case r == '[' && opensCommand(s[:i]), isHidden(r):
		if chooseLook(r, last) {
			return dst
		}
		return fmt.Appendf(dst, "<U+%04X>", r)
	default:
		return append(dst, s[i:i+size]...)
	}
}

// isHidden reports whether a rune is invisible or changes how others are shown.
func isHidden(r rune) bool {
	if 0xa0 <= r && r < 0x300 { // most that are not ASCII
		return r == softHyphen
	}
	return !unicode.IsGraphic(r) ||
		r >= 0x300 && (unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector, r))
}

// chooseLook reports whether r only chooses between the coloured and the plain
// look of the visible character before it. People mean nothing by it, and
// terminals disagree on its width: it is left out.
func chooseLook(r, last rune) bool {
	return (r == 0xfe0e || r == 0xfe0f) && !isHidden(last) && !unicode.IsSpace(last)
}

// opensCommand reports whether a [ after s would begin a logging command
// (##[error], ##vso[…], ##teamcity[…]).
func opensCommand(s string) bool {
	end := len(s)
	for end > 0 && ('a' <= s[end-1] && s[end-1] <= 'z' || 'A' <= s[end-1] && s[end-1] <= 'Z') {
		end--
	}
	return strings.HasSuffix(s[:end], "##")
}

// guard keeps a line that is about to be printed from being a workflow command
// (::error::…), which may be after white space.
func guard(line string) string {
	if i := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsSpace(r) }); i >= 0 && strings.HasPrefix(line[i:], "::") {
		return line[:i] + "<U+003A>" + line[i+1:]
	}
	return line
}

// Message makes a text of a program's own that may quote inputs, such as an error
// with a file's name, safe to show on standard error: line by line, as reports
// are.
func Message(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = guard(clean(line))
	}
	return strings.Join(lines, "\n")
}

// cleanPath returns a path without needless parts; "" stays "".
func cleanPath(p string) string {
	if p == "" {
		return ""
	}
	return path.Clean(p)
}

// isAbs reports whether a path with forward slashes is absolute, on any system.
func isAbs(p string) bool {
	return strings.HasPrefix(p, "/") || len(p) > 2 && p[1] == ':' && p[2] == '/'
}
