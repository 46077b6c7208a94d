package brenner

import (
	"strings"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/source"
)

// Split returns the entries of a list field as it is rendered. In a list of anchors, a
// comma after a dash belongs to a remark (`[inference] — not shown, but likely`), unless
// an anchor follows it.
func (f *Field) Split(text string) []source.Span { return entries(text, f.Key == anchors.Key) }

// SplitList returns the entries of a comma-separated list, without white space around
// them and without empty ones. Commas in quotations, brackets and parentheses, or after
// a backslash, do not separate entries.
func SplitList(s string) []source.Span { return entries(s, false) }

// entries returns the entries of a list, of anchors or not.
func entries(s string, anchors bool) []source.Span {
	var out []source.Span
	add := func(start, end int) {
		if e := source.Trim(s, source.Span{Start: start, End: end}); !e.Empty() {
			out = append(out, e)
		}
	}
	g := groups{s: s}
	start, dashed := 0, false
	for i := 0; i < len(s); {
		switch {
		case s[i] == ',' && !(dashed && !beginsAnchor(s, i+1)):
			add(start, i)
			start, dashed = i+1, false
		case anchors && i > start && source.IsSpace(s[i-1]):
			if width, _ := dashes.at(s, i); width > 0 && i+width < len(s) && source.IsSpace(s[i+width]) {
				dashed = true
			}
		}
		i = g.next(i)
	}
	add(start, len(s))
	return out
}

// beginsAnchor reports whether an anchor is at i or after white space.
func beginsAnchor(s string, i int) bool {
	for i < len(s) && source.IsSpace(s[i]) {
		i++
	}
	_, ok := anchorAt(s, i)
	return ok
}

// groups steps through a text, skipping quotations, brackets and parentheses. A mark that
// is never closed is a plain character, and so are all later marks of its kind: that keeps
// the work linear.
type groups struct {
	s    string
	open [4]bool // kinds (of groupMarks) that are known to be unclosed from here on
}

var groupMarks = [4]struct{ open, close string }{{"(", ")"}, {"[", "]"}, {`"`, `"`}, {"“", "”"}}

// next returns the offset after the character or the group at i.
func (g *groups) next(i int) int {
	switch c := g.s[i]; {
	case c == '\\' && i+1 < len(g.s):
		return i + 1 + runeWidth(g.s, i+1)
	case c < utf8.RuneSelf && c != '(' && c != '[' && c != '"':
		return i + 1
	}
	for k, m := range groupMarks {
		if g.open[k] || !strings.HasPrefix(g.s[i:], m.open) {
			continue
		}
		if end := groupEnd(g.s, i, m.open, m.close); end > 0 {
			return end
		}
		g.open[k] = true
	}
	return i + runeWidth(g.s, i)
}

func runeWidth(s string, i int) int {
	if s[i] < utf8.RuneSelf {
		return 1
	}
	_, width := utf8.DecodeRuneInString(s[i:])
	return width
}

// groupEnd returns the offset after the mark that closes the group at i, or 0 if nothing
// closes it. It skips nested groups of the same kind.
func groupEnd(s string, i int, open, close string) int {
	depth := 1
	for j := i + len(open); j < len(s); j++ {
		switch {
		case strings.HasPrefix(s[j:], close):
			if depth--; depth == 0 {
				return j + len(close)
			}
		case strings.HasPrefix(s[j:], open):
			depth++
		}
	}
	return 0
}
