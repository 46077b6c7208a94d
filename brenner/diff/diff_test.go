package diff_test

import (
	"cmp"
	"fmt"
	"iter"
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
	lastRun := func(text string) func(*brenner.State) {
		return func(st *brenner.State) {
			st.Add(brenner.NewItem(id("T1"), map[string]any{"name": "Test", "status": "passed", "last_run": text}))
		}
	}
	for _, tt := range []struct {
		name         string
		both         func(*brenner.State)
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
		{name: "a label that is not bold, with another value", old: "**Load**: load\n", changed: "Load: other\n", want: `edited A1 at "Load:": load "load" "other"`},
		{name: "a label that is not bold, with a longer value", old: "**Load**: load\n", changed: "Load: load, or not\n", want: `edited A1 at "Load:": load "load" "load, or not"`},
		{name: "a label that is not bold, above a note", old: "**Load**: load\n", changed: "Load: load\n\nA note.\n"},
		{name: "an item more", old: "### A2: Assumption 2", changed: "### A3: Assumption 2", want: `added A3 at "A3: Assumption 2"; removed A2 at "5. Assumption Ledger"`},
		{name: "killed on one side", change: kill("A1"), want: `restored A1 at "A1: Assumption 1"`},
		{name: "killed by another", both: kill("A1"), old: "Ada", changed: "Bob", want: `edited A1 at "Bob": killed_by "Ada" "Bob"`},
		{name: "killed for another reason", both: kill("A1"), old: "refuted", changed: "slow", want: `edited A1 at "slow": kill_reason "refuted" "slow"`},
		{name: "killed at another time", both: kill("A1"), old: "T12:00", changed: "T13:00", want: `edited A1 at "2025-12-30T13:00:00Z": killed_at "2025-12-30T12:00:00Z" "2025-12-30T13:00:00Z"`},
		{name: "killed at a date", both: kill("A1"), old: "T12:00:00Z", changed: ""},
		{name: "a remark below a heading", old: "**Load**: load\n", changed: "**Load**: load\n\n# Notes\n\nPlease review.\n\n#### More\n\nx\n"},
		{name: "more text above a heading", old: "**Load**: load\n", changed: "**Load**: load, too\n\n#### More\n\nx\n", want: `edited A1 at "load, too\n\n#### More\n\nx": load "load" "load, too\n\n#### More\n\nx"`},
		{name: "more text", old: "**Load**: load\n", changed: "**Load**: load\n\n#hash\n\nx\n", want: `edited A1 at "load\n\n#hash\n\nx": load "load" "load\n\n#hash\n\nx"`},
		{name: "a remark below a heading of an item that is killed", both: kill("A1"), old: "**Reason**: refuted\n", changed: "**Reason**: refuted\n\n#### Remarks\n\nx\n"},
		{name: "killed without a reason", both: kill("A1"), old: "**Reason**: refuted\n", changed: ""},
		{name: "killed in the other rendering", both: kill("A1"), old: "**Killed by**: Ada (2025-12-30T12:00:00Z)\n**Reason**: refuted",
			changed: "**Killed**: true\n**Killed by**: Ada\n**Killed at**: 2025-12-30T12:00:00Z\n**Kill reason**: refuted"},
		{name: "killed by two", both: kill("A1"), old: "**Reason**", changed: "**Killed by**: Bob (2025-12-31T12:00:00Z)\n**Reason**"},
		{name: "killed by two, the wrong one first", both: kill("A1"), old: "**Killed by**", changed: "**Killed by**: Bob (2025-12-31T12:00:00Z)\n**Killed by**"},
		{name: "killed for two reasons", both: kill("A1"), old: "**Reason**", changed: "**Reason**: slow\n**Reason**"},
		{name: "killed by a name with a lost sign", both: kill("A1"), old: "Ada", changed: "A\ufffda"},
		{name: "killed with the reason behind the agent", both: kill("A1"), old: "(2025-12-30T12:00:00Z)\n**Reason**: refuted", changed: "- refuted (2025-12-30T12:00:00Z)"},
		{name: "killed without a reason in the state", both: kill("A1"), change: func(st *brenner.State) { st.Find(id("A1")).Killed.Reason = "" }},
		{name: "a run as text", both: lastRun("yesterday"), old: "yesterday", changed: "today", want: `edited T1 at "today": last_run "yesterday" "today"`},
		{name: "a run as text less", both: lastRun("2025-12-30"), old: "**Last run**: 2025-12-30\n", changed: "", want: `edited T1 at "T1: Test": last_run "2025-12-30" absent`},
		{name: "a run as other text in the same words", both: lastRun("2025-12-30"), old: "2025-12-30", changed: "`2025-12-30`"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			shown, want := wanted(), wanted()
			if tt.both != nil {
				tt.both(shown)
				tt.both(want)
			}
			if tt.change != nil {
				tt.change(want)
			}
			if strings.Contains(tt.name, "list mark") {
				shown = want
			}
			a := rendered(shown, tt.old, tt.changed)
			var got []string
			for _, d := range diff.Items(want, a, true) {
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
	for _, p := range (&diff.Comparison{Artifact: a, Want: wanted()}).Pairs(brenner.AssumptionLedger) {
		got = append(got, fmt.Sprint(p.Item.ID, " is ", p.Want.ID))
	}
	if want := []string{"A7 is A1", "A2 is A2"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

type fields = map[string]any

// statesOf makes a state of items by their ids.
func statesOf(t *testing.T, items map[string]fields, killed ...string) *brenner.State {
	t.Helper()
	st := &brenner.State{}
	for _, sec := range brenner.Sections {
		for n := range int32(9) {
			id := brenner.ItemID{Section: sec, Number: n}
			if f, ok := items[id.String()]; ok {
				it := brenner.NewItem(id, f)
				for _, k := range killed {
					if k == id.String() {
						it.Killed = &brenner.Killing{By: "Ada", At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Reason: "refuted"}
					}
				}
				st.Add(it)
			}
		}
	}
	return st
}

func showChanges(changes []diff.Change) string {
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintf(&b, "%s %s:", c.ID, c.Kind)
		for _, f := range c.Fields {
			before, after := f.Values()
			fmt.Fprintf(&b, " [%s %q %q]", f.Name(), before, after)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Values that differ in white space alone do not look alike.
func TestWhiteSpace(t *testing.T) {
	for _, tt := range []struct{ before, after, wantBefore, wantAfter string }{
		{"a b", "a  b", "a␣b", "a␣␣b"},
		{"a b", "a\u00a0b", "a␣b", `a\u00a0b`},
		{"a  b", "a  c", "a b", "a c"},
	} {
		f := diff.FieldChange{Key: "claim", Before: tt.before, After: tt.after}
		if before, after := f.Values(); before != tt.wantBefore || after != tt.wantAfter {
			t.Errorf("values of %q and %q: %s and %s", tt.before, tt.after, before, after)
		}
	}
}

func TestStates(t *testing.T) {
	before := statesOf(t, map[string]fields{
		"H1": {"name": "One", "claim": "c\nd", "anchors": []any{"§1", "§2"}, "references": []any{"x"}},
		"H2": {"name": "Two", "claim": "c"},
		"H3": {"name": "Three", "third_alternative": true},
		"P1": {"condition": "c", "predictions": fields{"H1": "up", "H2": "down"}},
		"T1": {"name": "Test", "score": fields{"cost": 2.0, "speed": 1.0}},
	})
	after := statesOf(t, map[string]fields{
		"H1": {"name": "One", "claim": "c d", "anchors": []any{"§2", "§3"}, "other": "o"},
		"H2": {"name": "Two", "claim": "c"},
		"H3": {"name": "Three (Third Alternative)"},
		"H4": {"name": "Four"},
		"P1": {"condition": "c", "predictions": fields{"H1": "up", "H2": "N/A"}},
		"T1": {"name": "Test", "score": fields{"cost": 3.0, "speed": 1.0}},
	}, "H2")
	for _, c := range []struct {
		compare func(before, after *brenner.State) iter.Seq[diff.Change]
		want    string
	}{
		{diff.States, `H1 edited: [claim "c\\nd" "c␣d"] [anchors "§1, §2" "§2, §3"] [references "x" ""] [other "" "o"]
H2 killed: [killed by "" "Ada"] [killed at "" "2026-01-02T03:04:05Z"] [kill reason "" "refuted"]
H3 edited: [name "Three" "Three (Third Alternative)"] [third alternative "true" ""]
H4 added: [name "" "Four"]
P1 edited: [predictions H2 "down" "N/A"]
T1 edited: [score cost "2" "3"]
`},
		{diff.Renderings, `H1 edited: [anchors "§1, §2" "§2, §3"]
H2 killed: [killed by "" "Ada"] [killed at "" "2026-01-02T03:04:05Z"] [kill reason "" "refuted"]
H3 edited: [third alternative "true" ""]
H4 added: [name "" "Four"]
P1 edited: [predictions H2 "down" ""]
T1 edited: [score cost "2" "3"]
`},
		{diff.Contents, `H1 edited: [anchors "§1, §2" "§2, §3"] [references "x" ""] [other "" "o"]
H2 killed: [killed by "" "Ada"] [killed at "" "2026-01-02T03:04:05Z"] [kill reason "" "refuted"]
H3 edited: [third alternative "true" ""]
H4 added: [name "" "Four"]
P1 edited: [predictions H2 "down" "N/A"]
T1 edited: [score cost "2" "3"]
`},
	} {
		if got := showChanges(slices.Collect(c.compare(before, after))); got != c.want {
			t.Errorf("got:\n%swant:\n%s", got, c.want)
		}
		for _, st := range []*brenner.State{before, after} {
			if got := slices.Collect(c.compare(st, st.Clone())); len(got) > 0 {
				t.Errorf("a state differs from itself: %s", showChanges(got))
			}
			rendered := artifact.ParseMarkdown(source.NewText(artifact.Render(st, artifact.RenderMeta{SessionID: "x"})), artifact.Limits{}).State()
			if got := slices.Collect(diff.Renderings(st, rendered)); len(got) > 0 {
				t.Errorf("a state differs from its rendering: %s", showChanges(got))
			}
		}
	}
	there, back := slices.Collect(diff.States(before, after)), slices.Collect(diff.States(after, before))
	if len(there) != len(back) || back[3].Kind != diff.ItemRemoved || back[1].Kind != diff.ItemRestored {
		t.Errorf("the other way:\n%s", showChanges(back))
	}
}

// TestShown compares what artifacts may write in another way, and what differs.
func TestShown(t *testing.T) {
	made := func() *brenner.State {
		return statesOf(t, map[string]fields{
			"H1": {"name": "One", "claim": "c", "third_alternative": true},
			"H2": {"name": "Two", "claim": "c"},
			"P1": {"condition": "c", "predictions": fields{"H1": "up", "H2": "N/A"}},
		}, "H2")
	}
	for _, compare := range []func(before, after *brenner.State) iter.Seq[diff.Change]{diff.Contents, diff.Renderings} {
		for _, c := range []struct {
			item, key string
			value     any
			at        string // of the KILL of H2
			want      string
		}{
			{item: "H1", key: "third_alternative", value: "true"},
			{item: "H1", key: "third_alternative", value: "no", want: "H1 edited"},
			{item: "H1", key: "claim", value: " c\n"},
			{item: "H1", key: "claim", want: "H1 edited"},
			{item: "H1", key: "anchors", value: []any{}},
			{item: "H2", key: "third_alternative", value: false},
			{item: "H2", key: "claim"}, // it is killed
			{item: "H2", key: "claim", value: "d", want: "H2 edited"},
			{item: "P1", key: "predictions", value: fields{"H1": "up"}},
			{item: "P1", key: "predictions", value: fields{"H2": "N/A"}, want: "P1 edited"},
			{at: "2026-01-02T03:04:05.5Z"},
			{at: "2026-01-02T00:00:00Z"}, // a date
			{at: "2026-01-02T03:04:06Z", want: "H2 edited"},
			{at: "2026-01-03T00:00:00Z", want: "H2 edited"},
		} {
			before, after := made(), made()
			if it := after.Find(id(cmp.Or(c.item, "H2"))); c.item != "" {
				delete(it.Fields(), c.key)
				if c.value != nil {
					it.Fields()[c.key] = c.value
				}
			} else {
				at, _ := brenner.ParseTime(c.at)
				it.Killed.At = at.Time
			}
			var got []string
			for d := range compare(before, after) {
				got = append(got, fmt.Sprint(d.ID, " ", d.Kind))
			}
			if s := strings.Join(got, "; "); s != c.want {
				t.Errorf("%s %s %v %s: got %q, want %q", c.item, c.key, c.value, c.at, s, c.want)
			}
		}
	}
}

func TestMarkdownOfChanges(t *testing.T) {
	before := statesOf(t, map[string]fields{"H1": {"name": "O*n*e", "claim": "a"}, "H2": {"name": "T|wo"}, "H3": {"name": "Gone"}})
	after := statesOf(t, map[string]fields{"H1": {"name": "O*n*e", "claim": "b](x)"}, "H2": {"name": "T|wo"}, "A1": {"name": "<b>", "status": "unchecked"}}, "H2")
	byBob := func(_ *diff.Change, f *diff.FieldChange) string {
		if f != nil && (f.Key == "claim" || f.Key == "status") {
			return "Bob"
		}
		return ""
	}
	const fields, byFields = "  - status: unchecked\n", "  - status (Bob)\n"
	const want = `### New items
- **A1** \<b>
%s
### Modified items
- **H1** O\*n\*e
  - claim: "a" → "b\](x)"%s

### Killed items
- **H2** T\|wo: refuted

### Removed items
- **H3** Gone
`
	changes := slices.Collect(diff.States(before, after))
	if got, want := diff.Markdown(changes, nil), fmt.Sprintf(want, fields, ""); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := diff.Markdown(changes, byBob), fmt.Sprintf(want, byFields, " (Bob)"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
