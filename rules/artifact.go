package rules

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Shared by the rules on artifacts: walking over items, naming things as the artifact's
// form writes them, and the constructors that most of the rules use.

// active returns the items of a section that are not killed: only they count for
// minima, maxima and field rules (decisions.md 30). A duplicate section is included (ES-002
// reports it), so that its items are not missed; not a heading whose other version has the fields
// (ES-006).
func active(a *artifact.Artifact, kind brenner.Section) []*artifact.Item {
	all := a.ItemsOf(kind)
	killed := func(it *artifact.Item) bool {
		return it.Killed || len(it.Fields) == 0 && a.InConflict(it.Span, it.Span)
	}
	if !slices.ContainsFunc(all, killed) { // a copy for each rule costs 2 % of the check of an artifact
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), killed)
}

// eachActive returns the check of each active item of a section.
func eachActive(kind brenner.Section, check func(*lint.ArtifactPass, *artifact.Item)) lint.ArtifactCheck {
	return func(p *lint.ArtifactPass) {
		for _, it := range active(p.Artifact, kind) {
			check(p, it)
		}
	}
}

// eachItem returns the check of every item of every section, also of those without an id.
func eachItem(check func(*lint.ArtifactPass, *artifact.Section, *artifact.Item)) lint.ArtifactCheck {
	return func(p *lint.ArtifactPass) {
		for _, s := range p.Artifact.Sections {
			for _, it := range s.All() {
				check(p, s, it)
			}
		}
	}
}

// malformedIDs returns the number of items of a kind that may exist but cannot be counted:
// their id is malformed, or belongs to another section (so that either the id or the
// place may be what was meant), or their heading is lost. ES-003, WP-002 or ES-005 reports them,
// and what follows from it is not reported again.
func malformedIDs(a *artifact.Artifact, kind brenner.Section) int {
	n := 0
	for _, s := range a.Sections {
		for _, bad := range s.Malformed {
			if s.Kind == kind || bad.Other.Section == kind {
				n++
			}
		}
	}
	for _, it := range a.ItemsOf(kind) {
		for i := range it.Repeated {
			if a.StartsOver(it, i) {
				n++
			}
		}
	}
	return n
}

// hypotheses returns the set of active hypotheses that a condition holds for.
func hypotheses(a *artifact.Artifact, is func(*artifact.Item) bool) map[brenner.ItemID]bool {
	set := map[brenner.ItemID]bool{}
	for _, h := range active(a, brenner.HypothesisSlate) {
		if is == nil || is(h) {
			set[h.ID] = true
		}
	}
	return set
}

// didYouMean suggests what was meant, unless it is not known.
func didYouMean(meant string) string {
	if meant == "" {
		return ""
	}
	return "did you mean " + meant + "?"
}

// atMost returns the first words of a list, and how many more there are.
func atMost(n int, words []string) []string {
	if len(words) <= n+1 {
		return words
	}
	return append(slices.Clone(words[:n]), strconv.Itoa(len(words)-n)+" more")
}

// quoted joins names in quotation marks, at most so many of them.
func quoted(most int, names []string) string {
	out := text.QuoteAll(names[:min(len(names), most)])
	if more := len(names) - most; more > 0 {
		out = append(out, text.Count(more, "other", "others"))
	}
	return text.And(out)
}

// isOrAre returns the verb of a list.
func isOrAre(list []string) string {
	if len(list) == 1 {
		return "is"
	}
	return "are"
}

// sectionName names a section as the artifact's readers know it: by its title in
// Markdown, by its key in JSON.
func sectionName(a *artifact.Artifact, kind brenner.Section) string {
	if a.IsJSON() {
		return kind.ID()
	}
	return kind.Title()
}

// heading returns the place of a section's heading.
func heading(a *artifact.Artifact, s *artifact.Section) source.Place { return a.Text.Place(s.Heading) }

// fieldName names a field as the artifact writes it: by its label, in JSON by its
// key.
func fieldName(a *artifact.Artifact, kind brenner.Section, key string) string {
	if f := kind.Field(key); f != nil && !a.IsJSON() && f.Label != "" {
		return f.Label
	}
	return key
}

// itemName returns an item's id; the research thread has none that readers know.
func itemName(it *artifact.Item) string {
	if it.ID.Section == brenner.ResearchThread {
		return "Research Thread"
	}
	if it.ID == (brenner.ItemID{}) {
		return "an item without an id"
	}
	return it.ID.String()
}

