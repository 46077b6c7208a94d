package rules

import (
	"cmp"
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

// deltaValueRule is about the values of the fields of a payload. What a wrong one most likely means is
// found by valueGuesses.
var deltaValueRule = faultRule(&lint.Rule{
	ID: "DL-007", Name: "delta-field-value", Severity: lint.Error, SpecRef: "delta_output_format#Payload Schemas by Section",
	Summary: "Payload fields have the type, enumeration and range that the section's schema gives (score parts are integers 0 to 3).",
	Help:    "write lists as arrays of strings, score parts as integers from 0 to 3, flags as true or false, and all else as text",
}, []delta.Kind{delta.BadValue}, diagnoseValue)

func diagnoseValue(d *delta.Delta, f *delta.Fault) lint.Diagnostic {
	v := badValue{Fault: f, d: d, field: d.Payload.Get(f.Field)}
	verb := "holds"
	if v.isWhole() {
		verb = "is"
	}
	problem := fmt.Sprintf("%s %s; expected %s", verb, f.Node.Kind, expectedOf[f.Schema.Kind])
	isPlaceholder := brenner.IsPlaceholder(f.Node.StringOr(""))
	switch {
	case isPlaceholder:
		problem = "is still the placeholder " + f.Node.Text + "; expected a value of your own"
	case len(f.Parts) > 0:
		problem = v.badParts()
	case len(f.Schema.Values) > 0 && f.Node.Is(jsontree.String):
		problem = fmt.Sprintf("is %s; expected %s", text.Quote(f.Node.Text), text.Or(v.Schema.Values))
		if meant := valueMeant(f.Node.Text, v.Schema.Values); meant != "" {
			problem += fmt.Sprintf("; did you mean %q?", meant)
		}
	}
	out := lint.Diagnostic{Message: f.Field + " " + problem}
	switch f.Schema.Kind {
	case 0: // a replace key
	case brenner.FlagField:
		out.Suggestion = "write " + v.named("true, or false")
	default:
		out.Suggestion = "write " + v.named(f.Schema.Placeholder())
	}
	if encoded := f.Encoded(); encoded != "" {
		v.offer(&out, valueGuess{json: encoded})
	} else if guess := valueGuesses[v.Schema.Kind]; guess != nil && !isPlaceholder {
		v.offer(&out, guess(v))
	}
	return out
}

// badValue is a wrong value of a field.
type badValue struct {
	*delta.Fault
	d     *delta.Delta
	field *jsontree.Node // the whole value: Node, or the array or object that Node is in
}

func (v badValue) isWhole() bool  { return v.Node == v.field }
func (v badValue) isScalar() bool { return v.Node.Is(jsontree.Number) || v.Node.Is(jsontree.Bool) }
func (v badValue) isText() bool   { return v.isWhole() && hasContent(v.Node.StringOr("")) }

// named returns a value as a member.
func (v badValue) named(value string) string { return strconv.Quote(v.Field) + ": " + value }

// expectedOf describes what a field of each kind takes, that of replace keys first.
var expectedOf = map[brenner.FieldKind]string{
	0: "true or false", brenner.FlagField: "true or false", brenner.TextField: "a string", brenner.ListField: "an array of strings",
	brenner.OutcomesField: `an object from hypothesis ids to texts, {"H1": "…"}`, brenner.ScoreField: "an object of " + text.And(brenner.ScoreParts[:]),
	brenner.ReferenceField: "an array of references",
}

// maxNamed bounds the members of a value that a message names.
const maxNamed = 4

// badParts says which outcomes are of no hypothesis, or which parts of a score are wrong.
func (v badValue) badParts() string {
	var bad []string
	isScore := v.Schema.Kind == brenner.ScoreField
	for _, m := range v.Parts[:min(len(v.Parts), maxNamed)] {
		name := text.Quote(m.Name)
		switch {
		case isScore && slices.Contains(brenner.ScoreParts[:], m.Name):
			name = m.Name + " is " + shownValue(m.Value)
		case isScore:
			name += " is not a part of a score"
		}
		bad = append(bad, name)
	}
	if more := len(v.Parts) - maxNamed; more > 0 {
		bad = append(bad, fmt.Sprintf("%d more", more))
	}
	if isScore {
		return "part " + text.And(bad) + "; expected integers from 0 to 3 for " + text.And(brenner.ScoreParts[:])
	}
	return "has outcomes of " + text.And(bad) + "; expected ids of hypotheses, such as H1"
}

// valueGuess is what a wrong value most likely means; empty if that is not known.
type valueGuess struct {
	json   string        // what to write in place of the value; "" if that is not known
	does   string        // if set, json is the whole value of the field, and this is what its fix does
	hint   string        // what the suggestion says after json, or alone
	edits  []source.Edit // those of the fix, if it does not replace the value by json
	open   bool          // whether json has placeholders: there is no fix
	unsafe bool          // whether json is more than another notation
}

// maxShownValue bounds the values that suggestions repeat.
const maxShownValue = 120

// offer suggests what is meant, and offers to write it.
func (v badValue) offer(out *lint.Diagnostic, m valueGuess) {
	n := v.Node
	switch {
	case m.json == "":
		out.Suggestion = cmp.Or(m.hint, out.Suggestion)
	case m.does != "" && len(m.json) > maxBlock:
		return
	case m.does != "":
		n, out.Suggestion = v.field, "write "+v.named(m.json)+m.hint
	case len(m.json) > maxShownValue:
		out.Suggestion = "write it as " + expectedOf[v.Schema.Kind]
	default:
		out.Suggestion = "write " + m.json + m.hint
	}
	if m.edits == nil && m.json != "" {
		m.edits = []source.Edit{replace(n, m.json)}
	}
	if !m.open {
		out.Fix = unsafeIf(m.unsafe, newFix(cmp.Or(m.does, out.Suggestion), v.d.Text, m.edits...))
	}
}

// valueGuesses say what a wrong value of each kind of field means, that of replace keys first.
var valueGuesses = map[brenner.FieldKind]func(badValue) valueGuess{
	0: replaceKeyMeant, brenner.FlagField: flagMeant, brenner.TextField: textMeant, brenner.ListField: listMeant,
	brenner.OutcomesField: outcomesMeant, brenner.ScoreField: scoreMeant, brenner.ReferenceField: referencesMeant,
}

// flagMeant reads a flag that is a text or a number, or unset, or set in an object.
func flagMeant(v badValue) valueGuess {
	flag := flagFor(v.Node)
	if all := v.Node.Members(); len(all) == 1 && strings.EqualFold(all[0].Name, "$unset") {
		flag = "false"
	}
	if flag == "" {
		return newValue(v)
	}
	return valueGuess{json: flag}
}

// flagFor returns the flag that a value means, "" if none.
func flagFor(n *jsontree.Node) string {
	switch strings.ToLower(strings.TrimSpace(n.Text)) {
	case "true", "yes", "1":
		return "true"
	case "false", "no", "0":
		return "false"
	}
	return ""
}

// replaceKeyMeant reads a flag, a list that is given under its replace key ("anchors_replace": ["§42"]), or
// the names of the lists to be replaced ("replace": ["anchors", "claim"]: what is no list is replaced anyway).
func replaceKeyMeant(v badValue) valueGuess {
	key, isOne := strings.CutSuffix(v.Field, "_replace")
	switch flag := flagFor(v.Node); {
	case flag != "":
		return valueGuess{json: flag}
	case isOne && len(v.Node.Items()) > 0 && v.Node.Span().Len() <= maxBlock:
		m := v.under(key, jsontree.Compact(v.d.Text.Slice(v.Node.Span()))+", "+v.named("true"))
		if v.d.Payload.Get(key) != nil {
			m.hint, m.open = m.hint+", instead of both", true
		}
		return m
	case isOne:
		return valueGuess{}
	}
	if m := v.d.Payload.Member(v.Field); v.Node.Is(jsontree.Object) { // {"anchors": ["§42"]}
		if edits := v.d.Spread(m); edits != nil {
			return valueGuess{hint: moveOut + andFlags(v.d, m), edits: edits}
		}
		return valueGuess{}
	}
	first, value := "", "true"
	for _, n := range entriesOf(v.Node) {
		key := n.Text + "_replace"
		switch isList := v.d.IsReplaceKey(key); {
		case n.Text == "" || !isList && v.d.Section.Field(n.Text) != nil:
		case !isList || v.d.Payload.Get(n.Text) == nil || v.d.Payload.Get(key) != nil || len(value) > maxShownValue:
			return valueGuess{}
		case first == "":
			first = key
		default:
			value += fmt.Sprintf(", %q: true", key)
		}
	}
	if first == "" {
		return valueGuess{}
	}
	return v.under(first, value)
}

// under returns a value to be written under another key.
func (v badValue) under(key, value string) valueGuess {
	return valueGuess{
		hint:  fmt.Sprintf("write %q: %s", key, value),
		edits: []source.Edit{v.d.Rename(v.d.Payload.Member(v.Field), key), replace(v.Node, value)},
	}
}

// entriesOf returns the items of an array, or another value itself.
func entriesOf(n *jsontree.Node) []*jsontree.Node {
	if n.Is(jsontree.Array) {
		return n.Items()
	}
	return []*jsontree.Node{n}
}

// adding and removing are the keys under which writers put a list that is to be added to the present
// one, or to be taken out of it, and unsaid those that do not say which (delta.NewWords, delta.FormerWords).
var (
	unsaid   = []string{"value", "values", "items", "list"}
	removing = []string{"$remove", "remove", "$pull", "pull", "$delete", "delete", "$unset", "-"}
	adding   = []string{"$add", "add", "$append", "append", "$push", "push", "$addtoset", "$union", "union", "+"}
)

// newValue reads the new value of a field inside an object that has the old one too, or only
// says that it is set: {"from": …, "to": …}, {"$set": …}.
func newValue(v badValue) valueGuess {
	var value *jsontree.Node
	for _, m := range v.Node.Members() {
		switch word := strings.ToLower(m.Name); {
		case value == nil && (slices.Contains(delta.NewWords, word) || word == "value"):
			value = m.Value
		case !slices.Contains(delta.FormerWords, word):
			return valueGuess{}
		}
	}
	if !v.isWhole() || value == nil || v.Schema.Kind == brenner.TextField && !hasContent(value.StringOr("")) {
		return valueGuess{}
	}
	return valueGuess{json: jsontree.Compact(v.d.Text.Slice(value.Span())), does: "write the new value alone"}
}

// changedList reads a list inside an object that says what to do with it: {"$replace": […]} or
// {"value": […], "replace": true}. An EDIT unites lists unless it says otherwise.
func changedList(v badValue) valueGuess {
	if !v.isWhole() {
		return valueGuess{}
	}
	var value *jsontree.Node
	adds, replaces, certain := false, false, true
	members := v.Node.Members()
	for _, m := range members {
		word := strings.ToLower(m.Name)
		isList := m.Value.Is(jsontree.Array) || hasContent(m.Value.StringOr(""))
		isNew, isAdded := slices.Contains(delta.NewWords, word), slices.Contains(adding, word)
		switch {
		case slices.Contains(removing, word), isAdded && len(members) > 1:
			return v.wholeList()
		case slices.Contains(delta.FormerWords, word): // other entries may be meant to stay
			replaces, certain = true, false
		case isNew && flagFor(m.Value) == "true", word == "mode" && slices.Contains(delta.NewWords, strings.ToLower(m.Value.StringOr(""))):
			replaces = true
		case value == nil && isList && (isNew || isAdded || slices.Contains(unsaid, word)):
			value, adds, replaces = m.Value, isAdded, replaces || isNew
		default:
			return valueGuess{}
		}
	}
	if value == nil || !adds && !replaces {
		return valueGuess{}
	}
	list := jsontree.Compact(v.d.Text.Slice(value.Span()))
	if value.Is(jsontree.String) {
		list = listOf(value.Text)
		if v.Field == "anchors" {
			anchors, isCertain := anchorsOf(value.Text)
			list, certain = cmp.Or(anchors, list), certain && isCertain
		}
	}
	flag := strconv.Quote(v.Field + "_replace")
	if replaces {
		list += ", " + flag + ": true"
	}
	hint := "write " + v.named(list)
	if len(list) > maxShownValue {
		hint = "write the list alone, and " + flag + ": true next to it if it replaces the present one"
	}
	return valueGuess{
		hint: hint + "; without " + v.Field + "_replace an EDIT adds to the list", does: "write " + list,
		edits: []source.Edit{replace(v.Node, list)}, unsafe: !certain,
	}
}

// wholeList says to write a list anew: no EDIT removes anything from one.
func (v badValue) wholeList() valueGuess {
	return valueGuess{hint: fmt.Sprintf(`write the whole list as it is to be: "%s": %s, "%[1]s_replace": true; without %[1]s_replace an EDIT adds to the list`, v.Field, v.Schema.Placeholder())}
}

// opposites are words that name a value by its opposite: an assumption that is "not verified" is
// unchecked.
var opposites = map[string]string{
	"unverified": "unchecked", "not verified": "unchecked", "not checked": "unchecked", "untested": "unchecked", "pending": "unchecked",
	"unresolved": "active", "not resolved": "active", "open": "active", "postponed": "deferred",
	"not tested": "untested", "not run": "untested", "pass": "passed", "fail": "failed",
}

// valueMeant returns the value that a word most likely means, "" if none.
func valueMeant(word string, values []string) string {
	word = folded(word)
	if meant := opposites[word]; slices.Contains(values, meant) {
		return meant
	}
	return nearestValue(word, values)
}

// folded returns a word in lower case without a full stop.
func folded(word string) string { return strings.ToLower(strings.Trim(word, " .")) }

// textMeant reads another notation of one of the values that a field takes or a word for one, a number
// that is to be a text, a text in parts, or the new one in an object.
func textMeant(v badValue) valueGuess {
	said, near := joinedTexts(v.Node), valueMeant(v.Node.Text, v.Schema.Values)
	switch {
	case near != "" && v.Node.Is(jsontree.String):
		return valueGuess{json: strconv.Quote(near), unsafe: near != folded(v.Node.Text)}
	case len(v.Schema.Values) > 0:
		return newValue(v)
	case v.Node.Is(jsontree.Number):
		return valueGuess{json: strconv.Quote(v.Node.Text)}
	case said == "":
		return newValue(v)
	}
	ids := idsSaid(said)
	isEach := len(ids) == len(v.Node.Items()) // else one is several: H3 vs H1/H2
	if v.Field == "discriminates" && isEach && len(slices.Compact(slices.Sorted(slices.Values(ids)))) == len(ids) {
		said = strings.Join(ids, " vs ")
	}
	return valueGuess{json: jsontree.Quote(said)}
}

// listMeant reads a text or a number as a list, one of lists, and one in an object. A sentence names no
// items in conflict.
func listMeant(v badValue) valueGuess {
	isNumber, texts := v.Field == "anchors" && brenner.IsNumber(v.Node.Text), flatList(v.field)
	switch {
	case !v.isWhole() && !v.isScalar() && texts != nil:
		return valueGuess{json: arrayOf(texts), does: "write one list of texts"}
	case v.Node.Is(jsontree.Number) && isNumber && v.isWhole(): // 42 for §42
		return valueGuess{json: `["§` + v.Node.Text + `"]`, unsafe: true}
	case v.Node.Is(jsontree.Number) && isNumber:
		return valueGuess{json: `"§` + v.Node.Text + `"`, unsafe: true}
	case v.Field == "anchors" && v.isText():
		return citations(v)
	case v.Field == "conflicts_with" && idsSaid(v.Node.Text) == nil && (v.isScalar() || v.isText()):
		return valueGuess{}
	case v.isText():
		return valueGuess{json: listOf(v.Node.Text)}
	case v.isScalar() && !v.isWhole():
		return valueGuess{json: strconv.Quote(v.Node.Text)}
	}
	return changedList(v)
}

// flatList returns the texts of a list, also those of lists in it and of anchors with quotations; nil if
// others are among them.
func flatList(n *jsontree.Node) (texts []string) {
	for _, item := range n.Items() {
		anchor, quote := item.Get("anchor").StringOr(""), item.Get("quote").StringOr("")
		inner := flatList(item)
		switch {
		case hasContent(item.StringOr("")):
			inner = []string{item.Text}
		case len(item.Members()) == 2 && anchor != "" && quote != "":
			inner = []string{anchor + ` ("` + quote + `")`}
		}
		if inner == nil {
			return nil
		}
		texts = append(texts, inner...)
	}
	return texts
}

// joinedTexts returns an array of texts as one text, "" if it is not such an array.
func joinedTexts(n *jsontree.Node) string {
	var out []string
	for _, item := range n.Items() {
		if !hasContent(item.StringOr("")) {
			return ""
		}
		out = append(out, item.Text)
	}
	return strings.Join(out, "; ")
}

// citations reads a text with anchors. An EDIT unites anchors unless it says otherwise.
func citations(v badValue) valueGuess {
	said, replaces, isEdit := v.Node.Text, "", v.d.Operation == brenner.Edit
	if start := newAnchors().FindString(said); start != "" && isEdit {
		said, replaces = said[len(start):], `, "anchors_replace": true`
	}
	isDenied := deniedAnchors().MatchString(remarks().ReplaceAllString(strings.ReplaceAll(said, "(not)", "not"), ""))
	switch {
	case noAnchors().MatchString(said), isDenied && !isEdit:
		return valueGuess{}
	case isDenied:
		return v.wholeList()
	}
	list, certain := anchorsOf(said)
	if list == "" {
		return valueGuess{}
	}
	return valueGuess{json: list + replaces, unsafe: !certain || replaces != ""}
}

// noAnchors is a text that says that there are none, deniedAnchors one that says of some that they do not
// count, and newAnchors one that says that they replace others.
var (
	noAnchors     = text.Pattern(`^(?i)\W*(?:none|nothing|nil|null|n/?a|not applicable|tb[ad])?\W*$`)
	deniedAnchors = text.Pattern(`(?i)~~|\b(?:no|not|without|removed?|drop(?:ped)?|deleted?|except|instead|rather|unlike|contrary|contra|con|contradict(?:s|ed)?|reject(?:s|ed)?|refut(?:es|ed)|disput(?:es|ed)|against|oppos(?:es|ed))\b`)
	newAnchors    = text.Pattern(`^(?i)\s*replaced?(?: (?:it|them|all|the anchors|anchors))?(?: with| by|:)\s`)
)

// remarks are what follows anchors in brackets or quotation marks, leadIn words before one, and anchorParts what a text of anchors
// consists of: these, addresses, what separates anchors, and words.
var (
	remarks     = text.Pattern(`\([^()]*\)|"[^"\n]*"|“[^“”\n]*”|\[[A-Za-z][^\[\]]*\]`)
	anchorParts = text.Pattern(`\([^()]*\)|"[^"\n]*"|“[^“”\n]*”|\[[A-Za-z][^\[\]]*\]|https?://\S*[^\s,;，；、]|[,;，；、\n]| (?:and|&) |[^\s,;，；、("“\[]+|(?s:.)`)
	leadIn      = text.Pattern(`^(?i)(?:\b(?:see|also|cf|per|from|in|at|of|the|transcript|sections?|anchors?)\b|\W)*$`)
	sections    = text.Pattern(`^(?i)sections\b`)
	alternative = text.Pattern(`\s*[/|]\s*§`)
)

// anchorsOf returns a text with several citations as an array of anchors. An entry that is no
// anchor becomes a source, which is not certain. The list is empty if words join sections.
func anchorsOf(s string) (list string, certain bool) {
	certain = true
	var out []string
	var restored []source.Edit
	for a := range brenner.Citations(s) {
		if a.Kind == brenner.MojibakeAnchor {
			restored = append(restored, source.Edit{Span: a.Span, Text: brenner.Restored(s[a.Span.Start:a.Span.End])})
		}
	}
	s = strings.Trim(string(source.Apply([]byte(s), restored)), " \t\r\n,;.，；")
	if in := unbracketed(s); strings.HasPrefix(in, "§") || strings.HasPrefix(in, "inference") {
		s = in
	}
	s = strings.ReplaceAll(s, "(and ", ";(")
	s = alternative().ReplaceAllString(s, "; §")
	start := 0
	for _, part := range append(anchorParts().FindAllStringIndex(s, -1), []int{len(s), len(s)}) {
		switch s[part[0]:part[1]] {
		case ",", ";", "，", "；", "、", "\n", " and ", " & ", "": // the end
		default:
			continue
		}
		entry := strings.TrimSpace(s[start:part[0]])
		if start = part[1]; strings.HasPrefix(entry, "(") {
			entry = strings.Trim(entry, "()")
		}
		if entry != "" {
			anchor, ok := plainAnchor(sections().ReplaceAllString(entry, "section"))
			if anchor == "" {
				return "", false
			}
			certain = certain && ok
			out = append(out, anchor)
		}
	}
	return arrayOf(out), certain
}

// plainAnchor returns what an entry of a list of anchors means, "" if that is unknown, and whether it
// is certain.
func plainAnchor(entry string) (anchor string, certain bool) {
	if strings.Count(entry, "[") != strings.Count(entry, "]") {
		return "", false
	}
	if isPlainAnchor(entry) {
		return entry, true
	}
	if open, remark, ok := strings.Cut(strings.TrimPrefix(entry, "["), "]"); ok && strings.HasPrefix(entry, "[§") && !strings.ContainsAny(remark, "[§") {
		return strings.TrimSpace(open + " " + strings.TrimSpace(remark)), true
	}
	isPage := strings.HasPrefix(strings.ToLower(entry), "p")
	if meant, ok := strings.CutPrefix(suggestAnchor(entry), "write "); ok && !isPage && !strings.Contains(meant, " if ") && !strings.HasPrefix(meant, "each ") {
		for cited := range brenner.Citations(entry) {
			return meant, meant[0] == '[' || leadIn().MatchString(entry[:cited.Span.Start]) // else a source or a remark is lost
		}
		return meant, true
	}
	if strings.Contains(entry, "§") {
		return "", false
	}
	return "[external: " + strings.Trim(entry, "[]") + "]", false
}

// isPlainAnchor reports whether all anchors of an entry are as they should be, and not several joined in one.
func isPlainAnchor(entry string) bool {
	all := brenner.ParseAnchors(entry)
	isBad := func(a brenner.Anchor) bool {
		return a.Kind == brenner.UnknownAnchor || a.Kind == brenner.MojibakeAnchor || a.Doubled
	}
	return len(all) > 0 && !slices.ContainsFunc(all, isBad) && len(brenner.JoinedAnchors(entry, all, true)) == 0
}

// listOf returns a text as an array: of its parts if it is a list of ids or anchors,
// else of itself.
func listOf(s string) string {
	s = unbracketed(s)
	if ids := idsSaid(s); ids != nil {
		return arrayOf(ids)
	}
	var parts []string
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); strings.ContainsAny(part, " \t") || part == "" {
			return arrayOf([]string{s})
		}
		parts = append(parts, part)
	}
	return arrayOf(parts)
}

