package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Rules about references between items, and about items that contradict themselves.
var consistencyRules = []*lint.Rule{
	{ID: "WS-102", Name: "cross-reference", Severity: lint.Warning, SpecRef: "artifact_format#Items",
		Summary: "Ids named in Discriminates, Conflicts with, Load, critique targets and prediction columns exist in the artifact.",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			r := references{ArtifactPass: p}
			for _, names := range []struct {
				kind brenner.Section
				key  string
			}{{brenner.DiscriminativeTests, "discriminates"}, {brenner.AssumptionLedger, "load"}, {brenner.AnomalyRegister, "conflicts_with"}} {
				for _, it := range active(p.Artifact, names.kind) {
					r.checkField(it, it.Field(names.key))
				}
			}
			for _, it := range active(p.Artifact, brenner.AdversarialCritique) {
				for _, f := range it.Fields { // critiques sent by mail have a target, which the format does not
					if f.Known == nil && (strings.EqualFold(f.Key, "target") || strings.EqualFold(f.Key, "targets") || f.Key == "target_id") {
						r.checkField(it, f)
					}
				}
			}
			r.checkColumns()
		})},
	{ID: "WS-103", Name: "duplicate-hypothesis-name", Severity: lint.Warning, SpecRef: "artifact_format#Hypothesis Slate",
		Summary: "Active hypotheses have distinct names.",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			a := p.Artifact
			var seen []*artifact.Item
			for _, it := range active(a, brenner.HypothesisSlate) {
				if it.Name == "" {
					continue
				}
				i := slices.IndexFunc(seen, func(earlier *artifact.Item) bool { return sameText(it.Name, earlier.Name) })
				switch {
				case i < 0 && len(seen) < 64: // more than that is EH-002 many times
					seen = append(seen, it)
				case i >= 0 && it.ID != seen[i].ID: // else it is ES-004
					earlier := seen[i]
					reportItem(p, it, "name", it.NameSpan, lint.Diagnostic{
						Message: fmt.Sprintf("%s has the same name as %s; expected distinct names", it.ID, earlier.ID),
						Related: []lint.RelatedLocation{{At: a.Text.Place(earlier.NameSpan), Message: fmt.Sprintf("name of %s", earlier.ID)}},
					})
				}
			}
		})},
	{ID: "WA-101", Name: "calculation-numeric", Severity: lint.Warning, SpecRef: "artifact_format#Assumption Ledger",
		Summary: "The scale check's Calculation holds a number.",
		Check: eachActive(brenner.AssumptionLedger, func(p *lint.ArtifactPass, it *artifact.Item) {
			f := it.Field("calculation")
			hasNumber := func(v any) bool { return strings.ContainsAny(brenner.Plain(v), "0123456789") }
			if !scaleCheck.set(it) || !filled(f) || hasNumber(f.Text) || mergedAt(p, it, f.Key, hasNumber) {
				return
			}
			itemReport(p, it, f.Key, f.Value,
				fmt.Sprintf("%s of %s contains no number; expected the quantities it compares", fieldName(p.Artifact, brenner.AssumptionLedger, f.Key), it.ID), "")
		})},
}

// references looks up the ids that the items of an artifact name.
type references struct {
	*lint.ArtifactPass
	// known are the ids of each section, collected on first use.
	known [len(brenner.Sections) + 1]map[brenner.ItemID]bool
}

// checkColumns reports hypotheses that have a column in the predictions table but are
// not in the artifact.
func (r *references) checkColumns() {
	a := r.Artifact
	s := predictionRows(a)
	if s == nil {
		return
	}
	if s.Table != nil {
		unknown := r.unknownColumns(s.Table)
		meant := min(len(missingColumns(a, s.Table)), len(unknown)) // EP-003 reports them
		for _, c := range unknown[meant:] {
			r.check(nil, "predictions", a.Text.Place(c.Span), c.ID)
		}
		return
	}
	for _, row := range s.Items {
		if row.Killed {
			continue
		}
		own := brenner.ItemID{Section: brenner.HypothesisSlate, Number: row.ID.Hypothesis}
		for id, e := range outcomesOf(row) {
			if id != own { // else WP-002 reports it
				r.check(row, "predictions", a.Text.Place(e.KeySpan), id)
			}
		}
	}
}

// unknownColumns returns the columns of hypotheses that the artifact does not have.
func (r *references) unknownColumns(t *artifact.PredictionsTable) []artifact.Column {
	return slices.DeleteFunc(slices.Clone(t.Columns), func(c artifact.Column) bool { return !r.unknown(c.ID) })
}