// finding returns a diagnostic that is only words.
func finding(at source.Place, message, suggestion string) lint.Diagnostic {
	return lint.Diagnostic{At: at, Message: message, Suggestion: suggestion}
}

// reportItem reports a fault of a field of an item, or with key "" of the item.
func reportItem(p *lint.ArtifactPass, it *artifact.Item, key string, at source.Span, d lint.Diagnostic) {
	d.At, d.Item, d.Field = p.Artifact.Text.Place(at), it.ID.String(), key
	p.Report(d)
}

// itemReport is reportItem of words.
func itemReport(p *lint.ArtifactPass, it *artifact.Item, key string, at source.Span, message, suggestion string) {
	reportItem(p, it, key, at, lint.Diagnostic{Message: message, Suggestion: suggestion})
}

// unheadedItem returns an id of the section's kind at the beginning of a line, list item
// or table row that is not a heading; "" if there is none.
func unheadedItem(a *artifact.Artifact, s *artifact.Section) string {
	if a.Doc == nil {
		return ""
	}
	for i := range a.Doc.Blocks {
		b := &a.Doc.Blocks[i]
		if b.Kind != markdown.Paragraph || !s.Span.Contains(b.Span) {
			continue
		}
		for _, l := range b.Parts {
			text := bytes.TrimLeft(a.Text.Bytes(l), "|*_ \t")
			end := bytes.IndexAny(text, " \t|:*_.")
			if end < 0 {
				end = len(text)
			}
			if id, ok := brenner.ParseItemID(string(text[:min(end, 24)])); ok && id.Section == s.Kind {
				return id.String()
			}
		}
	}
	return ""
}

// hasInferenceLabel reports whether [inference] is in an item, including its heading, in any case and
// not in a comment.
func hasInferenceLabel(a *artifact.Artifact, it *artifact.Item) bool {
	return brenner.ContainsFold(a.View(it.Span), inferenceLabel)
}

// The constructors that most rules on artifacts use: a required field, a number of
// items, an item of a kind, a word to begin with.

// fieldReq is what a rule requires of a field.
type fieldReq struct {
	section brenner.Section
	key     string
	// want says what belongs in the field, if its hint does not: "one sentence that can be refuted".
	want string
	// alternatives are fields that may be used instead.
	alternatives []string
	// filter selects the items that need the field.
	filter func(*lint.ArtifactPass, *artifact.Item) bool
	// also checks a field that is not empty.
	also func(*lint.ArtifactPass, *artifact.Item, *artifact.Field)
	// summary is the rule's summary, if it has to say more than that the field is there.
	summary string
}

// field returns the rule that each active item of a section has a field that is not empty.
func field(id, name string, severity lint.Severity, n fieldReq) *lint.Rule {
	label := n.section.Field(n.key).Label
	n.want = cmp.Or(n.want, strings.Trim(n.section.Field(n.key).Hint, "<>"))
	r := &lint.Rule{ID: id, Name: name, Severity: severity, SpecRef: "artifact_format#" + n.section.Title(), Summary: n.summary, Check: lint.ArtifactCheck(n.checkItems)}
	if severity == lint.Error {
		r.Help = "add **" + label + "**: " + n.want
	}
	if r.Summary == "" {
		who, has := "Each active "+n.section.Singular(), "has"
		if n.section == brenner.ResearchThread {
			who = n.section.Title()
		}
		if severity == lint.Error {
			has = "has a non-empty"
		}
		r.Summary = fmt.Sprintf("%s %s `%s`.", who, has, label)
	}
	return r
}

// checkItems checks each active item of the section.
func (n fieldReq) checkItems(p *lint.ArtifactPass) {
	items := active(p.Artifact, n.section)
	if n.section == brenner.ResearchThread {
		items = items[:min(1, len(items))]                                                      // another one is ES-002
		if s := p.Artifact.Section(n.section); s != nil && len(s.Items)+len(s.Malformed) == 0 { // null in a JSON artifact
			items = []*artifact.Item{{ID: brenner.ItemID{Section: n.section}, Heading: s.Heading}}
		}
		if len(items) == 1 && !slices.ContainsFunc(items[0].Fields, filled) && p.Reported.Has(items[0].ID, replay.ItemOmitted) {
			return // MR-011 reports it
		}
	}
	for _, it := range items {
		if n.filter != nil && !n.filter(p, it) {
			continue
		}
		switch f := it.Field(n.key); {
		case f != nil && brenner.IsConflict(f.Text): // RD-002 reports it
		case n.also != nil && filled(f):
			n.also(p, it, f)
		default:
			n.check(p, it)
		}
	}
}

