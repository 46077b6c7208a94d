package artifact

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/source"
)

var update = flag.Bool("update", false, "write the golden files")

const corpus = "../../testdata/corpus/"

// TestGolden reads the artifacts of the corpus, and shows every value with the text at
// its span. The golden files are reviewed by hand.
func TestGolden(t *testing.T) {
	mail := corpus + "realmail/archive/projects/data-projects-bio-inspired-nanochat/messages/"
	for name, path := range map[string]string{
		"golden-example":  corpus + "artifacts/golden-example-cell-fate.md",
		"role-prompting":  corpus + "artifacts/RS-20251230-role-prompting.md",
		"cell-fate-pilot": corpus + "artifacts/RS-20260101-cell-fate/artifact.md",
		"message-1106":    mail + "2025/12/2025-12-31T09-33-44Z__compiled-v1-artifact__1106.md",
		"message-1226":    mail + "2026/01/2026-01-02T14-15-58Z__compiled-v1-rs-20260102-round2-nanochat-artifact__1226.md",
		"valid-json":      corpus + "artifacts/valid-artifact.json",
		"invalid-json":    corpus + "artifacts/invalid-artifact.json",
		"warning-json":    corpus + "artifacts/warning-artifact.json",
		"citations-json":  corpus + "artifacts/mixed-citations.json",
	} {
		t.Run(name, func(t *testing.T) { testGolden(t, path, filepath.Join("testdata", name+".golden")) })
	}
}

func testGolden(t *testing.T, path, golden string) {
	data := must.Read(t, path)
	text := source.NewFile(path, data).Text()
	if _, body, ok := bytes.Cut(data, []byte("\n}\n---\n\n")); ok {
		text = text.Sub(source.Span{Start: len(data) - len(body), End: len(data)}) // a message
	}
	var a *Artifact
	if strings.HasSuffix(path, ".json") {
		if a, _ = ParseJSON(text, Limits{}); a == nil {
			t.Fatal("not read")
		}
	} else {
		a = ParseMarkdown(text, Limits{})
		if diff := cmp.Diff(outline(a), outline(FromDocument(markdown.Parse(text), 0, Limits{}))); diff != "" {
			t.Errorf("a parsed document reads otherwise (-text +document):\n%s", diff)
		}
	}
	checkSpans(t, a)
	checkReadsBack(t, a.State())
	got := outline(a)
	if *update {
		must.Write(t, golden, got)
	}
	want := must.Read(t, golden)
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// outline shows an artifact: each value as read, and in brackets the text at its span if
// that differs.
func outline(a *Artifact) string {
	o := &outliner{a: a}
	if a.MetaFault != nil {
		o.line("fault %s [%s]", a.MetaFault.Message, a.Text.Slice(a.MetaFault.Span))
	}
	if a.Meta != nil {
		o.line("meta [%s]", o.ends(a.Meta.Span))
		o.meta(a.Meta.Values, "  ")
	}
	for _, c := range a.Comments {
		o.line("comment [%s]", a.Text.Slice(c))
	}
	for _, s := range a.Sections {
		o.section(s)
	}
	s := a.State()
	for _, sec := range brenner.Sections {
		for _, it := range s.Items(sec) {
			fields, _ := json.Marshal(it.Fields())
			o.line("state %v %s", it.ID, fields)
			if it.Killed != nil {
				o.line("  killed %+v", *it.Killed)
			}
		}
	}
	return o.out.String()
}

type outliner struct {
	a   *Artifact
	out strings.Builder
}

func (o *outliner) line(format string, args ...any) { fmt.Fprintf(&o.out, format+"\n", args...) }

// at returns the text at a span, if it differs from the given one.
func (o *outliner) at(s source.Span, text string) string {
	if raw := o.a.Text.Slice(s); raw != text {
		return fmt.Sprintf("%q [%q at %d]", text, raw, s.Start)
	}
	return fmt.Sprintf("%q", text)
}

// ends returns the beginning and end of a long text.
func (o *outliner) ends(s source.Span) string {
	text := strings.ReplaceAll(o.a.Text.Slice(s), "\n", "⏎")
	if r := []rune(text); len(r) > 50 {
		return string(r[:20]) + "…" + string(r[len(r)-25:])
	}
	return text
}

func (o *outliner) meta(values []MetaValue, indent string) {
	kinds := [...]string{"", "null", "string", "int", "other", "list", "map"}
	for _, v := range values {
		text := o.at(v.Span, v.Text)
		if len(v.Items) > 0 {
			text = "[" + o.ends(v.Span) + "]"
		}
		o.line("%s%s %s %s", indent, o.at(v.KeySpan, v.Key), kinds[v.Kind], text)
		o.meta(v.Items, indent+"  ")
	}
}

func (o *outliner) section(s *Section) {
	o.line("section %v [%s] [%s] none registered: %v", s.Kind, o.a.Text.Slice(s.Heading), o.ends(s.Span), s.NoneRegistered)
	if s.Table != nil {
		for _, c := range s.Table.Columns {
			o.line("  column %v %q %q", c.ID, c.Key, o.a.Text.Slice(c.Span))
		}
	}
	for _, st := range s.Malformed {
		o.line("  stray %s other %v", o.at(st.ID, st.Text), st.Other)
		if st.Item != nil {
			o.item(st.Item)
		}
	}
	for _, it := range s.Items {
		o.item(it)
	}
}

func (o *outliner) item(it *Item) {
	o.line("  item %s %s [%s] [%s]", o.at(it.IDSpan, it.ID.String()), o.at(it.NameSpan, it.Name), o.a.Text.Slice(it.Heading), o.ends(it.Span))
	if it.Killed || it.Struck {
		o.line("    killed %v struck %v by %q at %q: %q", it.Killed, it.Struck, it.KilledBy, it.KilledAt, it.KillReason)
	}
	if it.Total != "" {
		o.line("    total %s", o.at(it.TotalSpan, it.Total))
	}
	for _, f := range it.Fields {
		mark := ""
		if f.Known == nil {
			mark = " (unknown)"
		}
		o.line("    %s%s %s", o.at(f.Label, f.Key), mark, o.at(f.Value, f.Text))
		for _, e := range f.Entries {
			o.line("      %s %s", o.at(e.KeySpan, e.Key), o.at(e.Span, e.Text))
		}
	}
}

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