// unbracketed returns a list of several without the brackets around the whole of it.
func unbracketed(s string) string {
	in, opens := strings.CutPrefix(s, "[")
	if in, closes := strings.CutSuffix(in, "]"); opens && closes && strings.Contains(in, ",") && !strings.ContainsAny(in, "[]") {
		return strings.TrimSpace(in)
	}
	return s
}

// arrayOf returns texts as an array of JSON.
func arrayOf(texts []string) string {
	var out []string
	for _, t := range texts {
		out = append(out, jsontree.Quote(t))
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// idsSaid returns the ids of a text that holds nothing else: "H1 and A2"; nil if there is more.
func idsSaid(s string) []string {
	if len(s) > maxShownValue || len(s) > 1 && s[0] == '-' && s[1] != ' ' { // -H1 is to be removed
		return nil
	}
	var ids []string
	for _, word := range idSeparator().Split(strings.TrimLeft(unbracketed(s), "-*• "), -1) {
		id, ok := delta.SuggestTarget(word)
		if !ok || strings.ContainsAny(word, ":(") { // a remark would be lost
			return nil
		}
		ids = append(ids, id.String())
	}
	return ids
}

var idSeparator = text.Pattern(`\s*(?:[,;&/+]|\n\s*[-*•]|\b(?:and|vs\.?|versus)\s)\s*(?:and\s+)?`)

// outcome is a hypothesis, and what happens under it.
type outcome struct{ id, said string }

// asObject returns outcomes as an object of JSON.
func asObject(outcomes []outcome) string {
	var members []string
	for _, o := range outcomes {
		members = append(members, jsontree.Quote(o.id)+": "+jsontree.Quote(o.said))
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// outcomesMeant reads outcomes in other notations.
func outcomesMeant(v badValue) valueGuess {
	switch {
	case len(v.Parts) > 0:
		return outcomeNames(v)
	case v.isWhole():
		return outcomesSaid(v)
	}
	m := outcomeTexts(v)
	if v.isScalar() && (m.json == "" || len(m.json) > maxBlock || len(v.field.Members()) == 1) {
		return valueGuess{json: strconv.Quote(v.Node.Text)}
	}
	return m
}

// outcomeNames reads the hypotheses that outcomes name in another form: h1, H01 or "H1 (lineage)".
func outcomeNames(v badValue) valueGuess {
	unknown := valueGuess{hint: "name each outcome by the id of its hypothesis, as in " + v.Schema.Placeholder()}
	var edits []source.Edit
	var names []string
	for i := range v.Parts {
		m := &v.Parts[i]
		word, rest, _ := strings.Cut(underHypothesis().ReplaceAllString(strings.TrimSpace(m.Name), ""), " ")
		id, ok := hypothesisNamed(word)
		if !ok || isOtherwise().MatchString(rest) || v.field.Get(id) != nil || slices.Contains(names, id) || len(names) == maxTargets {
			return unknown
		}
		names = append(names, id)
		edits = append(edits, v.d.Rename(m, id))
	}
	return valueGuess{hint: "write " + text.And(names), edits: edits}
}

// hypothesisNamed returns the id of the hypothesis that a word means.
func hypothesisNamed(word string) (id string, ok bool) {
	named, ok := delta.SuggestTarget(word)
	return named.String(), ok && named.Section == brenner.HypothesisSlate
}

// underHypothesis is what writers put before the hypothesis of an outcome. isOtherwise is what makes the
// words after it another condition: "H1 and H2", "H1 is false".
var (
	underHypothesis = text.Pattern(`^(?i:if|under) `)
	isOtherwise     = text.Pattern(`(?i)[&+/]|\b[A-Z]{1,2}[0-9]|n't\b|\b(?:and|but|dead|dies|except|fail(?:s|ed|ure)?|false|given|if|killed|lacks|loses|lost|minus|no|not|or|out|plus|refuted|rejected|than|to|unless|until|unlikely|untrue|versus|vs|when|while|with|without|wrong)\b`)
)

// outcomeTexts reads outcomes that are in lists, or in objects with nothing else, and writes placeholders
// for others.
func outcomeTexts(v badValue) valueGuess {
	var outcomes []outcome
	open := false
	for _, m := range v.field.Members() {
		said := cmp.Or(joinedTexts(m.Value), m.Value.Text)
		if inner := m.Value.Members(); len(inner) == 1 && slices.Contains([]string{"outcome", "prediction", "expected", "result", "text", "value"}, inner[0].Name) {
			said = inner[0].Value.StringOr("")
		}
		if !hasContent(said) {
			if _, isID := brenner.ParseItemID(m.Name); !isID {
				return valueGuess{}
			}
			said, open = brenner.OutcomePlaceholder(m.Name), true
		}
		outcomes = append(outcomes, outcome{m.Name, said})
	}
	return valueGuess{json: asObject(outcomes), does: "write each outcome as a text", open: open}
}

// outcomeStart is where the outcome under a hypothesis begins in a text: its id and a colon;
// bareOutcomes are two outcomes or more without one, "H1 none, H2 lost".
var (
	outcomeStart = text.Pattern(`(?:(?:^|[;,.|；，\n]\s*)(?:[-*•]\s+)?|(?:[;,]\s*)?\b(?i:if|under)\s+)\*{0,2}(H[1-9][0-9]*)\*{0,2}\s*(\([^()\n]*\)\s*)?(?:[:：]|=>?|->|→)\s*`)
	bareStart    = text.Pattern(`(?:^|[;,\n]\s*)(H[1-9][0-9]*)\s+(?:[-–—]+\s+)?`)
	bareOutcomes = text.Pattern(`^H[1-9][0-9]* [^;,\n]+(?:[;,\n]\s*H[1-9][0-9]* [^;,\n]+)+$`)
	pairsStart   = text.Pattern(`H[1-9][0-9]* (?:(?:and|or|vs|versus|but)\b|[-–—]+ *H[1-9])`)
	hypothesisID = text.Pattern(`(?i)\bh[0-9]`)
)

// outcomesSaid reads outcomes in a text, or in an array of texts or objects. Texts that name no hypothesis
// get a placeholder for it.
func outcomesSaid(v badValue) valueGuess {
	out := valueGuess{does: "write the outcomes by their hypotheses"}
	var outcomes []outcome
	seen := map[string]bool{}
	for _, n := range entriesOf(v.Node) {
		found, isGuess := outcomesIn(n)
		if found == nil {
			found, out.open = []outcome{{brenner.HypothesisPlaceholder, n.StringOr("")}}, true
		}
		out.unsafe = out.unsafe || isGuess
		for _, o := range found {
			isUnnamed := o.id == brenner.HypothesisPlaceholder
			if seen[o.id] && !isUnnamed || isUnnamed && hypothesisID().MatchString(o.said) || !hasContent(o.said) {
				return valueGuess{}
			}
			seen[o.id] = true
			outcomes = append(outcomes, o)
		}
	}
	if len(outcomes) == 0 || out.open && (len(seen) > 1 || v.Node.Span().Len() > maxShownValue) {
		return valueGuess{}
	}
	out.json = asObject(outcomes)
	return out
}

// isHypothesis reports whether a name is the id of a hypothesis.
func isHypothesis(name string) bool {
	id, ok := brenner.ParseItemID(name)
	return ok && id.Section == brenner.HypothesisSlate
}

// outcomesIn reads outcomes in an object of two members, the hypothesis and what happens, in an
// object by their ids, or in a text, "H1: …; H2: …". It guesses those of a text without colons. The
// result is nil if there are no ids.
func outcomesIn(n *jsontree.Node) (found []outcome, guessed bool) {
	members := n.Members()
	for i, m := range members {
		isID := strings.HasPrefix(m.Name, "hypothes") || slices.Contains([]string{"id", "if", "under", "h"}, m.Name)
		if id, ok := hypothesisNamed(m.Value.StringOr("")); isID && ok && len(members) == 2 {
			return []outcome{{id, members[1-i].Value.StringOr("")}}, false
		}
	}
	found = []outcome{}
	for _, m := range members {
		if !isHypothesis(m.Name) {
			return nil, false
		}
		found = append(found, outcome{m.Name, m.Value.StringOr("")})
	}
	if n.Is(jsontree.Object) {
		return found, false
	}
	said := n.StringOr("")
	starts := outcomeStart().FindAllStringSubmatchIndex(said, -1)
	if len(starts) == 0 && bareOutcomes().MatchString(said) && !pairsStart().MatchString(said) {
		starts, guessed = bareStart().FindAllStringSubmatchIndex(said, -1), true
	}
	if len(said) > maxBlock || len(starts) == 0 || starts[0][0] > 0 {
		return nil, false
	}
	for i, m := range starts {
		end := len(said)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		if len(m) > 4 && m[4] >= 0 { // a remark
			if guessed = true; isOtherwise().MatchString(said[m[4]:m[5]]) {
				return nil, false
			}
		}
		found = append(found, outcome{said[m[2]:m[3]], strings.TrimSpace(said[m[1]:end])})
	}
	return found, guessed
}

// scoreMeant reads a score in an object under other names or in other forms (lr for the likelihood ratio, 3
// for "3/3"), in an array of the parts in their order, or in a text, 9/12 (LR=3, Cost=2, …). A total is
// left out.
func scoreMeant(v badValue) valueGuess {
	score := v.field
	items := score.Items()
	if len(v.Parts) == 0 && !score.Is(jsontree.String) && !score.Is(jsontree.Array) {
		return valueGuess{}
	}
	values := map[string]string{}
	for i, part := range brenner.ScoreParts {
		values[part] = partIn(score.StringOr(""), part)
		if len(items) == len(brenner.ScoreParts) {
			values[part] = partValue(items[i])
		}
	}
	var edits []source.Edit // of the parts alone
	given, total, unsafe, loses := 0, "", score.Is(jsontree.Array), false
	members := score.Members()
	for i := range members {
		m := &members[i]
		part, value := partMeant(m.Name), partValue(m.Value)
		if said := partRemarked().FindStringSubmatch(m.Value.StringOr("")); said != nil {
			value, loses = said[1], true
		} else if in := m.Value.Get("value"); in != nil {
			value, loses = partValue(in), true
		}
		isTotal := strings.EqualFold(m.Name, "total") || strings.EqualFold(m.Name, "sum")
		switch {
		case m.Replaced: // by a later one
			given++
		case part == "" && isTotal && m.Value.Is(jsontree.Number):
			total = m.Value.Text
		case part == "":
			unsafe = unsafe || !isTotal
		case values[part] != "" || value == "":
			given++
			values[part] = brenner.ScorePlaceholder
		default:
			given++
			values[part] = value
			if m.Name != part {
				edits = append(edits, v.d.Rename(m, part))
			}
			if v.d.Text.Slice(m.Value.Span()) != value {
				edits = append(edits, replace(m.Value, value))
			}
		}
	}
	out, sum := scoreOf(values, given == 0 || unsafe)
	out.unsafe = unsafe || loses || total != "" && total != strconv.Itoa(sum)
	if given > 0 && given == len(members) {
		out.edits = edits
	}
	return out
}

// scoreOf writes the parts of a score that have values, or all of them, with placeholders for the others. It returns
// their sum.
func scoreOf(values map[string]string, all bool) (out valueGuess, sum int) {
	var parts []string
	for _, part := range brenner.ScoreParts {
		value := values[part]
		if value == "" && all {
			value = brenner.ScorePlaceholder
		}
		if value != "" {
			parts = append(parts, strconv.Quote(part)+": "+value)
		}
		out.open = out.open || value == brenner.ScorePlaceholder
		n, _ := strconv.Atoi(value)
		sum += n
	}
	out.json = "{" + strings.Join(parts, ", ") + "}"
	out.does = "write the score as " + out.json
	if out.open {
		out.hint = ", integers from 0 to 3; 3 is best in each part (decisive, cheap, quick, unambiguous), because the total ranks the tests"
	}
	return out, sum
}

// partMeant returns the part of a score that a name means, "" if none.
func partMeant(name string) string {
	if folded := brenner.FoldKey(name); folded == "lr" || folded == "likelihood" {
		return brenner.ScoreParts[0]
	}
	return text.Nearest(name, brenner.ScoreParts[:])
}

// partIn returns the value of a part in a text, "" if there is none, or another one, or it is in doubt: LR=2-3.
func partIn(said, part string) (value string) {
	said = said[:min(len(said), maxBlock)]
	for _, m := range partNames()[part].FindAllStringSubmatchIndex(said, -1) {
		this := said[m[2]:m[3]]
		if value != "" && value != this || partDoubted().MatchString(said[m[3]:]) {
			return ""
		}
		value = this
	}
	return value
}

// partDoubted is what makes a number of a part a range, a share of another number, or a percentage.
var partDoubted = text.Pattern(`^[ \t]*(?:[-–—→~%±]|\(?(?:out of|of)\s+(?:[^3]|3[0-9])|(?:or|to)\b)`)

// partValue returns the number from 0 to 3 that a value says, "" if none: 3, "3", "3/3" or "3 out
// of 3".
func partValue(n *jsontree.Node) string {
	if n.Is(jsontree.String) || n.Is(jsontree.Number) {
		if m := partSaid().FindStringSubmatch(n.Text); m != nil {
			return m[1]
		}
	}
	return ""
}

var partSaid = text.Pattern(`^\s*([0-3])(?:\.0)?\s*(?:(?:/|out of|of)\s*3\s*)?$`)

// partRemarked is a part of a score with a remark behind it.
var partRemarked = text.Pattern(`^\s*([0-3])\s*(?:/\s*3\s*)?(?:\([^()0-9]*\)|[-–—:,;]\s[^0-9]*)$`)

// partNames are how writers name the parts of a score in a text.
var partNames = sync.OnceValue(func() map[string]*regexp.Regexp {
	out := map[string]*regexp.Regexp{}
	for part, names := range map[string]string{"likelihood_ratio": "likelihood[ _-]?ratio|likelihood|lr", "cost": "cost", "speed": "speed", "ambiguity": "ambiguity|ambig"} {
		out[part] = regexp.MustCompile(`(?i)\b(?:` + names + `)\b["\x60*]*\s*[:=]?\s*([0-3])(?:\s*/\s*3)?(?:[^0-9./]|[./][^0-9]|$)`)
	}
	return out
})

// referencesMeant reads references that are not in an array, or are texts. None says less or more than a
// session, an item and a relation.
func referencesMeant(v badValue) valueGuess {
	var out []string
	for _, item := range entriesOf(v.Node) {
		ref := referenceMeant(item)
		if len(ref) != len(referenceKeys) {
			return changedList(v)
		}
		out = append(out, writeReference(ref))
	}
	return valueGuess{json: "[" + strings.Join(out, ", ") + "]"}
}

// writeReference returns a reference as JSON, with placeholders for what is not known.
func writeReference(ref map[string]string) string {
	var members []string
	for i, placeholder := range []string{brenner.ThreadPlaceholder, brenner.ItemPlaceholder, brenner.RelationPlaceholder} {
		key := referenceKeys[i]
		members = append(members, strconv.Quote(key)+": "+jsontree.Quote(cmp.Or(ref[key], placeholder)))
	}
	return "{" + strings.Join(members, ", ") + "}"
}