// check checks one item.
func (n fieldReq) check(p *lint.ArtifactPass, it *artifact.Item) {
	isThere := func(v any) bool { return v != nil }
	isGiven := func(key string) bool {
		return filled(it.Field(key)) || missingFromPublished(p, it.ID, key, "") || mergedAt(p, it, key, isThere)
	}
	if isGiven(n.key) || slices.ContainsFunc(n.alternatives, isGiven) || duplicateHas(p.Artifact, it, n.key) { // ES-004 or ES-006 reports the two
		return
	}
	switch f := it.Field(n.key); {
	case slices.ContainsFunc(it.Repeated, func(other *artifact.Field) bool { return other.Key == n.key && filled(other) }): // ES-005 reports it
	case f == nil:
		n.reportMissing(p, it)
	case f.Node != nil && !fits(f.Node, f.Known) && !f.Node.Absent():
		itemReport(p, it, n.key, f.Value,
			fmt.Sprintf("%s of %s is %s; expected %s", fieldName(p.Artifact, n.section, n.key), itemName(it), f.Node.Kind, n.want), "")
	default:
		n.reportEmpty(p, it, f)
	}
}

// duplicateHas reports whether another item of an item's id has a field.
func duplicateHas(a *artifact.Artifact, it *artifact.Item, key string) bool {
	const most = 64 // sections, and items of each, that are looked at
	has := func(o *artifact.Item) bool {
		return o != it && o.ID == it.ID && filled(o.Field(key)) && (sameText(o.Name, it.Name) || a.InConflict(o.Heading, it.Heading))
	}
	return slices.ContainsFunc(a.Sections[:min(len(a.Sections), most)], func(s *artifact.Section) bool {
		return slices.ContainsFunc(s.Items[:min(len(s.Items), most)], has)
	})
}

// reportMissing reports an item that does not have the field.
func (n fieldReq) reportMissing(p *lint.ArtifactPass, it *artifact.Item) {
	d := n.suggest(p.Artifact, it)
	d.Message = fmt.Sprintf("%s lacks %s (%s)", itemName(it), fieldName(p.Artifact, n.section, n.key), n.want)
	reportItem(p, it, n.key, it.Heading, d)
}

// reportEmpty reports a field that is empty, at its name.
func (n fieldReq) reportEmpty(p *lint.ArtifactPass, it *artifact.Item, f *artifact.Field) {
	itemReport(p, it, n.key, f.Label,
		fmt.Sprintf("%s of %s is empty; expected %s", fieldName(p.Artifact, n.section, n.key), itemName(it), n.want), "")
}

// suggest returns the fix for a missing field: rename the misnamed field, mark the line
// that is not a field line, else add one.
func (n fieldReq) suggest(a *artifact.Artifact, it *artifact.Item) lint.Diagnostic {
	name := fieldName(a, n.section, n.key)
	meant := func(at source.Span, suggestion string) lint.Diagnostic {
		return lint.Diagnostic{
			Suggestion: suggestion, Related: []lint.RelatedLocation{{At: a.Text.Place(at), Message: "probably meant as " + name}},
		}
	}
	var missing []string
	for _, known := range n.section.Fields() {
		if it.Field(known.Key) == nil && (a.IsJSON() || known.Label != "") {
			missing = append(missing, fieldName(a, n.section, known.Key))
		}
	}
	for _, f := range it.Fields {
		if f.Known != nil || !filled(f) {
			continue
		}
		word := strings.TrimFunc(f.Key, func(r rune) bool { return !unicode.IsLetter(r) }) // of `🎯 Claim`
		if known := n.section.Suggest(word); known != nil && known.Key == n.key || known == nil && (text.Nearest(word, missing) == name || strings.EqualFold(word, name)) {
			label := a.Text.Slice(f.Label)
			d := meant(f.Label, fmt.Sprintf("rename %s to %s", label, name))
			d.Quoted = []string{label}
			return d
		}
	}
	if a.IsJSON() {
		return lint.Diagnostic{Suggestion: "add " + strconv.Quote(name)}
	}
	if i := slices.IndexFunc(it.PlainLabels, func(l artifact.PlainLabel) bool { return l.Field.Key == n.key }); i >= 0 {
		at := it.PlainLabels[i].Span
		label := a.Text.Slice(at)
		if _, _, isLabel := artifact.SplitLabel(label); isLabel {
			return meant(at, fmt.Sprintf("write `%s` at the beginning of a line: not in a quotation, nor in a numbered or an inner list", label))
		}
		suggestion := fmt.Sprintf("replace `%s` with `**%s**:`", label, name)
		rest := a.Text.Slice(source.Span{Start: at.End, End: a.Text.Line(a.Text.LineAt(at.Start)).End})
		for _, mark := range [...]string{"**", "__"} {
			if inner, ok := strings.CutPrefix(label, mark); ok && !strings.Contains(inner, mark) && strings.Count(rest, mark)%2 == 1 {
				suggestion += ", and remove the next `" + mark + "`"
			}
		}
		return meant(at, suggestion)
	}
	for _, f := range it.Fields {
		for _, label := range [...]string{"**" + name + "**:", "**" + name + ":**"} {
			if at := strings.Index(a.Text.Slice(f.Value), label); at >= 0 {
				start := f.Value.Start + at
				return meant(source.Span{Start: start, End: start + len(label)}, "write `"+label+"` at the beginning of a line")
			}
		}
	}
	return lint.Diagnostic{Suggestion: fmt.Sprintf("add a line `**%s**: …`", name)}
}

