package brenner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/internal/text"
)

// separators are the texts, other than commas, that writers put between anchors that should be
// separate entries.
var separators = words("; / & + | : and or ； ， 、")

// rangeSeparators are those between the ends of what is meant as a range.
var rangeSeparators = words("to through until … ...")

// MeantRange returns the range that joined anchors most likely are; "" if they are none.
func MeantRange(s string, joined []Anchor) string {
	if len(joined) != 2 || joined[0].Kind != SectionAnchor || joined[1].Kind != SectionAnchor {
		return ""
	}
	a, b := joined[0], joined[1]
	isAll := strings.TrimSpace(s) == s[a.Span.Start:b.Span.End]
	switch {
	case !isAll || !slices.Contains(rangeSeparators, strings.TrimSpace(s[a.Span.End:b.Span.Start])):
		return ""
	case a.First == b.First:
		return fmt.Sprintf("§%d", a.First)
	}
	return fmt.Sprintf("§%d-§%d", min(a.First, b.First), max(a.First, b.First))
}

// JoinedAnchors returns the first run of citations in s that are written as one entry (`§161;
// §42`, `§161 and §42`), or nil. Each should be an anchor of its own (decisions.md 56: joined
// anchors). found are the anchors of s. With commas, a comma joins them too: s is one string of
// a JSON array. Elsewhere a comma separates entries. Citations with a word between them (`§42
// extends §161`) are not joined.
func JoinedAnchors(s string, found []Anchor, commas bool) []Anchor {
	for i := range found {
		n := i + 1
		for n < len(found) && found[n-1].isCitation() && found[n].isCitation() {
			between := strings.TrimSpace(s[found[n-1].Span.End:found[n].Span.Start])
			isRange := slices.Contains(rangeSeparators, between) && strings.TrimSpace(s[:found[i].Span.Start]) == "" // else it is a remark
			if !isRange && !joined(between, commas) {
				break
			}
			n++
		}
		if n > i+1 {
			return found[i:n]
		}
	}
	return nil
}

// joined reports whether the text between two citations only joins them. A remark about
// the first may precede a comma or semicolon.
func joined(between string, commas bool) bool {
	return (between == "" || slices.Contains(separators, between)) && (commas || !strings.HasPrefix(between, ",")) ||
		strings.HasSuffix(between, ";") || commas && strings.HasSuffix(between, ",")
}

// isCitation reports whether the anchor cites sections or evidence.
func (a Anchor) isCitation() bool { return a.IsSection() || a.Kind == EvidenceAnchor }

// Single returns a citation with two section signs in the form of an anchor: §161 for §§161,
// §161-§163 for §§161-163.
func (a Anchor) Single(s string) string {
	written := s[a.Span.Start:a.Span.End]
	if a.Kind == MojibakeAnchor {
		return Restored(written)
	}
	written = strings.Replace(written, "§§", "§", 1)
	if a.Kind == RangeAnchor && strings.Count(written, "§") == 1 {
		written = lastNumber().ReplaceAllString(written, "§$0")
	}
	return written
}

var lastNumber = text.Pattern(`[0-9]+$`)
