package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Checks of the ids of items.

func checkItemIDs(p *lint.ArtifactPass) {
	for _, s := range p.Artifact.Sections {
		if s.Kind != brenner.PredictionsTable { // WP-002 is about its rows
			reportStrays(p, s)
			reportMisheadedItems(p, s)
		}
	}
	for i := range p.Artifact.Hidden {
		if h := &p.Artifact.Hidden[i]; len(h.Sections) == 0 {
			reportHiddenItems(p, h)
		}
	}
}

// reportHiddenItems reports a fence or comment that contains items.
func reportHiddenItems(p *lint.ArtifactPass, h *artifact.Hidden) {
	ids := make([]string, len(h.Items))
	for i, id := range h.Items {
		ids[i] = id.String()
	}
	what := ids[0] + " is"
	if len(ids) > 1 {
		what = text.And(few(ids)) + " are"
	}
	p.Report(hiddenIn(p.Artifact, h, what))
}

// reportMisheadedItems reports the items of a section whose heading is not an H3.
func reportMisheadedItems(p *lint.ArtifactPass, s *artifact.Section) {
	const level = 3
	for _, it := range s.Items {
		if m := it.Misheaded; m != nil {
			text := strings.Trim(p.Artifact.Text.Slice(it.Heading), "*_")
			if it.Name != "" && m.Form == artifact.InBold {
				text = it.ID.String() + ": " + it.Name
			}
			itemReport(p, it, "", m.Mark, lint.Diagnostic{
				Message:    misheaded(it.ID.String(), m, level),
				Suggestion: "write " + headingLine(level, text, it.ID.String()+": …"),
			})
		}
	}
}

// misheaded describes what is wrong with the heading of a section or an item.
func misheaded(what string, m *artifact.Misheading, level int) string {
	switch m.Form {
	case artifact.WrongLevel:
		return fmt.Sprintf("%s has a heading of level %d; expected level %d", what, m.Level, level)
	case artifact.NoSpace:
		return fmt.Sprintf("%s has no heading: a space is missing after %s", what, strings.Repeat("#", m.Level))
	case artifact.InBold:
		return what + " has no heading: its name is only in bold"
	}
	return what + " has no heading: its name is plain text"
}

// headingLine returns a heading as a message shows it; a long one is cut to short.
func headingLine(level int, text, short string) string {
	if len(text) > 64 || strings.ContainsAny(text, "`\n") {
		text = short
	}
	return "`" + strings.Repeat("#", level) + " " + text + "`"
}

// reportStrays reports the items of a section whose ids are not of its form.
func reportStrays(p *lint.ArtifactPass, s *artifact.Section) {
	a := p.Artifact
	what := " heading"
	switch {
	case a.IsJSON():
		what = "n item"
	case s.Kind == brenner.PredictionsTable:
		what = " row"
	}
	if unreadable(s) {
		return // ES-001 reports it
	}
	for _, stray := range s.Malformed {
		if stray.Other.Section != 0 && headless(a, s, stray.Other.Section) {
			continue // ES-001 reports it
		}
		d := lint.Diagnostic{At: a.Text.Place(stray.ID)}
		switch {
		case stray.Item == nil:
			d.Message = fmt.Sprintf("an entry of %s is not an object; expected an item with an id", sectionName(a, s.Kind))
		case strings.TrimSpace(stray.Text) == "":
			d.Message = fmt.Sprintf("a%s of %s has no id; expected %s", what, sectionName(a, s.Kind), idForm(s.Kind))
		case stray.Other.Section != 0:
			d.Message = fmt.Sprintf("%s is an id of %s, but is in %s; expected %s", stray.Other, sectionName(a, stray.Other.Section), sectionName(a, s.Kind), idForm(s.Kind))
		case tooLarge(stray.Text):
			d.Message = fmt.Sprintf("the number of %s is too large; expected at most %d", text.Quote(strings.TrimSpace(stray.Text)), brenner.MaxItemNumber)
		default:
			d.Message = fmt.Sprintf("%s is not an id of %s; expected %s", text.Quote(stray.Text), sectionName(a, s.Kind), idForm(s.Kind))
			d.Suggestion = meantID(a, stray, s.Kind)
		}
		p.Report(d)
	}
}

// tooLarge reports whether a text is an id whose number no item can have.
func tooLarge(text string) bool {
	id, ok := brenner.ParseItemID(strings.TrimRight(strings.TrimSpace(text), ".)"))
	return ok && !id.InRange()
}

// headless reports whether a section's items are in another one only because its
// heading is missing: the other one is the last before it.
func headless(a *artifact.Artifact, s *artifact.Section, missing brenner.Section) bool {
	if a.IsJSON() || s.Kind == brenner.PredictionsTable || s.Kind > missing {
		return false
	}
	return !slices.ContainsFunc(a.Sections, func(o *artifact.Section) bool { return o.Kind > s.Kind && o.Kind <= missing })
}

