package merge

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/state"
	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

var agents = []string{"Ada", "Bob", "Cyd"}

// session draws the deltas of a few messages: few instants, few items and few values,
// so that they meet often.
func session(t *rapid.T, instants int) []*Delta {
	var out []*Delta
	for m := range rapid.IntRange(1, 6).Draw(t, "messages") {
		at := noon.Add(time.Duration(rapid.IntRange(0, instants-1).Draw(t, "instant")) * time.Second)
		agent := rapid.SampledFrom(agents).Draw(t, "agent")
		for i := range rapid.IntRange(1, 5).Draw(t, "deltas") {
			d := draw(t)
			d.Agent, d.Time, d.Message, d.Position = agent, at, fmt.Sprint(m+1), i+1
			out = append(out, d)
		}
	}
	return out
}

func draw(t *rapid.T) *Delta {
	sec := rapid.SampledFrom([]brenner.Section{rt, h, h, p, a}).Draw(t, "section")
	d := &Delta{Section: sec, Operation: rapid.SampledFrom([]brenner.Operation{brenner.Add, brenner.Edit, brenner.Edit, brenner.Kill}).Draw(t, "operation")}
	if sec == rt {
		d.Operation, d.Target = brenner.Edit, brenner.ItemID{Section: rt}
	} else if d.Operation != brenner.Add {
		d.Target = brenner.ItemID{Section: sec, Number: rapid.IntRange(1, 4).Draw(t, "target")}
	}
	if d.Operation == brenner.Kill {
		d.Reason = "because"
		return d
	}
	d.Payload = payload(t, sec)
	return d
}

func payload(t *rapid.T, sec brenner.Section) map[string]any {
	out := map[string]any{}
	if sec == p {
		outcomes := map[string]any{}
		for _, n := range rapid.SliceOfN(rapid.IntRange(1, 4), 0, 3).Draw(t, "outcomes") {
			outcomes[fmt.Sprint("H", n)] = rapid.SampledFrom([]string{"yes", "no"}).Draw(t, "outcome")
		}
		out["predictions"] = outcomes
	}
	for _, key := range rapid.SliceOfN(rapid.SampledFrom([]string{"name", "claim", "score"}), 0, 2).Draw(t, "fields") {
		out[key] = rapid.SampledFrom([]any{"x", "y", 1.0, nil, map[string]any{"cost": 1.0}, map[string]any{"cost": 2.0}}).Draw(t, "value")
	}
	if list := rapid.SliceOfN(rapid.SampledFrom([]any{"§1", "§2", "§3", map[string]any{"session": "s"}}), 0, 3).Draw(t, "list"); len(list) > 0 {
		out["anchors"] = list
		if rapid.IntRange(0, 3).Draw(t, "replace") == 0 {
			out[rapid.SampledFrom([]string{"replace", "anchors_replace"}).Draw(t, "flag")] = true
		}
	}
	return out
}

// start draws a base.
func start(t *rapid.T) *state.State {
	return Merge(nil, session(t, 20), Options{}).State
}

func shuffled[T any](t *rapid.T, in []T) []T {
	seed := rapid.Uint64().Draw(t, "seed")
	out := slices.Clone(in)
	rand.New(rand.NewPCG(seed, 1)).Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

func TestInputOrderNeverMatters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := start(t)
		in := session(t, 2)
		opts := Options{Priority: map[string]int{"Ada": rapid.IntRange(0, 2).Draw(t, "priority"), "Bob": 1}}
		one, two := Merge(base, in, opts), Merge(base, shuffled(t, in), opts)
		if one.State.Hash() != two.State.Hash() {
			t.Fatalf("states differ:\n%s\n---\n%s", show(one.State), show(two.State))
		}
		if showLog(one) != showLog(two) {
			t.Fatalf("logs differ:\n%s\n---\n%s", showLog(one), showLog(two))
		}
	})
}

// ADDs of one section at different times commute: each gets its id by its time.
func TestAddsCommute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var in []*Delta
		for i := range rapid.IntRange(2, 8).Draw(t, "adds") {
			in = append(in, &Delta{Operation: brenner.Add, Section: a, Payload: payload(t, a), Agent: "Ada", Message: fmt.Sprint(i), Position: 1, Time: noon.Add(time.Duration(i))})
		}
		got := Merge(nil, shuffled(t, in), Options{})
		for i, it := range got.State.Items(a) {
			if it.ID.Number != i+1 || OriginOf(it).Added != in[i] {
				t.Fatalf("%s was not added by delta %d", it.ID, i)
			}
		}
	})
}

func TestKillsAreIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := start(t)
		in := session(t, 3)
		for i := range in {
			in[i].Position *= 2
		}
		twice := slices.Clone(in)
		for _, d := range in {
			if d.Operation == brenner.Kill {
				again := *d
				again.Position++
				twice = append(twice, &again)
			}
		}
		one, two := Merge(base, in, Options{}), Merge(base, twice, Options{})
		if one.State.Hash() != two.State.Hash() {
			t.Fatalf("states differ:\n%s\n---\n%s", show(one.State), show(two.State))
		}
	})
}

func TestNothingIsEverDeleted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := start(t)
		before, hash := show(base), base.Hash()
		got := Merge(base, session(t, 3), Options{}).State
		if show(base) != before || base.Hash() != hash {
			t.Fatal("the base changed")
		}
		for _, sec := range brenner.Sections {
			for _, it := range base.Items(sec) {
				now := got.Find(it.ID)
				switch {
				case now == nil:
					t.Fatalf("%s is gone", it.ID)
				case it.Killed != nil && (now.Killed == nil || *now.Killed != *it.Killed):
					t.Fatalf("killed item %s changed its killer", it.ID)
				}
			}
			if n := len(got.Items(sec)); got.Highest(sec) < base.Highest(sec) || sec != rt && got.Highest(sec) != n {
				t.Fatalf("%s has %d items and highest number %d", sec, n, got.Highest(sec))
			}
		}
		if n := got.Items(h); len(n)-killed(n) > h.Maximum() {
			t.Fatalf("%d active hypotheses", len(n)-killed(n))
		}
		if again := Merge(got, nil, Options{}).State; again.Hash() != got.Hash() {
			t.Fatal("merging nothing changes the state")
		}
	})
}

// Merging a window onto its own base again gives the same, and a window that is
// published in between, at any instant, gives the same state as the whole.
func TestWindowsAreStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, in := start(t), session(t, 3)
		one, again := Merge(base, in, Options{}), Merge(base, in, Options{})
		if one.State.Hash() != again.State.Hash() || showLog(one) != showLog(again) {
			t.Fatalf("merged again:\n%s\n---\n%s", show(one.State), show(again.State))
		}
		until := noon.Add(time.Duration(rapid.IntRange(0, 2).Draw(t, "published after")) * time.Second)
		var before, after []*Delta
		for _, d := range in {
			if d.Time.After(until) {
				after = append(after, d)
			} else {
				before = append(before, d)
			}
		}
		parted := Merge(Merge(base, before, Options{}).State, after, Options{})
		if parted.State.Hash() != one.State.Hash() {
			t.Fatalf("in two windows:\n%s\n---\n%s", show(one.State), show(parted.State))
		}
		for _, sec := range brenner.Sections {
			for _, it := range one.State.Items(sec) {
				other := OriginOf(parted.State.Find(it.ID))
				for key := range it.Fields() {
					if OriginOf(it).Field(key) != other.Field(key) {
						t.Fatalf("%s %s is set by another delta in two windows", it.ID, key)
					}
				}
			}
		}
	})
}

func killed(items []*state.Item) (n int) {
	for _, it := range items {
		if !it.Active() {
			n++
		}
	}
	return n
}

// Where no tie and no conflict is reported, the order of the messages of one instant
// does not matter. All have one agent, so that killers do not differ.
func TestOrderShowsOnlyWhereReported(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := start(t)
		in := session(t, 1)
		for _, d := range in {
			d.Agent = "Ada"
		}
		ids := []string{"1", "2", "3", "4", "5", "6"}
		one, two := Merge(base, in, Options{}), Merge(base, renumbered(in, ids, shuffled(t, ids)), Options{})
		if len(one.Ties) == 0 && one.State.Hash() != two.State.Hash() {
			t.Fatalf("nothing is reported, but states differ:\n%s\n---\n%s\n%s", show(one.State), show(two.State), showLog(one))
		}
	})
}

