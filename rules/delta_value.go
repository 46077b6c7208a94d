package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

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
	case f.Schema.Kind == brenner.ScoreField && f.Node.Is(jsontree.String):
		suggestScoreOfText(out, d, f)
		return
	case f.Field == "anchors" && f.Node == d.Payload.Get(f.Field) && f.Node.Is(jsontree.String) && says(f.Node.Text):
		list, certain := anchorsOf(f.Node.Text)
		fix(f.Node, list)
		out.Suggestion = "write " + list
		out.Fix.Unsafe = !certain
		return
	case f.Schema.IsArray() && f.Node == d.Payload.Get(f.Field) && suggestList(out, d, f):
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
				suggestWithoutTotal(out, d, f)
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

// suggestWithoutTotal offers to remove from a score what is not a part of it: nothing is lost if
// that is the total.
func suggestWithoutTotal(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) {
	score, unsafe := d.Payload.Get(f.Field), false
	for _, m := range f.Parts {
		if slices.Contains(brenner.ScoreParts[:], m.Name) {
			return
		}
		unsafe = unsafe || !strings.EqualFold(m.Name, "total") && !strings.EqualFold(m.Name, "sum")
	}
	var parts []string
	for _, part := range brenner.ScoreParts {
		n := score.Get(part)
		if n == nil {
			return
		}
		parts = append(parts, strconv.Quote(part)+": "+n.Text)
	}
	out.Fix = newFix("write the parts alone", d.Text, source.Edit{Span: score.Span(), Text: "{" + strings.Join(parts, ", ") + "}"})
	out.Fix.Unsafe = unsafe
}

// partNames are how writers name the parts of a score in a text.
var partNames = sync.OnceValue(func() map[string]*regexp.Regexp {
	out := map[string]*regexp.Regexp{}
	for part, names := range map[string]string{"likelihood_ratio": "likelihood[ _-]?ratio|likelihood|lr", "cost": "cost", "speed": "speed", "ambiguity": "ambiguity|ambig"} {
		out[part] = regexp.MustCompile(`(?i)\b(?:` + names + `)\b["\x60*]*\s*[:=]?\s*([0-3])(?:\s*/\s*3)?(?:[^0-9./]|[./][^0-9]|$)`)
	}
	return out
})

// suggestScoreOfText reads a score that is written as a text: 9/12 (LR=3, Cost=2, …).
func suggestScoreOfText(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) {
	var parts []string
	found := 0
	for _, part := range brenner.ScoreParts {
		value := brenner.ScorePlaceholder
		if m := partNames()[part].FindStringSubmatch(f.Node.Text[:min(len(f.Node.Text), maxBlock)]); m != nil {
			value = m[1]
			found++
		}
		parts = append(parts, strconv.Quote(part)+": "+value)
	}
	object := "{" + strings.Join(parts, ", ") + "}"
	out.Suggestion = "write " + strconv.Quote(f.Field) + ": " + object
	if found == len(parts) {
		out.Fix = newFix("write the score as "+object, d.Text, source.Edit{Span: f.Node.Span(), Text: object})
	}
}

// anchorsOf returns a text with several citations as an array of anchors. What is none is cited
// as a source; that is not certain.
func anchorsOf(s string) (list string, certain bool) {
	certain = true
	var out []string
	for _, entry := range strings.FieldsFunc(strings.NewReplacer(" and ", ";", " & ", ";").Replace(s), func(r rune) bool { return r == ',' || r == ';' || r == '\n' }) {
		if entry = strings.TrimSpace(entry); entry == "" {
			continue
		}
		anchor, ok := plainAnchor(entry)
		certain = certain && ok
		out = append(out, jsontree.Quote(anchor))
	}
	return "[" + strings.Join(out, ", ") + "]", certain
}

// plainAnchor returns what an entry of a list of anchors means, and whether that is certain.
func plainAnchor(entry string) (anchor string, certain bool) {
	all := brenner.ParseAnchors(entry)
	isBad := func(a brenner.Anchor) bool {
		return a.Kind == brenner.UnknownAnchor || a.Kind == brenner.MojibakeAnchor || a.Doubled
	}
	if len(all) > 0 && !slices.ContainsFunc(all, isBad) && len(brenner.JoinedAnchors(entry, all, true)) == 0 {
		return entry, true
	}
	if open, remark, ok := strings.Cut(strings.TrimPrefix(entry, "["), "]"); ok && strings.HasPrefix(entry, "[§") {
		return strings.TrimSpace(open + " " + strings.TrimSpace(remark)), true
	}
	isPage := strings.HasPrefix(strings.ToLower(entry), "p")
	if meant, ok := strings.CutPrefix(suggestAnchor(entry), "write "); ok && !isPage && !strings.Contains(meant, " if ") && !strings.HasPrefix(meant, "each ") {
		return meant, true
	}
	return "[external: " + strings.Trim(entry, "[]") + "]", false
}

// replacing and adding are the keys under which writers put a list that is to replace the
// present one, or to be added to it.
var (
	replacing = []string{"$replace", "replace", "$set", "set", "replace_with", "new"}
	adding    = []string{"$add", "add", "$append", "append", "$push", "push", "$union", "union", "+"}
)

// suggestList reads a list inside an object that says what to do with it, {"$replace": […]}, and
// reports whether the value is one. An EDIT unites lists unless it says otherwise.
func suggestList(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) bool {
	members := f.Node.Members()
	if len(members) > 1 && slices.ContainsFunc(members, func(m jsontree.Member) bool { return slices.Contains(adding, strings.ToLower(m.Name)) }) {
		out.Suggestion = fmt.Sprintf(`write the whole list as it is to be: "%s": %s, "%[1]s_replace": true; without %[1]s_replace an EDIT adds to the list`, f.Field, f.Schema.Placeholder())
		return true
	}
	if len(members) != 1 || !members[0].Value.Is(jsontree.Array) {
		return false
	}
	list := d.Text.Slice(members[0].Value.Span())
	switch word := strings.ToLower(members[0].Name); {
	case slices.Contains(adding, word):
	case slices.Contains(replacing, word):
		list += ", " + strconv.Quote(f.Field+"_replace") + ": true"
	default:
		return false
	}
	out.Suggestion = "write " + strconv.Quote(f.Field) + ": " + list
	if len(list) > maxShownValue {
		out.Suggestion = "write the list alone, and " + strconv.Quote(f.Field+"_replace") + ": true next to it if it replaces the present one"
	}
	out.Suggestion += "; without " + f.Field + "_replace an EDIT adds to the list"
	out.Fix = newFix("write "+list, d.Text, source.Edit{Span: f.Node.Span(), Text: list})
	return true
}

// wholeScore returns a score with its good parts and placeholders for the others.
func wholeScore(d *delta.Delta, f *delta.Fault) string {
	var parts []string
	for _, part := range brenner.ScoreParts {
		value := brenner.ScorePlaceholder
		if m := d.Payload.Get(f.Field).Member(part); m != nil && !slices.ContainsFunc(f.Parts, func(bad jsontree.Member) bool { return bad.Name == part }) {
			value = m.Value.Text
		}
		parts = append(parts, strconv.Quote(part)+": "+value)
	}
	return strconv.Quote(f.Field) + ": {" + strings.Join(parts, ", ") + "}, integers from 0 to 3"
}
