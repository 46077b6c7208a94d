package rules

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Rules about the seven sections of an artifact and the ids of their items.
var sectionRules = []*lint.Rule{
	{ID: "ES-001", Name: "required-sections", Severity: lint.Error, SpecRef: "artifact_format#File",
		Summary: "All seven sections are present; one finding per missing section.",
		Help:    "add the section; only the Anomaly Register may have no items",
		Check:   lint.ArtifactCheck(checkRequiredSections)},
	{ID: "ES-002", Name: "section-order", Severity: lint.Error, SpecRef: "artifact_format#File",
		Summary: "Sections stand in the canonical order.",
		Help:    "order the sections: Research Thread, Hypothesis Slate, Predictions Table, Discriminative Tests, Assumption Ledger, Anomaly Register, Adversarial Critique",
		Check:   lint.ArtifactCheck(checkSectionOrder)},
	{ID: "ES-003", Name: "item-id", Severity: lint.Error, SpecRef: "artifact_format#File",
		Summary: "Item headings carry well-formed ids of their own section.",
		Help:    "write the heading as ### H1: Name, with the letter of the section",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			for _, s := range p.Artifact.Sections {
				if s.Kind != brenner.PredictionsTable || !p.Artifact.IsJSON() && usableTable(p.Artifact, s) { // WP-002 is about its rows
					reportMalformedIDs(p, s, false)
					reportHeadingLevels(p, s)
				}
			}
			reportHidden(p, func(h artifact.Hidden) bool { return len(h.Sections) == 0 && len(h.Items) > 0 })
		})},
	{ID: "ES-004", Name: "duplicate-item-id", Severity: lint.Error, SpecRef: "artifact_format#File",
		Summary: "No id appears twice in a section.",
		Help:    "give one of the two the next free id",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			a := p.Artifact
			for _, kind := range brenner.Sections[1:] {
				items := a.ItemsOf(kind)
				taken, highest := make(map[int32]bool), int32(0)
				for _, it := range items {
					taken[it.ID.Number], highest = true, max(highest, it.ID.Number)
				}
				unread := malformedIDs(a, kind) > 0 // an item in a gap may have a bad id
				first := make(map[brenner.ItemID]int)
				for i, it := range items {
					at, isTwice := first[it.ID]
					if !isTwice {
						first[it.ID] = i
						continue
					}
					earlier := items[at]
					isSame := strings.TrimSpace(a.Text.Slice(earlier.Span)) == strings.TrimSpace(a.Text.Slice(it.Span))
					if isSame && i >= len(a.Section(kind).Items) || a.InConflict(earlier.Heading, it.Heading) {
						continue // ES-002 or ES-006 reports it
					}
					before := int32(0) // the number of the item before the first
					if at > 0 {
						before = items[at-1].ID.Number
					}
					next := it.ID
					next.Number = highest + 1 // ids go on from the highest (decisions.md 23), but one missing beside it is its own
					for _, n := range []int32{it.ID.Number + 1, before + 1} {
						if !unread && n < highest && !taken[n] {
							next.Number = n
						}
					}
					taken[next.Number], highest = true, max(highest, next.Number)
					wrong, other, which := it, earlier, "first"
					if next.Number < it.ID.Number && next.Number == before+1 { // H1, H3, H3
						wrong, other, which = earlier, it, "second"
					}
					suggestion := fmt.Sprintf("use the next free id, %s", next)
					if isSame {
						suggestion = "remove one of the two: they are the same"
					}
					reportItem(p, wrong, "", wrong.IDSpan, lint.Diagnostic{
						Message:    fmt.Sprintf("duplicate id %s in %s", it.ID, sectionName(a, kind)),
						Suggestion: suggestion,
						Related:    []lint.RelatedLocation{{At: a.Text.Place(other.IDSpan), Message: fmt.Sprintf("%s %s", which, it.ID)}},
					})
				}
			}
		})},
	{ID: "ES-005", Name: "field-given-twice", Severity: lint.Error, SpecRef: "artifact_format#File",
		Summary: "No field of an item is given twice; the finding is at the second.",
		Help:    "keep one of the two values",
		// Where version control has left both values, ES-006 reports it.
		Check: eachItem(func(p *lint.ArtifactPass, s *artifact.Section, it *artifact.Item) {
			a := p.Artifact
			suggestion := "keep one of the two values"
			if len(it.Repeated) > 1 && !a.IsJSON() {
				suggestion += "; if another item begins here, write its heading above: " + headingLine(3, s.Kind.Prefix()+"…: …", "")
			}
			lost := false
			for i, f := range it.Repeated {
				starts := a.StartsOver(it, i)
				lost = lost || starts
				if starts && p.Reported.HeadingLost(it, f) {
					continue // MR-011
				}
				if (starts || !lost) && !a.InConflict(f.First.Label, f.Label) {
					reportItem(p, it, f.Key, f.Label, lint.Diagnostic{
						Message:    fmt.Sprintf("%s of %s is given twice", fieldName(a, s.Kind, f.Key), itemName(it)),
						Suggestion: suggestion,
						Related:    []lint.RelatedLocation{{At: a.Text.Place(f.First.Label), Message: "given here first"}},
					})
				}
			}
			for _, f := range it.Fields {
				reportRepeatedParts(p, it, f)
			}
		})},
	{ID: "ES-006", Name: "conflict-marker-lines", Severity: lint.Error, SpecRef: "artifact_format#File",
		Summary: "No line is a conflict marker of a version control system (`<<<<<<<`, `|||||||`, `>>>>>>>`); one finding an artifact, at the first.",
		Help:    "resolve the conflict: keep one version, and remove the lines of the markers",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			if a := p.Artifact; len(a.Conflicts) > 0 {
				p.Report(finding(a.Text.Place(a.Conflicts[0].Marker),
					"the line is a conflict marker: version control has left two versions",
					"keep one version, and remove the lines of the markers"))
			}
		})},
	{ID: "WS-001", Name: "id-gap", Severity: lint.Warning, SpecRef: "artifact_format#File",
		Summary: "Ids in a section run 1, 2, 3 without a gap.",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			a := p.Artifact
			for _, kind := range brenner.Sections[1:] {
				if p.Reported.Has(brenner.ItemID{Section: kind}, replay.IDChanged, replay.ItemOmitted, replay.ItemUnexplained, replay.RejectApplied) {
					continue
				}
				unread := malformedIDs(a, kind) + repeated(a, kind)
				ordered := slices.Clone(a.ItemsOf(kind))
				slices.SortStableFunc(ordered, func(x, y *artifact.Item) int { return cmp.Compare(x.ID.Number, y.ID.Number) })
				last := int32(0)
				for _, it := range ordered {
					missing := int(it.ID.Number-last) - 1
					first := brenner.ItemID{Section: kind, Number: last + 1}
					last = it.ID.Number
					if missing <= 0 {
						continue
					}
					if missing <= unread { // items in the gap have a bad id, or that of another
						unread -= missing
						continue
					}
					gap := fmt.Sprintf("%s is missing", first)
					if missing > 1 {
						gap = fmt.Sprintf("%s to %s are missing", first, brenner.ItemID{Section: kind, Number: it.ID.Number - 1})
					}
					itemReport(p, it, "", it.IDSpan, fmt.Sprintf("%s before %s; ids have no gaps, and killed items keep their place", gap, it.ID), "")
				}
			}
		})},
}

