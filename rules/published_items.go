package rules

import (
	"fmt"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// publishedItemRules are about which items were published, and under which ids,
// compared with the merge.
var publishedItemRules = []*lint.Rule{
	{ID: "MR-011", Name: "compiled-item-missing", Severity: lint.Error,
		SpecRef: "artifact_delta_spec#Merge Algorithm; artifact_delta_spec#Important: KILL vs DELETE",
		Summary: "Every item of the replayed state stands in the published artifact (killed items too: nothing is deleted).",
		Help:    "publish every item of the merged state, killed ones included",
		Check:   lint.ThreadCheck(checkOmittedItems)},
	{ID: "MR-012", Name: "compiled-item-unexplained", Severity: lint.Error, SpecRef: "artifact_delta_spec#Merge Algorithm",
		Summary: "Every item of the published artifact comes from a delta or from the version before.",
		Help:    "leave the item out, or add it by a delta",
		Check:   lint.ThreadCheck(checkUnexplainedItems)},
	{ID: "MR-015", Name: "compiled-id-reassigned", Severity: lint.Error, SpecRef: "artifact_delta_spec#ID Assignment Order",
		Summary: "An item keeps its id from version to version, and ids are never reused.",
		Help:    "keep the id that the item had, and give new items ids that were never used",
		Check:   lint.ThreadCheck(checkReassignedIDs)},
}

// checkOmittedItems is MR-011: an item of the merged state that is not published.
func checkOmittedItems(p *lint.ThreadPass) {
	for _, f := range factsOf(p).OmittedItems {
		d := atSite(f.Site, f.Item.ID)
		from, related := origin(f.Item.ID, f.Added)
		d.Related = related
		d.Message = fmt.Sprintf("%s, %s, is not in the published artifact", itemTitle(f.Item), from)
		if f.Item.Active() {
			d.Suggestion = "publish it; an item that is to go is killed, never left out"
		} else {
			d.Suggestion = "publish it struck through: killed items are never left out"
		}
		p.Report(d)
	}
	for i := range factsOf(p).StillOmitted {
		p.Report(stillOmitted(&p.Replay.Facts.StillOmitted[i]))
	}
}

// stillOmitted words one MR-011 for all items that a version leaves out as an earlier one
// did.
func stillOmitted(f *replay.StillOmitted) lint.Diagnostic {
	var ids []string
	for _, id := range f.Items {
		ids = append(ids, id.String())
	}
	if f.More > 0 {
		ids = append(ids, fmt.Sprintf("%d more", f.More))
	}
	d := atSite(f.Site, brenner.ItemID{})
	verb := "is"
	if len(f.Items) > 1 {
		verb = "are"
	}
	d.Message = fmt.Sprintf("%s %s still not in the published artifact, as in an earlier version", text.And(ids), verb)
	d.Suggestion = "publish every item of the merged state, killed ones included"
	return d
}

// checkUnexplainedItems is MR-012: a published item that no delta explains.
func checkUnexplainedItems(p *lint.ThreadPass) {
	for _, f := range factsOf(p).UnexplainedItems {
		d := atSite(f.Site, f.Item.ID)
		what := itemTitle(f.Item)
		if f.Item.ID.Section == brenner.ResearchThread {
			what = "the research thread"
		}
		d.Message = what + " comes from no delta" + sinceWindow(f.Before)
		d.Suggestion = "send it as a delta before it is compiled"
		p.Report(d)
	}
}

// sinceWindow says since when no delta explains an item: an earlier one that was left
// out no longer explains anything (decisions.md 24).
func sinceWindow(w *replay.Window) string {
	if w == nil {
		return ""
	}
	version := "the version before"
	if v := w.Compiled.Version.Number; v > 0 {
		version = fmt.Sprintf("v%d", v)
	}
	return fmt.Sprintf(" since %s, which lacks it", version)
}

// checkReassignedIDs is MR-015: an item that is published under another id than its
// own, and one that has the id of another.
func checkReassignedIDs(p *lint.ThreadPass) {
	for _, f := range factsOf(p).RenumberedItems {
		d := atSite(f.Site, f.Item)
		from, related := origin(f.Own, f.Added)
		d.Related = related
		d.Message = fmt.Sprintf("%s is published as %s: it is %s, %s, and items keep their ids", text.Quote(f.Title), f.Item, f.Own, from)
		d.Suggestion = fmt.Sprintf("publish it as %s", f.Own)
		p.Report(d)
	}
	for _, f := range factsOf(p).ReusedIDs {
		d := atSite(f.Site, f.Item)
		from, related := origin(f.Owner.ID, f.Added)
		d.Related = related
		d.Message = fmt.Sprintf("%s is published as %s, but %s is %s, %s: ids are never used again",
			text.Quote(f.Title), f.Item, f.Owner.ID, text.Quote(f.Owner.Text("name")), from)
		d.Suggestion = fmt.Sprintf("give it the next free id, %s", f.Free)
		p.Report(d)
	}
}
