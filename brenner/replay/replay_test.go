package replay_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/state"
	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

func TestFaultsOfPublishedArtifacts(t *testing.T) {
	second := func(deltas ...object) []post {
		return append(publish(first(), 1, nil), post{from: "Cyd", subject: "DELTA[gemini]: y", body: "**Base Version**: v1\n", deltas: deltas})
	}
	rename := func(st *state.State, to map[string]string) {
		out := &state.State{}
		for _, sec := range brenner.Sections {
			for _, it := range st.Items(sec) {
				name := it.ID
				if n := to[it.ID.String()]; n != "" {
					name = id(n)
				}
				out.Add(itemOf(name, it.Fields(), it.Killed))
			}
		}
		*st = *out
	}
	bad := func(d object, key string) object {
		delete(d["payload"].(object), key)
		return d
	}
	tests := []struct {
		name   string
		posts  []post
		change func(*state.State)
		want   string
	}{
		{"published as it is", first(), nil, ""},
		{"a second round", second(hypothesis(4), edit("H2", object{"anchors": []string{"§9"}, "claim": "other"}), kill("H3")), nil, ""},
		{"inference where nothing is cited", second(edit("RT", object{"anchors": []string{}, "replace": true})), func(st *state.State) {
			set(st, "RT", "anchors", []any{"inference"})
		}, ""},
		{"a changed field", first(), func(st *state.State) { set(st, "H2", "claim", "made up") }, "MR-013 H2 claim"},
		{"a field left out", first(), func(st *state.State) { set(st, "T2", "potency_check", nil) }, "MR-013 T2 potency_check"},
		{"a field made up", first(), func(st *state.State) { set(st, "A2", "calculation", "42") }, "MR-013 A2 calculation"},
		{"a skipped EDIT", second(edit("H2", object{"claim": "new", "mechanism": "new too"})), func(st *state.State) {
			set(st, "H2", "claim", "claim 2")
			set(st, "H2", "mechanism", "mechanism 2")
		}, "MR-013 H2 claim; MR-013 H2 mechanism"},
		{"a changed outcome", first(), func(st *state.State) {
			set(st, "P1", "predictions", object{"H1": "yes", "H2": "no", "H3": "never"})
		}, "MR-013 P1 predictions"},
		{"an item left out", first(), func(st *state.State) { drop(st, "A3") }, "MR-011 A3"},
		{"an ADD left out, the next numbered on", second(assumption(4), assumption(5), assumption(6)), func(st *state.State) {
			drop(st, "A5")
			rename(st, map[string]string{"A6": "A5"})
		}, "MR-011 A5"},
		{"an ADD left out, a gap in its place", second(assumption(4), assumption(5), assumption(6)), func(st *state.State) { drop(st, "A5") }, "MR-011 A5"},
		{"a killed item left out", second(kill("A2")), func(st *state.State) { drop(st, "A2") }, "MR-011 A2"},
		{"an item made up", first(), func(st *state.State) {
			st.Add(state.NewItem(id("A4"), object{"name": "Smuggled", "statement": "s", "load": "l", "test": "t", "status": "unchecked"}))
		}, "MR-012 A4"},
		{"a KILL left out", second(kill("H2")), func(st *state.State) {
			setKilled(st, "H2", nil)
			set(st, "P1", "predictions", object{"H1": "yes", "H2": "no", "H3": "maybe"})
			set(st, "P2", "predictions", object{"H1": "a", "H2": "b"})
		}, "MR-014 H2"},
		{"a kill made up", first(), func(st *state.State) {
			setKilled(st, "H2", &state.Kill{By: "Operator", At: noon, Reason: "tired of it"})
			set(st, "P1", "predictions", object{"H1": "yes", "H2": "N/A", "H3": "maybe"})
		}, "MR-014 H2"},
		{"another killer", second(kill("H2")), func(st *state.State) {
			setKilled(st, "H2", &state.Kill{By: "Bob", At: noon, Reason: "it is refuted"})
		}, "MR-014 H2 killed_by"},
		{"another reason", second(kill("H2")), func(st *state.State) { setKilled(st, "H2", &state.Kill{By: "Cyd", At: noon, Reason: "ugly"}) }, "MR-014 H2 kill_reason"},
		{"another instant", second(kill("H2")), func(st *state.State) {
			setKilled(st, "H2", &state.Kill{By: "Cyd", At: noon, Reason: "it is refuted"})
		}, "MR-014 H2 killed_at"},
		{"an instant without its fraction", second(kill("H2")), func(st *state.State) {
			k := *st.Find(id("H2")).Killed
			k.At = k.At.Truncate(time.Second)
			setKilled(st, "H2", &k)
		}, ""},
		{"a text wrapped again", second(edit("A2", object{"load": "one two"})), func(st *state.State) { set(st, "A2", "load", "one\ntwo") }, ""},
		{"two ids exchanged", first(), func(st *state.State) { rename(st, map[string]string{"A1": "A2", "A2": "A1"}) }, "MR-015 A1; MR-015 A2"},
		{"renumbered after a kill", second(kill("A1")), func(st *state.State) {
			drop(st, "A1")
			rename(st, map[string]string{"A2": "A1", "A3": "A2"})
		}, "MR-011 A1; MR-015 A1; MR-015 A2"},
		{"an id used again", second(assumption(4)), func(st *state.State) {
			st.Remove(id("A2"))
			st.Add(state.NewItem(id("A2"), object{"name": "Assumption other", "statement": "other", "load": "l", "test": "t", "status": "unchecked"}))
		}, "MR-015 A2"},
		{"renumbered and changed", second(assumption(4)), func(st *state.State) {
			set(st, "A4", "load", "another")
			rename(st, map[string]string{"A4": "A9"})
		}, "MR-013 A9 load; MR-015 A9"},
		{"a forgotten N/A", second(kill("H2")), func(st *state.State) {
			set(st, "P1", "predictions", object{"H1": "yes", "H2": "no", "H3": "maybe"})
		}, "MR-016 P1 predictions"},
		{"a rejected ADD applied", second(hypothesis(4), bad(hypothesis(5), "mechanism"), hypothesis(6)), func(st *state.State) {
			rename(st, map[string]string{"H5": "H6"})
			st.Add(state.NewItem(id("H5"), object{"name": "Hypothesis 5", "claim": "claim 5", "anchors": []any{"§5"}}))
		}, "MR-022 H5"},
		{"a rejected ADD applied at the end", second(hypothesis(4), bad(hypothesis(5), "mechanism"), hypothesis(6)), func(st *state.State) {
			st.Add(state.NewItem(id("H6"), object{"name": "Hypothesis 5", "claim": "claim 5", "anchors": []any{"§5"}}))
		}, "MR-022 H6"},
		{"a rejected ADD applied, and its EDIT", second(bad(assumption(4), "status"), edit("A4", object{"load": "heavy"})), func(st *state.State) {
			st.Add(state.NewItem(id("A4"), object{"name": "Assumption 4", "statement": "statement 4", "load": "heavy", "test": "test"}))
		}, "MR-022 A4"},
		{"a rejected ADD applied, its misnamed field understood", second(add("hypothesis_slate", object{"name": "Hypothesis 4", "statement": "claim 4", "mechanism": "mechanism 4", "anchors": []string{"§4"}})), func(st *state.State) {
			st.Add(state.NewItem(id("H4"), object{"name": "Hypothesis 4", "claim": "claim 4", "mechanism": "mechanism 4", "anchors": []any{"§4"}}))
		}, "MR-022 H4"},
		{"mis-decoded anchors restored", second(edit("H1", object{"anchors": []string{"Â§161", "¬ß42"}, "replace": true})), func(st *state.State) {
			set(st, "H1", "anchors", []any{"§161", "§42"})
		}, ""},
		{"a field that no section has", second(edit("A1", object{"attack_type": "premise"})), nil, ""},
		{"a seventh hypothesis", second(hypothesis(4), hypothesis(5), hypothesis(6), hypothesis(7)), func(st *state.State) {
			st.Add(state.NewItem(id("H7"), object{"name": "Hypothesis 7", "claim": "claim 7", "mechanism": "mechanism 7", "anchors": []any{"§7"}}))
		}, "MR-003; MR-022 H7"},
		{"an EDIT of nothing applied as an ADD", second(edit("A9", object{"statement": "s", "load": "l"})), func(st *state.State) {
			st.Add(state.NewItem(id("A9"), object{"statement": "s", "load": "l"}))
		}, "MR-001 A9; MR-022 A9"},
		{"a rejected EDIT applied", second(object{"operation": "update", "section": "assumption_ledger", "target_id": "A1", "payload": object{"load": "heavy"}}), func(st *state.State) {
			set(st, "A1", "load", "heavy")
		}, "MR-022 A1"},
		{"a KILL without reason applied", second(object{"operation": "KILL", "section": "hypothesis_slate", "target_id": "H2"}), func(st *state.State) {
			setKilled(st, "H2", &state.Kill{By: "Cyd", At: noon.Add(4 * time.Minute)})
			set(st, "P1", "predictions", object{"H1": "yes", "H2": "N/A", "H3": "maybe"})
			set(st, "P2", "predictions", object{"H1": "a", "H2": "N/A"})
		}, "MR-022 H2"},
		{"an EDIT of a killed item applied", append(second(kill("A2")), post{from: "Ada", subject: "DELTA[opus]: z", deltas: []object{edit("A2", object{"load": "late"})}}), func(st *state.State) {
			set(st, "A2", "load", "late")
		}, "MR-002 A2; MR-013 A2 load"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			version := 1
			for _, p := range tt.posts {
				if strings.HasPrefix(p.subject, "COMPILED") {
					version++
				}
			}
			r := replay.New(thread(publish(tt.posts, version, tt.change)), replay.Options{})
			if got := strings.Join(rules(r), "; "); got != tt.want {
				var out strings.Builder
				show(&out, r)
				t.Errorf("got  %s\nwant %s\n%s", got, tt.want, out.String())
			}
			w := r.Windows[len(r.Windows)-1]
			if w.Matches == nil || *w.Matches != (w.Hash() == w.PublishedHash()) || *w.Matches != (tt.want == "") {
				t.Errorf("matches is %v", w.Matches)
			}
		})
	}
}

