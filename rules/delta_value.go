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
	case f.Node.Is(jsontree.String) && brenner.IsPlaceholder(f.Node.Text):
	case f.Schema.Kind == brenner.ScoreField && f.Node.Is(jsontree.String):
		suggestScoreOfText(out, d, f)
		return
	case f.Schema.Kind == brenner.ScoreField && f.Node.Is(jsontree.Array):
		suggestScoreOfList(out, d, f)
		return
	case f.Schema.Kind == brenner.OutcomesField && f.Node == d.Payload.Get(f.Field) && suggestOutcomesOf(out, d, f):
		return
	case f.Node == d.Payload.Get(f.Field) && suggestNew(out, d, f):
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

// suggestScore suggests what a score says under the names of its parts: 3 for "3/3", and lr for
// the likelihood ratio. A total is left out.
func suggestScore(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) {
	values, given, lost := map[string]string{}, 0, false
	members := d.Payload.Get(f.Field).Members()
	var edits []source.Edit // of the parts alone
	for i := range members {
		m := &members[i]
		part := partMeant(m.Name)
		switch value := partValue(m.Value); {
		case part == "":
			lost = lost || !strings.EqualFold(m.Name, "total") && !strings.EqualFold(m.Name, "sum")
			continue
		case values[part] != "" || value == "":
			values[part] = brenner.ScorePlaceholder
		default:
			values[part] = value
			if m.Name != part {
				edits = append(edits, d.Rename(m, part))
			}
			if d.Text.Slice(m.Value.Span()) != value {
				edits = append(edits, source.Edit{Span: m.Value.Span(), Text: value})
			}
		}
		given++
	}
	whole := given == 0 || lost
	for _, value := range values {
		whole = whole || value == brenner.ScorePlaceholder
	}
	writeScore(out, d, f, values, whole, lost)
	if out.Fix != nil && given == len(members) {
		out.Fix = newFix(out.Fix.Description, d.Text, edits...)
	}
}

// writeScore suggests a score with some parts, or with all, and offers to write it if they are
// known.
func writeScore(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault, values map[string]string, whole, unsafe bool) {
	var parts []string
	known := true
	for _, part := range brenner.ScoreParts {
		value := values[part]
		if value == "" && whole {
			value = brenner.ScorePlaceholder
		}
		if value != "" {
			parts = append(parts, strconv.Quote(part)+": "+value)
		}
		known = known && value != brenner.ScorePlaceholder
	}
	object := "{" + strings.Join(parts, ", ") + "}"
	out.Suggestion = "write " + strconv.Quote(f.Field) + ": " + object
	if known {
		out.Fix = newFix("write the score as "+object, d.Text, source.Edit{Span: d.Payload.Get(f.Field).Span(), Text: object})
		out.Fix.Unsafe = unsafe
	} else {
		out.Suggestion += ", integers from 0 to 3"
	}
}

// partMeant returns the part of a score that a name means, "" if none.
func partMeant(name string) string {
	switch folded := strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(name)); {
	case folded == "lr" || folded == "likelihood":
		return brenner.ScoreParts[0]
	case slices.Contains(brenner.ScoreParts[:], folded):
		return folded
	}
	return text.Nearest(name, brenner.ScoreParts[:])
}

// partValue returns the number from 0 to 3 that a value says, "" if none: 3, "3" or "3/3".
func partValue(n *jsontree.Node) string {
	if !n.Is(jsontree.String) && !n.Is(jsontree.Number) {
		return ""
	}
	value, _, _ := strings.Cut(n.Text, "/")
	value = strings.TrimSpace(value)
	if whole, ok := strings.CutSuffix(value, ".0"); ok {
		value = whole
	}
	if rest := strings.ReplaceAll(strings.TrimPrefix(n.Text, value), " ", ""); len(value) != 1 || value[0] < '0' || value[0] > '3' || rest != "" && rest != "/3" && rest != ".0" {
		return ""
	}
	return value
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
	values := map[string]string{}
	for _, part := range brenner.ScoreParts {
		if m := partNames()[part].FindStringSubmatch(f.Node.Text[:min(len(f.Node.Text), maxBlock)]); m != nil {
			values[part] = m[1]
		}
	}
	writeScore(out, d, f, values, true, false)
}

