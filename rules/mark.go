package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// mark is what one active item of a section must be, such as a third alternative: its
// flag, its name or another field shows it.
type mark struct {
	section brenner.Section
	flag    string
	named   func(string) bool
	field   string // "" if there is none
	omitted *replay.ItemFilter
}

var (
	thirdAlternative = newMark(mark{section: brenner.HypothesisSlate, flag: "third_alternative", named: brenner.NamesThirdAlternative})
	scaleCheck       = newMark(mark{section: brenner.AssumptionLedger, flag: "scale_check", named: brenner.NamesScaleCheck})
	realAlternative  = newMark(mark{
		section: brenner.AdversarialCritique, flag: "real_third_alternative", named: brenner.NamesThirdAlternative,
		field: "why_it_might_be_right",
	})
)

func newMark(m mark) mark {
	m.omitted = replay.NewItemFilter(m.merged)
	return m
}

// on reports whether an item has the mark.
func (m mark) on(it *artifact.Item) bool {
	if flag(it, m.flag) || m.named(it.Name) {
		return true
	}
	f := it.Field(m.field)
	return m.field != "" && f != nil && filled(f)
}

// lost reports whether the merge has an active item with the mark and the published
// artifact does not: the replay has reported it.
func (m mark) lost(p *lint.ArtifactPass) bool {
	for range p.Reported.Omitted(m.section, m.omitted) {
		return true
	}
	return slices.ContainsFunc(active(p.Artifact, m.section), func(it *artifact.Item) bool { return m.lostBy(p, it) })
}

// merged reports whether an item of the merge is active and has the mark.
func (m mark) merged(it *state.Item) bool {
	return it.Active() && (state.IsTrue(it.Fields()[m.flag]) || m.named(it.Text("name")) || m.field != "" && it.Text(m.field) != "")
}

// lostBy reports whether the merge has an item with the mark that is published
// without it.
func (m mark) lostBy(p *lint.ArtifactPass, it *artifact.Item) bool {
	isSet, _ := p.Reported.Merged(it.ID, m.flag, "")
	name, _ := p.Reported.Merged(it.ID, "name", "")
	text, _ := name.(string)
	return state.IsTrue(isSet) || m.named(text) || m.field != "" && lost(p, it, m.field)
}

// lost reports whether the merge has a value for a field of an item where the published
// artifact has another or none: MR-013 reports it (decisions.md 47).
func lost(p *lint.ArtifactPass, it *artifact.Item, key string) bool {
	v, ok := p.Reported.Merged(it.ID, key, "")
	return ok && v != nil
}

// lostText reports whether the merge has a text that fits in an item where the published
// artifact has another or none, as MR-013 reports.
func lostText(p *lint.ArtifactPass, it *artifact.Item, fits func(string) bool) bool {
	fields := it.ID.Section.Fields()
	for i := range fields {
		v, _ := p.Reported.Merged(it.ID, fields[i].Key, "")
		list, _ := v.([]any)
		for _, v := range append(list[:len(list):len(list)], v) {
			if text, ok := v.(string); ok && fits(text) {
				return true
			}
		}
	}
	return false
}

// lostPart reports whether one outcome, or one part of a score, is lost.
func lostPart(p *lint.ArtifactPass, id brenner.ItemID, key, part string) bool {
	v, ok := p.Reported.Merged(id, key, part)
	return ok && v != nil
}

var activeItems = replay.NewItemFilter((*state.Item).Active)

// omitsActive reports whether the publisher left out at least n active items of a
// section, as MR-011 reports.
func omitsActive(p *lint.ArtifactPass, kind brenner.Section, n int) bool {
	for range p.Reported.Omitted(kind, activeItems) {
		if n--; n == 0 {
			return true
		}
	}
	return false
}

// oneIs returns a check that some active item of a section has a mark. If no item can
// be read at all, another rule has reported why.
func oneIs(m mark, what, suggestion string) lint.ArtifactCheck {
	return func(p *lint.ArtifactPass) {
		a := p.Artifact
		s := a.Section(m.section)
		if s == nil || slices.ContainsFunc(active(a, m.section), m.on) {
			return
		}
		if strayIs(a, m) || len(s.Items) == 0 && looseItem(a, s) != "" || m.lost(p) {
			return
		}
		if i := slices.IndexFunc(active(a, m.section), m.unclear); i >= 0 {
			m.reportUnclear(p, active(a, m.section)[i])
			return
		}
		p.Report(lint.Diagnostic{
			At:         heading(a, s),
			Message:    fmt.Sprintf("%s has %s", sectionName(a, m.section), what),
			Suggestion: fmt.Sprintf("%s %s", suggestion, flagLine(a, m.section, m.flag)),
		})
	}
}

// unclear reports whether the flag of an item is neither true nor false.
func (m mark) unclear(it *artifact.Item) bool {
	text := it.Text(m.flag)
	return text != "" && !slices.ContainsFunc([]string{"true", "false", "no"}, func(word string) bool { return strings.EqualFold(text, word) })
}

// reportUnclear reports the flag of an item that would have the mark if the flag were
// true.
func (m mark) reportUnclear(p *lint.ArtifactPass, it *artifact.Item) {
	a, f := p.Artifact, it.Field(m.flag)
	name := fieldName(a, m.section, m.flag)
	d := lint.Diagnostic{
		Message:    fmt.Sprintf("%s of %s is %s; expected true", name, it.ID, text.Quote(f.Text)),
		Suggestion: "write true",
	}
	at := f.Value
	if first, _, more := strings.Cut(f.Text, "\n"); more && strings.EqualFold(first, "true") {
		at.Start += strings.IndexByte(a.Text.Slice(at), '\n') + 1
		at = at.Trim(a.Text.Data)
		d.Message = fmt.Sprintf("%s of %s is not just true: the text below is part of its value", name, it.ID)
		d.Suggestion = "put the text into a separate field, or move it above"
	}
	itemReport(p, it, m.flag, at, d)
}

// strayIs reports whether an item whose id cannot be read has a mark, or may have one.
func strayIs(a *artifact.Artifact, m mark) bool {
	for _, s := range a.Sections {
		if s.Kind != m.section {
			continue
		}
		for i := range s.Malformed {
			if it := s.Malformed[i].Item; it == nil || !it.Killed && m.on(it) {
				return true
			}
		}
	}
	return false
}

// flag reports whether a flag field of an item is true.
func flag(it *artifact.Item, key string) bool {
	f := it.Field(key)
	return f != nil && strings.EqualFold(f.Text, "true")
}

// flagLine returns how a flag is set in the artifact's form.
func flagLine(a *artifact.Artifact, kind brenner.Section, key string) string {
	if a.IsJSON() {
		return fmt.Sprintf("%q: true", key)
	}
	return fmt.Sprintf("`**%s**: true`", fieldName(a, kind, key))
}