// An artifact published as the replay produces it matches, in any number of rounds,
// for arbitrary values.
func TestTruthMatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var posts []post
		rounds := rapid.IntRange(1, 3).Draw(t, "rounds")
		for v := 1; v <= rounds; v++ {
			for range rapid.IntRange(1, 3).Draw(t, "messages") {
				p := post{from: rapid.SampledFrom([]string{"Ada", "Bob"}).Draw(t, "from"), subject: "DELTA[opus]: x"}
				for range rapid.IntRange(1, 5).Draw(t, "deltas") {
					p.deltas = append(p.deltas, drawDelta(t))
				}
				posts = append(posts, p)
			}
			posts = publish(posts, v, nil)
		}
		r := replay.New(thread(posts), replay.Options{})
		for _, p := range findings(r) {
			if p.Rule >= "MR-011" {
				var out strings.Builder
				show(&out, r)
				t.Fatalf("%s\n%s", out.String(), posts[len(posts)-1].body)
			}
		}
		for _, w := range r.Windows {
			if w.Matches == nil || !*w.Matches {
				t.Fatal("a true artifact does not match")
			}
		}
	})
}

func drawDelta(t *rapid.T) object {
	section := rapid.SampledFrom(brenner.Sections[:]).Draw(t, "section")
	op := rapid.SampledFrom([]string{"ADD", "ADD", "EDIT", "KILL"}).Draw(t, "operation")
	if section == brenner.ResearchThread {
		return object{"operation": "EDIT", "section": section.ID(), "target_id": "RT", "payload": drawPayload(t, section, false)}
	}
	target := fmt.Sprintf("%s%d", section.Prefix(), rapid.IntRange(1, 3).Draw(t, "target"))
	switch op {
	case "ADD":
		return add(section.ID(), drawPayload(t, section, true))
	case "KILL":
		return object{"operation": "KILL", "section": section.ID(), "target_id": target, "payload": object{"reason": drawText(t)}}
	}
	return edit(target, drawPayload(t, section, false))
}

