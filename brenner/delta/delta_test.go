package delta

import (
	"fmt"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/source"
)

func document(body string) *markdown.Document { return markdown.Parse(source.NewText([]byte(body))) }

func extract(body string) []*Delta { return Extract(document(body), jsontree.Options{}) }

// block returns a body of one delta block.
func block(json string) string { return "## Deltas\n\n```delta\n" + json + "\n```\n" }

// TestExtractFindsFences counts the blocks of the bodies of testdata/fences.txtar.
func TestExtractFindsFences(t *testing.T) {
	for _, ex := range must.Examples(t, "testdata/fences.txtar") {
		if got := fmt.Sprintln(len(extract(strings.TrimSuffix(ex.In, "\n")))); got != ex.Want {
			t.Errorf("%s: %s blocks, want %s", ex.Name, got, ex.Want)
		}
	}
	if Extract(nil, jsontree.Options{}) != nil {
		t.Error("a nil document has blocks")
	}
}

func TestExtractMapsToTheBody(t *testing.T) {
	body := "Text §1\n\n> - ```delta\n>   {\"section\":\n>    \"hypotheses\",\n>   \"operation\": \"ADD\"}\n>   ```\n"
	doc := document(body)
	d := Extract(doc, jsontree.Options{})[0]
	if d.Index != 1 || d.Operation != brenner.Add || !d.Block.InQuote {
		t.Fatalf("delta is %+v", d)
	}
	f := d.Faults[0]
	span, ok := f.At.Text.Within(doc.Text, f.At.Span)
	if !ok || f.Kind != NoPayload || body[span.Start:span.End] != "{" || span.Start != strings.IndexByte(body, '{') {
		t.Errorf("%s is at %q", f.Kind, body[span.Start:span.End])
	}
	span, _ = d.Faults[1].At.Text.Within(doc.Text, d.Faults[1].At.Span)
	if got := body[span.Start:span.End]; got != `"hypotheses"` {
		t.Errorf("the section is at %q", got)
	}
}

func TestReadFields(t *testing.T) {
	d := extract(block(`{"delta_id":"d-1","timestamp":"2025-12-30T12:00:00+02:00","agent":"RedCreek","operation":"KILL",
		"section":"predictions_table","target_id":"P1.H2","payload":{"reason":"old","reason":"tested"}}`))[0]
	if len(d.Faults) > 0 {
		t.Errorf("fault %s", d.Faults[0].Kind)
	}
	if d.Operation != brenner.Kill || d.Section != brenner.PredictionsTable || d.Target.String() != "P1.H2" || d.Reason != "tested" ||
		d.Agent != "RedCreek" || !d.HasTime || d.Time.Hour() != 10 || d.Rejected() != nil {
		t.Errorf("read %+v", d)
	}
}

const goodH = `"name":"n","claim":"c","mechanism":"m","anchors":["§1"]`

// TestHostile reads input that could take much time or memory; it would not finish in
// time if anything were quadratic.
func TestHostile(t *testing.T) {
	testenv.SkipUnderRace(t)
	const megabyte = 1 << 20
	repeat := func(s string) string { return strings.Repeat(s, megabyte/len(s)) }
	for _, c := range []struct {
		name, body string
		blocks     int
	}{
		{"ten thousand fences", strings.Repeat(block(`{"operation":"ADD","section":"hypotheses"}`), 10_000), 10_000},
		{"ten thousand unclosed fences in quotations", strings.Repeat("> ```delta\n> {\n\n", 10_000), 10_000},
		{"one long line", block(`{"operation":"` + repeat("x") + `"}`), 1},
		{"unknown keys", block(`{"operation":"ADD","section":"hypothesis_slate","payload":{` + repeat(`"statment":1,`) + `"name":"n"}}`), 1}, //nolint:misspell // a common slip
		{"deep", block(strings.Repeat(`{"payload":`, 10_000)), 1},
		{"braces outside", repeat("{"), 0},
		{"objects in one line", repeat("`{\"operation\":1,\"section\":2} "), 0},
		{"objects in objects", repeat(`{"operation":1,"section":2,"a":`), 0},
		{"quotes outside", `{"operation"` + repeat(`"\`), 0},
		{"colon fences", repeat(":::delta\n\n:::\n"), 0},
		{"lines in words", repeat("DELTA[x]: y\n"), 0},
		{"one line in words", repeat("DELTA[x: "), 0},
	} {
		doc := document(c.body)
		ds := Extract(doc, jsontree.Options{})
		if len(ds) != c.blocks {
			t.Errorf("%s: %d blocks, want %d", c.name, len(ds), c.blocks)
		}
		FindMisplaced(doc, jsontree.Options{})
	}
}
