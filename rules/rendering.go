package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Rules about the traces of merging in an artifact: killed items, conflicts and
// references to other sessions.
var renderingRules = []*lint.Rule{
	{ID: "RD-001", Name: "killed-rendering", Severity: lint.Warning, SpecRef: "artifact_format#Killed items",
		Summary: "A killed item has its heading struck through and gives who killed it and the reason.",
		Check:   lint.ArtifactCheck(checkKilledRendering)},
	{ID: "RD-002", Name: "conflict-marker", Severity: lint.Error, SpecRef: "artifact_format#Items",
		Summary: "No field is left at a CONFLICT marker.",
		Help:    "choose one of the values, or ask the agents concerned",
		Check:   lint.ArtifactCheck(checkConflictMarkers)},
	{ID: "RD-003", Name: "reference-shape", Severity: lint.Error, SpecRef: "artifact_format#Items",
		Summary: "In a JSON artifact each item's references is an array of well-formed references.",
		Help:    `write each reference as {"session": "RS-…", "item": "H2", "relation": "refutes"}`,
		Check:   lint.ArtifactCheck(checkReferences)},
}

func checkKilledRendering(p *lint.ArtifactPass) {
	a := p.Artifact
	for _, s := range a.Sections {
		if s.Kind == brenner.PredictionsTable && !a.IsJSON() {
			continue // a row can only show a struck id
		}
		for _, it := range s.Items {
			if it.Killed {
				checkKilledItem(p, it)
			}
		}
	}
}

func checkKilledItem(p *lint.ArtifactPass, it *artifact.Item) {
	var lacks, fixes []string
	if it.Node != nil {
		reportKilledObject(p, it)
		return
	}
	if it.HalfStruck {
		lacks = append(lacks, "a fully struck-through heading")
		fixes = append(fixes, fmt.Sprintf("`### ~~%s: …~~ [KILLED]`", it.ID))
	} else if !it.Struck {
		lacks = append(lacks, "a struck-through heading")
		fixes = append(fixes, fmt.Sprintf("`### ~~%s: …~~ [KILLED]`", it.ID))
	}
	if it.KilledBy == "" {
		lacks = append(lacks, "who killed it")
		fixes = append(fixes, "`**Killed by**: Agent (timestamp)`")
	}
	if it.KillReason == "" {
		lacks = append(lacks, "the reason")
		fixes = append(fixes, "`**Reason**: …`")
	}
	if len(lacks) > 0 {
		itemReport(p, it, "", it.Heading, lint.Diagnostic{
			Message:    fmt.Sprintf("killed item %s lacks %s", it.ID, text.And(lacks)),
			Suggestion: "write " + text.And(fixes),
		})
	}
}

// reportKilledObject reports what an item killed in JSON lacks (decisions.md 70).
func reportKilledObject(p *lint.ArtifactPass, it *artifact.Item) {
	var lacks []string
	if strings.TrimSpace(it.KilledBy) == "" {
		lacks = append(lacks, "killed_by")
	}
	if strings.TrimSpace(it.KillReason) == "" {
		lacks = append(lacks, "kill_reason")
	}
	if len(lacks) > 0 {
		itemReport(p, it, lacks[0], it.Heading, lint.Diagnostic{
			Message:    fmt.Sprintf("killed item %s lacks %s", it.ID, text.And(lacks)),
			Suggestion: "add " + text.And(lacks),
		})
	}
}

func checkConflictMarkers(p *lint.ArtifactPass) {
	for _, s := range p.Artifact.Sections {
		for it := range s.All() {
			if it.Killed || p.Reported.Has(replay.ConflictedField, it.ID) || p.Reported.Has(replay.ConflictWritten, it.ID) {
				continue
			}
			if state.IsConflict(it.Name) {
				reportConflict(p, it, "name", it.NameSpan, it.Name)
			}
			for _, f := range it.Fields {
				if state.IsConflict(f.Text) {
					reportConflict(p, it, f.Key, f.Value, f.Text)
					continue
				}
				for i := range f.Entries {
					if e := &f.Entries[i]; state.IsConflict(e.Text) {
						reportConflict(p, it, f.Key, e.Span, e.Text)
					}
				}
			}
		}
	}
}

func reportConflict(p *lint.ArtifactPass, it *artifact.Item, key string, at source.Span, value string) {
	d := lint.Diagnostic{At: p.Artifact.Text.Place(at), Field: key, Suggestion: "send a DELTA that sets the field"}
	name := "an item without id"
	if it.ID.Section != 0 {
		name, d.Item = itemName(it), it.ID.String()
	}
	d.Message = fmt.Sprintf("%s of %s is an unresolved conflict: %s", fieldName(p.Artifact, it.ID.Section, key), name, text.Quote(value))
	p.Report(d)
}

func checkReferences(p *lint.ArtifactPass) {
	if !p.Artifact.IsJSON() {
		return // Markdown does not show references
	}
	for _, s := range p.Artifact.Sections {
		for it := range s.All() {
			f := it.Field("references")
			if f == nil || f.Node.Absent() || it.Killed {
				continue
			}
			if !f.Node.Is(jsontree.Array) {
				itemReport(p, it, f.Key, f.Node.Span(), lint.Diagnostic{
					Message: fmt.Sprintf("references of %s is %s; expected an array of references", it.ID, f.Node.Kind),
				})
				continue
			}
			for i, n := range f.Node.Items() {
				checkReference(p, it, i, n)
			}
		}
	}
}

func checkReference(p *lint.ArtifactPass, it *artifact.Item, i int, n *jsontree.Node) {
	name := fmt.Sprintf("reference %d of %s", i+1, it.ID)
	if !n.Is(jsontree.Object) {
		itemReport(p, it, "references", n.Span(), lint.Diagnostic{
			Message: fmt.Sprintf("%s is %s; expected an object with session, item and relation", name, n.Kind),
		})
		return
	}
	var missing []string
	for _, key := range [...]string{"session", "item", "relation"} {
		v := n.Get(key)
		if v == nil {
			missing = append(missing, key)
			continue
		}
		d := lint.Diagnostic{}
		switch {
		case v.Absent() || v.Is(jsontree.String) && strings.TrimSpace(v.Text) == "":
			d.Message = fmt.Sprintf("%s lacks %s", name, key)
			if key == "relation" {
				d.Message += " (" + text.Or(brenner.Relations) + ")"
			}
		case !v.Is(jsontree.String):
			d.Message = fmt.Sprintf("%s of %s is %s; expected a string", key, name, v.Kind)
		case key == "relation" && !slices.Contains(brenner.Relations, v.Text):
			d.Message = fmt.Sprintf("%s of %s is %s; expected %s", key, name, text.Quote(v.Text), text.Or(brenner.Relations))
			d.Suggestion = didYouMean(v.Text, brenner.Relations)
		default:
			continue
		}
		itemReport(p, it, "references", v.Span(), d)
	}
	if len(missing) == 0 {
		return
	}
	lacks := name + " lacks " + text.And(missing)
	if missing[len(missing)-1] == "relation" {
		lacks += " (" + text.Or(brenner.Relations) + ")"
	}
	itemReport(p, it, "references", n.Span(), lint.Diagnostic{Message: lacks})
}
