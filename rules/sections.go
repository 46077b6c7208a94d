package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/internal/artifact"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/protocol"
	"github.com/brennerlint/brennerlint/internal/source"
	"github.com/brennerlint/brennerlint/internal/wording"
	"github.com/brennerlint/brennerlint/lint"
)

// Rules about the seven sections of an artifact and the ids of their items.
var sectionRules = []*lint.Rule{
	{
		ID: "ES-001", Name: "required-sections", Severity: lint.Error, Scope: lint.ArtifactScope, Source: artifactFormat,
		Summary: "All seven sections are present; one finding per missing section.",
		Advice:  "add the section; it may be empty of items only if it is the Anomaly Register",
		Check:   lint.ArtifactCheck(checkRequiredSections),
	},
	{
		ID: "ES-002", Name: "section-order", Severity: lint.Error, Scope: lint.ArtifactScope, Source: artifactFormat, Fixable: true,
		Summary: "Sections stand in the canonical order.",
		Advice:  "order the sections: Research Thread, Hypothesis Slate, Predictions Table, Discriminative Tests, Assumption Ledger, Anomaly Register, Adversarial Critique",
		Check:   lint.ArtifactCheck(checkSectionOrder),
	},
	{
		ID: "ES-003", Name: "item-id", Severity: lint.Error, Scope: lint.ArtifactScope, Source: artifactFormat,
		Summary: "Item headings carry well-formed ids of their own section.",
		Advice:  "write the heading as ### H1: Name, with the letter of the section",
		Check:   lint.ArtifactCheck(checkItemIDs),
	},
	{
		ID: "ES-004", Name: "duplicate-item-id", Severity: lint.Error, Scope: lint.ArtifactScope, Source: artifactFormat,
		Summary: "No id appears twice in a section.",
		Advice:  "give one of the two the next free id",
		Check:   lint.ArtifactCheck(checkDuplicateIDs),
	},
	{
		ID: "WS-001", Name: "id-gap", Severity: lint.Warning, Scope: lint.ArtifactScope, Source: artifactFormat,
		Summary: "Ids in a section run 1, 2, 3 without a gap.",
		Check:   lint.ArtifactCheck(checkIDGaps),
	},
}

// start is where an artifact begins, the place of what it lacks as a whole: its
// title, else its first line; of JSON the opening brace.
func start(a *artifact.Artifact) source.Place {
	switch {
	case a.Root != nil:
		span := a.Root.Span
		return a.Text.Place(source.Span{Start: span.Start, End: min(span.Start+1, span.End)})
	case a.Doc == nil:
		return firstLine(a)
	}
	for i := range a.Doc.Blocks {
		b := &a.Doc.Blocks[i]
		if b.Kind == markdown.Heading && b.Level == 1 && len(b.Lines) > 0 && a.Span.Contains(b.Span) {
			return a.Text.Place(b.Lines[0])
		}
	}
	return firstLine(a)
}

// firstLine is the place of an artifact's first line.
func firstLine(a *artifact.Artifact) source.Place {
	return a.Text.Place(a.Text.Line(a.Text.Position(a.Span.Start).Line))
}

func checkRequiredSections(p *lint.ArtifactPass) {
	a := p.Artifact
	var missing []protocol.Section
	for _, kind := range protocol.Sections {
		if s := a.Section(kind); s == nil {
			missing = append(missing, kind)
		} else if unreadable(s) {
			p.Report(lint.Diagnostic{At: a.Text.Place(s.Strays[0].ID), Message: wrongType(a, s)})
		}
	}
	for _, kind := range missing {
		if a.IsJSON() {
			p.Report(lint.Diagnostic{At: start(a), Message: fmt.Sprintf("the artifact has no %s, needs all seven sections", kind)})
			continue
		}
		title := fmt.Sprintf("## %d. %s", kind, kind.Title())
		d := lint.Diagnostic{
			At:      start(a),
			Message: fmt.Sprintf("the artifact has no section %d, %s", kind, kind.Title()),
		}
		if h := meantHeading(a, kind, missing); h != nil {
			d.At = a.Text.Place(h.Span)
			d.Message += fmt.Sprintf("; %s is not its heading", wording.Quote(a.Doc.HeadingText(h)))
			d.Suggestion = fmt.Sprintf("write `%s`", title)
		} else {
			d.Suggestion = fmt.Sprintf("add `%s`", title)
		}
		p.Report(d)
	}
}

