package rules

import (
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/lint"
)

// Questions of the rules on artifacts to the replay: they do not report a fault that it has
// reported (decisions.md 47: published against the rules of artifacts).

// missingFromPublished reports whether the merge has a value for a field of an item, or for a
// part of it, where the published artifact has another or none: MR-013 reports it.
func missingFromPublished(p *lint.ArtifactPass, id brenner.ItemID, key, part string) bool {
	v, ok := p.Reported.Merged(id, key, part)
	return ok && v != nil
}

// mergedText reports whether the merge has a text that fits in an item where the published
// artifact has another or none, as MR-013 reports.
func mergedText(p *lint.ArtifactPass, it *artifact.Item, fits func(string) bool) bool {
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

func anyItem(*brenner.Item) bool { return true }

// omitted reports whether the publisher left out at least n items of a section that match, as
// MR-011 reports.
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
	return f != nil && slices.ContainsFunc(f.Entries, func(e artifact.Entry) bool {
		return e.Text == "" && missingFromPublished(p, row.ID, f.Key, e.Key)
	})
}

// mergedIndeterminate reports whether the merge leaves an outcome of the hypotheses of a set
// indeterminate, and the published table does not.
func mergedIndeterminate(p *lint.ArtifactPass, rows []*artifact.Item, set map[brenner.ItemID]bool) bool {
	return slices.ContainsFunc(rows, func(row *artifact.Item) bool {
		f := row.Field("predictions")
		return f != nil && slices.ContainsFunc(f.Entries, func(e artifact.Entry) bool {
			v, _ := p.Reported.Merged(row.ID, f.Key, e.Key)
			text, _ := v.(string)
			id, ok := brenner.ParseItemID(e.Key)
			return ok && set[id] && brenner.ContainsFold(text, "indeterminate")
		})
	})
}

// explained reports whether the replay has found one of several facts about an item, or about
// any item of the section if the id has no number.
func explained(p *lint.ArtifactPass, id brenner.ItemID, facts ...replay.FactKind) bool {
	return slices.ContainsFunc(facts, func(fact replay.FactKind) bool { return p.Reported.Has(fact, id) })
}

// missingFromPublished reports whether the merge has such an active item and the published
// artifact does not.
func (m requiredFlag) missingFromPublished(p *lint.ArtifactPass) bool {
	return omitted(p, m.section, m.setInMerge, 1) ||
		slices.ContainsFunc(active(p.Artifact, m.section), func(it *artifact.Item) bool { return m.publishedWithout(p, it) })
}

// setInMerge reports whether an item of the merge is active and has the flag.
func (m requiredFlag) setInMerge(it *brenner.Item) bool {
	return it.Active() && (brenner.IsTrue(it.Fields()[m.flag]) || m.named(it.Text("name")) || m.field != "" && it.Text(m.field) != "")
}

// publishedWithout reports whether the merge sets the flag of an item that is published
// without it.
func (m requiredFlag) publishedWithout(p *lint.ArtifactPass, it *artifact.Item) bool {
	isSet, _ := p.Reported.Merged(it.ID, m.flag, "")
	name, _ := p.Reported.Merged(it.ID, "name", "")
	text, _ := name.(string)
	return brenner.IsTrue(isSet) || m.named(text) || m.field != "" && missingFromPublished(p, it.ID, m.field, "")
}
