package playground

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/rules"
)

// checked is what a page reads of the answer to a check.
type checked struct {
	Kind, Form, Line, Error string
	Unrecognized            bool
	Safe, Unsafe            int
	Details                 []detail
	Report                  struct {
		Schema   string
		Findings []struct {
			Rule, Fingerprint string
			Fix               *struct{ Unsafe bool }
		}
		Summary struct{ Errors int }
	}
}

// ask sends a request and reads the answer into to.
func ask(t *testing.T, to any, members ...string) {
	t.Helper()
	asked := map[string]any{}
	for i := 0; i < len(members); i += 2 {
		asked[members[i]] = members[i+1]
	}
	raw, err := json.Marshal(asked)
	must.OK(t, err)
	must.OK(t, json.Unmarshal(Handle(rules.All(), "test", raw), to))
}

func read(t *testing.T, name string) string {
	t.Helper()
	data := must.Read(t, "../../"+name)
	return string(data)
}

func (c *checked) rules() string {
	var out []string
	for _, f := range c.Report.Findings {
		out = append(out, f.Rule)
	}
	return strings.Join(out, " ")
}

const brokenDraft = "Subject: DELTA[gpt]: Größe 🙂\nThread: RS-20251230-cell-fate\nFrom: BlueLake\nTo: RedCreek\nAck: no\n\n" +
	"## Deltas\n\n```delta\n{\n  \"operation\": \"EDIT\",\n  \"section\": \"hypothesis_slate\",\n  \"target_id\": \"H2\",\n" +
	"  \"payload\": { \"anchors\": [\"§161\", \"§205\",] },\n  \"rationale\": \"Two more anchors\"\n}\n```\n"

// TestFixDraft checks a draft, applies the fix of its fault, and checks again.
func TestFixDraft(t *testing.T) {
	var before, after checked
	ask(t, &before, "do", "check", "text", brokenDraft)
	if before.Kind != "draft" || !strings.Contains(before.rules(), "MB-005") || before.Report.Schema != "brennerlint/report/v1" || len(before.Details) != len(before.Report.Findings) {
		t.Fatalf("answer %+v", before)
	}
	units := []rune(brokenDraft) // one of them takes two UTF-16 units
	i := strings.Index(before.rules(), "MB-005") / 7
	span := before.Details[i].Span
	if span == nil || units[span[0]-1] != ',' {
		t.Fatalf("span %v of %s", span, brokenDraft)
	}
	if f := before.Details[i].Frame; f == nil || f.Mark[1] != "," {
		t.Errorf("frame %+v", f)
	}
	var fixed, all fixAnswer
	ask(t, &fixed, "do", "fix", "text", brokenDraft, "fingerprint", before.Report.Findings[i].Fingerprint)
	if want := strings.Replace(brokenDraft, "\",]", "\"]", 1); fixed.Text != want {
		t.Fatalf("fixed %q", fixed.Text)
	}
	ask(t, &all, "do", "fix-all", "text", brokenDraft)
	if all.Text != fixed.Text || all.Fixed != 1 {
		t.Errorf("all fixes: %+v", all)
	}
	ask(t, &after, "do", "check", "text", fixed.Text)
	if strings.Contains(after.rules(), "MB-005") || after.Report.Summary.Errors > 0 {
		t.Errorf("after the fix: %+v", after)
	}
}

// TestKinds recognises what is pasted, and what a reader says.
func TestKinds(t *testing.T) {
	artifact, thread, draft := read(t, "examples/artifacts/RS-20251230-cell-fate.md"), read(t, "examples/mail/RS-20251230-cell-fate.json"), read(t, "examples/draft.json")
	for name, c := range map[string]struct{ text, name, kind, want string }{
		"artifact":          {artifact, "", "", "artifact"},
		"thread":            {thread, "", "auto", "mail"},
		"draft":             {draft, "", "", "draft"},
		"dropped file":      {artifact, `C:\files\RS-20251230-cell-fate.md`, "", "artifact"},
		"named like stdin":  {thread, "-", "", "mail"},
		"named like a path": {thread, "../...", "", "mail"},
		"a body alone":      {"## Deltas\n\n```delta\n{}\n```\n", "", "", "draft"},
		"prose":             {"Hello", "", "", ""},
		"prose as draft":    {"Hello", "", "draft", "draft"},
		"nothing":           {"", "", "", ""},
	} {
		var got checked
		ask(t, &got, "do", "check", "text", c.text, "name", c.name, "kind", c.kind)
		if got.Kind != c.want || got.Unrecognized != (c.want == "") || (got.Error == "") != (c.want != "") {
			t.Errorf("%s: kind %q, error %q", name, got.Kind, got.Error)
		}
	}
}