// filled reports whether there is a field, with a nonblank value of its kind.
func filled(f *artifact.Field) bool {
	if f == nil || f.Node != nil && !fits(f.Node, f.Known) {
		return false
	}
	if f.Known != nil {
		switch f.Known.Kind {
		case brenner.ListField, brenner.OutcomesField, brenner.ScoreField:
			return slices.ContainsFunc(f.Entries, func(e artifact.Entry) bool { return hasContent(e.Text) }) ||
				f.Node == nil && f.Text != "" && len(f.Entries) == 0
		}
	}
	return hasContent(brenner.HideComments(f.Text)) // of JSON, too
}

// hasContent reports whether a text has content: it is neither blank nor the placeholder of a
// suggestion.
func hasContent(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && !brenner.IsPlaceholder(text)
}

// fits reports whether a JSON value has the kind of its field.
func fits(n *jsontree.Node, known *brenner.Field) bool {
	if known == nil {
		return !n.Absent()
	}
	switch known.Kind {
	case brenner.ListField:
		return n.Is(jsontree.Array)
	case brenner.OutcomesField, brenner.ScoreField:
		return n.Is(jsontree.Object)
	}
	return n.Is(jsontree.String)
}

// minimum returns the rule that a section has its minimum of active items.
func minimum(id, name string, sec brenner.Section, items string) *lint.Rule {
	least := strconv.Itoa(sec.Minimum())
	return &lint.Rule{ID: id, Name: name, Severity: lint.Error, SpecRef: "artifact_format#" + sec.Title(),
		Summary: "At least " + least + " active " + items + ".", Help: "add " + items + " until " + least + " are active",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			a := p.Artifact
			s := a.Section(sec)
			if s == nil || unreadable(s) || sec == brenner.PredictionsTable && !a.IsJSON() && !usableTable(a, s) {
				return // ES-001 or EP-002 reports it
			}
			n := len(active(a, sec))
			// An item with a bad id exists: its id is the fault.
			if missing := sec.Minimum() - n - malformedIDs(a, sec); missing <= 0 || omitted(p, sec, (*brenner.Item).Active, missing) {
				return
			}
			d := lint.Diagnostic{At: heading(a, s), Message: shortage(a, sec, n)}
			if loose := unheadedItem(a, s); n == 0 && loose != "" {
				where, how := "a heading", "start each item with a heading, `### %s: name`, and put its fields below"
				if sec == brenner.PredictionsTable {
					where, how = "the table", "write each as a row of the table, `| %s | …`, at the beginning of a line"
				}
				d.Message += fmt.Sprintf(" (%s is not in %s)", loose, where)
				d.Suggestion = fmt.Sprintf(how, loose)
			}
			p.Report(d)
		})}
}

