package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// suggestValue suggests a value for one of the wrong type, range or enumeration, and
// offers to write it if only the notation differs: a list of one without brackets, a
// number in quotes, a word in capitals.
func suggestValue(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) {
	fix := func(n *jsontree.Node, value string) {
		out.Suggestion = "write " + value
		if len(value) > maxShownValue {
			out.Suggestion = "write it as " + expectedValue(f.Schema)
		}
		out.Fix = newFix(out.Suggestion, d.Text, source.Edit{Span: n.Span(), Text: value})
	}
	switch {
	case f.Schema == nil:
		if value := flagFor(f.Node); value != "" {
			fix(f.Node, value)
		}
		return
	case len(f.Parts) > 0 && f.Schema.Kind == brenner.OutcomesField:
		suggestOutcomeNames(out, d, f)
		return
	case len(f.Parts) > 0:
		suggestScore(out, d, f)
		return
	case f.Schema.Kind == brenner.ListField && f.Node == d.Payload.Get(f.Field) && f.Node.Is(jsontree.String) && says(f.Node.Text):
		fix(f.Node, listOf(f.Node.Text))
		return
	case f.Schema.Kind == brenner.FlagField && flagFor(f.Node) != "":
		fix(f.Node, flagFor(f.Node))
		return
	case len(f.Schema.Values) > 0 && f.Node.Is(jsontree.String):
		word := strings.ToLower(strings.Trim(f.Node.Text, " ."))
		meant := valueMeant(word, f.Schema.Values)
		if slices.Contains(f.Schema.Values, word) {
			fix(f.Node, strconv.Quote(word))
			return
		} else if meant != "" {
			fix(f.Node, strconv.Quote(meant))
			out.Fix.Unsafe = true
			return
		}
	case isSectionNumber(f):
		number := strconv.Quote("§" + f.Node.Text)
		if f.Node == d.Payload.Get(f.Field) {
			number = "[" + number + "]"
		}
		fix(f.Node, number)
		out.Fix.Unsafe = true
		return
	case wantsText(f.Schema, f.Node != d.Payload.Get(f.Field)) && (f.Node.Is(jsontree.Number) || f.Node.Is(jsontree.Bool)):
		fix(f.Node, strconv.Quote(f.Node.Text))
		return
	case f.Schema.Kind == brenner.TextField && len(f.Schema.Values) == 0 && joinedTexts(f.Node) != "":
		fix(f.Node, jsontree.Quote(joinedTexts(f.Node)))
		return
	}
	out.Suggestion = "write " + strconv.Quote(f.Field) + ": " + f.Schema.Placeholder()
}

// maxShownValue bounds the values that suggestions repeat.
const maxShownValue = 120

// wantsText reports whether a field holds texts: itself, or in its array or object.
func wantsText(f *brenner.Field, inside bool) bool {
	if inside {
		return f.Kind == brenner.ListField || f.Kind == brenner.OutcomesField
	}
	return f.Kind == brenner.TextField && len(f.Values) == 0
}

// isSectionNumber reports whether a number is written for an anchor: 42 for §42.
func isSectionNumber(f *delta.Fault) bool {
	return f.Field == "anchors" && f.Node.Is(jsontree.Number) && strings.Trim(f.Node.Text, "0123456789") == ""
}

// opposites are words for which the values have another one: what is not verified is
// unchecked, and what is not resolved is active.
var opposites = map[string]string{
	"unverified": "unchecked", "not verified": "unchecked", "not checked": "unchecked", "untested": "unchecked", "pending": "unchecked",
	"unresolved": "active", "not resolved": "active", "open": "active", "postponed": "deferred",
	"not tested": "untested", "not run": "untested", "pass": "passed", "fail": "failed",
}

// valueMeant returns the value that a word most likely means, "" if none.
func valueMeant(word string, values []string) string {
	if meant := opposites[word]; slices.Contains(values, meant) {
		return meant
	}
	return nearestValue(word, values)
}

