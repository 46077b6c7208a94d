package replay_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/replay"
)

// erring returns a thread whose publisher errs in all ways at random: some versions are
// published as they were before.
func erring(r *rand.Rand) []post {
	posts := first()
	anyOf := func(st *brenner.State) *brenner.Item {
		var all []*brenner.Item
		for _, sec := range brenner.Sections {
			all = append(all, st.Items(sec)...)
		}
		return all[r.IntN(len(all))]
	}
	values := []any{"one", "two", nil, []any{"§1", "§2"}, true}
	change := func(st *brenner.State) {
		for range r.IntN(4) {
			it := anyOf(st)
			name := it.ID.String()
			switch r.IntN(9) {
			case 0, 7, 8:
				drop(st, name)
			case 1:
				fields := it.ID.Section.Fields()
				set(st, name, fields[r.IntN(len(fields))].Key, values[r.IntN(len(values))])
			case 2:
				if it.ID.Section != brenner.ResearchThread {
					setKilled(st, name, &brenner.Killing{By: "Bob", Reason: "it is refuted"})
				}
			case 3:
				setKilled(st, name, nil)
			case 4:
				if it.ID.Section != brenner.ResearchThread {
					renumber(name, fmt.Sprint(name[:1], 1+r.IntN(9)))(st)
				}
			case 5:
				if it.ID.Section == brenner.PredictionsTable {
					set(st, name, "predictions", object{"H1": "other", "H3": "N/A"})
				}
			case 6:
				st.Add(itemOf(brenner.ItemID{Section: it.ID.Section, Number: 7}, it.Fields(), nil))
			}
			if st.Len(brenner.HypothesisSlate) == 0 || st.Len(brenner.PredictionsTable) == 0 {
				st.Add(itemOf(id("H1"), object{"name": "n"}, nil))
				st.Add(itemOf(id("P1"), object{"condition": "c", "predictions": object{"H1": "x"}}, nil))
			}
		}
	}
	targets := []string{"H1", "H2", "H3", "A1", "A2", "T1", "P1", "P2"}
	for version := 1; version < 5; version++ {
		if version > 1 && r.IntN(3) == 0 {
			again := posts[len(posts)-1]
			for i := len(posts) - 1; !strings.HasPrefix(again.subject, "COMPILED"); i-- {
				again = posts[i]
			}
			again.at = 0
			posts = append(posts, again)
		} else {
			posts = publish(posts, version, change)
		}
		target := targets[r.IntN(len(targets))]
		payload := object{"name": fmt.Sprint("name ", r.IntN(3))}
		if target[0] == 'P' {
			payload = object{"condition": fmt.Sprint("condition ", r.IntN(3))}
		}
		deltas := []object{edit(target, payload), kill(target), assumption(4 + r.IntN(3)), prediction(3, object{"H1": "x", "H2": "y"})}
		deltas = deltas[r.IntN(len(deltas)):]
		if r.IntN(3) == 0 {
			deltas[0]["operation"] = strings.ToLower(deltas[0]["operation"].(string))
		}
		posts = append(posts, post{from: "Cyd", subject: "DELTA[opus]: x", deltas: deltas[:1+r.IntN(len(deltas))]})
	}
	return posts
}

// TestErringPublishers checks that no version differs in silence, and that artifacts of the
// same bytes have the same hash, whatever was merged in between (decisions.md 82 and 83).
func TestErringPublishers(t *testing.T) {
	differing, again := 0, 0
	for seed := range uint64(400) {
		posts := erring(rand.New(rand.NewPCG(seed, 0)))
		r := replay.New(thread(posts), replay.Options{})
		said := map[string]bool{}
		for _, f := range findings(r) {
			if f.In != nil {
				said[f.In.ID] = true
			}
		}
		hashes := map[string]string{}
		for n, w := range r.Windows {
			if w.Matches != nil && !*w.Matches {
				differing++
				if !said[w.Compiled.ID] {
					t.Errorf("seed %d: version %d differs in silence: %q", seed, n+1, faults(r))
				}
			}
			body := w.Compiled.Body.String()
			if known, ok := hashes[body]; ok {
				again++
				if known != w.PublishedHash() {
					t.Errorf("seed %d: version %d has the same bytes, but another hash", seed, n+1)
				}
			}
			hashes[body] = w.PublishedHash()
		}
	}
	if differing < 400 || again < 100 {
		t.Errorf("%d versions differ, %d are published again: the threads are too tame", differing, again)
	}
}

// TestKnownOmissions checks that knowledge of the previous version does not change the
// findings, except that an item that versions keep leaving out is reported once.
func TestKnownOmissions(t *testing.T) {
	for seed := range uint64(400) {
		posts := erring(rand.New(rand.NewPCG(seed, 0)))
		known, all := replay.New(thread(posts), replay.Options{}), replay.NewForgetful(thread(posts))
		if diff := cmp.Diff(outcomes(all), outcomes(known)); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
	}
}

// outcomes returns what a replay reports: the hashes of states, and facts about published
// items, except omitted ones that the previous version also omitted unchanged.
func outcomes(r *replay.Thread) (out []string) {
	omitted := map[string][]brenner.ItemID{}
	for f := range replay.FactsOf[replay.OmittedItem](r) {
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
	for a := range replay.FactsOf[replay.AppliedReject](r) {
		out = append(out, fmt.Sprint(a.In.ID, " applied ", a.Item))
	}
	for a := range replay.FactsOf[replay.RenumberedItem](r) {
		out = append(out, fmt.Sprint(a.In.ID, " renumbered ", a.Own, a.Item))
	}
	for a := range replay.FactsOf[replay.UnexplainedItem](r) {
		out = append(out, fmt.Sprint(a.In.ID, " unexplained ", a.Item.ID))
	}
	for a := range replay.FactsOf[replay.ReusedID](r) {
		out = append(out, fmt.Sprint(a.In.ID, " reused ", a.Item))
	}
	for a := range replay.FactsOf[replay.FieldDiff](r) {
		out = append(out, fmt.Sprint(a.In.ID, " differs ", a.Item, a.Field.Key))
	}
	return out
}
