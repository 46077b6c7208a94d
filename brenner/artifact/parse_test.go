package artifact

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/source"
)

// TestParseMarkdown reads the artifacts of testdata/parse.txtar, also with the line ends of Windows.
func TestParseMarkdown(t *testing.T) {
	for _, ex := range must.Examples(t, "testdata/parse.txtar") {
		t.Run(ex.Name, func(t *testing.T) {
			a := ParseMarkdown(source.NewText([]byte(ex.In)), Limits{})
			if diff := cmp.Diff(ex.Want, outline(a)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			checkSpans(t, a)
			windows := ParseMarkdown(source.NewText([]byte(strings.ReplaceAll(ex.In, "\n", "\r\n"))), Limits{})
			if diff := cmp.Diff(string(a.State().CanonicalJSON()), string(windows.State().CanonicalJSON())); diff != "" {
				t.Errorf("with CRLF (-LF +CRLF):\n%s", diff)
			}
			checkSpans(t, windows)
		})
	}
}

// TestSaysNone has sentences that state that there are no anomalies, and sentences that
// only look like it.
func TestSaysNone(t *testing.T) {
	for line, want := range map[string]bool{
		"None registered": true, "none registered yet.": true, "**None registered**": true,
		"We found no anomalies.": true, "We have found none.": true, "Zero anomalies": true, "N/A": true, "We found no anomalies but one: twins": false, "We found none of them": false, "N/A for H1": false, "Nasal anomalies": false,
		"None.": true, "_None_": true, "`None`": true, "None so far.": true, "(none yet)": true, "None have been observed at this time.": true, "None\u00a0registered": true, "None fits.": false, "No anomalies": true, "*No anomalies registered in this pilot session.*": true,
		"__No anomaly was seen.__": true, "There are no anomalies so far.": true, "No open or deferred anomalies.": false,
		"No open anomalies.": true, "We looked. No anomalies were found.": true, "No unexplained, open anomalies": true,
		"": false, "None of them is resolved.": false, "Nonetheless": false, "Nothing": false, "Nothing registered": true, "Nothing to report.": true, "Nothing explains it.": false, "Currently none.": true, "There are none.": true, "There are currently no anomalies.": true, "None to date": true, "No quarantined exceptions.": true, "None recorded yet — section intentionally empty": true, "No entries.": true, "**Anomalies**: none": true, "Hypotheses: none": false, "No anomalies except the twin halves.": false, "No anomalies, but H2 looks odd.": false, "None — but see H1": false, "No anomalies were found. But nobody looked.": true, "No.": false,
		"No idea about anomalies": false, "Anomalies: no": false, "No test explains the two anomalies.": false,
		"There were anomalies.": false, "There is": false, "### X1: None registered": false,
	} {
		a := ParseMarkdown(source.NewText([]byte("## 6. Anomaly Register\n\n"+line+"\n")), Limits{})
		if got := a.Section(brenner.AnomalyRegister).NoneRegistered; got != want {
			t.Errorf("%q: got %t, want %t", line, got, want)
		}
	}
}

// TestLabels reads labels in both bold marks of Markdown (decisions.md 42), and lines
// that differ from them in one thing.
func TestLabels(t *testing.T) {
	for line, want := range map[string]string{
		"**Claim**: x":       "x",
		"**Claim:** x":       "x",
		"__Claim__: x":       "x",
		"__Claim:__ x":       "x",
		"__claim__ : x":      "x",
		"- __Claim__: x":     "x",
		"__Claim__:\nx":      "x",
		"__Claim__ x":        "",
		"__Claim**: x":       "",
		"_Claim_: x":         "",
		"___Claim__: x":      "",
		"Claim: x":           "",
		"    __Claim__: x":   "",
		"text __Claim__: x":  "",
		"text\n__Claim__: x": "x",
	} {
		a := ParseMarkdown(source.NewFile("a.md", []byte("## 2. Hypothesis Slate\n\n### H1: n\n"+line+"\n")).Text(), Limits{})
		if got := a.Sections[0].Items[0].Text("claim"); got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
	a := ParseMarkdown(source.NewFile("a.md", []byte("## 4. Discriminative Tests\n\n### T1: n\n__Expected outcomes__:\n__H1__: a\n__H2:__ b\n- __H3__: c\n__Score__:\n- __Cost__: 2\n- __Speed:__ 3\n")).Text(), Limits{})
	it := a.Sections[0].Items[0]
	for i, want := range []Entry{{Key: "H1", Text: "a"}, {Key: "H2", Text: "b"}, {Key: "H3", Text: "c"}} {
		if got := it.Field("expected_outcomes").Entries[i]; got.Key != want.Key || got.Text != want.Text {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	for i, want := range []Entry{{Key: "cost", Text: "2"}, {Key: "speed", Text: "3"}} {
		if got := it.Field("score").Entries[i]; got.Key != want.Key || got.Text != want.Text {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

// TestLabelsAreNoHeadings checks what the parser relies on: that no line with the label
// of a known field is the heading of an item or a section.
func TestLabelsAreNoHeadings(t *testing.T) {
	for _, kind := range brenner.Sections {
		for _, f := range kind.Fields() {
			for _, label := range append([]string{f.Label}, f.Synonyms...) {
				if id, _ := headingID("**" + label + "**: x"); id.Section > brenner.ResearchThread {
					t.Errorf("label %q of %s begins with the id of an item", label, kind)
				}
				if brenner.SectionByTitle(label) != 0 {
					t.Errorf("label %q of %s is the title of a section", label, kind)
				}
			}
		}
	}
}

func TestEmptyValueHasAPlace(t *testing.T) {
	const in = "## 5. Assumption Ledger\n### A1: n\n**Test**: \n**Load**:\n**Status**: x\n"
	a := ParseMarkdown(source.NewText([]byte(in)), Limits{})
	it := a.Item(brenner.ItemID{Section: brenner.AssumptionLedger, Number: 1})
	for key, before := range map[string]string{"test": "**Test**: ", "load": "**Load**:"} {
		v := it.Field(key).Value
		if !v.Empty() || !strings.HasSuffix(in[:v.Start], before) {
			t.Errorf("%s stands after %q", key, in[:v.Start])
		}
	}
}

func TestByteOrderMark(t *testing.T) {
	const in = "\ufeff---\nsession_id: a\n---\n# Research Thread\n**RT**: b\n"
	a := ParseMarkdown(source.NewText([]byte(in)), Limits{})
	if v := a.Meta.Get("session_id"); v == nil || a.Text.Slice(v.Span) != "a" {
		t.Errorf("session_id is %v", v)
	}
	if a.Section(brenner.ResearchThread) == nil || ParseMarkdown(source.NewText([]byte("\ufeff# Research Thread\n")), Limits{}).Section(brenner.ResearchThread) == nil {
		t.Error("the section is not found")
	}
}

func TestFrontMatterPlaces(t *testing.T) {
	tests := []struct{ name, in, fault, body string }{
		{"none", "# Title\n## 1. Research Thread\n**RT**: a\n", "", "a"},
		{"broken", "---\na: [\nb: c\n---\n## 1. Research Thread\n**RT**: a\n", "front matter is not YAML: did not find expected ',' or ']' [c]", "a"},
		{"broken on a later line", "---\na: b\nc: [d\ne: f\n---\n## 1. Research Thread\n**RT**: a\n", "front matter is not YAML: did not find expected ',' or ']' [d]", "a"},
		{"an unknown alias", "---\na: b\nc: *d\n---\n## 1. Research Thread\n**RT**: a\n", "front matter is not YAML: unknown anchor 'd' referenced [d]", "a"},
		{"a bad indent", "---\na:\n  b: c\n d: e\n---\n## 1. Research Thread\n**RT**: a\n", "front matter is not YAML: did not find expected key [d]", "a"},
		{"a control character", "---\na: b\nc: d\x01\n---\n## 1. Research Thread\n**RT**: a\n", "front matter is not YAML: control characters are not allowed [\x01]", "a"},
		{"no mapping", "---\n- a\n---\n## 1. Research Thread\n**RT**: a\n", "front matter is not a mapping of keys to values [- a]", "a"},
		{"empty", "---\n---\n## 1. Research Thread\n**RT**: a\n", "front matter is empty [---\n---]", "a"},
		{"not closed", "---\nsession_id: a\n## 1. Research Thread\n**RT**: a\n", "front matter is not closed by a line --- [---]", "a"},
		{"a rule above the text", "---\n\n## 1. Research Thread\n**RT**: a\n\n---\n\nb\n", "", "a\n\n---\n\nb"},
		{"blank lines before", "\n\n---\nsession_id: a\n---\n## 1. Research Thread\n**RT**: a\n", "", "a"},
		{"a fence in a string", "---\nsession_id: \"\n  ```\n  \"\n---\n## 1. Research Thread\n**RT**: a\n", "", "a"},
		{"closed by points", "---\nsession_id: a\n...\n## 1. Research Thread\n**RT**: a\n", "", "a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := ParseMarkdown(source.NewText([]byte(tt.in)), Limits{})
			fault := ""
			if a.MetaFault != nil {
				fault = a.MetaFault.Message + " [" + a.Text.Slice(a.MetaFault.Span) + "]"
			}
			if fault != tt.fault {
				t.Errorf("fault %q, want %q", fault, tt.fault)
			}
			if got := a.Section(brenner.ResearchThread).Items[0].Text("statement"); got != tt.body {
				t.Errorf("RT reads %q, want %q", got, tt.body)
			}
			checkSpans(t, a)
		})
	}
}

// TestFromDocument reads an artifact in a message whose body is already parsed.
func TestFromDocument(t *testing.T) {
	const before = "# Compiled Artifact v1\n\n## Full Artifact\n\n"
	for _, artifact := range []string{
		"---\nsession_id: a\n---\n\n## 1. Research Thread\n**RT**: a\n",
		"---\nsession_id: \"\n```\n\"\n---\n\n## 1. Research Thread\n**RT**: a\n", // a fence, if read as Markdown
		"# Brenner Protocol Artifact: x\n## 1. Research Thread\n**RT**: a\n",
	} {
		text := source.NewText([]byte(before + artifact))
		a := FromDocument(markdown.Parse(text), len(before), Limits{})
		if got := a.Section(brenner.ResearchThread); got == nil || got.Items[0].Text("statement") != "a" {
			t.Errorf("%q: read %s", artifact, outline(a))
		}
		if hasMeta := strings.HasPrefix(artifact, "---"); hasMeta != (a.Meta != nil) || hasMeta && a.Text.Slice(a.Meta.Span)[:3] != "---" {
			t.Errorf("%q: front matter %v", artifact, a.Meta)
		}
		checkSpans(t, a)
	}
}

func TestParseJSON(t *testing.T) {
	ex := must.Examples(t, "testdata/parse-json.txtar")[0]
	a, err := ParseJSON(source.NewText([]byte(ex.In)), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ex.Want, outline(a)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !a.IsJSON() || a.Meta != nil || a.MetaFault != nil {
		t.Errorf("IsJSON %v, metadata %v, fault %v", a.IsJSON(), a.Meta, a.MetaFault)
	}
	checkSpans(t, a)
}

// TestReadState checks that what is read gives the same JSON again.
func TestReadState(t *testing.T) {
	const want = `{"adversarial_critique":[],"anomaly_register":[],"assumption_ledger":[{"id":"A2","name":"x","score":[1,null,{"a":true}]}],"discriminative_tests":[],` +
		`"hypothesis_slate":[{"id":"H1","kill_reason":"no","killed":true,"killed_at":"2026-01-02T03:04:05.5Z","killed_by":"Ada","name":"é"},{"id":"H10"}],` +
		`"predictions_table":[{"id":"P1.H2"}],"research_thread":{"id":"RT","statement":"?"}}`
	s, err := ReadState([]byte(want))
	if err != nil || string(s.CanonicalJSON()) != want {
		t.Errorf("read as\n%s\nwant\n%s (%v)", s.CanonicalJSON(), want, err)
	}
	for _, bad := range []string{`{"hypothesis_slate":[}`, `{"hypotheses":[]}`, `{"hypothesis_slate":[{"id":"H1"},{"id":"H1"}]}`} {
		if _, err := ReadState([]byte(bad)); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

func TestParseJSONMetadata(t *testing.T) {
	a, _ := ParseJSON(source.NewText([]byte(`{"metadata": {"version": 1.5, "session_id": "a", "session_id": "b", "status": null, "x": true, "contributors": ["A", {"agent": "B"}]}}`)), Limits{})
	want := []MetaValue{
		{Key: "version", Kind: MetaOther, Text: "1.5"}, {Key: "session_id", Kind: MetaString, Text: "a"}, {Key: "session_id", Kind: MetaString, Text: "b"},
		{Key: "status", Kind: MetaNull}, {Key: "x", Kind: MetaOther, Text: "true"},
		{Key: "contributors", Kind: MetaList, Items: []MetaValue{{Kind: MetaString, Text: "A"}, {Kind: MetaMap, Items: []MetaValue{{Key: "agent", Kind: MetaString, Text: "B"}}}}},
	}
	if diff := cmp.Diff(want, withoutSpans(a.Meta.Values)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if v := a.Meta.Get("session_id"); v.Text != "b" {
		t.Errorf("of a key given twice %q counts, want the last", v.Text)
	}
	for in, fault := range map[string]string{`{}`: "", `[]`: "", `{"metadata": 1}`: "metadata is a number, not an object"} {
		a, _ := ParseJSON(source.NewText([]byte(in)), Limits{})
		if got := a.MetaFault; (got != nil) != (fault != "") || got != nil && got.Message != fault {
			t.Errorf("%s: fault %v, want %q", in, got, fault)
		}
	}
	if a, err := ParseJSON(source.NewText([]byte(`{"metadata": `)), Limits{}); a != nil || err == nil {
		t.Error("truncated JSON is read")
	}
}

func withoutSpans(values []MetaValue) []MetaValue {
	var out []MetaValue
	for _, v := range values {
		v.Span, v.KeySpan, v.Items = source.Span{}, source.Span{}, withoutSpans(v.Items)
		out = append(out, v)
	}
	return out
}

func TestRenderMeta(t *testing.T) {
	m := RenderMeta{
		SessionID: "RS-20251230-x", Version: 3, CompiledAt: "2025-12-30T14:00:00Z", CompiledBy: "operator", MessageID: "12345", Status: "active",
		Contributors: []Contributor{{Agent: "opus"}, {Agent: "a: \"b\"\n\x01é", Program: "p", Model: "m", ContributedAt: "2025-12-30"}},
	}
	a := ParseMarkdown(source.NewText(Render(ParseMarkdown(source.NewText(nil), Limits{}).State(), m)), Limits{})
	if diff := cmp.Diff(m, metaOf(a)); diff != "" {
		t.Errorf("(-rendered +read):\n%s", diff)
	}
	if v := a.Meta.Get("agent_mail_message_id"); v.Kind != MetaInt {
		t.Errorf("the message id is of kind %d, want a number", v.Kind)
	}
}