func drawPayload(t *rapid.T, section brenner.Section, all bool) object {
	out := object{}
	for _, f := range section.Fields() {
		if !(all && f.Required) && !rapid.Bool().Draw(t, f.Key) {
			continue
		}
		switch f.Kind {
		case brenner.TextField:
			out[f.Key] = drawText(t)
			if len(f.Values) > 0 {
				out[f.Key] = rapid.SampledFrom(f.Values).Draw(t, "value")
			}
		case brenner.ListField:
			out[f.Key] = rapid.SliceOfN(rapid.SampledFrom([]string{"§1", "§42-45", `§161 ("a, b")`, "inference", "H1", "EV-001#E1"}), 1, 3).Draw(t, "list")
		case brenner.FlagField:
			out[f.Key] = rapid.Bool().Draw(t, "flag")
		case brenner.OutcomesField:
			out[f.Key] = rapid.MapOfN(rapid.SampledFrom([]string{"H1", "H2", "H3"}), rapid.Custom(drawText), 1, 3).Draw(t, "outcomes")
		case brenner.ScoreField:
			out[f.Key] = object{"likelihood_ratio": rapid.IntRange(0, 3).Draw(t, "score"), "cost": 2, "speed": 1, "ambiguity": 0}
		case brenner.ReferenceField:
			out[f.Key] = []object{{"session": "RS-20251230-other", "item": "H1", "relation": "refines"}}
		}
	}
	if len(out) == 0 {
		out[section.Fields()[0].Key] = drawText(t)
	}
	return out
}