// shortage describes a section with too few or too many items.
func shortage(a *artifact.Artifact, kind brenner.Section, n int) string {
	expected := "at least " + strconv.Itoa(kind.Minimum())
	if kind.Maximum() > 0 {
		expected = fmt.Sprintf("%d to %d", kind.Minimum(), kind.Maximum())
	}
	has := text.Count(n, kind.Singular(), kind.Plural())
	if n == 0 {
		has = "no " + kind.Plural()
	}
	killed := 0 // those cut in two by a conflict are neither
	for _, it := range a.ItemsOf(kind) {
		if it.Killed {
			killed++
		}
	}
	if killed > 0 {
		has += fmt.Sprintf(" (and %d killed)", killed)
	}
	return fmt.Sprintf("%s has %s; expected %s", sectionName(a, kind), has, expected)
}

// beginsWith returns a check that a field begins with one of its section's values:
// `Status: verified (see …)`. Unless required it may be absent.
func beginsWith(kind brenner.Section, key string, required bool) lint.ArtifactCheck {
	values := kind.Field(key).Values
	n := fieldReq{section: kind, key: key, want: text.Or(values)}
	begins := text.Pattern("(?i)^[\\s\\pZ*_`]*(?:" + strings.Join(values, "|") + ")(?:[^\\pL\\pN_]|$)")
	return eachActive(kind, func(p *lint.ArtifactPass, it *artifact.Item) {
		f := it.Field(key)
		switch {
		case missingFromPublished(p, it.ID, key, ""):
		case f == nil || f.Node.Is(jsontree.Null):
			if required && !duplicateHas(p.Artifact, it, key) {
				n.reportMissing(p, it)
			}
		case strings.TrimSpace(f.Text) == "":
			n.reportEmpty(p, it, f)
		case !begins().MatchString(f.Text) && !brenner.IsConflict(f.Text):
			word, _, _ := strings.Cut(brenner.FoldSpace(strings.ReplaceAll(f.Text, "(", " ")), " ")
			itemReport(p, it, key, f.Value,
				fmt.Sprintf("%s of %s is %s; expected it to begin with %s", fieldName(p.Artifact, kind, key), it.ID, text.Quote(f.Text), n.want),
				didYouMean(text.Nearest(word, values)))
		}
	})
}

// sameText reports whether two texts are equal, ignoring case and emphasis (decisions.md 62).
func sameText(a, b string) bool {
	return strings.EqualFold(brenner.FoldSpace(brenner.Fold(a)), brenner.FoldSpace(brenner.Fold(b)))
}

// requiredFlag is what one active item of a section must be, such as a third alternative: its
// flag, its name or another field shows it.
type requiredFlag struct {
	section brenner.Section
	flag    string
	named   func(string) bool
	field   string // "" if there is none
	sign    string // the field that only such an item has; "" if there is none
}

var (
	thirdAlternative = requiredFlag{section: brenner.HypothesisSlate, flag: "third_alternative", named: brenner.NamesThirdAlternative}
	scaleCheck       = requiredFlag{section: brenner.AssumptionLedger, flag: "scale_check", named: brenner.NamesScaleCheck, sign: "calculation"}
	realAlternative  = requiredFlag{
		section: brenner.AdversarialCritique, flag: "real_third_alternative", named: brenner.NamesThirdAlternative,
		field: "why_it_might_be_right",
	}
)

// set reports whether an item is what the flag says, if it is given twice once (decisions.md 78).
func (m requiredFlag) set(it *artifact.Item) bool {
	isTrue := func(f *artifact.Field) bool { return f.Key == m.flag && strings.EqualFold(f.Text, "true") }
	return slices.ContainsFunc(it.Fields, isTrue) || m.named(it.Name) || m.field != "" && filled(it.Field(m.field))
}

// meant reports whether an item shows by its sign that it lacks the flag, which no item of the section has.
func (m requiredFlag) meant(a *artifact.Artifact, it *artifact.Item) bool {
	all := a.Section(m.section).Items
	isSet := func(other *artifact.Item) bool { return !other.Killed && m.set(other) }
	return filled(it.Field(m.sign)) && !slices.ContainsFunc(all[:min(len(all), 64)], isSet) // as many as a ledger has
}

// lacks reports whether no active item of an artifact has the flag. It is false where another rule reports
// why: no item can be read, or the one that has it.
func (m requiredFlag) lacks(p *lint.ArtifactPass) bool {
	a := p.Artifact
	s := a.Section(m.section)
	return s != nil && !slices.ContainsFunc(active(a, m.section), m.set) && !m.malformedMayHave(a) &&
		(len(s.Items) > 0 || unheadedItem(a, s) == "") && !m.missingFromPublished(p)
}

