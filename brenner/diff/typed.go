package diff

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/internal/text"
)

// A value of the wrong type is stored as given (DL-007, decisions.md 18). Publishers show it in many ways:
// joined, as a list, by hypotheses.

// hasType reports whether a value, and what is in it, has the type that a reader of a rendering gives it.
func hasType(f *brenner.Field, v any) bool {
	isNested := func(v any) bool {
		switch v.(type) {
		case []any, map[string]any:
			return true
		}
		return false
	}
	switch v := v.(type) {
	case map[string]any:
		return (f.Kind == brenner.OutcomesField || f.Kind == brenner.ScoreField || f.Kind == brenner.RecordField) &&
			!slices.ContainsFunc(slices.Collect(maps.Values(v)), isNested)
	case []any:
		return f.Kind == brenner.ListField && !slices.ContainsFunc(v, isNested)
	case string:
		return f.Kind == brenner.TextField || f.Kind == brenner.RecordField
	case nil:
		return true
	}
	return f.Kind == brenner.FlagField
}

// Reworded returns the fields that are published, and whose values in the state no reader gets from a rendering.
func (p *Pair) Reworded() (keys []string) {
	for _, f := range p.Want.ID.Section.Fields() {
		if p.Got.Fields()[f.Key] != nil && !hasType(f, p.Want.Fields()[f.Key]) {
			keys = append(keys, f.Key)
		}
	}
	return keys
}

// saysSame reports whether a published value has the words of one of the wrong type: what separates and marks them,
// and the names of members, make no difference.
func saysSame(f *brenner.Field, want, got any) bool {
	if list, _ := want.([]any); f.Kind == brenner.ScoreField && len(list) == len(brenner.ScoreParts) {
		parts := map[string]any{}
		for i, part := range brenner.ScoreParts {
			parts[part] = list[i]
		}
		want = parts
	}
	names := map[string]bool{}
	a, b := said(want, names), said(got, names)
	return slices.Equal(phrases(f, a, names), phrases(f, b, names))
}

// phrases returns the words of a text without the names of members: those of each hypothesis, and of each part of
// a score, are a phrase.
func phrases(f *brenner.Field, text string, names map[string]bool) []string {
	words := [][]string{nil}
	for word := range strings.FieldsFuncSeq(remark().ReplaceAllString(text, "$1 "), separates) {
		word = strings.TrimSuffix(strings.TrimSuffix(strings.Trim(word, "."), "/3"), "/12") // of a score
		switch {
		case isPart(word):
			words = append(words, []string{strings.Replace(word, "likelihood", "lr", 1)})
		case !names[word] && !slices.Contains(joints, word):
			words[len(words)-1] = append(words[len(words)-1], word)
		}
	}
	out := make([]string, len(words))
	for i := range words {
		out[i] = strings.Join(words[i], " ")
	}
	slices.Sort(out[1:])
	if f.Kind == brenner.ScoreField && len(out) > 1 {
		out[0] = "" // the total
	}
	return out
}

// isPart reports whether a word, in lower case, names a hypothesis or a part of a score.
func isPart(word string) bool {
	id, _ := brenner.ParseItemID(strings.ToUpper(word))
	isLabel := func(label string) bool { return strings.EqualFold(label, word) }
	return id.Section == brenner.HypothesisSlate || word == "likelihood" || slices.ContainsFunc(brenner.ScoreLabels[:], isLabel)
}

// joints are the words and marks between the parts of a value.
var joints = strings.Fields("- -- – — → -> => & / + • and then if under ratio")

func separates(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("[]{}()\"“”*_`,;:|=\\", r)
}

var (
	marker = text.Pattern(`(?m)^\s*(?:[-*+]|[0-9]+[.)])\s`)
	remark = text.Pattern(`\b(h[1-9][0-9]*)\s*\([^()]*\)`)
)

// said returns a value as a text in lower case: the entries of a list, and those of an object, each on a line, an item
// that they are about first, without what was there before. It adds the words of the names of members to names.
func said(v any, names map[string]bool) string {
	var out []string
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			out = append(out, said(e, names))
		}
	case map[string]any:
		rank := func(key string) int {
			if isPart(strings.ToLower(brenner.Plain(v[key]))) {
				return 0
			}
			return 1
		}
		for _, key := range slices.SortedFunc(maps.Keys(v), func(a, b string) int { return cmp.Or(rank(a)-rank(b), strings.Compare(a, b)) }) {
			name := strings.ToLower(key)
			for word := range strings.FieldsFuncSeq(name, separates) {
				names[word] = true
			}
			if !slices.Contains(delta.FormerWords, name) {
				out = append(out, name+": "+said(v[key], names))
			}
		}
	default:
		return strings.ToLower(brenner.Fold(marker().ReplaceAllString(brenner.Plain(v), "")))
	}
	return strings.Join(out, "\n")
}