func drawText(t *rapid.T) string {
	return rapid.OneOf(
		rapid.StringMatching(`[a-z]{1,6}( [a-z]{1,6}){0,3}`),
		rapid.SampledFrom([]string{"a | b", "first\nsecond", "first\n\n- one\n- two", "`code` and **bold**", "~~struck~~", "**Claim**: not a field", "a <br/> b", "x\n### H9: no item", "x\n**Note**: no field", "see §42, §43", "N/A", "—", "\\| \\"}),
	).Draw(t, "text")
}

// One change to what is published is one finding, of the rule for it.
func TestOneFaultIsOneFinding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var posts []post
		rounds := rapid.IntRange(1, 2).Draw(t, "rounds")
		for v := 1; v <= rounds; v++ {
			p := post{from: "Ada", subject: "DELTA[opus]: x"}
			for range rapid.IntRange(4, 12).Draw(t, "deltas") {
				p.deltas = append(p.deltas, drawDelta(t))
			}
			posts = append(posts, p)
			if v < rounds {
				posts = publish(posts, v, nil)
			}
		}
		want := ""
		posts = publish(posts, rounds, func(st *state.State) { want = spoil(t, st) })
		var got []string
		r := replay.New(thread(posts), replay.Options{})
		for _, line := range rules(r) {
			// A KILL that was rejected explains a made-up one.
			if line = strings.Replace(line, "MR-022", "MR-014", 1); line >= "MR-011" {
				got = append(got, line)
			}
		}
		if strings.Join(got, "; ") != want {
			var out strings.Builder
			show(&out, r)
			t.Fatalf("got %s\nwant %s\n%s\n%s", got, want, out.String(), posts[len(posts)-1].body)
		}
	})
}

// spoil changes one thing and returns the expected finding.
func spoil(t *rapid.T, st *state.State) string {
	var items []*state.Item
	for _, sec := range brenner.Sections[1:] {
		items = append(items, st.Items(sec)...)
	}
	if len(items) == 0 {
		return ""
	}
	it := rapid.SampledFrom(items).Draw(t, "item")
	sec := it.ID.Section
	switch rapid.IntRange(0, 4).Draw(t, "fault") {
	case 0:
		var keys []string
		for _, f := range sec.Fields() {
			if _, ok := it.Fields()[f.Key]; ok && f.Kind == brenner.TextField && f.Key != "name" {
				keys = append(keys, f.Key)
			}
		}
		slices.Sort(keys)
		key := rapid.SampledFrom(keys).Draw(t, "field")
		set(st, it.ID.String(), key, "changed by nobody")
		return fmt.Sprintf("MR-013 %s %s", it.ID, key)
	case 1:
		rest := &state.State{}
		for _, s := range brenner.Sections {
			for _, o := range st.Items(s) {
				if o.ID != it.ID {
					rest.Add(itemOf(o.ID, o.Fields(), o.Killed))
				}
			}
		}
		*st = *rest
		return "MR-011 " + it.ID.String()
	case 2:
		fields := object{"name": "made up"}
		if sec == brenner.PredictionsTable {
			fields = object{"condition": "made up"}
		}
		made := state.NewItem(brenner.ItemID{Section: sec, Number: st.Highest(sec) + 1}, fields)
		st.Add(made)
		return "MR-012 " + made.ID.String()
	default:
		kill := &state.Kill{By: "Nobody", At: noon, Reason: "why not"}
		if !it.Active() {
			kill = nil
		}
		setKilled(st, it.ID.String(), kill)
		return "MR-014 " + it.ID.String()
	}
}