// start returns where an artifact begins, the place of what it lacks as a whole: its
// title, else its first line; for JSON the opening brace.
func start(a *artifact.Artifact) source.Place {
	if a.IsJSON() {
		return a.Text.Place(source.Span{Start: a.Root.Span().Start, End: a.Root.Span().Start + 1})
	}
	for i := range a.Doc.Blocks {
		b := &a.Doc.Blocks[i]
		if b.Kind == markdown.Heading && b.Level == 1 && len(b.Parts) > 0 && a.Span.Contains(b.Span) {
			return a.Text.Place(b.Parts[0])
		}
	}
	return firstLine(a)
}

// firstLine returns the place of an artifact's first line.
func firstLine(a *artifact.Artifact) source.Place {
	return a.Text.Place(a.Text.Line(a.Text.LineAt(a.Span.Start)))
}

func checkRequiredSections(p *lint.ArtifactPass) {
	a := p.Artifact
	switch n := a.Root.Get("sections"); {
	case a.IsJSON() && !a.Root.Is(jsontree.Object): // EM-001 reports it
		return
	case a.IsJSON() && n == nil:
		p.Report(finding(start(a), "the artifact has no sections object", `add "sections"`))
		return
	case n != nil && !n.Is(jsontree.Object):
		p.Report(finding(a.Text.Place(n.Span()), fmt.Sprintf("sections is %s; expected an object of the seven sections", n.Kind), ""))
		return
	}
	reportHidden(p, func(h artifact.Hidden) bool { return len(h.Sections) > 0 })
	same := sameMisheading(a)
	if same != nil {
		p.Report(finding(a.Text.Place(same.Mark), misheaded("each section", same, 2),
			fmt.Sprintf("write them as `## %d. %s`, and those of items as `### H1: …`", a.Sections[0].Kind, a.Sections[0].Kind.Title())))
	}
	var missing []brenner.Section
	for _, kind := range brenner.Sections {
		switch s := a.Section(kind); {
		case s == nil && p.Reported.Has(brenner.ItemID{Section: kind}, replay.SectionOmitted): // MR-011 names its items
		case s == nil:
			missing = append(missing, kind)
		case unreadable(s):
			want := "an array of items"
			if kind == brenner.ResearchThread {
				want = "an object or null"
			}
			p.Report(finding(a.Text.Place(s.Malformed[0].ID), fmt.Sprintf("%s is %s; expected %s", kind, a.Root.Get("sections").Get(kind.ID()).Kind, want), ""))
		case s.Misheaded != nil && same == nil:
			p.Report(finding(a.Text.Place(s.Misheaded.Mark),
				misheaded(kind.Title(), s.Misheaded, 2),
				"write "+headingLine(2, fmt.Sprintf("%d. %s", kind, kind.Title()), "")))
		}
	}
	isElsewhere := func(kind brenner.Section) bool {
		h := meantHeading(a, kind, missing)
		return h == nil || !h.InQuote
	}
	if len(a.Sections) == 0 && len(missing) > 0 && !a.IsJSON() && !slices.ContainsFunc(missing, isElsewhere) {
		p.Report(finding(a.Text.Place(meantHeading(a, missing[0], missing).Span),
			"the artifact is in a quotation: none of its sections has a heading", "remove the `>` at the beginning of its lines"))
		return
	}
	for _, kind := range missing {
		p.Report(missingSection(a, kind, missing))
	}
}

