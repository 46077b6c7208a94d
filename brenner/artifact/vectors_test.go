package artifact

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/source"
)

// departure is a difference between the reference's rendering and ours. R1 to R7 are
// those of testdata/corpus/vectors/README.md.
type departure struct {
	name, passage string
	from          *regexp.Regexp
	to            string
}

func depart(name, passage, from, to string) departure {
	return departure{name, passage, regexp.MustCompile(from), to}
}

var departures = []departure{
	depart("R1", "artifact_delta_spec, Killed Item Rendering: heading marked [KILLED], values struck through, killer and time on one line, then the reason",
		`(?s)### ~~H1: H1~~\n\*\*Claim\*\*: C\n\*\*Mechanism\*\*: M\n\*\*Anchors\*\*: §2\n\n\*\*Killed\*\*: true\n\*\*Killed by\*\*: Agent\n\*\*Killed at\*\*: t\n\*\*Kill reason\*\*: r\n`,
		"### ~~H1: H1~~ [KILLED]\n**Claim**: ~~C~~\n**Mechanism**: ~~M~~\n**Anchors**: ~~§2~~\n**Killed by**: Agent\n**Reason**: r\n"),
	depart("R1", "artifact_delta_spec, Killed Item Rendering; a research thread has no heading to strike through, so Killed stays",
		`\*\*Killed by\*\*: human\n\*\*Killed at\*\*: (.*)\n\*\*Kill reason\*\*: `, "**Killed by**: human ($1)\n**Reason**: "),
	depart("R5", "artifact_publish_spec, Artifact File Front Matter: contributors is a list; one without entries is written on its line",
		`contributors:\n  \[\]\n`, "contributors: []\n"),
	depart("no anchors", "artifact_format, Anchors: `inference` is an anchor that somebody gave; where there is none, none is shown (WR-001)",
		`(?m)^(\*\*Why it matters\*\*:.*)\n\n\*\*Anchors\*\*: inference\n`, "$1\n"),
	depart("item ids", "artifact_format, Items: HXYZ is no item id, so there is no such item; the outcome under its key is kept",
		`(?s)### HXYZ: .*?\n\n`, ""),
	depart("item ids", "a key of outcomes is shown as it is, not matched to an item in any case", `\| H1 \| HXYZ \|`, "| H1 | hxyz |"),
	depart("duration", "artifact_format, Items: last_run has no stated precision; none is lost", `Duration: 1\.23s`, "Duration: 1.234s"),
	depart("white space", "decisions 26: white space at line ends does not matter; none is written", `(?m) +$`, ""),
	depart("white space", "the file ends with one line end", `\n+\z`, "\n"),
}

func TestRenderVectors(t *testing.T) {
	data := must.Read(t, corpus+"vectors/render.jsonl")
	used := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		var v struct {
			Input        json.RawMessage
			Output, Test string
		}
		must.OK(t, json.Unmarshal([]byte(line), &v))
		a, syntax := ParseJSON(source.NewText(v.Input), Limits{})
		if syntax != nil {
			t.Fatal(syntax)
		}
		want := v.Output
		for _, d := range departures {
			if d.from.MatchString(want) {
				used[d.passage] = true
				want = d.from.ReplaceAllString(want, d.to)
			}
		}
		s := a.State()
		checkSpans(t, a)
		checkReadsBack(t, s)
		if diff := cmp.Diff(want, string(Render(s, metaOf(a)))); diff != "" {
			t.Errorf("%s (-reference +rendered):\n%s", v.Test, diff)
		}
		// What the reference rendered reads back to the same state, except for the anchor
		// that it invented, and the key that it took for an item.
		got, held := facts(normal(ParseMarkdown(source.NewText([]byte(v.Output)), Limits{}).State())), facts(normal(s))
		if rt, ok := got["RT"].(map[string]any); ok && held["RT"] == nil {
			delete(rt, "anchors")
			if len(rt) == 0 {
				delete(got, "RT")
			}
		}
		if strings.Contains(v.Test, "whitespace") {
			delete(got["RT"].(map[string]any), "anchors")
		}
		if p1, ok := got["P1"].(map[string]any); ok && strings.Contains(v.Output, "HXYZ") {
			delete(p1["predictions"].(map[string]any), "HXYZ")
			delete(held["P1"].(map[string]any)["predictions"].(map[string]any), "hxyz")
		}
		if diff := cmp.Diff(held, got); diff != "" {
			t.Errorf("%s: the reference's rendering reads otherwise (-state +read):\n%s", v.Test, diff)
		}
	}
	for _, d := range departures {
		if !used[d.passage] {
			t.Errorf("departure %s (%s) is in no vector", d.name, d.passage)
		}
	}
}

// metaOf returns the metadata of an artifact for rendering it again.
func metaOf(a *Artifact) RenderMeta {
	text := func(key string) string {
		if v := a.Meta.Get(key); v != nil {
			return v.Text
		}
		return ""
	}
	m := RenderMeta{
		SessionID: text("session_id"), CreatedAt: text("created_at"), UpdatedAt: text("updated_at"), Status: text("status"),
		CompiledAt: text("compiled_at"), CompiledBy: text("compiled_by"), MessageID: text("agent_mail_message_id"),
	}
	m.Version, _ = strconv.Atoi(text("version"))
	if list := a.Meta.Get("contributors"); list != nil {
		for _, v := range list.Items {
			c := Contributor{Agent: v.Text}
			for _, f := range v.Items {
				switch f.Key {
				case "agent":
					c.Agent = f.Text
				case "program":
					c.Program = f.Text
				case "model":
					c.Model = f.Text
				case "contributed_at":
					c.ContributedAt = f.Text
				}
			}
			m.Contributors = append(m.Contributors, c)
		}
	}
	return m
}