// unreadable reports a section of a JSON artifact that is neither an array nor, as
// the research thread, an object.
func unreadable(s *artifact.Section) bool {
	return len(s.Strays) == 1 && s.Strays[0].Item == nil && s.Strays[0].ID.End == s.Span.End
}

func wrongType(a *artifact.Artifact, s *artifact.Section) string {
	want := "an array of items"
	if s.Kind == protocol.ResearchThread {
		want = "an object or null"
	}
	return fmt.Sprintf("%s is %s, needs %s", s.Kind, a.Root.Get("sections").Get(s.Kind.ID()).Kind, want)
}

// maxHeadings bounds the headings among which one that was meant is looked for.
const maxHeadings = 256

// meantHeading is the heading that most likely means a missing section: one with
// its number, its noun or nearly its name.
func meantHeading(a *artifact.Artifact, kind protocol.Section, missing []protocol.Section) *markdown.Block {
	titles := make([]string, len(missing))
	for i, s := range missing {
		titles[i] = s.Title()
	}
	looked := 0
	for i := range a.Doc.Blocks {
		b := &a.Doc.Blocks[i]
		if b.Kind != markdown.Heading || b.Level > 3 || !a.Span.Contains(b.Span) {
			continue
		}
		if looked++; looked > maxHeadings {
			break
		}
		title := strings.TrimSpace(a.Doc.HeadingText(b))
		number := title[:len(title)-len(strings.TrimLeft(title, "0123456789"))]
		name := strings.Trim(title[len(number):], ".) \t#*")
		if protocol.SectionByTitle(name) != 0 && b.Level < 3 && !slices.Contains(missing, protocol.SectionByTitle(name)) {
			continue
		}
		if number == strconv.Itoa(int(kind)) && b.Level < 3 || strings.EqualFold(name, kind.Noun()) || wording.Nearest(name, titles) == kind.Title() {
			return b
		}
	}
	return nil
}

func checkSectionOrder(p *lint.ArtifactPass) {
	a := p.Artifact
	if a.IsJSON() {
		return // the order of keys means nothing
	}
	seen := [len(protocol.Sections) + 1]*artifact.Section{}
	var wrong, last *artifact.Section
	repeated := false
	for _, s := range a.Sections {
		if first := seen[s.Kind]; first != nil && !repeated {
			repeated = true
			p.Report(lint.Diagnostic{
				At:      heading(a, s),
				Message: fmt.Sprintf("section %d, %s, stands twice, needs to stand once", s.Kind, s.Kind.Title()),
				Related: []lint.Note{{At: heading(a, first), Message: "it stands here first"}},
			})
		}
		if wrong == nil && last != nil && s.Kind < last.Kind {
			wrong = s
		}
		seen[s.Kind], last = s, s
	}
	if wrong == nil || repeated {
		return // one finding an artifact
	}
	d := lint.Diagnostic{At: heading(a, wrong), Message: outOfOrder(a, wrong)}
	if p.Message == nil {
		spans := make([]source.Span, len(a.Sections))
		order := make([]int, len(a.Sections))
		for i, s := range a.Sections {
			spans[i], order[i] = s.Span, i
		}
		slices.SortStableFunc(order, func(i, j int) int { return int(a.Sections[i].Kind) - int(a.Sections[j].Kind) })
		d.Fix = &lint.Mend{Description: "put the sections in order", Edits: reorder(a, spans, order)}
	}
	p.Report(d)
}