// sameMisheading returns how the headings of all sections are written if that is the same wrong way, which is one fault
// (decisions.md 44); else nil.
func sameMisheading(a *artifact.Artifact) *artifact.Misheading {
	const few = 3 // sections
	var first *artifact.Misheading
	for _, s := range a.Sections {
		m := s.Misheaded
		if first = cmp.Or(first, m); m == nil || m.Form != first.Form || m.Level != first.Level {
			return nil
		}
	}
	if len(a.Sections) < few {
		return nil
	}
	return first
}

// missingSection is the finding of a section that an artifact lacks. It is at the heading that is probably meant for it,
// if there is one.
func missingSection(a *artifact.Artifact, kind brenner.Section, missing []brenner.Section) lint.Diagnostic {
	if a.IsJSON() {
		return finding(start(a), fmt.Sprintf("the artifact lacks %s; expected all seven sections", kind), "")
	}
	title := headingLine(2, fmt.Sprintf("%d. %s", kind, kind.Title()), "")
	d := finding(start(a), fmt.Sprintf("the artifact lacks section %d, %s", kind, kind.Title()), "add "+title)
	if h := meantHeading(a, kind, missing); h != nil {
		d.At = a.Text.Place(h.Span)
		d.Message += fmt.Sprintf("; %s is not its heading", text.Quote(a.Doc.HeadingText(h)))
		d.Suggestion = "write " + title
		if h.InQuote || h.InList {
			d.Suggestion += " at the beginning of a line: not in a quotation, nor in a list"
		}
	}
	return d
}

