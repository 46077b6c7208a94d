package jsontree

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/internal/lazyregexp"
)

// quote returns the length of the quotation mark at the place, 0 if there is none.
func (w *rewriter) quote() int {
	if w.at >= len(w.data) {
		return 0
	}
	r, size := utf8.DecodeRune(w.data[w.at:])
	if r == '"' || strings.ContainsRune(foreignQuotes, r) {
		return size
	}
	return 0
}

// closers returns what ends a string that begins with a quotation mark.
func closers(open string) string {
	switch open {
	case `"`, "'", "`":
		return open
	}
	return "”“’‘»«\""
}

// str reads a string in any quotes up to the mark that ends it most likely.
func (w *rewriter) str(isKey bool) {
	size := w.quote()
	open := string(w.data[w.at : w.at+size])
	start := w.at + size
	if open != `"` {
		w.edit(w.at, start, `"`)
	}
	end, mark, sure := w.stringEnd(start, closers(open), isKey)
	if !sure {
		w.guess()
	}
	w.content(start, end)
	switch {
	case mark == 0:
		w.edit(end, end, `"`)
	case string(w.data[end:end+mark]) != `"`:
		w.edit(end, end+mark, `"`)
	}
	w.at = end
	w.take(mark)
}

// afterLine is what follows a line break where a string was not closed before it: a
// key with its colon, or a closing bracket.
var afterLine = lazyregexp.New(`^[ \t]*(?:["'“]?[A-Za-z_][A-Za-z0-9_]*["'”]?[ \t]*:|[}\]])`)

const (
	// maxLook bounds how far is looked for what follows a string.
	maxLook = 256
	// maxQuoted bounds how far a string goes on after a mark that may end it.
	maxQuoted = 4096
	// minLooks and bytesALook bound how often that is looked for in a text: JSON has far
	// fewer quotation marks, and each costs a microsecond.
	minLooks, bytesALook = 4096, 4
)

// stringEnd returns where a string ends and the length of its closing mark, 0 if that is
// missing. It is sure if the first mark ends it.
func (w *rewriter) stringEnd(start int, marks string, isKey bool) (end, mark int, sure bool) {
	first, firstMark := -1, 0
	for at := start; at < len(w.data) && (first < 0 || at < first+maxQuoted); {
		r, size := utf8.DecodeRune(w.data[at:])
		switch {
		case r == '\\':
			size = min(2, len(w.data)-at)
		case r == '\n' && afterLine().Match(w.data[at+1:min(len(w.data), at+1+maxLook)]):
			if first >= 0 {
				return first, firstMark, false
			}
			text := bytes.TrimRight(w.data[start:at], " \t\r")
			return start + len(bytes.TrimSuffix(text, []byte(","))), 0, false
		case strings.ContainsRune(marks, r):
			if isKey || w.endsString(at+size) {
				return at, size, first < 0
			}
			if w.looks++; w.looks > minLooks+len(w.data)/bytesALook {
				w.failed = true
				return at, size, false
			}
			if first < 0 {
				first, firstMark = at, size
			}
		}
		at += size
	}
	if first >= 0 {
		return first, firstMark, false
	}
	text := bytes.TrimRight(w.data[start:], " \t\r\n")
	return start + len(bytes.TrimRight(text, "}]")), 0, false
}

// spaces are any white space, allowed between tokens or not (isAnySpace).
const spaces = `[\s\v\p{Zs}\x{200b}-\x{200d}\x{2028}\x{2029}\x{2060}\x{feff}]*`

// memberStart is a comma and what may follow it: a key, a closing bracket, another
// value of an array, or nothing.
var memberStart = lazyregexp.New(`^[,;]` + spaces + `(?:[,;]|["'“‘][^"'”’\n]{0,64}["'”’]` + spaces + `[:=,\]]|[A-Za-z_][A-Za-z0-9_]*` + spaces + `[:=]|[}\]]|//|/\*|#|["'“‘{\[]|[-0-9tfnTFN]|$)`)

// endsString reports whether what follows a quotation mark shows that a string ended
// there.
func (w *rewriter) endsString(at int) bool {
	rest := w.data[at:min(len(w.data), at+maxLook)]
	trimmed := bytes.TrimLeftFunc(rest, isAnySpace)
	if len(trimmed) == 0 {
		return len(rest) < maxLook
	}
	broken := bytes.IndexByte(rest[:len(rest)-len(trimmed)], '\n') >= 0
	switch c := trimmed[0]; {
	case c == '}' || c == ']':
		return true
	case c == ',' || c == ';':
		return memberStart().Match(trimmed)
	case bytes.HasPrefix(trimmed, []byte("//")), bytes.HasPrefix(trimmed, []byte("/*")), c == '#':
		return true
	case c == '"' || c == '\'':
		return broken || len(rest) > len(trimmed) && nextKey().Match(trimmed)
	case broken:
		return afterLine().Match(trimmed)
	}
	return false
}

// nextKey is a key with its colon, after a comma that is missing.
var nextKey = lazyregexp.New(`^["'][A-Za-z_][A-Za-z0-9_]*["']\s*:`)

// content corrects what cannot be in a string as it is.
func (w *rewriter) content(start, end int) {
	for at := start; at < end; {
		r, size := utf8.DecodeRune(w.data[at:])
		switch {
		case r == '\\':
			size = w.escape(at, end)
		case r == '"':
			w.guess()
			w.edit(at, at+1, `\"`)
		case r < ' ':
			w.edit(at, at+1, control(r))
		}
		at += size
	}
}

// control returns a control character as a string writes it.
func control(r rune) string {
	switch r {
	case '\n':
		return `\n`
	case '\r':
		return ""
	case '\t':
		return `\t`
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// escape corrects an escape, and returns its length.
func (w *rewriter) escape(at, end int) int {
	if at+1 >= end {
		w.edit(at, at+1, `\\`)
		return 1
	}
	switch c := w.data[at+1]; {
	case strings.IndexByte(`"\/bfnrt`, c) >= 0:
		return 2
	case c == 'u' && at+6 <= end && isHex(w.data[at+2:at+6]):
		return 6
	case c == '\'' || c == '`':
		w.cut(at, at+1)
		return 2
	case c == '\n':
		w.edit(at, at+2, `\n`)
		return 2
	}
	w.edit(at, at+1, `\\`)
	return 1
}

func isHex(digits []byte) bool {
	for _, c := range digits {
		if !isDigit(c) && !('a' <= c|0x20 && c|0x20 <= 'f') {
			return false
		}
	}
	return true
}

// Quote returns a text as a JSON string.
func Quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ':
			b.WriteString(control(r))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