// meantID suggests the id that a malformed one most likely is: `h1`, `H-1`, `H01`
// and `Hypothesis 1` are H1.
func meantID(a *artifact.Artifact, stray artifact.MalformedItem, kind brenner.Section) string {
	texts := []string{stray.Text}
	if it := stray.Item; it != nil && a.Doc != nil {
		before, _, _ := strings.Cut(a.View(it.Heading), ":")
		texts = append(texts, before)
	}
	for _, text := range texts {
		if number := idNumber(text, kind); number != "" {
			return "write " + kind.Prefix() + number
		}
	}
	return ""
}

// idNumber returns the number in a text that consists only of a section's letter or
// noun and a number.
func idNumber(text string, kind brenner.Section) string {
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

func checkDuplicateIDs(p *lint.ArtifactPass) {
	a := p.Artifact
	for _, kind := range brenner.Sections[1:] {
		first := make(map[brenner.ItemID]*artifact.Item)
		next := nextID(a, kind)
		for _, it := range a.ItemsOf(kind) {
			earlier := first[it.ID]
			if earlier == nil {
				first[it.ID] = it
				continue
			}
			if a.InConflict(earlier.Heading, it.Heading) {
				continue // ES-006 reports it
			}
			itemReport(p, it, "", it.IDSpan, lint.Diagnostic{
				Message:    fmt.Sprintf("duplicate id %s in %s", it.ID, sectionName(a, kind)),
				Suggestion: fmt.Sprintf("use the next free id, %s", next),
				Related:    []lint.RelatedLocation{{At: a.Text.Place(earlier.IDSpan), Message: fmt.Sprintf("first %s", it.ID)}},
			})
		}
	}
}

// checkRepeatedFields is ES-005. Where version control has left both values, ES-006 reports
// it.
func checkRepeatedFields(p *lint.ArtifactPass) {
	a := p.Artifact
	for _, s := range a.Sections {
		for it := range s.All() {
			if len(it.Repeated) == 0 {
				continue
			}
			first := firstLabels(it)
			for _, f := range it.Repeated {
				if a.InConflict(first[f.Key], f.Label) {
					continue
				}
				name := fieldName(a, s.Kind, f.Key)
				itemReport(p, it, f.Key, f.Label, lint.Diagnostic{
					Message:    fmt.Sprintf("%s of %s is given twice", name, itemName(it)),
					Suggestion: "keep one of the two values",
					Related:    []lint.RelatedLocation{{At: a.Text.Place(first[f.Key]), Message: "given here first"}},
				})
			}
		}
	}
}

// firstLabels returns where the fields of an item are given first.
func firstLabels(it *artifact.Item) map[string]source.Span {
	out := make(map[string]source.Span, len(it.Fields))
	add := func(key string, label source.Span) {
		if _, known := out[key]; !known {
			out[key] = label
		}
	}
	if it.Node != nil {
		for _, m := range it.Node.Members() {
			add(m.Name, m.NameSpan())
		}
	}
	for _, f := range it.Fields {
		add(f.Key, f.Label)
	}
	return out
}

func checkConflictLines(p *lint.ArtifactPass) {
	if a := p.Artifact; len(a.Conflicts) > 0 {
		p.Report(lint.Diagnostic{
			At:         a.Text.Place(a.Conflicts[0].Marker),
			Message:    "the line is a conflict marker: version control has left two versions",
			Suggestion: "keep one version, and remove the lines of the markers",
		})
	}
}

// nextID returns the id after the highest of a section (decisions.md 23).
func nextID(a *artifact.Artifact, kind brenner.Section) brenner.ItemID {
	id := brenner.ItemID{Section: kind, Number: 1}
	for _, it := range a.ItemsOf(kind) {
		id.Number = max(id.Number, it.ID.Number+1)
	}
	return id
}

// explainsGaps are the facts of the replay that explain gaps in the ids of an inline
// artifact: items were renumbered, left out, made up or wrongly applied.
var explainsGaps = []replay.FactKind{replay.IDChanged, replay.ItemOmitted, replay.ItemUnexplained, replay.RejectApplied}

// gapReported reports whether the replay has found why ids of a section have a gap.
func gapReported(p *lint.ArtifactPass, sec brenner.Section) bool {
	return slices.ContainsFunc(explainsGaps, func(kind replay.FactKind) bool {
		return p.Reported.Has(kind, brenner.ItemID{Section: sec})
	})
}

func checkIDGaps(p *lint.ArtifactPass) {
	a := p.Artifact
	for _, kind := range brenner.Sections[1:] {
		if gapReported(p, kind) {
			continue
		}
		unread := strays(a, kind) + repeated(a, kind)
		ordered := slices.Clone(a.ItemsOf(kind))
		slices.SortStableFunc(ordered, func(x, y *artifact.Item) int { return x.ID.Number - y.ID.Number })
		last := 0
		for _, it := range ordered {
			missing := it.ID.Number - last - 1
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
			itemReport(p, it, "", it.IDSpan, lint.Diagnostic{
				Message: fmt.Sprintf("%s before %s; ids have no gaps, and killed items keep their place", gap, it.ID),
			})
		}
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
