package answers

import (
	"context"
	"errors"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/input"
)

// replayed replays the thread of a case, which has the form of an export in JSON.
func replayed(in conformance.MergeInput) (*replay.Thread, error) {
	data, err := conformance.ToJSON(in)
	if err != nil {
		return nil, err
	}
	thread, err := load(data)
	if err != nil {
		return nil, err
	}
	return replay.New(thread, replay.Options{Roster: in.Roster, Priority: in.Priority}), nil
}

// load reads an export of one thread.
func load(data []byte) (*session.Thread, error) {
	store := export.NewStore(export.Options{Scope: export.AllScope})
	defer store.Close()
	if err := store.Add(context.Background(), input.NewBytes(input.JSON, "thread.json", data), nil); err != nil {
		return nil, err
	}
	infos := store.Threads()
	if len(infos) != 1 {
		return nil, errors.New("the messages are not one thread")
	}
	t, _ := store.Load(infos[0])
	return session.NewThread(t, artifact.Limits{}), nil
}

func merged(in conformance.MergeInput) (conformance.MergeResult, error) {
	r, err := replayed(in)
	if err != nil {
		return conformance.MergeResult{}, err
	}
	var out conformance.MergeResult
	for _, w := range r.All() {
		each := conformance.Window{
			Version: version(w.Compiled), State: w.State.CanonicalJSON(), Hash: w.Hash(), Applied: w.Applied,
			Rejected: []conformance.Rejected{}, Conflicts: []conformance.Conflict{},
		}
		for _, d := range w.Rejected {
			each.Rejected = append(each.Rejected, conformance.Rejected{MessageID: d.In.ID, Delta: d.Index, Code: codeOf(d.Rejection)})
		}
		for c := range replay.FactsOf[replay.Conflict](r) {
			if windowOf(r, c.Last.In) == w {
				each.Conflicts = append(each.Conflicts, conformance.Conflict{Item: c.Item.String(), Field: c.Field})
			}
		}
		out.Windows = append(out.Windows, each)
	}
	return out, nil
}

// windowOf returns the window whose deltas hold those of a message.
func windowOf(r *replay.Thread, m *session.Message) *replay.Window {
	for _, w := range r.Windows {
		if m.Index < w.Compiled.Index {
			return w
		}
	}
	return r.Pending
}

// version returns that of a COMPILED, nil if there is none.
func version(m *session.Message) *int {
	if m == nil || m.Version.Number == 0 {
		return nil
	}
	return &m.Version.Number
}

// codeOf returns the code of a delta that is rejected (conformance/README.md, Codes).
func codeOf(why *replay.Rejection) string {
	switch {
	case why.Fault != "":
		return codes[why.Fault]
	case why.Refusal == nil:
		return "UNKNOWN_AGENT"
	case why.Refusal.Reason == merge.SectionFull:
		return "SECTION_LIMIT_EXCEEDED"
	}
	return "INVALID_TARGET"
}

func published(in conformance.MergeInput) (conformance.PublishResult, error) {
	out := conformance.PublishResult{Differences: []conformance.Difference{}}
	r, err := replayed(in)
	if err != nil {
		return out, err
	}
	add := func(s replay.Site, kind string, item brenner.ItemID, field string) {
		d := conformance.Difference{Version: version(s.In), Kind: kind, Field: field}
		if item.Number > 0 || item.Section == brenner.ResearchThread {
			d.Item = item.String()
		}
		out.Differences = append(out.Differences, d)
	}
	for _, fact := range r.Facts {
		switch d := fact.(type) {
		case replay.OmittedItem:
			add(d.Site, conformance.ItemMissing, d.Item.ID, "")
		case replay.StillOmitted:
			add(d.Site, conformance.ItemMissing, brenner.ItemID{}, "")
		case replay.UnexplainedItem:
			add(d.Site, conformance.ItemUnexplained, d.Item.ID, "")
		case replay.FieldDiff:
			add(d.Site, conformance.FieldDiffers, d.Item, d.Field.Key)
		case replay.KillDiff:
			add(d.Site, conformance.KillDiffers, d.Item, "")
		case replay.RenumberedItem:
			add(d.Site, conformance.IDChanged, d.Item, "")
		case replay.ReusedID:
			add(d.Site, conformance.IDChanged, d.Item, "")
		case replay.StaleOutcome:
			add(d.Site, conformance.OutcomeOfKilled, d.Item, d.Hypothesis)
		case replay.AppliedReject:
			add(d.Site, conformance.RejectionApplied, d.Item, "")
		}
	}
	return out, nil
}
