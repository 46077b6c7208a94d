package artifact

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// TestItems checks that Items yields what State has, each once, where ids are given twice,
// are out of order or have large numbers.
func TestItems(t *testing.T) {
	const text = `## 1. Research Thread

## 2. Hypothesis Slate
### H2: First
**Claim**: a
### H2: Again
### H1: Before
### H64: Large
### H999999: Larger
### H64: Again
### H63: Last
### H63: Again

## 3. Predictions Table
| ID | Condition | H1 |
|---|---|---|
| P1 | First | x |
| P1.H1 | Scoped | x |
| P1.H1 | Again | x |
| P1.H2 | Scoped | x |
| P1 | Again | x |

## 2. Hypothesis Slate
### H1: Again
### H3: Later

## 1. Research Thread
**RT**: Why?
`
	a := ParseMarkdown(source.NewText([]byte(text)), Limits{})
	var got []string
	for it := range a.Items(0) {
		got = append(got, fmt.Sprint(it.ID, " ", it.Name, it.Text("condition"), it.Text("statement")))
	}
	want := []string{"H2 First", "H1 Before", "H64 Large", "H999999 Larger", "H63 Last", "P1 First", "P1.H1 Scoped", "P1.H2 Scoped", "H3 Later", "RT Why?"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for range a.Items(0) {
		break // the rest is not wanted
	}
	s, n := a.State(), 0
	for it := range a.Items(0) {
		n++
		if diff := cmp.Diff(it.State(it.ID.Section).Fields(), s.Find(it.ID).Fields()); diff != "" {
			t.Errorf("%v is another item in the state (-item +state):\n%s", it.ID, diff)
		}
	}
	for _, sec := range brenner.Sections {
		n -= s.Len(sec)
	}
	if n != 0 {
		t.Errorf("%d items more than in the state", n)
	}
}

// TestValues checks values that are given twice, or are not of the form of their field.
func TestValues(t *testing.T) {
	for fields, want := range map[string]string{
		"**Expected outcomes**:\n- H1: yes\n- H1: no\n- H2: no":      `{"expected_outcomes":{"H1":"yes","H2":"no"}}`,
		"**Expected outcomes**:\n- H1: —\n- H1: no\n- H1:":           `{"expected_outcomes":{"H1":"no"}}`,
		"**Expected outcomes**: —\n**Expected outcomes**:\n- H1: no": `{"expected_outcomes":{"H1":"no"}}`,
		"**Score**: LR=2, Cost=NaN, Speed=+3, LR=3, Ambiguity=0x1p4": `{"score":{"ambiguity":16,"cost":"NaN","likelihood_ratio":2,"speed":3}}`,
		"**Last run**: never": `{"last_run":"never"}`,
		"**Last run**:\n- Exit code: 0\n- Duration: 1.5s\n- Timed out: no":      `{"last_run":{"duration_ms":1500,"exit_code":0,"timed_out":false}}`,
		"**Last run**:\n- Nothing: known":                                       `{}`,
		"**Status**: —\n**Status**: passed\n**Status**: failed":                 `{"status":"passed"}`,
		"**Anchors**: §1, §2-4\n**Labels**: a, b":                               `{"anchors":["§1","§2-4"],"labels":["a","b"]}`,
		"JSON " + `"name": "x", "status": "y"`:                                  `{"name":"x","status":"y"}`,
		"JSON " + `"name": "", "status": " "`:                                   `{}`,
		"JSON " + `"name": null, "procedure": 1`:                                `{"procedure":1}`,
		"JSON " + `"anchors": "§1", "expected_outcomes": []`:                    `{"anchors":"§1","expected_outcomes":[]}`,
		"JSON " + `"score": {"cost": 2, "speed": null}, "other": [{"a": true}]`: `{"other":[{"a":true}],"score":{"cost":2,"speed":null}}`,
	} {
		sec := brenner.DiscriminativeTests
		var it *Item
		if members, ok := strings.CutPrefix(fields, "JSON "); ok {
			root, err := jsontree.Parse([]byte(`{"id": "T1", `+members+`}`), jsontree.Options{})
			if err != nil {
				t.Fatal(err)
			}
			it = jsonItem(sec, root)
		} else {
			it = ParseMarkdown(source.NewText([]byte("## 4. Discriminative Tests\n\n### T1\n"+fields+"\n")), Limits{}).Sections[0].Items[0]
		}
		data := it.State(sec).Fields()
		if got, _ := json.Marshal(data); string(got) != want {
			t.Errorf("%q: got %s, want %s", fields, got, want)
		}
	}
}

// normal returns a state as far as a rendering in Markdown shows it, its values in
// normal form. Left out are what is never rendered: references, unknown fields,
// who killed a prediction, and the N/A of killed hypotheses.
func normal(s *brenner.State) *brenner.State {
	out := &brenner.State{}
	for _, sec := range brenner.Sections {
		for _, it := range s.Items(sec) {
			n := brenner.NewItem(it.ID, make(map[string]any, len(it.Fields())))
			for key, v := range it.Fields() {
				f := sec.Field(key)
				if f == nil {
					continue
				}
				if v = brenner.NormalValue(sec, f, v); v != nil {
					n.Fields()[key] = v
				}
			}
			if it.Killed != nil {
				n.Killed = normalKill(sec, it.Killed)
			}
			if sec == brenner.PredictionsTable {
				dropKilled(s, n)
			}
			if sec != brenner.ResearchThread || len(n.Fields()) > 0 || n.Killed != nil {
				out.Add(n)
			}
		}
	}
	return out
}

func normalKill(sec brenner.Section, k *brenner.Killing) *brenner.Killing {
	if sec == brenner.PredictionsTable {
		return &brenner.Killing{} // a row shows only that it is killed
	}
	return &brenner.Killing{By: brenner.Fold(k.By), At: k.At.UTC(), Reason: brenner.Fold(k.Reason)}
}

// dropKilled removes the outcomes N/A of killed hypotheses from a prediction.
func dropKilled(s *brenner.State, prediction *brenner.Item) {
	outcomes, _ := prediction.Fields()["predictions"].(map[string]any)
	for key, v := range outcomes {
		id, ok := brenner.ParseItemID(key)
		text, _ := v.(string)
		if !ok || !strings.EqualFold(text, "N/A") || id.Section != brenner.HypothesisSlate {
			continue
		}
		if h := s.Find(id); h != nil && h.Killed != nil {
			delete(outcomes, key)
		}
	}
	if len(outcomes) == 0 {
		delete(prediction.Fields(), "predictions")
	}
}
