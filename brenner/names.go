package brenner

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/source"
)

// NamesThirdAlternative reports whether the name of a hypothesis or critique marks it
// as a third alternative (`Third Alternative - Timing`, artifact_format.md, File).
func NamesThirdAlternative(name string) bool { return containsWords(name, "third", "alternative") }

// NamesScaleCheck reports whether the name of an assumption marks it as a scale or
// physics check (`Scale check: diffusion`, `Scale/physics check`).
func NamesScaleCheck(name string) bool {
	return containsWords(name, "scale", "check") || containsWords(name, "physics", "check")
}

// containsWords reports whether s contains two words in any case, the second perhaps with an ending,
// separated by white space, a hyphen or an underscore.
func containsWords(s, first, second string) bool {
	for i := 0; i+len(first)+1+len(second) <= len(s); i++ {
		gap := s[i+len(first):]
		if gap[0] > ' ' && gap[0] != '-' && gap[0] != '_' && gap[0] < utf8.RuneSelf || !HasPrefixFold(s[i:], first) {
			continue
		}
		rest := strings.TrimLeftFunc(gap, unicode.IsSpace)
		if rest == gap {
			rest = gap[1:]
		}
		if HasPrefixFold(rest, second) {
			before, _ := utf8.DecodeLastRuneInString(s[:i])
			rest = rest[len(second):]
			for _, end := range []string{"s", "ed", "ing"} {
				if HasPrefixFold(rest, end) {
					rest = rest[len(end):]
					break
				}
			}
			after, _ := utf8.DecodeRuneInString(rest)
			if !unicode.Is(unicode.Latin, before) && !unicode.Is(unicode.Latin, after) { // not `Full-scale checkpoint`
				return true
			}
		}
	}
	return false
}

// Suggest returns the field that an unknown label or key most likely means: `Statement` in
// a hypothesis means its claim. It returns nil if the name is a field of the section, or
// if no field is close.
func (s Section) Suggest(name string) *Field {
	if len(name) > 64 || s.Field(name) != nil {
		return nil
	}
	key := FoldKey(strings.TrimSpace(name))
	for _, f := range s.Fields() {
		if slices.Contains(f.Aliases, key) {
			return f
		}
	}
	return s.Field(key)
}

// ItemMention is an item id in prose.
type ItemMention struct {
	ID   ItemID
	Span source.Span
}

// ItemMentions returns the item ids in prose, in order. It finds ids in `H1 vs H3` and
// `T1-roles`, but not in `H3K27me3`, `EV-001#E1` or `A1.2`, those of another session or in an address,
// and never RT.
func ItemMentions(s string) iter.Seq[ItemMention] {
	return func(yield func(ItemMention) bool) {
		for i := 0; i < len(s); {
			if sectionByLetter[s[i]] == 0 || wordBefore(s, i) {
				i++
				continue
			}
			id, n := itemIDAt(s[i:])
			end := i + max(n, 1)
			if n > 0 && !wordAt(s, end) && !decimalAt(s, end) && !isForeign(s, i) && !yield(ItemMention{ID: id, Span: source.Span{Start: i, End: end}}) {
				return
			}
			i = end
		}
	}
}

// isForeign reports whether the id at i is in a web address, in the target of a link to another file, or of
// another session: `RS-20251228-initial/H9`, or with # or a colon.
func isForeign(s string, i int) bool {
	path := pathBefore(s, i)
	n := strings.IndexAny(path, "/#:")
	if n < 0 {
		return false
	}
	kind, ok := ClassifyThreadID(strings.TrimLeft(path[:n], "*_`["))
	return ok && kind == ResearchSession || strings.Contains(path, "/") && (strings.HasSuffix(s[:i-len(path)], "](") || inAddress(s, i))
}

// decimalAt reports whether a decimal point and a digit are at i: `A1.2` is not an id.
func decimalAt(s string, i int) bool {
	return i+1 < len(s) && s[i] == '.' && '0' <= s[i+1] && s[i+1] <= '9'
}