// reportHidden reports what hides parts of the artifact, of those parts that match.
func reportHidden(p *lint.ArtifactPass, match func(artifact.Hidden) bool) {
	for _, h := range p.Artifact.Hidden {
		if !match(h) {
			continue
		}
		var names []string
		for _, s := range h.Sections {
			names = append(names, strconv.Itoa(int(s)))
		}
		noun := "sections "
		switch len(names) {
		case 0:
			noun, names = "", idNames(h.Items, 0)
			if len(names) == 0 {
				names = []string{"the table"}
			}
		case 1:
			noun = "section "
		}
		what := noun + text.And(atMost(8, names)) + " " + isOrAre(names)
		d := lint.Diagnostic{At: p.Artifact.Text.Place(h.Line)}
		switch {
		case h.Verbatim:
			d.Message = fmt.Sprintf("the HTML line %s is not closed above: %s shown as raw HTML", text.Quote(p.Artifact.Text.Slice(h.Line)), what)
			d.Suggestion = "close it where the HTML ends, or remove the line"
		case h.HTML:
			line := p.Artifact.Text.Slice(h.Line)
			d.Message = fmt.Sprintf("the HTML line %s is directly above: %s shown as raw HTML", text.Quote(line), what)
			d.Suggestion = endHTML(line)
		case h.Comment:
			d.Message = fmt.Sprintf("the comment is not closed: %s in it", what)
			d.Suggestion = "close it with -->"
		case h.Whole && len(h.Sections) > 0:
			d.Message = "the whole artifact is in a fence and shown as code"
			d.Suggestion = "remove the line of the fence"
			if h.Closed {
				d.Suggestion = "remove the first and the last line of the fence"
			}
		case !h.Closed:
			d.Message = fmt.Sprintf("the fence is not closed: %s in it", what)
			d.Suggestion = "close it where the code ends, or remove its line"
		default:
			d.Message = what + " in a fence and shown as code"
			d.Suggestion = "close the fence where the code ends, or remove its two lines"
		}
		p.Report(d)
	}
}

// endHTML says how to end the HTML that a line begins.
func endHTML(line string) string {
	switch tag := delta.RawTag(line); {
	case tag == "":
		return "put a blank line below " + text.Quote(line)
	case strings.IndexByte("!?", tag[0]) >= 0:
		return "remove the line"
	default:
		return fmt.Sprintf("close <%s> above it, or remove the line", tag)
	}
}

// unreadable reports whether a section of a JSON artifact is neither an array nor, for
// the research thread, an object.
func unreadable(s *artifact.Section) bool {
	return len(s.Malformed) == 1 && s.Malformed[0].Item == nil && s.Malformed[0].ID.End == s.Span.End
}

// meantHeading returns the heading that most likely means a missing section: one with
// its number, its noun or nearly its name.
func meantHeading(a *artifact.Artifact, kind brenner.Section, missing []brenner.Section) *markdown.Block {
	titles := make([]string, len(missing))
	for i, s := range missing {
		titles[i] = s.Title()
	}
	for i := range a.Doc.Blocks {
		b := &a.Doc.Blocks[i]
		if b.Kind != markdown.Heading || b.Level > 3 || !a.Span.Contains(b.Span) {
			continue
		}
		title := strings.TrimLeftFunc(strings.TrimSpace(a.Doc.HeadingText(b)), isSign) // `🧬 1. Research Thread`
		number := title[:len(title)-len(strings.TrimLeft(title, "0123456789"))]
		name := strings.Trim(title[len(number):], ".) \t#*")
		if brenner.SectionByTitle(name) != 0 && b.Level < 3 && !slices.Contains(missing, brenner.SectionByTitle(name)) {
			continue
		}
		_, end, _ := strings.Cut(title, ":") // `Section 2: Hypothesis Slate`
		hasNumber := number == strconv.Itoa(int(kind)) || brenner.SectionByTitle(strings.TrimSpace(end)) == kind ||
			brenner.HasPrefixFold(name, kind.Title()) // `Hypothesis Slate (4 active)`
		isNamed := strings.EqualFold(name, kind.Plural()) || text.Nearest(name, titles) == kind.Title()
		if isNamed || hasNumber && b.Level < 3 {
			return b
		}
	}
	return nil
}

