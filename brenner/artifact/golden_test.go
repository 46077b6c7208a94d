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