// checkField reports the ids in a field that name no item.
func (r *references) checkField(it *artifact.Item, f *artifact.Field) {
	if f == nil {
		return
	}
	text := r.Artifact.Text
	if f.Node == nil {
		view := r.Artifact.View(f.Value)
		for m := range brenner.ItemMentions(view) {
			if isOfBiology(view, m) || mergedAt(r.ArtifactPass, it, f.Key, func(v any) bool { return !mentions(v, m.ID) }) {
				continue
			}
			r.check(it, f.Key, text.Place(m.Span.Shift(f.Value.Start)), m.ID)
		}
		return
	}
	for _, n := range f.Node.Strings() {
		for m := range brenner.ItemMentions(n.Text) {
			if isOfBiology(n.Text, m) {
				continue
			}
			r.check(it, f.Key, text.JSONString(n.Span()).Place(m.Span), m.ID)
		}
	}
}

// isOfBiology reports whether what looks like an id in a text is a name of biology: T4 phage, A549 cells, histone H3.
func isOfBiology(text string, m brenner.ItemMention) bool {
	return behindName().MatchString(text[m.Span.End:]) || beforeName().MatchString(text[max(0, m.Span.Start-20):m.Span.Start])
}

var (
	behindName = text.Pattern(`(?i)^[ -](?:(?:bacterio|coli)?phages?|cells|cell lines?|(?:DNA |RNA )?(?:ligase|polymerase)|lysozyme|histones?|receptors?|transduction|lysates?)\b`)
	beforeName = text.Pattern(`(?i)\b(?:(?:bacterio|coli)?phages?|histones?|cell lines?)[ -]$`)
)

// mentions reports whether a value names an item.
func mentions(v any, id brenner.ItemID) bool {
	for m := range brenner.ItemMentions(brenner.Plain(v)) {
		if m.ID == id {
			return true
		}
	}
	return false
}

// unknown reports whether an id names no item of the artifact, killed ones included. It
// returns false if the section is unreadable or has items with bad ids: another rule
// reports that.
func (r *references) unknown(id brenner.ItemID) bool {
	known, a := r.known[id.Section], r.Artifact
	if known == nil {
		known = map[brenner.ItemID]bool{}
		for _, it := range a.ItemsOf(id.Section) {
			known[brenner.ItemID{Section: it.ID.Section, Number: it.ID.Number}] = true // P1 names the rows P1.H1 and P1.H2
		}
		s := a.Section(id.Section)
		unread := len(known) == 0 && !(s != nil && id.Section == brenner.AnomalyRegister && (a.IsJSON() || s.NoneRegistered))
		known[brenner.ItemID{}] = unread || malformedIDs(a, id.Section)+repeated(a, id.Section) > 0 // there may be any
		r.known[id.Section] = known
	}
	// P1.H1 is P1's outcome for H1. The publisher may have left the item out.
	row := brenner.ItemID{Section: id.Section, Number: id.Number}
	return !known[brenner.ItemID{}] && !known[row] && !r.Reported.Has(id, replay.ItemOmitted, replay.IDChanged)
}

