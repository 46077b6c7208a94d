package artifact

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/must"
	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
	"github.com/brennerlint/brennerlint/source"
)

// The pieces of nasty texts: everything with a meaning in Markdown, the format or its
// escapes.
var pieces = []string{
	"a", "word", " ", "  ", "    ", "\t", "\n", "\n\n", "\r\n", "\r", "\\", "\\\\", "|", "\\|", "**", "*", "_", "#", "## 3. Predictions Table", "\n## 7. Adversarial Critique\n",
	"\n### H2: forged\n", "\n# comment\n", "\n**Claim**: forged\n", "\n**Killed**: true\n", "\n- **Claim**: forged\n", "**Reason**:", "~~", "~", "`", "```", "\n```\n", "\n~~~ sh\n", "\n````", "<br/>", "<br>", "<br />",
	"<!--", "\n<!-- \n", "-->", "\n<div>\n", "</div>", "\n---\n", "---", "\n===\n", "-", "\n- ", "\n1. ", "\n> ", "\n***\n", "\n* * *", "\n- - -\n", "\n___", "+", "=", ":", "H1: ", "If ", ", ", ",", ";", "(", ")", "[", "]", "\"", "“", "”",
	"§1", "§1-§3", "¬ß161", "EV-001", "inference", "[inference]", " — ", "—", "–", "CONFLICT: \"a\" | \"b\"", "(Score: 3/12)", "[KILLED]", " `[KILLED]`", " **[KILLED]**", `\[KILLED\]`, " (killed)", " killed", "(Third Alternative)", "N/A", "None registered", "Agent (2025-12-30T12:10:00Z)",
	"\nT2: forged\n", "\nH4 - forged\n", "\n**T4: forged**", "\n~~**H2: forged**~~\n", "\n*A2*: forged", "\n##X2: forged", "\n- **Killed by**: x\n", "\n- **Anchors**: x\n", "\n+ ~~__mechanism:__ x", "\n- **status** : x", "\n+ ~~**Reason**: x", "~~~~", `\~`, `\<!--`, "<!-- note -->", "<!-- ", "`x`", "*x*", "**x**",
	"\n<<<<<<< HEAD\n", "\n||||||| base\n", "\n>>>>>>> theirs\n", "\u2028", "\u0085", "\u00a0", "\ufeff", "\x00", "\x1b", "é", "😀", "\v", "\f", "null", "true", "3", "0.5",
}

func nasty() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 8).Draw(t, "pieces"), "")
	})
}

// word draws a text without the marks that do not count around words (decisions.md 62).
func word() *rapid.Generator[string] {
	return rapid.Map(nasty(), strings.NewReplacer("*", "", "_", "", "`", "", "~", "").Replace)
}

// plainValue draws data of any form, as a delta may have it, of some texts.
func plainValue(text *rapid.Generator[string]) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		switch rapid.IntRange(0, 9).Draw(t, "form") {
		case 0:
			return nil
		case 1:
			return rapid.Bool().Draw(t, "bool")
		case 2:
			return float64(rapid.IntRange(-3, 2000).Draw(t, "number")) / 4
		case 3:
			return []any{text.Draw(t, "entry"), 1.5}
		case 4:
			return map[string]any{text.Draw(t, "key"): text.Draw(t, "value")}
		}
		isText := func(s string) bool { return markerLen(tidy(s)) < max(1, len(tidy(s))) } // else it is an empty list item
		return text.Filter(isText).Draw(t, "text")
	})
}