// requireFlag returns a check that some active item of a section has a flag.
func requireFlag(m requiredFlag, what, suggestion string) lint.ArtifactCheck {
	return func(p *lint.ArtifactPass) {
		a := p.Artifact
		s, items := a.Section(m.section), active(a, m.section)
		if !m.lacks(p) {
			return
		}
		if i := slices.IndexFunc(items, m.unclear); i >= 0 {
			if !brenner.IsConflict(items[i].Text(m.flag)) { // RD-002 reports it
				m.reportUnclear(p, items[i])
			}
			return
		}
		flag := fmt.Sprintf("`**%s**: true`", fieldName(a, m.section, m.flag))
		if a.IsJSON() {
			flag = fmt.Sprintf("%q: true", m.flag)
		}
		d := finding(heading(a, s), fmt.Sprintf("%s has %s", sectionName(a, m.section), what), suggestion+" "+flag)
		if i := slices.IndexFunc(items, func(it *artifact.Item) bool { return m.meant(a, it) }); i >= 0 {
			d.Suggestion = "mark " + itemName(items[i]) + " with " + flag
		}
		for _, it := range items {
			near := (fieldReq{section: m.section, key: m.flag}).suggest(a, it)
			if it.Field(m.flag) == nil && len(near.Related) > 0 && beginsTrue(a.Text.Data[near.Related[0].At.Span.End:]) {
				d.Suggestion, d.Quoted, d.Related = near.Suggestion, near.Quoted, near.Related
				break
			}
		}
		p.Report(d)
	}
}

// beginsTrue reports whether the first word of a text means true.
func beginsTrue(s []byte) bool {
	words := bytes.FieldsFunc(s[:min(len(s), 64)], isSign)
	return len(words) > 0 && brenner.IsTrue(string(words[0]))
}

// unclear reports whether the flag of an item is neither true nor false.
func (m requiredFlag) unclear(it *artifact.Item) bool {
	text := it.Text(m.flag)
	return text != "" && !slices.ContainsFunc([]string{"true", "false", "no"}, func(word string) bool { return strings.EqualFold(text, word) })
}

// reportUnclear reports the flag of an item that would be set if the flag were
// true.
func (m requiredFlag) reportUnclear(p *lint.ArtifactPass, it *artifact.Item) {
	a, f := p.Artifact, it.Field(m.flag)
	name := fieldName(a, m.section, m.flag)
	d := lint.Diagnostic{
		Message:    fmt.Sprintf("%s of %s is %s; expected true", name, it.ID, text.Quote(f.Text)),
		Suggestion: "write true",
	}
	at := f.Value
	if first, _, more := strings.Cut(f.Text, "\n"); more && strings.EqualFold(first, "true") {
		at.Start += strings.IndexByte(a.Text.Slice(at), '\n') + 1
		at = source.Trim(a.Text.Data, at)
		d.Message = fmt.Sprintf("%s of %s is not just true: the text below is part of its value", name, it.ID)
		d.Suggestion = "put the text into a separate field, or move it above"
	}
	reportItem(p, it, m.flag, at, d)
}

// malformedMayHave reports whether an item whose id cannot be read has the flag, or may have it.
func (m requiredFlag) malformedMayHave(a *artifact.Artifact) bool {
	return slices.ContainsFunc(a.Sections, func(s *artifact.Section) bool {
		return s.Kind == m.section && slices.ContainsFunc(s.Malformed, func(bad artifact.MalformedItem) bool {
			return bad.Item == nil || !bad.Item.Killed && m.set(bad.Item)
		})
	})
}

// Questions of the rules on artifacts to the replay: they do not report a fault that it has
// reported (decisions.md 47: published against the rules of artifacts).

// missingFromPublished reports whether the merge has a value for a field of an item, or for a
// part of it, where the published artifact has another or none: MR-013 reports it.
func missingFromPublished(p *lint.ArtifactPass, id brenner.ItemID, key, part string) bool {
	v, ok := p.Reported.Merged(id, key, part)
	return ok && v != nil
}

// mergedAt reports whether the merge has a value that fits for a field of an item, where this very artifact has another
// or none, as MR-013 reports.
func mergedAt(p *lint.ArtifactPass, it *artifact.Item, key string, fits func(any) bool) bool {
	v, ok := p.Reported.MergedAt(it, key, "")
	return ok && fits(v)
}

