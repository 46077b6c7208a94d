package replay_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/state"
)

// TestKnownOmissions checks that knowledge of the previous version does not change the
// findings, except that an item that versions keep leaving out is reported once.
func TestKnownOmissions(t *testing.T) {
	for seed := range uint64(1000) {
		posts := omittingSome(rand.New(rand.NewPCG(seed, 0)))
		known, all := replay.Begin(thread(posts), replay.Options{}), replay.Begin(thread(posts), replay.Options{})
		for i := range known.Thread.Messages {
			known.Add(known.Thread.Messages[i])
			all.Add(all.Thread.Messages[i])
			all.Forget()
		}
		known.End()
		all.End()
		if diff := cmp.Diff(outcomes(all), outcomes(known)); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
	}
}

// outcomes returns what a replay reports: the hashes of states, and facts about published
// items, except omitted ones that the previous version also omitted unchanged.
func outcomes(r *replay.Thread) (out []string) {
	omitted := map[string][]brenner.ItemID{}
	for _, f := range r.Facts.OmittedItems {
		omitted[f.In.ID] = append(omitted[f.In.ID], f.Item.ID)
	}
	var before map[brenner.ItemID]bool
	for _, w := range r.Windows {
		out = append(out, w.Hash())
		now := map[brenner.ItemID]bool{}
		if w.Published != nil {
			out = append(out, w.PublishedHash(), fmt.Sprint(*w.Matches))
			for _, sec := range brenner.Sections {
				for _, it := range w.State.Items(sec) {
					now[it.ID] = w.Published.Find(it.ID) == nil
				}
			}
		}
		for _, id := range omitted[w.Compiled.ID] {
			if !before[id] {
				out = append(out, fmt.Sprint("omitted ", id))
			}
		}
		before = now
	}
	out = append(out, r.Pending.Hash())
	f := &r.Facts
	for _, a := range f.AppliedRejects {
		out = append(out, fmt.Sprint(a.In.ID, " applied ", a.Item))
	}
	for _, a := range f.RenumberedItems {
		out = append(out, fmt.Sprint(a.In.ID, " renumbered ", a.Own, a.Item))
	}
	for _, a := range f.UnexplainedItems {
		out = append(out, fmt.Sprint(a.In.ID, " unexplained ", a.Item.ID))
	}
	for _, a := range f.ReusedIDs {
		out = append(out, fmt.Sprint(a.In.ID, " reused ", a.Item))
	}
	for _, a := range f.FieldDiffs {
		out = append(out, fmt.Sprint(a.In.ID, " differs ", a.Item, a.Field.Key))
	}
	return out
}

// omittingSome returns a thread whose versions show a few of its items, some of them
// under other ids, by other names, or again.
func omittingSome(r *rand.Rand) (posts []post) {
	fields := func() object {
		return object{"name": fmt.Sprint("Name ", r.IntN(6)), "statement": fmt.Sprint("Statement ", r.IntN(6)), "load": "l", "test": "t", "status": "unchecked"}
	}
	merged := map[int]object{}
	for range 2 + r.IntN(7) {
		for range r.IntN(5) {
			p := post{from: "Ada", subject: "DELTA[opus]: x"}
			if r.IntN(8) == 0 {
				p.subject = "Delta [opus]: x"
			}
			switch n := 1 + r.IntN(len(merged)+1); {
			case merged[n] == nil || r.IntN(3) == 0:
				f := fields()
				merged[len(merged)+1] = f
				p.deltas = []object{{"operation": "ADD", "section": "assumption_ledger", "target_id": nil, "payload": f, "rationale": "r"}}
			default:
				f := object{"statement": fmt.Sprint("Statement ", r.IntN(6)), "name": fmt.Sprint("Name ", r.IntN(6))}
				merged[n] = object{"name": f["name"], "statement": f["statement"], "load": "l", "test": "t", "status": "unchecked"}
				p.deltas = []object{{"operation": "EDIT", "section": "assumption_ledger", "target_id": fmt.Sprint("A", n), "payload": f, "rationale": "r"}}
			}
			posts = append(posts, p)
		}
		shown := &state.State{}
		for n := 1; n <= len(merged); n++ {
			if r.IntN(4) > 0 {
				continue
			}
			f, id := merged[n], n
			if r.IntN(5) == 0 {
				f = fields()
			}
			if r.IntN(5) == 0 {
				id = 1 + r.IntN(len(merged)+1)
			}
			shown.Add(state.NewItem(brenner.ItemID{Section: brenner.AssumptionLedger, Number: id}, f))
		}
		text := string(artifact.Render(shown, artifact.RenderMeta{SessionID: "RS-20251230-cell-fate", Version: 1}))
		if r.IntN(6) == 0 {
			text = text[:strings.Index(text, "## 5.")]
		}
		posts = append(posts, post{from: "Operator", subject: "COMPILED: v1 x", body: "# Compiled Artifact\n\n## Full Artifact\n\n" + text})
	}
	return posts
}
