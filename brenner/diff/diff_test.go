package diff_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/source"
)

func id(s string) brenner.ItemID {
	id, ok := brenner.ParseItemID(s)
	if !ok {
		panic(s)
	}
	return id
}

// wanted returns a state with two assumptions, and a prediction for two hypotheses.
func wanted() *brenner.State {
	st := &brenner.State{}
	for i := 1; i <= 2; i++ {
		st.Add(brenner.NewItem(id(fmt.Sprint("H", i)), map[string]any{"name": fmt.Sprint("Hypothesis ", i), "claim": fmt.Sprint("claim ", i)}))
		st.Add(brenner.NewItem(id(fmt.Sprint("A", i)), map[string]any{"name": fmt.Sprint("Assumption ", i), "statement": fmt.Sprint("statement ", i), "load": "load"}))
	}
	st.Add(brenner.NewItem(id("P1"), map[string]any{"condition": "it rains", "predictions": map[string]any{"H1": "wet", "H2": "dry"}}))
	return st
}

func rendered(st *brenner.State, old, changed string) *artifact.Artifact {
	text := string(artifact.Render(st, artifact.RenderMeta{SessionID: "RS-20251230-cell-fate", Version: 1}))
	if !strings.Contains(text, old) {
		panic("no " + old + " in\n" + text)
	}
	return artifact.ParseMarkdown(source.NewText([]byte(strings.Replace(text, old, changed, 1))), artifact.Limits{})
}

// Differences are named by kind, item and field, at their place.
func TestItems(t *testing.T) {
	kill := func(item string) func(*brenner.State) {
		return func(st *brenner.State) {
			it := st.Find(id(item)).Clone()
			it.Killed = &brenner.Killing{By: "Ada", At: time.Date(2025, 12, 30, 12, 0, 0, 0, time.UTC), Reason: "refuted"}
			st.Put(it)
		}
	}
	for _, tt := range []struct {
		name         string
		change       func(*brenner.State) // of what is expected
		old, changed string
		want         string
	}{
		{name: "the same"},
		{name: "another value", old: "statement 2", changed: "something else", want: `edited A2 at "something else": statement "statement 2" "something else"`},
		{name: "a part", old: "| wet ", changed: "| damp ", want: `edited P1 at "damp": predictions (H1) "wet" "damp"`},
		{name: "a value less", old: "**Load**: load\n", changed: "", want: `edited A1 at "A1: Assumption 1": load "load" absent`},
		{name: "a value more", old: "**Load**: load\n", changed: "**Load**: load\n**Implication**: bad\n", want: `edited A1 at "bad": implication absent "bad"`},
		{name: "a remark", old: "**Load**: load\n", changed: "**Load**: load\n**Colour**: red\n"},
		{name: "a field by its key", old: "**Load**: load\n", changed: "**load**: load\n"},
		{name: "a part less", old: "| wet | dry |", changed: "| wet | — |", want: `edited P1 at "—": predictions (H2) "dry" absent`},
		{name: "a short row", old: "| wet | dry |", changed: "| wet |"},
		{name: "a part less below a second heading", old: "## 3. Predictions Table\n\n| ID | Observation/Condition | H1 | H2 |\n| --- | --- | --- | --- |\n| P1 | it rains | wet | dry |",
			changed: "## 3. Predictions Table\n\n## 3. Predictions Table\n\n| ID | Observation/Condition | H1 | H2 |\n| --- | --- | --- | --- |\n| P1 | it rains | wet |",
			want:    `edited P1 at "P1": predictions (H2) "dry" absent`},
		{name: "another list mark", change: func(st *brenner.State) {
			it := st.Find(id("A1")).Clone()
			it.Fields()["load"] = "* one\n* two"
			st.Put(it)
		}, old: "* one", changed: "- one"},
		{name: "an item less", old: "### A2: Assumption 2\n**Statement**: statement 2\n", changed: "", want: `removed A2 at "5. Assumption Ledger"`},
		{name: "an item without an id", old: "### A2: Assumption 2", changed: "### Assumption 2"},
		{name: "a table in a fence", old: "| ID | Observation/Condition | H1 | H2 |", changed: "    | ID | Observation/Condition | H1 | H2 |"},
		{name: "a label that is not bold", old: "**Load**: load\n", changed: "Load: load\n"},
		{name: "a label that is not bold, with another value", old: "**Load**: load\n", changed: "Load: other\n", want: `edited A1 at "A1: Assumption 1": load "load" absent`},
		{name: "a label that is not bold, with a longer value", old: "**Load**: load\n", changed: "Load: load, or not\n", want: `edited A1 at "A1: Assumption 1": load "load" absent`},
		{name: "a label that is not bold, above a note", old: "**Load**: load\n", changed: "Load: load\n\nA note.\n"},
		{name: "an item more", old: "### A2: Assumption 2", changed: "### A3: Assumption 2", want: `added A3 at "A3: Assumption 2"; removed A2 at "5. Assumption Ledger"`},
		{name: "killed on one side", change: kill("A1"), want: `restored A1 at "A1: Assumption 1"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			shown, want := wanted(), wanted()
			if tt.change != nil {
				tt.change(want)
			}
			if strings.Contains(tt.name, "list mark") {
				shown = want
			}
			a := rendered(shown, tt.old, tt.changed)
			var got []string
			for _, d := range diff.Items(want, a) {
				got = append(got, describe(a, &d))
			}
			if s := strings.Join(got, "; "); s != tt.want {
				t.Errorf("got %s\nwant %s", s, tt.want)
			}
		})
	}
}

func describe(a *artifact.Artifact, d *diff.Change) string {
	out := fmt.Sprintf("%s %s at %q", d.Kind, d.ID, a.Text.Slice(d.At))
	show := func(v any) string {
		if v == nil {
			return "absent"
		}
		return fmt.Sprintf("%q", brenner.OneLine(v))
	}
	for _, f := range d.Fields {
		out += ": " + f.Key
		if f.Part != "" {
			out += " (" + f.Part + ")"
		}
		out += " " + show(f.Before) + " " + show(f.After)
	}
	return out
}

// Items are recognised by their content before their ids count.
func TestPairs(t *testing.T) {
	a := rendered(wanted(), "### A1: Assumption 1", "### A7: Assumption 1")
	var got []string
	for _, p := range (&diff.Comparison{Artifact: a, Want: wanted()}).Pairs(brenner.AssumptionLedger, nil) {
		got = append(got, fmt.Sprint(p.Item.ID, " is ", p.Want.ID))
	}
	if want := []string{"A7 is A1", "A2 is A2"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A candidate explains what the state does not have, for one item only.
func TestCandidates(t *testing.T) {
	st := wanted()
	for i := 3; i <= 4; i++ {
		st.Add(brenner.NewItem(id(fmt.Sprint("A", i)), map[string]any{"name": "Extra", "statement": "more"}))
	}
	a := rendered(st, "", "")
	candidate := brenner.NewItem(brenner.ItemID{Section: brenner.AssumptionLedger}, map[string]any{"name": "Extra", "statement": "more"})
	candidate.Note = "ADD"
	candidates := []*brenner.Item{candidate}
	var got []string
	for _, p := range (&diff.Comparison{Artifact: a, Want: wanted()}).Pairs(brenner.AssumptionLedger, candidates) {
		switch {
		case p.Candidate != nil:
			got = append(got, fmt.Sprint(p.Item.ID, " by ", p.Candidate.Note))
		case p.Want == nil:
			got = append(got, p.Item.ID.String()+" by nothing")
		}
	}
	if want := []string{"A3 by ADD", "A4 by nothing"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