// TestReplay replays a thread and blames its last state.
func TestReplay(t *testing.T) {
	thread := read(t, "examples/mail/RS-20251230-cell-fate.json")
	var r struct {
		Error  string
		Replay struct {
			Threads []struct {
				Thread  string
				Windows []struct {
					Applied  int
					Rejected []any
					Matches  *bool
				}
			}
		}
		Threads []merged
	}
	ask(t, &r, "do", "replay", "text", thread)
	if len(r.Replay.Threads) != 1 || len(r.Threads) != 1 || !strings.Contains(r.Threads[0].Artifact, "## 2. Hypothesis Slate") {
		t.Fatalf("replay %+v", r)
	}
	if w := r.Replay.Threads[0].Windows; len(w) != 1 || w[0].Applied == 0 || len(w[0].Rejected) == 0 || *w[0].Matches {
		t.Errorf("windows %+v", w)
	}
	var b struct {
		Error string
		Blame struct {
			Fields []struct {
				Item, Field, Agent string
				History            []any
			}
		}
	}
	ask(t, &b, "do", "blame", "text", thread, "thread", r.Replay.Threads[0].Thread, "project", r.Threads[0].Project)
	set := map[string]string{}
	for _, f := range b.Blame.Fields {
		set[f.Item+" "+f.Field] = f.Agent
	}
	if set["T1 potency_check"] != "BlueLake" {
		t.Errorf("blame %+v", b)
	}
	ask(t, &b, "do", "replay", "text", brokenDraft)
	if b.Error == "" {
		t.Error("a draft is replayed")
	}
}

// TestBadRequests answers whatever is asked.
func TestBadRequests(t *testing.T) {
	for name, asked := range map[string]string{
		"not JSON": "{", "nothing": "null", "unknown": `{"do": "format"}`, "kind": `{"do": "check", "kind": "spam"}`,
		"too large":        `{"do": "check", "text": "` + strings.Repeat("x", MaxInput+1) + `"}`,
		"no finding":       `{"do": "fix", "text": "## Deltas\n\n` + "```delta\\n{}\\n```" + `", "fingerprint": "0"}`,
		"too large to fix": `{"do": "fix-all", "kind": "draft", "text": "` + strings.Repeat("x", maxFixed+1) + `"}`,
		"no thread":        `{"do": "blame", "kind": "mail", "text": "[]", "thread": "x"}`,
	} {
		var got errorAnswer
		if err := json.Unmarshal(Handle(rules.All(), "test", []byte(asked)), &got); err != nil || got.Error == "" {
			t.Errorf("%s: answer %+v, error %v", name, got, err)
		}
	}
}

// FuzzHandle answers any text: what it finds has a place in it, and what fixes it is a
// text.
func FuzzHandle(f *testing.F) {
	for _, do := range []string{"check", "fix-all", "replay"} {
		f.Add(do, "", brokenDraft)
		f.Add(do, "mail", `[{"id": 1, "subject": "DELTA[gpt]: x", "thread_id": "RS-20251230-cell-fate", "body_md": "y"}]`)
		f.Add(do, "artifact", "# Brenner Protocol Artifact: x\n\n## 1. Research Thread\n")
	}
	all := rules.All()
	f.Fuzz(func(t *testing.T, do, kind, text string) {
		asked, err := json.Marshal(map[string]string{"do": do, "kind": kind, "text": text})
		must.OK(t, err)
		var got struct {
			checked
			Text string
		}
		answer := Handle(all, "test", asked)
		if err := json.Unmarshal(answer, &got); err != nil {
			t.Fatalf("answer %s: %v", answer, err)
		}
		if strings.HasPrefix(got.Error, "internal error") {
			t.Error(got.Error)
		}
		units := len(utf16.Encode([]rune(text)))
		for i, d := range got.Details {
			if d.Span != nil && (d.Span[0] < 0 || d.Span[0] > d.Span[1] || d.Span[1] > units) {
				t.Errorf("finding %d is at %v of %d", i, *d.Span, units)
			}
		}
	})
}