func checkSectionOrder(p *lint.ArtifactPass) {
	a := p.Artifact
	if a.IsJSON() { // the order of keys has no meaning
		isSection := func(key string) bool { return brenner.SectionByID(key) != 0 }
		if !reportRepeatedKey(p, a.Root, func(key string) bool { return key == "sections" }) {
			reportRepeatedKey(p, a.Root.Get("sections"), isSection)
		}
		return
	}
	seen := [len(brenner.Sections) + 1]*artifact.Section{}
	var wrong, last *artifact.Section
	repeated := false
	for _, s := range a.Sections {
		if last != nil && a.InConflict(last.Heading, s.Heading) && s.Kind <= last.Kind {
			continue // the other version, which ES-006 reports
		}
		if first := seen[s.Kind]; first != nil && !repeated && !a.InConflict(first.Heading, s.Heading) {
			repeated = true
			d := lint.Diagnostic{
				At:      heading(a, s),
				Message: fmt.Sprintf("duplicate section %d, %s", s.Kind, s.Kind.Title()),
				Related: []lint.RelatedLocation{{At: heading(a, first), Message: "first occurrence"}},
			}
			if title := a.View(s.Heading); brenner.SectionByTitle(title) == 0 {
				d.Message += fmt.Sprintf(": its items go on below %s", text.Quote(title))
				d.Suggestion = "move them into section " + strconv.Itoa(int(s.Kind)) + ", and remove the heading"
			}
			p.Report(d)
		}
		if wrong == nil && last != nil && s.Kind < last.Kind {
			wrong = s
		}
		seen[s.Kind], last = s, s
	}
	if wrong == nil || repeated {
		return // one finding per artifact
	}
	before := a.Sections[slices.IndexFunc(a.Sections, func(s *artifact.Section) bool { return s.Kind > wrong.Kind })]
	d := lint.Diagnostic{At: heading(a, wrong), Message: fmt.Sprintf("section %d, %s, is after section %d, %s; expected it before", wrong.Kind, wrong.Kind.Title(), before.Kind, before.Kind.Title())}
	if p.Message == nil {
		spans := make([]source.Span, len(a.Sections))
		order := make([]int, len(a.Sections))
		for i, s := range a.Sections {
			spans[i], order[i] = s.Span, i
		}
		slices.SortStableFunc(order, func(i, j int) int { return int(a.Sections[i].Kind) - int(a.Sections[j].Kind) })
		d.Fix = reorder(a, "put the sections in order", spans, order)
	}
	p.Report(d)
}

// reportRepeatedKey reports the first of some keys of a JSON object that is given twice, if there
// is one.
func reportRepeatedKey(p *lint.ArtifactPass, object *jsontree.Node, counts func(key string) bool) bool {
	members := object.Members()
	for i := range members {
		m := &members[i]
		if !m.Repeated || !counts(m.Name) {
			continue
		}
		first := slices.IndexFunc(members, func(o jsontree.Member) bool { return o.Name == m.Name })
		p.Report(lint.Diagnostic{
			At:         p.Artifact.Text.Place(m.NameSpan()),
			Message:    "duplicate key " + text.Quote(m.Name),
			Suggestion: "keep one of the two",
			Related:    []lint.RelatedLocation{{At: p.Artifact.Text.Place(members[first].NameSpan()), Message: "first occurrence"}},
		})
		return true
	}
	return false
}

// Checks of the ids of items.

// reportRepeatedParts reports the parts of a field, such as the outcome for a hypothesis, that are
// given twice.
func reportRepeatedParts(p *lint.ArtifactPass, it *artifact.Item, f *artifact.Field) {
	a := p.Artifact
	if f.Known == nil || f.Known.Kind != brenner.OutcomesField && f.Known.Kind != brenner.ScoreField || it.Row != nil {
		return // EP-003 reports a column
	}
	parts := *f
	if f.Node != nil {
		parts.Entries = nil
		for _, m := range f.Node.Members() {
			parts.Entries = append(parts.Entries, artifact.Entry{Key: m.Name, KeySpan: m.NameSpan()})
		}
	}
	for i, e := range parts.Entries {
		if first := parts.Earlier(i); first != nil && !a.InConflict(first.KeySpan, e.KeySpan) {
			part := e.Key
			if _, isID := brenner.ParseItemID(part); !isID {
				part = text.Quote(part)
			}
			reportItem(p, it, f.Key, e.KeySpan, lint.Diagnostic{
				Message:    fmt.Sprintf("%s is given twice in %s of %s", part, fieldName(a, it.ID.Section, f.Key), itemName(it)),
				Suggestion: "keep one of the two values",
				Related:    []lint.RelatedLocation{{At: a.Text.Place(first.KeySpan), Message: "given here first"}},
			})
		}
	}
}

