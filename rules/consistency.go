package rules

import (
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/internal/artifact"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/protocol"
	"github.com/brennerlint/brennerlint/internal/source"
	"github.com/brennerlint/brennerlint/lint"
)

// Rules about what items say of each other, and of themselves.
var consistencyRules = []*lint.Rule{
	{
		ID: "WS-102", Name: "cross-reference", Severity: lint.Warning, Scope: lint.ArtifactScope, Source: artifactFormat,
		Summary: "Ids named in Discriminates, Conflicts with, Load, critique targets and prediction columns exist in the artifact.",
		Check:   lint.ArtifactCheck(checkCrossReferences),
	},
	{
		ID: "WS-103", Name: "duplicate-hypothesis-name", Severity: lint.Warning, Scope: lint.ArtifactScope, Source: artifactFormat,
		Summary: "Active hypotheses have distinct names.",
		Check:   lint.ArtifactCheck(checkHypothesisNames),
	},
	{
		ID: "WA-101", Name: "calculation-numeric", Severity: lint.Warning, Scope: lint.ArtifactScope, Source: artifactFormat,
		Summary: "The scale check's Calculation holds a number.",
		Check:   lint.ArtifactCheck(checkCalculation),
	},
}

func checkCrossReferences(p *lint.ArtifactPass) {
	a := p.Artifact
	for it := range active(a, protocol.DiscriminativeTests) {
		checkMentions(p, it, it.Field("discriminates"))
	}
	for it := range active(a, protocol.AssumptionLedger) {
		checkMentions(p, it, it.Field("load"))
	}
	for it := range active(a, protocol.AnomalyRegister) {
		checkMentions(p, it, it.Field("conflicts_with"))
	}
	for it := range active(a, protocol.AdversarialCritique) {
		for _, f := range it.Fields {
			if f.Known == nil && (strings.EqualFold(f.Key, "target") || strings.EqualFold(f.Key, "targets") || f.Key == "target_id") {
				checkMentions(p, it, f)
			}
		}
	}
	checkColumns(p)
}

// checkColumns reports hypotheses that the predictions table speaks of and the
// artifact does not have.
func checkColumns(p *lint.ArtifactPass) {
	a := p.Artifact
	for s := range predictionSections(a) {
		if s.Table != nil {
			for _, c := range s.Table.Columns {
				if unknown(a, c.ID) {
					reportUnknown(p, nil, "predictions", a.Text.Place(c.Span), c.ID)
				}
			}
			continue
		}
		for _, row := range s.Items {
			f := row.Field("predictions")
			if f == nil || row.Killed {
				continue
			}
			for _, e := range f.Entries {
				if id, ok := protocol.ParseItemID(e.Key); ok && unknown(a, id) {
					reportUnknown(p, row, "predictions", a.Text.Place(e.KeySpan), id)
				}
			}
		}
	}
}

// checkMentions reports the ids in a field that name no item.
func checkMentions(p *lint.ArtifactPass, it *artifact.Item, f *artifact.Field) {
	if f == nil {
		return
	}
	a := p.Artifact
	if f.Node == nil {
		text := a.Text.String(f.Value)
		for _, m := range protocol.ItemMentions(text) {
			if unknown(a, m.ID) {
				reportUnknown(p, it, f.Key, a.Text.Place(m.Span.Shift(f.Value.Start)), m.ID)
			}
		}
		return
	}
	for n := range jsonStrings(f.Node) {
		checkStringMentions(p, it, f, n)
	}
}

func checkStringMentions(p *lint.ArtifactPass, it *artifact.Item, f *artifact.Field, n *jsontree.Node) {
	for _, m := range protocol.ItemMentions(n.Text) {
		if unknown(p.Artifact, m.ID) {
			reportUnknown(p, it, f.Key, p.Artifact.Text.JSONString(n.Span).Place(m.Span), m.ID)
		}
	}
}

// unknown reports whether an id names no item of the artifact, killed ones
// included. Where its section holds nothing that can be read, or holds items
// with bad ids, another rule has said why.
func unknown(a *artifact.Artifact, id protocol.ItemID) bool {
	if id.Section == 0 || strays(a, id.Section) > 0 || count(items(a, id.Section)) == 0 {
		return false
	}
	if a.Item(id) != nil {
		return false
	}
	for it := range items(a, id.Section) {
		// P1 names the rows P1.H1 and P1.H2, and P1.H1 what P1 says of H1.
		if id.Section == protocol.PredictionsTable && it.ID.Number == id.Number && (it.ID.Hypothesis == 0 || id.Hypothesis == 0) {
			return false
		}
	}
	return true
}

func reportUnknown(p *lint.ArtifactPass, it *artifact.Item, key string, at source.Place, id protocol.ItemID) {
	a := p.Artifact
	d := lint.Diagnostic{At: at, Field: key}
	what := "a column of the predictions table"
	if it != nil {
		d.Item = it.ID.String()
		what = fieldName(a, it.ID.Section, key) + " of " + d.Item
	}
	d.Message = fmt.Sprintf("%s names %s, but %s has no %s", what, id, sectionName(a, id.Section), id)
	p.Report(d)
}

func checkHypothesisNames(p *lint.ArtifactPass) {
	a := p.Artifact
	seen := make([]*artifact.Item, 0, 8)
next:
	for it := range active(a, protocol.HypothesisSlate) {
		if it.Name == "" {
			continue
		}
		for _, earlier := range seen {
			if sameText(it.Name, earlier.Name) {
				itemReport(p, it, "name", it.NameSpan, lint.Diagnostic{
					Message: fmt.Sprintf("%s has the name of %s, needs one of its own", it.ID, earlier.ID),
					Related: []lint.Note{{At: a.Text.Place(earlier.NameSpan), Message: fmt.Sprintf("%s has it here", earlier.ID)}},
				})
				continue next
			}
		}
		if len(seen) < 64 { // more than that is EH-002 many times over
			seen = append(seen, it)
		}
	}
}

func checkCalculation(p *lint.ArtifactPass) {
	for it := range active(p.Artifact, protocol.AssumptionLedger) {
		f := it.Field("calculation")
		if f == nil || !isScaleCheck(it) || !filled(f) || strings.ContainsAny(f.Text, "0123456789") {
			continue
		}
		itemReport(p, it, f.Key, f.Value, lint.Diagnostic{
			Message: fmt.Sprintf("the %s of %s holds no number, needs the quantities that it compares", fieldName(p.Artifact, protocol.AssumptionLedger, f.Key), it.ID),
		})
	}
}