// fieldValue draws data, mostly of the form that a field expects.
func fieldValue(t *rapid.T, f *brenner.Field) any {
	text := nasty()
	if f.Kind == brenner.ListField || f.Values != nil || f.Key == "test_id" {
		text = word()
	}
	if rapid.IntRange(0, 15).Draw(t, "wrong") == 0 {
		return plainValue(text).Draw(t, f.Key)
	}
	switch f.Kind {
	case brenner.ListField:
		list := []any{}
		for _, s := range rapid.SliceOfN(text, 0, 4).Draw(t, f.Key) {
			list = append(list, s)
		}
		return list
	case brenner.FlagField:
		return rapid.Bool().Draw(t, f.Key)
	case brenner.OutcomesField:
		out := map[string]any{}
		for range rapid.IntRange(0, 4).Draw(t, "outcomes") {
			key := rapid.OneOf(rapid.SampledFrom([]string{"H1", "H2", "H10", "H1-roles-help", "If H1", "h2", `\Under H3`}), nasty()).Draw(t, "key")
			out[key] = plainValue(text).Draw(t, "outcome")
		}
		return out
	case brenner.ScoreField:
		out := map[string]any{}
		for _, part := range brenner.ScoreParts {
			out[part] = rapid.OneOf(rapid.Just[any](3.0), rapid.Just[any](0.0), rapid.Just[any]("2"), plainValue(text)).Draw(t, part)
		}
		return out
	case brenner.RecordField:
		out := map[string]any{"extra": "lost"}
		for _, l := range recordLines {
			out[l.key] = plainValue(text).Draw(t, l.key)
		}
		return out
	case brenner.ReferenceField:
		return []any{map[string]any{"session": "RS-20251230-x"}}
	}
	return text.Draw(t, f.Key)
}

func anyState() *rapid.Generator[*brenner.State] {
	return rapid.Custom(func(t *rapid.T) *brenner.State {
		s := &brenner.State{}
		for _, sec := range brenner.Sections {
			n := 1
			if sec != brenner.ResearchThread {
				n = rapid.IntRange(0, 3).Draw(t, "items")
			}
			for i := range n {
				id := brenner.ItemID{Section: sec}
				if sec != brenner.ResearchThread {
					id.Number = int32(2*i + 1)
				}
				if sec == brenner.PredictionsTable && i == 1 {
					id.Hypothesis = 2
				}
				it := brenner.NewItem(id, map[string]any{"no_such_field": "lost"})
				for _, f := range sec.Fields() {
					if rapid.IntRange(0, 3).Draw(t, "has") > 0 {
						it.Fields()[f.Key] = fieldValue(t, f)
					}
				}
				if rapid.IntRange(0, 2).Draw(t, "killed") == 0 {
					it.Killed = &brenner.Killing{By: word().Draw(t, "by"), Reason: nasty().Draw(t, "reason")}
					if rapid.Bool().Draw(t, "timed") {
						it.Killed.At = time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "at"), 5e8).UTC()
					}
				}
				s.Add(it)
			}
		}
		return s
	})
}

// facts returns a state as plain data to compare.
func facts(s *brenner.State) map[string]any {
	out := map[string]any{}
	for _, sec := range brenner.Sections {
		for _, it := range s.Items(sec) {
			f := map[string]any{}
			for k, v := range it.Fields() {
				f[k] = v
			}
			if it.Killed != nil {
				f["killed"] = fmt.Sprintf("by %q at %v: %q", it.Killed.By, it.Killed.At, it.Killed.Reason)
			}
			out[it.ID.String()] = f
		}
	}
	return out
}

// TestRenderReadsBack: for any texts, what is rendered reads back to the same state, and
// what was read back is rendered to the same bytes.
func TestRenderReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyState().Draw(t, "state")
		checkReadsBack(t, s)
	})
}

// TestRenderConflictOfFlag checks that a flag whose conflict is unresolved is shown as that,
// and read back.
func TestRenderConflictOfFlag(t *testing.T) {
	s := &brenner.State{}
	s.Add(brenner.NewItem(brenner.ItemID{Section: brenner.HypothesisSlate, Number: 1}, map[string]any{"name": "x", "third_alternative": "CONFLICT: false | true"}))
	checkReadsBack(t, s)
}

// TestRenderNames renders names that end as the heading of a killed item may.
func TestRenderNames(t *testing.T) {
	for _, name := range []string{"x ~~y~~ killed", "~~y~~ (killed)", "[x] ~~y~~ killed", "x ~~y~~ [KILLED]", `x ~~y~~ \[KILLED\]`, "~x~ [KILLED]"} {
		s := &brenner.State{}
		s.Add(brenner.NewItem(brenner.ItemID{Section: brenner.HypothesisSlate, Number: 1}, map[string]any{"name": name}))
		checkReadsBack(t, s)
	}
}

