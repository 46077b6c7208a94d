package report

import (
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// paint decorates text for a terminal, if true.
type paint bool

// style is the escape sequence that begins a style (Select Graphic Rendition).
type style string

const (
	bold   style = "\x1b[1m"
	dim    style = "\x1b[2m"
	red    style = "\x1b[1;31m"
	yellow style = "\x1b[1;33m"
	blue   style = "\x1b[1;34m"
	green  style = "\x1b[32m"
	cyan   style = "\x1b[36m"
)

// in wraps s in a style.
func (p paint) in(st style, s string) string {
	if !p || s == "" {
		return s
	}
	return string(st) + s + "\x1b[0m"
}

// textWidth returns the width of a cleaned text in columns of a terminal.
func textWidth(s string) int {
	n := 0
	for _, width := range graphemes(s) {
		n += width
	}
	return n
}

// graphemes returns the characters of a cleaned text as readers see them (UAX #29), each with its
// width in columns. What clean makes of a character is one too.
func graphemes(s string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for s != "" {
			n, width := 1, 1
			if s[0] >= utf8.RuneSelf || s[0] == '<' || len(s) > 1 && s[1] >= utf8.RuneSelf { // few are
				n, width = graphemeIn(s)
			}
			if !yield(s[:n], width) {
				return
			}
			s = s[n:]
		}
	}
}

// graphemeIn returns the length and the width of the character that a cleaned text begins with.
func graphemeIn(s string) (n, width int) {
	if end := strings.IndexByte(s[:min(len(s), len("<U+10FFFF>"))], '>'); end > 0 && (strings.HasPrefix(s, "<U+") || strings.HasPrefix(s, "<0x")) {
		return end + 1, end + 1
	}
	cluster, _, width, _ := uniseg.FirstGraphemeClusterInString(s, -1)
	return len(cluster), width
}

// truncateColumns cuts a cleaned text to some columns.
func truncateColumns(s string, columns int) string {
	if len(s) <= columns {
		return s
	}
	n, used := 0, 0 // n is how much is shown if an … follows
	for cluster, width := range graphemes(s) {
		if used += width; used > columns {
			return s[:n] + ellipsis
		}
		if used < columns {
			n += len(cluster)
		}
	}
	return s
}

// truncateLeft cuts a cleaned text to its last columns.
func truncateLeft(s string, columns int) string {
	cut := textWidth(s) - columns
	if cut <= 0 {
		return s
	}
	s, _ = dropColumns(s, cut+1)
	return ellipsis + s
}

// dropColumns returns a cleaned text without its first columns, and how many it leaves out.
func dropColumns(s string, columns int) (rest string, dropped int) {
	for cluster, width := range graphemes(s) {
		if dropped >= columns {
			break
		}
		s, dropped = s[len(cluster):], dropped+width
	}
	return s, dropped
}

// wrap cuts a cleaned text between words, into lines of some columns. A longer word has a
// line of its own. A terminal that is too narrow, or unknown, gets the text as it is.
func wrap(text string, columns int) (lines []string) {
	if columns < leastSource {
		return []string{text}
	}
	line, used := "", 0
	for word := range strings.SplitAfterSeq(text, " ") {
		if bare := strings.TrimSuffix(word, " "); bare != "" && used > 0 && used+textWidth(bare) > columns {
			lines = append(lines, strings.TrimSuffix(line, " "))
			line, used = "", 0
		}
		line += word
		used += textWidth(word)
	}
	return append(lines, line)
}