// flagFor returns the flag that a text or number means, "" if none.
func flagFor(n *jsontree.Node) string {
	if !n.Is(jsontree.String) && !n.Is(jsontree.Number) {
		return ""
	}
	switch strings.ToLower(strings.TrimSpace(n.Text)) {
	case "true", "yes", "1":
		return "true"
	case "false", "no", "0":
		return "false"
	}
	return ""
}

// listOf returns a text as an array: of its parts if it is a list of ids or anchors,
// else of itself.
func listOf(s string) string {
	parts := strings.Split(s, ",")
	for i, part := range parts {
		if parts[i] = strings.TrimSpace(part); strings.ContainsAny(parts[i], " \t") || parts[i] == "" {
			return "[" + jsontree.Quote(s) + "]"
		}
	}
	for i, part := range parts {
		parts[i] = jsontree.Quote(part)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// joinedTexts returns an array of texts as one text, "" if it is not such an array.
func joinedTexts(n *jsontree.Node) string {
	if !n.Is(jsontree.Array) || len(n.Items()) == 0 {
		return ""
	}
	var out []string
	for _, item := range n.Items() {
		if !item.Is(jsontree.String) || !says(item.Text) {
			return ""
		}
		out = append(out, item.Text)
	}
	return strings.Join(out, "; ")
}

// suggestOutcomeNames suggests the hypotheses that outcomes name in another form: h1, H01
// or "H1 (lineage)".
func suggestOutcomeNames(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) {
	out.Suggestion = "name each outcome by the id of its hypothesis, as in " + f.Schema.Placeholder()
	outcomes := d.Payload.Get(f.Field)
	var edits []source.Edit
	var names []string
	for i := range f.Parts {
		m := &f.Parts[i]
		word, _, _ := strings.Cut(strings.TrimSpace(m.Name), " ")
		id, ok := delta.SuggestTarget(word)
		if !ok || id.Section != brenner.HypothesisSlate || outcomes.Get(id.String()) != nil || slices.Contains(names, id.String()) || len(names) == maxRenamed {
			return
		}
		names = append(names, id.String())
		edits = append(edits, d.Rename(m, id.String()))
	}
	out.Suggestion = "write " + text.And(names)
	out.Fix = newFix(out.Suggestion, d.Text, edits...)
}

// maxRenamed bounds the outcomes that one fix renames.
const maxRenamed = 12

// suggestScore suggests values for the bad parts of a score.
func suggestScore(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) {
	var edits []source.Edit
	for i := range f.Parts {
		m := &f.Parts[i]
		switch {
		case !slices.Contains(brenner.ScoreParts[:], m.Name):
			meant := text.Nearest(m.Name, brenner.ScoreParts[:])
			if strings.EqualFold(m.Name, "lr") {
				meant = brenner.ScoreParts[0]
			}
			if meant == "" || d.Payload.Get(f.Field).Get(meant) != nil {
				out.Suggestion = "write " + wholeScore(d, f)
				return
			}
			edits = append(edits, d.Rename(m, meant))
		case m.Value.Is(jsontree.String) && len(m.Value.Text) == 1 && '0' <= m.Value.Text[0] && m.Value.Text[0] <= '3':
			edits = append(edits, source.Edit{Span: m.Value.Span(), Text: m.Value.Text})
		default:
			out.Suggestion = "write " + wholeScore(d, f)
			return
		}
	}
	out.Suggestion = "write integers from 0 to 3, under the names of the parts"
	out.Fix = newFix(out.Suggestion, d.Text, edits...)
}

// wholeScore returns a score with its good parts and placeholders for the others.
func wholeScore(d *delta.Delta, f *delta.Fault) string {
	var parts []string
	for _, part := range brenner.ScoreParts {
		value := `"<0 to 3>"`
		if m := d.Payload.Get(f.Field).Member(part); m != nil && !slices.ContainsFunc(f.Parts, func(bad jsontree.Member) bool { return bad.Name == part }) {
			value = m.Value.Text
		}
		parts = append(parts, strconv.Quote(part)+": "+value)
	}
	return strconv.Quote(f.Field) + ": {" + strings.Join(parts, ", ") + "}, integers from 0 to 3"
}