// outOfOrder says before which section one belongs.
func outOfOrder(a *artifact.Artifact, wrong *artifact.Section) string {
	for _, s := range a.Sections {
		if s.Kind > wrong.Kind {
			return fmt.Sprintf("section %d, %s, stands after section %d, %s, and belongs before it", wrong.Kind, wrong.Kind.Title(), s.Kind, s.Kind.Title())
		}
	}
	return ""
}

func checkItemIDs(p *lint.ArtifactPass) {
	for _, s := range p.Artifact.Sections {
		if s.Kind != protocol.PredictionsTable { // WP-002 is about its rows
			reportStrays(p, s)
		}
	}
}

// reportStrays reports the items of a section whose ids are not of its form.
func reportStrays(p *lint.ArtifactPass, s *artifact.Section) {
	a := p.Artifact
	what := " heading"
	switch {
	case a.IsJSON():
		what = "n item"
	case s.Kind == protocol.PredictionsTable:
		what = " row"
	}
	if unreadable(s) {
		return // ES-001 says so
	}
	for _, stray := range s.Strays {
		d := lint.Diagnostic{At: a.Text.Place(stray.ID)}
		switch {
		case stray.Item == nil:
			d.Message = fmt.Sprintf("an entry of %s is no object, needs to be an item with an id", sectionName(a, s.Kind))
		case strings.TrimSpace(stray.Text) == "":
			d.Message = fmt.Sprintf("a%s of %s has no id, needs %s", what, sectionName(a, s.Kind), idForm(s.Kind))
		case stray.Other.Section != 0:
			d.Message = fmt.Sprintf("%s is an id of %s, but stands in %s: needs %s", stray.Other, sectionName(a, stray.Other.Section), sectionName(a, s.Kind), idForm(s.Kind))
		default:
			d.Message = fmt.Sprintf("%s is no id of %s, needs %s", wording.Quote(stray.Text), sectionName(a, s.Kind), idForm(s.Kind))
			d.Suggestion = meantID(a, stray, s.Kind)
		}
		p.Report(d)
	}
}

// meantID suggests the id that a malformed one most likely is: `h1`, `H-1`, `H01`
// and `Hypothesis 1` are H1.
func meantID(a *artifact.Artifact, stray artifact.Stray, kind protocol.Section) string {
	texts := []string{stray.Text}
	if it := stray.Item; it != nil && a.Doc != nil {
		before, _, _ := strings.Cut(a.Text.String(it.Heading), ":")
		texts = append(texts, before)
	}
	for _, text := range texts {
		if number := idNumber(text, kind); number != "" {
			return "write " + kind.Prefix() + number
		}
	}
	return ""
}

// idNumber is the number in a text that is nothing but a section's letter or noun
// and a number.
func idNumber(text string, kind protocol.Section) string {
	at := strings.IndexAny(text, "0123456789")
	if at < 0 || len(text) > 64 {
		return ""
	}
	letters := strings.Trim(text[:at], "-_#. ")
	number := strings.TrimLeft(text[at:], "0")
	if strings.Trim(number, "0123456789") != "" ||
		letters != "" && !strings.EqualFold(letters, kind.Prefix()) && !strings.EqualFold(letters, kind.Singular()) {
		return ""
	}
	return number
}

// idForm shows the ids of a section.
func idForm(kind protocol.Section) string {
	switch p := kind.Prefix(); kind {
	case protocol.ResearchThread:
		return p
	case protocol.PredictionsTable:
		return "P and a number (P1), or P1.H1"
	default:
		return fmt.Sprintf("%s and a number (%s1)", p, p)
	}
}