// reportHeadingLevels reports the items of a section whose heading is not an H3.
func reportHeadingLevels(p *lint.ArtifactPass, s *artifact.Section) {
	const level = 3
	same := sameMisheading(p.Artifact)
	isSame := func(m *artifact.Misheading) bool { // ES-001 reports it
		return same != nil && m.Form == same.Form && (m.Form != artifact.WrongLevel || m.Level == same.Level+1)
	}
	for _, it := range s.Items {
		if m := it.Misheaded; m != nil && !isSame(m) {
			text := strings.Trim(p.Artifact.Text.Slice(it.Heading), "*_")
			strike, mark := "", ""
			if it.Killed {
				strike, mark = "~~", " [KILLED]"
			}
			if it.Name != "" && m.Form == artifact.InBold {
				name := it.Name
				if strings.Count(name, "**")%2 == 1 { // `**H1: Name**:`
					name = strings.TrimRight(strings.ReplaceAll(name, "**", ""), ": ")
				}
				text = strike + it.ID.String() + ": " + name + strike
				if it.TotalSpan.Start > it.NameSpan.End {
					text += fmt.Sprintf(" (Score: %s/%d)", it.Total, maxTotal)
				}
				text += mark
			}
			suggestion := "write " + headingLine(level, text, strike+it.ID.String()+": …"+strike+mark)
			if m.Form == artifact.InList {
				suggestion += " at the beginning of a line"
			}
			itemReport(p, it, "", m.Mark, misheaded(it.ID.String(), m, level), suggestion)
		}
	}
}

// misheaded describes what is wrong with the heading of a section or an item.
func misheaded(what string, m *artifact.Misheading, level int) string {
	why := "its name is plain text"
	switch m.Form {
	case artifact.WrongLevel:
		return fmt.Sprintf("%s has a heading of level %d; expected level %d", what, m.Level, level)
	case artifact.NoSpace:
		why = "a space is missing after " + strings.Repeat("#", m.Level)
	case artifact.InBold:
		why = "its name is only in bold"
	case artifact.InHTML:
		why = "its name is only in HTML"
	case artifact.InList:
		why = "it is in a list"
	}
	return what + " has no heading: " + why
}

// headingLine returns a heading as a message shows it; a long one is cut to short.
func headingLine(level int, text, short string) string {
	if len(text) > 64 || strings.ContainsAny(text, "`\n") {
		text = short
	}
	return "`" + strings.Repeat("#", level) + " " + text + "`"
}

// reportMalformedIDs reports the items of a section whose ids are not of its form.
func reportMalformedIDs(p *lint.ArtifactPass, s *artifact.Section, rows bool) {
	a := p.Artifact
	if unreadable(s) {
		return // ES-001 reports it
	}
	items := s.Items
	if s == a.Section(s.Kind) { // not for each of many
		items = a.ItemsOf(s.Kind)
	}
	free, inText := freeIDs(items), false
	for _, stray := range s.Malformed {
		isRow := s.Kind == brenner.PredictionsTable && (a.IsJSON() || stray.Item.Row != nil)
		if isRow != rows || !isRow && stray.Other.Section != 0 && sectionHeadingMissing(a, s, stray.Other.Section) {
			continue // another rule reports it
		}
		if it := stray.Item; it == nil || it.Row == nil || !isTextRow(a, it.Row) {
			p.Report(malformedItem(a, s, stray, isRow, free))
			continue
		}
		if !inText { // the lines below go with it
			message := fmt.Sprintf("the line %s is directly below the table, and shown as a row of it", text.Quote(stray.Text))
			hint := "put a blank line above it"
			if slices.ContainsFunc(s.Items, func(it *artifact.Item) bool { return it.Row != nil && it.Span.Start > stray.ID.Start }) {
				hint = "move it below the table, and put a blank line above it" // here one would end the table
			}
			p.Report(finding(a.Text.Place(stray.ID), message, hint))
		}
		inText = true
	}
}

// freeIDs returns a function that returns an id, or the next one that neither an item nor an earlier answer has.
func freeIDs(items []*artifact.Item) func(id string) string {
	taken, highest := make(map[brenner.ItemID]bool), int32(0)
	for _, it := range items {
		taken[it.ID], highest = true, max(highest, it.ID.Number)
	}
	return func(id string) string {
		meant, ok := brenner.ParseItemID(id)
		if !ok || !meant.InRange() {
			return id
		}
		if taken[meant] {
			if meant.Number++; taken[meant] {
				meant.Number = highest + 1
			}
		}
		taken[meant], highest = true, max(highest, meant.Number)
		return meant.String()
	}
}