// TestRenderKeys renders outcomes whose hypothesis looks bold, or that seem to name one.
func TestRenderKeys(t *testing.T) {
	for _, key := range []string{"___", "__H1__", "__", "_", "_H1_", `\_`, `\__H1__`, "**H1**", "***", "*", `\*`, "If __H1__", "__If H1__", "If H1", "h1", "H1<br/>x", "[H1](#h1)", "h9"} {
		s := &brenner.State{}
		s.Add(brenner.NewItem(brenner.ItemID{Section: brenner.DiscriminativeTests, Number: 1}, map[string]any{
			"actual_outcomes": map[string]any{key: "false", "H9": "__true__"},
		}))
		s.Add(brenner.NewItem(brenner.ItemID{Section: brenner.PredictionsTable, Number: 1}, map[string]any{
			"predictions": map[string]any{key: "a", "H9": "b"},
		}))
		checkReadsBack(t, s)
	}
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func checkReadsBack(t fataler, s *brenner.State) {
	t.Helper()
	meta := RenderMeta{SessionID: "RS-20251230-cell-fate", Version: 1, Status: "active"}
	out := Render(s, meta)
	a := ParseMarkdown(source.NewText(out), Limits{})
	read := a.State()
	if diff := cmp.Diff(facts(normal(s)), facts(normal(read))); diff != "" {
		t.Fatalf("the state changed (-rendered +read):\n%s\n%s", diff, out)
	}
	checkTexts(t, s, read, out)
	for _, sec := range a.Sections {
		if len(sec.Malformed) > 0 {
			t.Fatalf("section %v has strays:\n%s", sec.Kind, out)
		}
	}
	if len(a.Sections) != len(brenner.Sections) {
		t.Fatalf("%d sections:\n%s", len(a.Sections), out)
	}
	again := Render(read, meta)
	if diff := cmp.Diff(facts(read), facts(ParseMarkdown(source.NewText(again), Limits{}).State())); diff != "" {
		t.Fatalf("what was read is not stable (-read +rendered and read again):\n%s\n%s", diff, again)
	}
	if string(out) != string(again) && string(again) != string(Render(ParseMarkdown(source.NewText(again), Limits{}).State(), meta)) {
		t.Fatalf("rendering is not stable:\n%s", again)
	}
}

// checkTexts checks that free texts read back as they were, except for white space at the
// ends of lines: nothing in them is taken for marks.
func checkTexts(t fataler, s, read *brenner.State, out []byte) {
	t.Helper()
	same := func(it *brenner.Item, what string, want, got any) {
		text := tidy(brenner.Plain(want))
		if text == absent && what != "name" {
			text = ""
		}
		if got := brenner.Plain(got); got != text {
			t.Fatalf("%s of %v is %q, read back %q:\n%s", what, it.ID, text, got, out)
		}
	}
	for _, sec := range brenner.Sections {
		for _, it := range s.Items(sec) {
			back := read.Find(it.ID)
			if back == nil {
				continue // a research thread without content
			}
			for _, f := range sec.Fields() {
				v := it.Fields()[f.Key]
				switch outcomes, _ := v.(map[string]any); {
				case f.Kind == brenner.TextField && f.Values == nil && f.Key != "test_id" && (sec != brenner.PredictionsTable || f.Key == "condition"):
					same(it, f.Key, v, back.Fields()[f.Key])
				case f.Kind == brenner.OutcomesField:
					read, _ := back.Fields()[f.Key].(map[string]any)
					for _, key := range []string{"H1", "H2", "H10"} {
						same(it, f.Key+" "+key, outcomes[key], read[key])
					}
				}
			}
			if it.Killed != nil && sec != brenner.PredictionsTable {
				same(it, "the reason", it.Killed.Reason, back.Killed.Reason)
			}
		}
	}
}

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