// check reports an id in a field of an item, or in a column of the predictions table, that names no
// item.
func (r *references) check(it *artifact.Item, key string, at source.Place, id brenner.ItemID) {
	if !r.unknown(id) {
		return
	}
	a := r.Artifact
	d := lint.Diagnostic{At: at, Field: key}
	what := "a column of the predictions table"
	if it != nil {
		d.Item = it.ID.String()
		what = fieldName(a, it.ID.Section, key) + " of " + d.Item
	}
	name := id.String()
	if !id.InRange() {
		name = strings.Trim(text.Quote(string(at.Text.Bytes(at.Span))), `"\`)
	}
	d.Message = fmt.Sprintf("%s names %s, but %s has no %s", what, name, sectionName(a, id.Section), name)
	r.Report(d)
}

// Rules about the traces of merging in an artifact: killed items, conflicts and
// references to other sessions.
var renderingRules = []*lint.Rule{
	{ID: "RD-001", Name: "killed-rendering", Severity: lint.Warning, SpecRef: "artifact_format#Killed items",
		Summary: "A killed item has its heading struck through and gives who killed it and the reason.",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			a := p.Artifact
			for _, s := range a.Sections {
				if s.Kind == brenner.PredictionsTable && !a.IsJSON() {
					continue // a row can only show a struck id
				}
				for _, it := range s.Items {
					if it.Killed && !p.Reported.KillUnexplained(it.ID) { // else MR-014 reports it
						checkKilledItem(p, it)
					}
				}
			}
		})},
	{ID: "RD-002", Name: "conflict-marker", Severity: lint.Error, SpecRef: "artifact_format#Items",
		Summary: "No field is left at a CONFLICT marker.",
		Help:    "choose one of the values, or ask the agents concerned",
		Check: eachItem(func(p *lint.ArtifactPass, _ *artifact.Section, it *artifact.Item) {
			if it.Killed || p.Reported.Has(it.ID, replay.ConflictedField, replay.ConflictWritten) {
				return
			}
			if brenner.IsConflict(it.Name) {
				reportConflict(p, it, "name", it.NameSpan, it.Name)
			}
			for _, f := range it.Fields {
				if brenner.IsConflict(f.Text) {
					reportConflict(p, it, f.Key, f.Value, f.Text)
					continue
				}
				for i := range f.Entries {
					if e := &f.Entries[i]; brenner.IsConflict(e.Text) {
						reportConflict(p, it, f.Key, e.Span, e.Text)
					}
				}
			}
		})},
	{ID: "RD-003", Name: "reference-shape", Severity: lint.Error, SpecRef: "artifact_format#Items",
		Summary: "In a JSON artifact each item's references is an array of well-formed references.",
		Help:    "write each reference as " + writeReference(nil),
		Check: eachItem(func(p *lint.ArtifactPass, _ *artifact.Section, it *artifact.Item) {
			f := it.Field("references")
			if f == nil || f.Node.Absent() || it.Killed {
				return // Markdown does not show references
			}
			if !f.Node.Is(jsontree.Array) {
				itemReport(p, it, f.Key, f.Node.Span(), fmt.Sprintf("references of %s is %s; expected an array of references", it.ID, f.Node.Kind), "")
			}
			for i, n := range f.Node.Items() {
				checkReference(p, it, i, n)
			}
		})},
}

// checkKilledItem reports what a killed item lacks: in JSON its keys (decisions.md 70).
func checkKilledItem(p *lint.ArtifactPass, it *artifact.Item) {
	var lacks, fixes []string
	need := func(has bool, what, fix string) {
		if !has {
			lacks, fixes = append(lacks, what), append(fixes, fix)
		}
	}
	key, verb := "", "write "
	if it.Node != nil {
		need(strings.TrimSpace(it.KilledBy) != "", "killed_by", "killed_by")
		need(strings.TrimSpace(it.KillReason) != "", "kill_reason", "kill_reason")
		verb = "add "
		if len(lacks) > 0 {
			key = lacks[0]
		}
	} else {
		struck := fmt.Sprintf("`### ~~%s: …~~ [KILLED]`", it.ID)
		need(!it.HalfStruck, "a fully struck-through heading", struck)
		need(it.Struck || it.HalfStruck, "a struck-through heading", struck)
		isTold := duplicateHas(p.Artifact, it, "killed_by")
		need(it.KilledBy != "" || isTold, "who killed it", "`**Killed by**: Agent (timestamp)`")
		need(it.KillReason != "" || isTold, "the reason", "`**Reason**: …`")
	}
	if len(lacks) > 0 {
		itemReport(p, it, key, it.Heading,
			fmt.Sprintf("killed item %s lacks %s", it.ID, text.And(lacks)),
			verb+text.And(fixes))
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

func checkReference(p *lint.ArtifactPass, it *artifact.Item, i int, n *jsontree.Node) {
	name := fmt.Sprintf("reference %d of %s", i+1, it.ID)
	if !n.Is(jsontree.Object) {
		itemReport(p, it, "references", n.Span(), fmt.Sprintf("%s is %s; expected an object with session, item and relation", name, n.Kind), "")
		return
	}
	lacks := func(keys ...string) string {
		out := name + " lacks " + text.And(keys)
		if slices.Contains(keys, "relation") {
			out += " (" + text.Or(brenner.Relations) + ")"
		}
		return out
	}
	var missing []string
	for _, key := range referenceKeys {
		v := n.Get(key)
		if v == nil {
			missing = append(missing, key)
			continue
		}
		d := lint.Diagnostic{}
		switch {
		case v.Absent() || v.Is(jsontree.String) && strings.TrimSpace(v.Text) == "":
			d.Message = lacks(key)
		case !v.Is(jsontree.String):
			d.Message = fmt.Sprintf("%s of %s is %s; expected a string", key, name, v.Kind)
		case key == "relation" && !slices.Contains(brenner.Relations, v.Text):
			d.Message = fmt.Sprintf("%s of %s is %s; expected %s", key, name, text.Quote(v.Text), text.Or(brenner.Relations))
			d.Suggestion = didYouMean(text.Nearest(v.Text, brenner.Relations))
		default:
			continue
		}
		reportItem(p, it, "references", v.Span(), d)
	}
	if len(missing) > 0 {
		itemReport(p, it, "references", n.Span(), lacks(missing...), "")
	}
}