// malformedItem is the finding of an item whose id is not of the form of its section.
func malformedItem(a *artifact.Artifact, s *artifact.Section, stray artifact.MalformedItem, isRow bool, free func(id string) string) lint.Diagnostic {
	d := lint.Diagnostic{At: a.Text.Place(stray.ID)}
	id, isID := brenner.ParseItemID(strings.TrimRight(strings.TrimSpace(stray.Text), ".)"))
	switch {
	case stray.Item == nil:
		d.Message = fmt.Sprintf("an entry of %s is not an object; expected an item with an id", sectionName(a, s.Kind))
	case stray.Item.Heading.Empty() && stray.Item.Heading.Start == stray.Item.Span.Start && len(stray.Item.Fields) > 0:
		first := stray.Item.Fields[0]
		d.At = a.Text.Place(first.Label)
		d.Message = fmt.Sprintf("the heading of an item is missing above %s", a.Text.Slice(first.Label))
		d.Suggestion = "write the heading above it: `### " + cmp.Or(unheadedItem(a, s), s.Kind.Prefix()+"…") + ": …`"
	case strings.TrimSpace(stray.Text) == "":
		what := "a heading"
		if a.IsJSON() {
			what = "an item"
		} else if s.Kind == brenner.PredictionsTable {
			what = "a row"
		}
		d.Message = fmt.Sprintf("%s of %s has no id; expected %s", what, sectionName(a, s.Kind), idForm(s.Kind))
	case s.Kind == brenner.PredictionsTable && !isRow:
		d.Message = fmt.Sprintf("%s has a heading in Predictions Table; expected only rows of the table", stray.Other)
	case stray.Other.Section != 0:
		d.Message = fmt.Sprintf("%s is an id of %s, but is in %s; expected %s", stray.Other, sectionName(a, stray.Other.Section), sectionName(a, s.Kind), idForm(s.Kind))
	case isID && !id.InRange():
		d.Message = fmt.Sprintf("the number of %s is too large; expected at most %d", text.Quote(strings.TrimSpace(stray.Text)), brenner.MaxItemNumber)
	default:
		d.Message = fmt.Sprintf("%s is not an id of %s; expected %s", text.Quote(stray.Text), sectionName(a, s.Kind), idForm(s.Kind))
		d.Suggestion = meantID(a, stray, s.Kind, free)
	}
	return d
}

// sectionHeadingMissing reports whether a section's items are in another one only because its
// heading is missing: the other one is the last before it.
func sectionHeadingMissing(a *artifact.Artifact, s *artifact.Section, missing brenner.Section) bool {
	if a.IsJSON() || s.Kind >= missing {
		return false
	}
	return !slices.ContainsFunc(a.Sections, func(o *artifact.Section) bool { return o.Kind > s.Kind && o.Kind <= missing })
}

