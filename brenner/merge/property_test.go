package merge

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brennerlint/brennerlint/brenner"
	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

// What TestPlainMerge of package oracle compares with the plain merge is not tested here.

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
		d.Target = brenner.ItemID{Section: sec, Number: rapid.Int32Range(1, 4).Draw(t, "target")}
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
func start(t *rapid.T) *brenner.State {
	return Merge(nil, session(t, 20), Options{}).State
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
			if n := len(got.Items(sec)); got.Highest(sec) < base.Highest(sec) || sec != rt && int(got.Highest(sec)) != n {
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
					if OriginOf(it).Fields[key] != other.Fields[key] {
						t.Fatalf("%s %s is set by another delta in two windows", it.ID, key)
					}
				}
			}
		}
	})
}

func killed(items []*brenner.Item) (n int) {
	for _, it := range items {
		if !it.Active() {
			n++
		}
	}
	return n
}

var noon = time.Date(2025, 12, 30, 12, 0, 0, 0, time.UTC)

type fields = map[string]any

// script writes deltas briefly: at sets minute, message and agent of the deltas that
// follow.
type script struct {
	out  []*Delta
	next Delta
}

func (s *script) at(minute int, message, agent string) *script {
	s.next = Delta{Time: noon.Add(time.Duration(minute) * time.Minute), Message: message, Agent: agent}
	return s
}

func (s *script) put(d Delta) *script {
	s.next.Position++
	d.Time, d.Message, d.Agent, d.Position = s.next.Time, s.next.Message, s.next.Agent, s.next.Position
	s.out = append(s.out, &d)
	return s
}

func (s *script) add(sec brenner.Section, f fields) *script {
	return s.put(Delta{Operation: brenner.Add, Section: sec, Payload: f})
}

func (s *script) edit(id string, f fields) *script {
	target := item(id)
	return s.put(Delta{Operation: brenner.Edit, Section: target.Section, Target: target, Payload: f})
}

func (s *script) kill(id, reason string) *script {
	target := item(id)
	return s.put(Delta{Operation: brenner.Kill, Section: target.Section, Target: target, Reason: reason})
}

func item(s string) brenner.ItemID {
	id, ok := brenner.ParseItemID(s)
	if !ok {
		panic(s)
	}
	return id
}

// show writes a state as lines `H1 name=x claim=y`, killed items with a dagger.
func show(st *brenner.State) string {
	var out []string
	for _, sec := range brenner.Sections {
		for _, it := range st.Items(sec) {
			line := it.ID.String()
			if !it.Active() {
				line += "†" + it.Killed.By
			}
			keys := []string{}
			for key := range it.Fields() {
				keys = append(keys, key)
			}
			slices.Sort(keys)
			for _, key := range keys {
				line += " " + key + "=" + plain(it.Fields()[key])
			}
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

func plain(v any) string {
	s := brenner.Canonical(v)
	return strings.TrimSuffix(strings.TrimPrefix(s, `"`), `"`)
}

// showRefusal writes why a delta was refused, and what its section contained.
func showRefusal(r *Refusal) string {
	switch r.Reason {
	case TargetKilled:
		return fmt.Sprintf("killed by %s at %s", r.Kill.By, brenner.FormatTime(r.Kill.At))
	case SecondThread:
		return "second thread"
	}
	why := [...]string{NoTarget: "no target", SectionFull: "section full"}[r.Reason]
	if r.Items == 0 {
		return why + ", empty"
	}
	return fmt.Sprintf("%s, %s to %s, %d active", why, r.First, r.Last, r.Active)
}

// showLog writes the log as lines `1.2 applied H1`, then conflicts and ties.
func showLog(r *Result) string {
	var out []string
	for _, e := range r.Log {
		line := fmt.Sprintf("%s.%d %s", e.Delta.Message, e.Delta.Position, e.Outcome)
		if e.Item.Section != 0 {
			line += " " + e.Item.String()
		}
		if r := e.Refusal; r != nil {
			line += ": " + showRefusal(r)
		}
		out = append(out, line)
	}
	for _, c := range r.Conflicts {
		out = append(out, fmt.Sprintf("conflict %s %s %s", c.Item, c.Field, c.Marker))
	}
	for _, t := range r.Ties {
		kind := [...]string{"", "adds", "kill", "values", "item", "limit"}[t.Kind]
		out = append(out, strings.TrimSpace(fmt.Sprintf("tie %s %s.%d %s.%d %s", kind, t.First.Message, t.First.Position, t.Second.Message, t.Second.Position, t.Field)))
	}
	return strings.Join(out, "\n")
}