func checkDuplicateIDs(p *lint.ArtifactPass) {
	a := p.Artifact
	for _, kind := range protocol.Sections[1:] {
		if ascending(items(a, kind)) {
			continue
		}
		first := make(map[protocol.ItemID]*artifact.Item)
		next := nextID(a, kind)
		for _, it := range items(a, kind) {
			earlier := first[it.ID]
			if earlier == nil {
				first[it.ID] = it
				continue
			}
			itemReport(p, it, "", it.IDSpan, lint.Diagnostic{
				Message:    fmt.Sprintf("%s stands twice in %s, needs an id of its own", it.ID, sectionName(a, kind)),
				Suggestion: fmt.Sprintf("the next free id is %s", next),
				Related:    []lint.Note{{At: a.Text.Place(earlier.IDSpan), Message: fmt.Sprintf("%s stands here first", it.ID)}},
			})
		}
	}
}

// nextID is the id after the highest of a section (decisions.md 23).
func nextID(a *artifact.Artifact, kind protocol.Section) protocol.ItemID {
	id := protocol.ItemID{Section: kind, Number: 1}
	for _, it := range items(a, kind) {
		id.Number = max(id.Number, it.ID.Number+1)
	}
	return id
}

// gapTold reports that the replay has said of an inline artifact why ids do not
// run on: items were renumbered, left out, made up or wrongly taken in.
func gapTold(p *lint.ArtifactPass, kind protocol.Section) bool {
	return p.Told != nil && slices.ContainsFunc([]string{"MR-015", "MR-011", "MR-012", "MR-022"}, func(rule string) bool {
		return p.Told(rule, protocol.ItemID{Section: kind})
	})
}

func checkIDGaps(p *lint.ArtifactPass) {
	a := p.Artifact
	for _, kind := range protocol.Sections[1:] {
		if gapless(items(a, kind)) {
			continue
		}
		if gapTold(p, kind) {
			continue
		}
		unread := strays(a, kind) + repeated(a, kind)
		ordered := slices.Clone(items(a, kind))
		slices.SortStableFunc(ordered, func(x, y *artifact.Item) int { return x.ID.Number - y.ID.Number })
		last := 0
		for _, it := range ordered {
			missing := it.ID.Number - last - 1
			first := protocol.ItemID{Section: kind, Number: last + 1}
			last = it.ID.Number
			if missing <= 0 {
				continue
			}
			if missing <= unread { // what stands in the gap has a bad id, or that of another
				unread -= missing
				continue
			}
			gap := fmt.Sprintf("%s is missing", first)
			if missing > 1 {
				gap = fmt.Sprintf("%s to %s are missing", first, protocol.ItemID{Section: kind, Number: it.ID.Number - 1})
			}
			itemReport(p, it, "", it.IDSpan, lint.Diagnostic{
				Message: fmt.Sprintf("%s before %s: ids run 1, 2, 3, and killed items keep their place", gap, it.ID),
			})
		}
	}
}

// repeated is the number of items of a section whose id another one has: ES-004
// reports them, and the gap that is left where they belong follows from it.
func repeated(a *artifact.Artifact, kind protocol.Section) int {
	if ascending(items(a, kind)) {
		return 0
	}
	seen := make(map[protocol.ItemID]bool)
	for _, it := range items(a, kind) {
		seen[it.ID] = true
	}
	return len(items(a, kind)) - len(seen)
}

// ascending reports whether ids grow from item to item, as they mostly do: then
// none stands twice.
func ascending(items []*artifact.Item) bool {
	var last protocol.ItemID
	for _, it := range items {
		if it.ID.Number < last.Number || it.ID.Number == last.Number && it.ID.Hypothesis <= last.Hypothesis {
			return false
		}
		last = it.ID
	}
	return true
}

// gapless reports whether the items stand in order and without a gap.
func gapless(items []*artifact.Item) bool {
	last := 0
	for _, it := range items {
		if it.ID.Number != last && it.ID.Number != last+1 {
			return false
		}
		last = it.ID.Number
	}
	return true
}