// isSign reports whether a character is neither a letter nor a digit.
func isSign(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// meantID suggests the id that a malformed one most likely is: `h1`, `H-1`, `H01`
// and `Hypothesis 1` are H1. Where other text is in the place of the id, or a part of the id in
// that of the name, it suggests the whole heading. free replaces an id that another item has.
func meantID(a *artifact.Artifact, stray artifact.MalformedItem, kind brenner.Section, free func(string) string) string {
	texts, heading, open, closed := []string{stray.Text}, "", "", ""
	if it := stray.Item; it != nil && a.Doc != nil {
		view := a.View(it.Heading)
		if before, struck, ok := strings.Cut(view, "~~"); ok && strings.TrimFunc(before, isSign) == "" {
			view, closed, _ = strings.Cut(struck, "~~")
			open, closed = "~~", "~~"+closed
		}
		if it.Row == nil {
			heading, _ = brenner.Unmark(view)
		}
		before, _, _ := strings.Cut(view, ":")
		texts = append(texts, before)
	}
	write := func(word, number string) string {
		id := free(kind.Prefix() + number)
		if heading == "" || word == stray.Text || strings.TrimFunc(stray.Text, isSign) == word {
			return "write " + id
		}
		_, name, _ := strings.Cut(heading, word)
		name = cmp.Or(strings.TrimLeft(name, ":：—–-.)] \t"), "…")
		return "write " + headingLine(3, open+id+": "+name+closed, open+id+": …"+open)
	}
	for _, text := range texts {
		if number := idNumber(text, kind); number != "" {
			return write(text, number)
		}
	}
	for _, text := range texts { // `[H1]`, `(H1)`, `2.1 H1`, with a sign before it
		for _, word := range strings.FieldsFunc(text[:min(len(text), 64)], isSign) {
			if number := idNumber(word, kind); number != "" && !unicode.IsDigit(rune(word[0])) {
				if _, rest, _ := strings.Cut(text, word); heading != "" && len(rest) > 1 &&
					(rest[0] == '.' && unicode.IsDigit(rune(rest[1])) || strings.ContainsAny(rest[:1], "/&+") && rest[1] != ' ') {
					return "" // `H2.1`, `H1/H5`
				}
				return write(word, number)
			}
			if strings.Trim(word, "0123456789") != "" {
				break
			}
		}
	}
	return ""
}

// idNumber returns the number in a text that consists only of a section's letter or
// noun and a number.
func idNumber(text string, kind brenner.Section) string {
	if len(text) > 64 {
		return ""
	}
	if h := strings.LastIndexAny(text, "hH"); h > 0 && kind == brenner.PredictionsTable { // `P4.h1`
		number := idNumber(strings.TrimRight(text[:h], ".,/-_ "), kind) + ".H" + idNumber(text[h:], brenner.HypothesisSlate)
		if _, ok := brenner.ParseItemID(kind.Prefix() + number); ok {
			return number
		}
	}
	m := wordAndNumber().FindStringSubmatch(text)
	if m == nil || m[1] != "" && !strings.EqualFold(m[1], kind.Prefix()) && !strings.EqualFold(m[1], kind.Singular()) {
		return ""
	}
	return m[2]
}

// wordAndNumber is a number, perhaps with a word before it: `h01`, `Hypothesis 1`.
var wordAndNumber = text.Pattern(`^[-_#. ]*([^0-9]*?)[-_#. ]*0*([1-9][0-9]*)$`)

// idForm shows the ids of a section.
func idForm(kind brenner.Section) string {
	switch p := kind.Prefix(); kind {
	case brenner.ResearchThread:
		return p
	case brenner.PredictionsTable:
		return "P and a number (P1), or P1.H1"
	default:
		return fmt.Sprintf("%s and a number (%s1)", p, p)
	}
}

// repeated returns the number of items of a section whose id another one has: ES-004
// reports them, and the gap that they leave follows from it.
func repeated(a *artifact.Artifact, kind brenner.Section) int {
	seen := make(map[brenner.ItemID]bool)
	for _, it := range a.ItemsOf(kind) {
		seen[it.ID] = true
	}
	return len(a.ItemsOf(kind)) - len(seen)
}

// reorder returns the fix that brings items or sections into an order: order[i] is the index of
// the span that moves to the place of span i. Separators (blank lines, rules) stay in place; what
// is directly above a heading moves with it. There is no fix where that would tear HTML or a conflict
// apart, or mix two sections of a kind.
func reorder(a *artifact.Artifact, description string, stretches []source.Span, order []int) *lint.SuggestedFix {
	if len(a.Hidden)+len(a.Conflicts) > 0 || slices.ContainsFunc(a.Sections, func(s *artifact.Section) bool { return s != a.Section(s.Kind) }) {
		return nil
	}
	for i := range stretches {
		floor := 0
		if i > 0 {
			floor = stretches[i-1].End
		}
		stretches[i].Start = leadStart(a, stretches[i].Start, floor)
	}
	fix := &lint.SuggestedFix{Description: description}
	for i, from := range order {
		if from == i {
			continue
		}
		moved, open := a.Text.Slice(stretches[from]), 0
		for line := range strings.Lines(moved) {
			if open += artifact.OpenTags(line); open < 0 {
				return nil
			}
		}
		if open > 0 {
			return nil
		}
		fix.Edits = append(fix.Edits, lint.TextEdit{At: a.Text.Place(stretches[i]), Text: moved})
	}
	return fix
}

// leadStart returns start, or where the comments and the lines of HTML directly above it begin: they
// are about what follows (decisions.md 34), except for those that close what is above.
func leadStart(a *artifact.Artifact, start, floor int) int {
	for at := start; at > floor && !a.IsJSON(); {
		line := a.Text.Line(a.Text.LineAt(at - 1))
		text := strings.TrimSpace(a.Text.Slice(line))
		n := sort.Search(len(a.Comments), func(i int) bool { return a.Comments[i].Start >= line.End })
		switch {
		case n > 0 && a.Comments[n-1].End > line.Start && a.Comments[n-1].Start >= floor:
			line = a.Comments[n-1]
			start = line.Start
		case artifact.IsTagLine(text) && artifact.OpenTags(text) >= 0 && line.Start >= floor:
			start = line.Start
		case text != "":
			return start
		}
		at = line.Start
	}
	return start
}
