package rules

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/delta"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/jsontree"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/protocol"
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
		out.Fix = newFix(out.Suggestion, d.Text, source.Edit{Span: n.Span, Text: value})
	}
	switch {
	case f.Schema == nil:
		if value := flagFor(f.Node); value != "" {
			fix(f.Node, value)
		}
		return
	case len(f.Parts) > 0:
		suggestScore(out, d, f)
		return
	case f.Schema.Kind == protocol.ListField && f.Node == d.Payload.Get(f.Field) && f.Node.Is(jsontree.String) && says(f.Node.Text):
		fix(f.Node, listOf(f.Node.Text))
		return
	case f.Schema.Kind == protocol.FlagField && flagFor(f.Node) != "":
		fix(f.Node, flagFor(f.Node))
		return
	case len(f.Schema.Values) > 0 && f.Node.Is(jsontree.String):
		word := strings.ToLower(strings.Trim(f.Node.Text, " ."))
		meant := cmp.Or(nearestValue(word, f.Schema.Values), text.Nearest(word, f.Schema.Values))
		if slices.Contains(f.Schema.Values, word) {
			fix(f.Node, strconv.Quote(word))
			return
		} else if meant != "" {
			fix(f.Node, strconv.Quote(meant))
			out.Fix.Unsafe = true
			return
		}
	case wantsText(f.Schema) && (f.Node.Is(jsontree.Number) || f.Node.Is(jsontree.Bool)):
		fix(f.Node, strconv.Quote(f.Node.Text))
		return
	case f.Schema.Kind == protocol.TextField && len(f.Schema.Values) == 0 && joinedTexts(f.Node) != "":
		fix(f.Node, jsontree.Quote(joinedTexts(f.Node)))
		return
	}
	out.Suggestion = "write " + strconv.Quote(f.Field) + ": " + f.Schema.Placeholder()
}

// maxShownValue bounds the values that suggestions repeat.
const maxShownValue = 120

// wantsText reports whether a field holds texts.
func wantsText(f *protocol.Field) bool {
	return f.Kind == protocol.ListField || f.Kind == protocol.OutcomesField || f.Kind == protocol.TextField && len(f.Values) == 0
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
	if !n.Is(jsontree.Array) || len(n.Items) == 0 {
		return ""
	}
	var out []string
	for _, item := range n.Items {
		if !item.Is(jsontree.String) || !says(item.Text) {
			return ""
		}
		out = append(out, item.Text)
	}
	return strings.Join(out, "; ")
}

// suggestScore suggests values for the bad parts of a score.
func suggestScore(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) {
	var edits []source.Edit
	for i := range f.Parts {
		m := &f.Parts[i]
		switch {
		case !slices.Contains(protocol.ScoreParts[:], m.Name):
			meant := text.Nearest(m.Name, protocol.ScoreParts[:])
			if strings.EqualFold(m.Name, "lr") {
				meant = protocol.ScoreParts[0]
			}
			if meant == "" || d.Payload.Get(f.Field).Get(meant) != nil {
				out.Suggestion = "write " + wholeScore(d, f)
				return
			}
			edits = append(edits, d.Rename(m, meant))
		case m.Value.Is(jsontree.String) && len(m.Value.Text) == 1 && '0' <= m.Value.Text[0] && m.Value.Text[0] <= '3':
			edits = append(edits, source.Edit{Span: m.Value.Span, Text: m.Value.Text})
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
	for _, part := range protocol.ScoreParts {
		value := `"<0 to 3>"`
		if m := d.Payload.Get(f.Field).Member(part); m != nil && !slices.ContainsFunc(f.Parts, func(bad jsontree.Member) bool { return bad.Name == part }) {
			value = m.Value.Text
		}
		parts = append(parts, strconv.Quote(part)+": "+value)
	}
	return strconv.Quote(f.Field) + ": {" + strings.Join(parts, ", ") + "}, integers from 0 to 3"
}
