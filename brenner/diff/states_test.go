package diff_test

import (
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
		{diff.States, `H1 edited: [claim "c d" "c d"] [anchors "§1, §2" "§2, §3"] [references "x" ""] [other "" "o"]
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
