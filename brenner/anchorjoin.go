package brenner

import "strings"

// joints are what writers put between anchors that should be separate entries, other than
// commas.
var joints = map[string]bool{"": true, ";": true, "/": true, "&": true, "+": true, "|": true, "and": true, "or": true}

// JoinedAnchors returns the first run of citations in s that are written as one
// (`§161; §42`, `§161 and §42`), nil if there is none: each is a separate anchor
// (decisions.md 56). found are the anchors of s. A comma joins them only if s is one
// string of a JSON array; elsewhere it separates the entries of a list. A remark that
// continues with another citation (`§42 extends §161`) is a remark.
func JoinedAnchors(s string, found []Anchor, commas bool) []Anchor {
	for i := range found {
		n := i + 1
		for n < len(found) && found[n-1].isCitation() && found[n].isCitation() &&
			joined(strings.TrimSpace(s[found[n-1].Span.End:found[n].Span.Start]), commas) {
			n++
		}
		if n > i+1 {
			return found[i:n]
		}
	}
	return nil
}

// joined reports whether the text between two citations only joins them; a remark about
// the first may be before a comma or semicolon.
func joined(between string, commas bool) bool {
	return joints[between] && (commas || !strings.HasPrefix(between, ",")) ||
		strings.HasSuffix(between, ";") || commas && strings.HasSuffix(between, ",")
}

// isCitation reports whether the anchor cites sections or evidence.
func (a Anchor) isCitation() bool { return a.IsSection() || a.Kind == EvidenceAnchor }

// Single returns a citation with one section sign if it is written with two: §161 for
// §§161, §161-§163 for §§161-163.
func (a Anchor) Single(s string) string {
	written := s[a.Span.Start:a.Span.End]
	if a.Kind == MojibakeAnchor {
		return Restored(written)
	}
	written = strings.Replace(written, "§§", "§", 1)
	if a.Kind == RangeAnchor && strings.Count(written, "§") == 1 {
		if i := strings.LastIndexFunc(written, func(r rune) bool { return r < '0' || r > '9' }); i > 0 {
			at := i + len(string([]rune(written[i:])[0]))
			written = written[:at] + "§" + written[at:]
		}
	}
	return written
}