// mergedText reports whether the merge has a text that fits in an item where the published
// artifact has another or none, as MR-013 reports.
func mergedText(p *lint.ArtifactPass, it *artifact.Item, fits func(string) bool) bool {
	for _, f := range it.ID.Section.Fields() {
		if v, ok := p.Reported.Merged(it.ID, f.Key, ""); ok && fits(brenner.OneLine(v)) {
			return true
		}
	}
	return false
}

// omitted reports whether the publisher left out at least n items of a section that match, or shows them as
// killed, as MR-011 and MR-014 report.
func omitted(p *lint.ArtifactPass, sec brenner.Section, match func(*brenner.Item) bool, n int) bool {
	for range p.Reported.Omitted(sec, match) {
		if n--; n == 0 {
			return true
		}
	}
	return false
}

// outcomeMissing reports whether the merge has an outcome that the published row lacks.
func outcomeMissing(p *lint.ArtifactPass, row *artifact.Item) bool {
	f := row.Field("predictions")
	whole, _ := p.Reported.Merged(row.ID, "predictions", "") // JSON is compared whole, a row of a table by outcome
	outcomes, _ := whole.(map[string]any)
	for h := range outcomes {
		if f == nil || !slices.ContainsFunc(f.Entries, func(e artifact.Entry) bool { return e.Key == h && e.Text != "" }) {
			return true
		}
	}
	return f != nil && slices.ContainsFunc(f.Entries, func(e artifact.Entry) bool {
		return e.Text == "" && missingFromPublished(p, row.ID, "predictions", e.Key)
	})
}

// mergedIndeterminate reports whether the merge leaves an outcome of the hypotheses of a set
// indeterminate, and the published table does not, or lacks the row.
func mergedIndeterminate(p *lint.ArtifactPass, rows []*artifact.Item, set map[brenner.ItemID]bool) bool {
	isIndeterminate := func(outcome any) bool {
		text, _ := outcome.(string)
		return brenner.ContainsFold(text, "indeterminate")
	}
	inOmitted := func(row *brenner.Item) bool {
		predictions, _ := row.Fields()["predictions"].(map[string]any)
		for h := range set {
			if isIndeterminate(predictions[h.String()]) {
				return true
			}
		}
		return false
	}
	inPublished := func(row *artifact.Item) bool {
		for h, e := range outcomesOf(row) {
			if v, _ := p.Reported.Merged(row.ID, "predictions", e.Key); set[h] && isIndeterminate(v) {
				return true
			}
		}
		return false
	}
	return omitted(p, brenner.PredictionsTable, inOmitted, 1) || slices.ContainsFunc(rows, inPublished)
}

// missingFromPublished reports whether the merge has such an active item and the published
// artifact does not.
func (m requiredFlag) missingFromPublished(p *lint.ArtifactPass) bool {
	isSet := func(it *brenner.Item) bool {
		return it.Active() && (brenner.IsTrue(it.Fields()[m.flag]) || m.named(it.Text("name")) || m.field != "" && it.Text(m.field) != "")
	}
	return omitted(p, m.section, isSet, 1) ||
		slices.ContainsFunc(active(p.Artifact, m.section), func(it *artifact.Item) bool { return m.publishedWithout(p, it) })
}

// publishedWithout reports whether the merge sets the flag of an item that is published
// without it.
func (m requiredFlag) publishedWithout(p *lint.ArtifactPass, it *artifact.Item) bool {
	isSet, _ := p.Reported.Merged(it.ID, m.flag, "")
	name, _ := p.Reported.Merged(it.ID, "name", "")
	text, _ := name.(string)
	return brenner.IsTrue(isSet) || m.named(text) || m.field != "" && missingFromPublished(p, it.ID, m.field, "")
}

// setInError reports whether an item has the flag only by a name or a value that MR-013 reports not to be that of the merge.
func (m requiredFlag) setInError(p *lint.ArtifactPass, it *artifact.Item) bool {
	isOther := func(v any) bool { return !brenner.IsTrue(v) && !m.named(brenner.Plain(v)) }
	f := it.Field(m.flag)
	return (!m.named(it.Name) || mergedAt(p, it, "name", isOther)) &&
		(f == nil || !strings.EqualFold(f.Text, "true") || mergedAt(p, it, m.flag, isOther))
}