// suggestScoreOfList reads a score that is written as an array of its parts, in their order.
func suggestScoreOfList(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) {
	values := map[string]string{}
	for i, item := range f.Node.Items() {
		if i < len(brenner.ScoreParts) {
			values[brenner.ScoreParts[i]] = partValue(item)
		}
	}
	if len(f.Node.Items()) != len(brenner.ScoreParts) {
		values = nil
	}
	writeScore(out, d, f, values, true, true)
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
	adding    = []string{"$add", "add", "$append", "append", "$push", "push", "$addtoset", "$union", "union", "+"}
)

// suggestNew reads the new value of a field inside an object that has the old one too, or only
// says that it is set: {"from": …, "to": …}, {"$set": …}. It reports whether the value is one.
func suggestNew(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) bool {
	var value *jsontree.Node
	for _, m := range f.Node.Members() {
		switch strings.ToLower(m.Name) {
		case "to", "new", "new_value", "after", "value", "set", "$set", "replace", "$replace":
			if value != nil {
				return false
			}
			value = m.Value
		case "from", "old", "old_value", "before":
		default:
			return false
		}
	}
	if value == nil || f.Schema.IsArray() || f.Schema.Kind == brenner.TextField && !(value.Is(jsontree.String) && says(value.Text)) {
		return false
	}
	text := jsontree.Compact(d.Text.Slice(value.Span()))
	if len(text) > maxBlock {
		return false
	}
	out.Suggestion = "write " + strconv.Quote(f.Field) + ": " + text
	out.Fix = newFix("write the new value alone", d.Text, source.Edit{Span: f.Node.Span(), Text: text})
	return true
}

// outcomeStart is where the outcome under a hypothesis begins in a text: its id and a colon.
var outcomeStart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[;,.|\n]\s*|\bif\s+)\*{0,2}(H[1-9][0-9]*)\*{0,2}\s*(?::|=>?|->|→)\s*`)
})

// suggestOutcomesOf reads outcomes in a text or an array of texts, "H1: …; H2: …", and reports
// whether the value is that.
func suggestOutcomesOf(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) bool {
	texts := f.Node.Items()
	if f.Node.Is(jsontree.String) {
		texts = []*jsontree.Node{f.Node}
	}
	var outcomes []string
	seen := map[string]bool{}
	for _, n := range texts {
		if !n.Is(jsontree.String) || len(n.Text) > maxBlock {
			return false
		}
		starts := outcomeStart().FindAllStringSubmatchIndex(n.Text, -1)
		if len(starts) == 0 || starts[0][0] > 0 {
			return false
		}
		for i, m := range starts {
			end := len(n.Text)
			if i+1 < len(starts) {
				end = starts[i+1][0]
			}
			id, said := n.Text[m[2]:m[3]], strings.TrimSpace(n.Text[m[1]:end])
			if seen[id] || !says(said) {
				return false
			}
			seen[id] = true
			outcomes = append(outcomes, jsontree.Quote(id)+": "+jsontree.Quote(said))
		}
	}
	if len(outcomes) == 0 {
		return false
	}
	object := "{" + strings.Join(outcomes, ", ") + "}"
	out.Suggestion = "write " + strconv.Quote(f.Field) + ": " + object
	out.Fix = newFix("write the outcomes by their hypotheses", d.Text, source.Edit{Span: f.Node.Span(), Text: object})
	return true
}

// suggestList reads a list inside an object that says what to do with it, {"$replace": […]}, and
// reports whether the value is one. An EDIT unites lists unless it says otherwise.
func suggestList(out *lint.Diagnostic, d *delta.Delta, f *delta.Fault) bool {
	members := f.Node.Members()
	if len(members) > 1 && slices.ContainsFunc(members, func(m jsontree.Member) bool { return slices.Contains(adding, strings.ToLower(m.Name)) }) {
		out.Suggestion = fmt.Sprintf(`write the whole list as it is to be: "%s": %s, "%[1]s_replace": true; without %[1]s_replace an EDIT adds to the list`, f.Field, f.Schema.Placeholder())
		return true
	}
	if len(members) != 1 || !members[0].Value.Is(jsontree.Array) && !(members[0].Value.Is(jsontree.String) && says(members[0].Value.Text)) {
		return false
	}
	list := jsontree.Compact(d.Text.Slice(members[0].Value.Span()))
	if members[0].Value.Is(jsontree.String) {
		list = "[" + list + "]"
	}
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