// Where two messages are tied and something is reported, the order matters: the report
// was proved.
func TestReportedOrderShows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := start(t)
		var in []*Delta
		for _, d := range session(t, 1) {
			if d.Agent = "Ada"; d.Message <= "2" {
				in = append(in, d)
			}
		}
		one, two := Merge(base, in, Options{}), Merge(base, renumbered(in, []string{"1", "2"}, []string{"2", "1"}), Options{})
		shows := one.State.Hash() != two.State.Hash()
		kinds := map[TieKind]int{}
		for _, tie := range one.Ties {
			kinds[tie.Kind]++
		}
		// Where two messages add the same, a change of what was added and a rejection
		// at the limit may be reported although another one of the kind compensates for
		// it.
		touched := kinds[TiedItem]+kinds[TiedLimit] > 0
		for _, e := range one.Log {
			// Between a KILL and an ADD of one message, one of the other may find room.
			touched = touched || e.Refusal != nil && e.Refusal.Reason == SectionFull
			touched = touched || e.Delta.Operation != brenner.Add && base.Find(e.Item) == nil && one.State.Find(e.Item) != nil
		}
		reported := kinds[TiedAdds]+kinds[TiedValues]+kinds[TiedLimit]+kinds[TiedItem] > 0
		if shows && !reported || reported && !shows && !touched {
			t.Fatalf("order shows: %v\n%s\n---\n%s\n%s", shows, show(one.State), show(two.State), showLog(one))
		}
	})
}

// renumbered gives the messages other ids.
func renumbered(in []*Delta, ids, others []string) []*Delta {
	out := make([]*Delta, len(in))
	for i, d := range in {
		c := *d
		if at := slices.Index(ids, d.Message); at >= 0 {
			c.Message = others[at]
		}
		out[i] = &c
	}
	return out
}

// The merge does what the algorithm of artifact_delta_spec says, implemented without
// any shortcut.
func TestMergeIsThePlainAlgorithm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := start(t)
		in := session(t, 40)
		for i, d := range in {
			d.Time = d.Time.Add(time.Duration(i)) // no ties
		}
		got, want := Merge(base, in, Options{}).State, plainly(base, in)
		if show(got) != show(want) {
			t.Fatalf("got:\n%s\nwant:\n%s", show(got), show(want))
		}
	})
}

func plainly(base *state.State, in []*Delta) *state.State {
	st := base.Clone()
	slices.SortFunc(in, func(a, b *Delta) int { return a.Time.Compare(b.Time) })
	for _, d := range in {
		it := st.Find(d.Target)
		switch {
		case d.Operation == brenner.Add:
			if n := st.Items(d.Section); d.Section == h && len(n)-killed(n) >= 6 {
				continue
			}
			it = state.NewItem(brenner.ItemID{Section: d.Section, Number: st.Highest(d.Section) + 1}, map[string]any{})
			st.Add(it)
			for key, v := range d.Payload {
				if !IsUnstored(key) {
					it.Fields()[key] = v
				}
			}
		case it == nil && d.Section != rt, it != nil && !it.Active():
		case d.Operation == brenner.Kill:
			st.Change(d.Target, func(it *state.Item) { it.Killed = &state.Kill{By: d.Agent, At: d.Time, Reason: d.Reason} })
		default:
			if it == nil && len(d.Payload) > 0 {
				it = state.NewItem(d.Target, map[string]any{})
				st.Add(it)
			}
			st.Change(d.Target, func(it *state.Item) { plainEdit(it, d.Payload) })
		}
		for _, prediction := range st.Items(p) {
			outcomes, _ := prediction.Fields()["predictions"].(map[string]any)
			own := map[string]any{}
			for name, outcome := range outcomes {
				if own[name] = outcome; st.Find(item(name)) != nil && !st.Find(item(name)).Active() {
					own[name] = "N/A"
				}
			}
			st.Change(prediction.ID, func(it *state.Item) { it.Fields()["predictions"] = own })
		}
	}
	return st
}

func plainEdit(it *state.Item, payload map[string]any) {
	for key, v := range payload {
		list, isList := v.([]any)
		switch {
		case IsUnstored(key):
			continue
		case isList && key == "anchors" && payload["replace"] != true && payload["anchors_replace"] != true:
			old, _ := it.Fields()[key].([]any)
			union := slices.Clone(old)
			for _, e := range list {
				if !slices.ContainsFunc(union, func(o any) bool { return state.Canonical(o) == state.Canonical(e) }) {
					union = append(union, e)
				}
			}
			it.Fields()[key] = union
		default:
			it.Fields()[key] = v
		}
	}
}
