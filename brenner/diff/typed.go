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

// saysSame reports whether a published value has the words of one of the wrong type, with or without the
// names in that: what separates and marks them makes no difference.
func saysSame(f *brenner.Field, want, got any) bool {
	shown := phrases(f, byPart(f, got), false)
	isShown := func(v any, named bool) bool { return slices.Equal(phrases(f, v, named), shown) }
	return isShown(want, false) || isShown(byPart(f, want), true)
}

// byPart returns a score by its parts if it is a list of these, any other value as it is.
func byPart(f *brenner.Field, v any) any {
	list, _ := v.([]any)
	if f.Kind != brenner.ScoreField || len(list) != len(brenner.ScoreParts) {
		return v
	}
	parts := map[string]any{}
	for i, part := range brenner.ScoreParts {
		parts[part] = list[i]
	}
	return parts
}

// phrases returns the words of a value: those of outcomes by hypothesis, those of a score by part.
func phrases(f *brenner.Field, v any, named bool) []string {
	text := strings.ToLower(brenner.Fold(said(v, named)))
	begins := func(string) bool { return false }
	switch f.Kind {
	case brenner.OutcomesField:
		text = remark().ReplaceAllString(text, "$1 ")
		begins = func(word string) bool { _, ok := brenner.ParseItemID(strings.ToUpper(word)); return ok }
	case brenner.ScoreField:
		text = partOf().ReplaceAllString(ratio().ReplaceAllString(text, "lr"), "$1$2")
		begins = func(word string) bool {
			return slices.ContainsFunc(brenner.ScoreLabels[:], func(label string) bool { return strings.EqualFold(label, word) })
		}
	}
	words := [][]string{nil}
	for word := range strings.FieldsFuncSeq(text, separates) {
		word = strings.Trim(word, ".")
		switch {
		case slices.Contains(joints, word):
		case begins(word):
			words = append(words, []string{word})
		default:
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

// joints are the words and marks between the parts of a value.
var joints = strings.Fields("- -- – — → -> => & / + • and then if under")

func separates(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("[]{}()\"“”*_`,;:|=\\", r)
}

var (
	marker = text.Pattern(`(?m)^\s*(?:[-*+]|[0-9]+[.)])\s`)
	remark = text.Pattern(`\b(h[1-9][0-9]*)\s*\([^()]*\)`)
	ratio  = text.Pattern(`\blikelihood(?:[ _-]?ratio)?\b`)
	partOf = text.Pattern(`\b([0-3])/3\b|\b([0-9]|1[0-2])/12\b`)
)

// said returns a value as a text: the entries of a list, and those of an object, each on a line, an item that
// they are about first, without what was there before. If the entries are not named, only ids and parts of scores are.
func said(v any, named bool) string {
	var out []string
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			out = append(out, said(e, named))
		}
	case map[string]any:
		isID := func(s string) bool { _, ok := brenner.ParseItemID(s); return ok }
		rank := func(key string) int {
			if isID(brenner.Plain(v[key])) {
				return 0
			}
			return 1
		}
		for _, key := range slices.SortedFunc(maps.Keys(v), func(a, b string) int { return cmp.Or(rank(a)-rank(b), strings.Compare(a, b)) }) {
			switch line := said(v[key], named); {
			case named, isID(key), slices.Contains(brenner.ScoreParts[:], key):
				out = append(out, key+": "+line)
			case !slices.Contains(delta.FormerWords, strings.ToLower(key)):
				out = append(out, line)
			}
		}
	default:
		return marker().ReplaceAllString(brenner.Plain(v), "")
	}
	return strings.Join(out, "\n")
}
