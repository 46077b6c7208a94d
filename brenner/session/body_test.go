package session

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/source"
)

// TestWhereArtifactsBegin has bodies that differ from an artifact in one thing.
func TestWhereArtifactsBegin(t *testing.T) {
	const meta = "session_id: x\n---\n\n"
	const full = "## Full Artifact\n\n"
	const nested = "### 1. Research Thread\n### 2. Hypothesis Slate\n### 3. Predictions Table\n### 4. Discriminative Tests\n"
	for _, tt := range []struct {
		name, body string
		want       string // how the artifact begins; "" if there is none
	}{
		// front matter begins with --- and a key, at the top of the body
		{"front matter", full + "---\n" + meta + "# Brenner Protocol Artifact: x\n", "---\nsession_id"},
		{"keys of several words", full + "---\nsession-id_2: x\n---\n\n# Brenner Protocol Artifact: x\n", "---\nsession-id_2"},
		{"other rules", full + "***\n" + meta + "# Brenner Protocol Artifact: x\n", "# Brenner"},
		{"longer rules", full + "----\n" + meta + "# Brenner Protocol Artifact: x\n", "# Brenner"},
		{"a quoted rule", full + "> ---\n" + meta + "# Brenner Protocol Artifact: x\n", "# Brenner"},
		{"a rule in a list", full + "- a\n\n  ---\n" + meta + "# Brenner Protocol Artifact: x\n", "# Brenner"},
		{"no colon", full + "---\nprose\n\n# Brenner Protocol Artifact: x\n", "# Brenner"},
		{"no key", full + "---\n: prose\n\n# Brenner Protocol Artifact: x\n", "# Brenner"},
		{"prose before the colon", full + "---\nAs follows: prose\n\n# Brenner Protocol Artifact: x\n", "# Brenner"},
		{"a title in place of the rule", "Session: x\n\n# Brenner Protocol Artifact: x\n", "# Brenner"},
		// headings of artifacts are at H1 and H2, the title at H1 (decisions.md 30)
		{"a section at H2", full + "## Research Thread\n", "## Research"},
		{"a section at H3", full + "### Research Thread\n", ""},
		{"a title at H2", full + "## Brenner Protocol Artifact: x\n", ""},
		{"a quoted section", full + "> ## Research Thread\n", ""},
		{"a section in a list", full + "- ## Research Thread\n", ""},
		{"a section as a paragraph", full + "Research Thread\n", ""},
		// Full Artifact is a heading of the body itself
		{"a quoted heading", "> ## Full Artifact\n\n## Research Thread\n", ""},
		{"a paragraph Full Artifact", "Full Artifact\n\n## Research Thread\n", ""},
		// without it, more than half of the sections make an artifact
		{"three sections", "# Research Thread\n# Hypothesis Slate\n# Predictions Table\n", ""},
		{"three sections, one twice", "# Research Thread\n# Hypothesis Slate\n# Predictions Table\n# Predictions Table\n", ""},
		{"four sections", "x\n# Research Thread\n# Hypothesis Slate\n# Predictions Table\n# Anomaly Register\n", "# Research"},
		{"four sections at H3", full + "As merged.\n" + nested, "### 1."},
		{"four sections at H3 below a link", full + "artifacts/x.md\n" + nested, ""},
		{"four sections at the level of Full Artifact", "#" + full + nested, "### 1."},
		{"four sections at H3 below another heading", full + "## Summary\n" + nested, ""},
		// fences
		{"four fenced sections at H3", full + "```\n" + nested + "```\n", "### 1."},
		{"JSON with a fault", full + "```json\n{\"sections\": {},}\n```\n", ""},
		{"a fenced section at H3", full + "```\n### Research Thread\n```\n", ""},
		{"a fenced section without sign", full + "```\nResearch Thread\n```\n", ""},
		{"a fenced section at H2", full + "```\n## Research Thread\n```\n", "## Research"},
		{"a fenced title", full + "```\n# Brenner Protocol Artifact: x\n```\n", "# Brenner"},
		{"a fence of another heading", full + "```\n# Notes\n```\n", ""},
		{"fenced JSON of something else", full + "```json\n{\"a\": 1}\n```\n", ""},
		{"fenced text with the word sections", full + "```\nthe \"sections\"\n```\n", ""},
		{"JSON on a later line", full + "```\nnote\n{\"sections\": {}}\n```\n", ""},
		{"indented code", full + "    # Research Thread\n", ""},
	} {
		m := message("COMPILED: v2 x", tt.body)
		got := ""
		if m.Artifact != nil {
			got = string(m.Artifact.Text.Bytes(m.Artifact.Span))
		}
		if !strings.HasPrefix(got, tt.want) || tt.want == "" && m.Artifact != nil {
			t.Errorf("%s: the artifact begins %.30q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestContributors has, for each condition, a list that it alone decides.
func TestContributors(t *testing.T) {
	for in, want := range map[string]string{
		"| Agent | Delta Count | Items |\n|---|---|---|\n| BlueLake | 3 | H3, T2 |\n| **RedLake** | | |\n| {name} | {N} | ... |\n| ... | ... | ... |": "BlueLake=3 RedLake",
		"- BlueLake (2 deltas)\n- **RedLake**: 1 delta, H3\n- `GreenDog` — 4\n- gpt: H1, T2":                                                          "BlueLake=2 RedLake=1 GreenDog=4 gpt",
		"BlueLake, RedLake (test_designer, 2 deltas) and GreenDog":                                                                                    "BlueLake RedLake=2 GreenDog",
		"The following agents took part:\n- BlueLake":                                                                                                 "BlueLake",
		"All agents took part.": "", "None": "-", "- n/a": "-", "—": "-", "": "-", // says none
		// a cell that a row lacks
		"| Rank | Agent |\n|---|---|\n| 1 | opus |\n| 2 |":     "opus",
		"| Agent | Deltas |\n|---|---|\n| opus | 2 |\n| gpt |": "opus=2 gpt",
		"| Deltas | Agent |\n|---|---|\n| 3 | opus |":          "opus=3",
		"| Agent | Share |\n|---|---|\n| opus | 2 |":           "opus",
		// after a remark without brackets, commas belong to the remark
		"BlueLake: 2 deltas, H3, RedLake":           "BlueLake=2",
		"BlueLake: 2 deltas, RedLake: 1 delta":      "BlueLake=2 RedLake=1",
		"BlueLake: 2 deltas, H3 (new), RedLake (1)": "BlueLake=2 RedLake=1",
		"BlueLake: 2 deltas; RedLake: 1 delta":      "BlueLake=2 RedLake=1",
		"BlueLake: H3; 2 deltas; RedLake":           "BlueLake=2",
		"BlueLake: 2 deltas; H3: new":               "BlueLake=2",
		"BlueLake (2 deltas), RedLake":              "BlueLake=2 RedLake",
		"BlueLake [2 deltas], RedLake":              "BlueLake=2 RedLake",
		"All: two, BlueLake":                        "All",
		// names
		"H3, opus":         "opus",
		"opus-4_1, gpt5":   "opus-4_1 gpt5",
		"--, __, -_, opus": "opus",
		"- __BlueLake__ (2)\n- _RedLake_: 1 delta\n- _opus": "BlueLake=2 RedLake=1 _opus",
		"none, opus":          "opus",
		"opus took part, gpt": "gpt",
		"op.us, gpt":          "gpt",
		"@opus (2), @gpt":     "opus=2 gpt",
		// a list in a sentence
		"opus, gpt, and gemini.":    "opus gpt gemini",
		"opus & gpt (2) & gemini":   "opus gpt=2 gemini",
		"opus (1 and 2), band, R&D": "opus band",
		"opus: 2 deltas, tests.":    "opus=2",
		"opus.\n\nopus wrote\nall.": "",
		// a label before it
		"**Agents**: opus, gpt":                                           "opus gpt",
		"- **Agent**: opus\n- Agent: `gpt` (2)":                           "opus gpt=2",
		"**Contributors (2):** opus, gpt":                                 "opus gpt",
		"Contributing agents: 2\n- opus\n- gpt":                           "opus gpt",
		"Contributors:\n- opus":                                           "opus",
		"Contributors: None":                                              "Contributors",
		"- opus: 2\n- **Total**: 2 deltas\n- Note: gpt?":                  "opus=2",
		"- opus\n- Totally: 2\n- Agentur: 1\n- Total":                     "opus Totally=2 Agentur=1 Total",
		"- opus: 2\n- Totals: 2\n- Sum: 2":                                "opus=2",
		"| Agent | Deltas |\n|---|---|\n| opus | 2 |\n| **Totals** | 2 |": "opus=2",
		"| Agent | Deltas |\n|---|---|\n| Totals | 2 |\n| Summer | 2 |":   "Totals=2 Summer=2",
		// what was not merged
		"- opus: 2\n\nRejected (2):\n- gpt: 1":                                                    "opus=2",
		"- opus: 2\n\n### Not merged\n- gpt: 1":                                                   "opus=2",
		"- opus: 2\n- Rejected: 1 delta of gpt\n- gpt: 1":                                         "opus=2 gpt=1",
		"- opus: 2\n- Rejectedly: 1":                                                              "opus=2 Rejectedly=1",
		"Rejected deltas are not listed.\n- opus: 2":                                              "opus=2",
		"- opus: 2\n\n**Rejected (not JSON)**:\n- gpt: 1":                                         "opus=2",
		"| Agent | Deltas Applied | Deltas Rejected |\n|---|---|---|\n| opus | 2 | 1 |":           "opus=2",
		"| Agent | Deltas | Merged | Rejected |\n|---|---|---|---|\n| opus | 3 | 2 | 1 |":         "opus=2",
		"| Agent | Deltas | Delta Ids | Merged Items |\n|---|---|---|---|\n| opus | 3 | 14 | 2 |": "opus=3",
		"opus: 3 deltas (2 applied, 1 rejected)":                                                  "opus=2",
		"opus: 3 deltas, 2 merged":                                                                "opus=2",
		"opus (3 merged hypotheses)":                                                              "opus",
		"opus (3 merged deltas)":                                                                  "opus=3",
		"opus: 2 applied and 1 rejected":                                                          "opus=2",
		"opus: 2 of 3 deltas applied":                                                             "opus=2",
		"opus: 3 deltas, 1 Rejected":                                                              "opus",
		"opus: 3 deltas, merged into H2":                                                          "opus=3",
		"opus: 3 deltas, gpt: 1 rejected":                                                         "opus=3 gpt",
		// counts: a number alone, or before the word delta
		"opus: 2":                  "opus=2",
		"opus: (2)":                "opus=2",
		"opus: H3, T2":             "opus",
		"opus: 2 tests":            "opus",
		"opus: tests 2":            "opus",
		"opus: 2 tests, 3 deltas":  "opus",
		"opus: 2 tests and deltas": "opus",
		"opus (2 tests, 3 deltas)": "opus=3",
		"opus (H3 deltas)":         "opus",
		"opus (4 Deltas)":          "opus=4",
		"opus: 4/5 deltas":         "opus=4",
		"opus: 4 of 5 deltas":      "opus=4",
		"opus: 4 offered deltas":   "opus",
		"opus (#16)":               "opus",
		"opus (#16): 3 deltas":     "opus=3",
		"opus (2026/01)":           "opus",
		"opus (1 2)":               "opus",
		// only a paragraph lists agents
		"```\nopus\n```\n\ngpt": "gpt",
		"### opus\n\ngpt":       "gpt",
	} {
		s := message("COMPILED: v1", "## Contributors\n\n"+in).Section("Contributors")
		var got []string
		for _, c := range s.Contributors(nil) {
			one := c.Name
			if c.HasCount {
				one += "=" + s.Text(c.CountSpan)
				if count, _ := brenner.ParseNumber(s.Text(c.CountSpan)); count != c.Count {
					t.Errorf("%q: the count of %s is %d", in, one, c.Count)
				}
			}
			if s.Text(c.Span) != c.Name {
				t.Errorf("%q: the span of %s holds %q", in, c.Name, s.Text(c.Span))
			}
			got = append(got, one)
		}
		if s.IsNone() {
			got = append(got, "-")
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	// Names of more than one word begin an entry, and what follows ends them.
	names := map[string]string{"GPT 5": "GPT 5", "GPT 5.2": "GPT 5.2", "Ada L.": "Ada L.", "Claude (Opus)": "Claude (Opus)", `a\*b c`: "a*b c"}
	for in, want := range map[string]string{
		"- GPT 5.2: 1 delta":                                 "GPT 5.2=1",
		"- GPT 5: 2\n- **Ada L.** (4)\n- _Ada L._: 3":        "GPT 5=2 Ada L.=4 Ada L.=3",
		"Ada L. (2 deltas), GPT 5 and Bob":                   "Ada L.=2 GPT 5 Bob",
		"- Claude (Opus): 2\n- Claude (Haiku): 2":            "Claude (Opus)=2 Claude",
		"| Agent | Deltas |\n|---|---|\n| a\\*b c | 3 |":     "a*b c=3",
		"- GPT 5.3: 1 delta\n- GPT 50: 1 delta\n- Ada L.ove": "",
		"- GPT 5-mini: 1 delta\n- GPT 5 mini\n- by GPT 5: 1": "",
	} {
		var got []string
		s := message("COMPILED: v1", "## Contributors\n\n"+in).Section("Contributors")
		for _, c := range s.Contributors(names) {
			if names[s.Text(c.Span)] != c.Name && c.Name != s.Text(c.Span) {
				t.Errorf("%q: the span of %s holds %q", in, c.Name, s.Text(c.Span))
			}
			if c.HasCount {
				c.Name += "=" + s.Text(c.CountSpan)
			}
			got = append(got, c.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for name, want := range map[string]bool{
		"opus": true, "opus-4": true, "4": true, "_a": true, "": false, "-": false, "_": false, "-_": false, "a b": false, "a.b": false, "é": true,
	} {
		if IsAgentName(name) != want {
			t.Errorf("IsAgentName(%q) = %v", name, !want)
		}
	}
}

// TestFieldValues: a code span that begins a value is the value.
func TestFieldValues(t *testing.T) {
	for line, want := range map[string]string{
		"**a**: `b` c":    "b",
		"**a**: `b`":      "b",
		"**a**: `b`c":     "`b`c",
		"**a**: `` b":     "`` b",
		"**a**: `b c":     "`b c",
		"**a**: b `c`":    "b `c`",
		"**a**: *b* c":    "*b* c",
		"**a**: *b*, *c*": "*b*, *c*",
		"**a**: _b c_":    "b c",
		"**a**: **":       "**",
		"**a**: `b` \\":   "b",
		"**a**: b<br />":  "b",
		"**a**: b<br>\\":  "b",
		"**a**: ** b **":  "b",
	} {
		m := message("INFO: x", line)
		if len(m.Fields) != 1 || m.Fields[0].Text != want {
			t.Errorf("%q: fields %+v, want %q", line, m.Fields, want)
		}
	}
	for _, line := range []string{"**a", "**a: b", "**: b", "** **: b", "a**: b"} {
		if m := message("INFO: x", line); len(m.Fields) != 0 {
			t.Errorf("%q: fields %+v", line, m.Fields)
		}
	}
}

// TestSectionChoice: one with content before an empty one, the exact title before a
// longer one, the first before later ones.
func TestSectionChoice(t *testing.T) {
	for body, want := range map[string]string{
		"## Context\n## Context (more)\nx":     "Context (more)",
		"## Context (more)\nx\n## Context\ny":  "Context",
		"## Context (more)\nx\n## Context\n":   "Context (more)",
		"## Context (a)\nx\n## Context (b)\ny": "Context (a)",
		"## Context\nx\n## context\ny":         "Context",
		"## Context (a)\n## Context\n":         "Context",
		"## Contexts\nx":                       "",
		"## Context+\nx":                       "Context+",
		"## Context: more\nx":                  "Context: more",
		"## Scope\nx\n## Context (a)\n":        "Context (a)",
		"## Scope\nx":                          "Scope",
	} {
		got := ""
		if s := message("INFO: x", body).Section("Context", "Scope"); s != nil {
			got = s.Title
		}
		if got != want {
			t.Errorf("%q: section %q, want %q", body, got, want)
		}
	}
}

// TestEmptySections: comments, rules and placeholders do not count as content
// (decisions.md 5).
func TestEmptySections(t *testing.T) {
	for content, want := range map[string]bool{
		"": true, "\n\n": true, "---": true, "<!-- x -->": true, "{what}": true, "<!-- a -->\n{what}": true, "{what\nelse}": true,
		"x": false, "### x": false, "{what} x": false, "x {what}": false, "<b>x</b>": false, "<!-- a --> x": false,
		"{a} b": false, "a}": false, "xa}": false, "{ab": false, "{a}{b}": false, "{": false,
		"```\n{what}\n```": false, "```\n```": true, "{\"a\": 1}": false, "- {what}": true, "{}": false,
	} {
		if got := message("INFO: x", "## Context\n"+content+"\n").Section("Context").Empty(); got != want {
			t.Errorf("%q: empty is %v", content, got)
		}
	}
}

func TestFirstLineConditions(t *testing.T) {
	for content, want := range map[string]string{
		"<b>\n\nx":          "x",
		"<div>x</div>\n\ny": "y",
		"<!-- a -->x":       "x",
		"<!-- a\nb -->x":    "x",
		"y <!-- a\nb -->":   "y",
		"### \n\nx":         "x",
		"<!-- a -->\n\nx":   "x",
		"```\n\n x\n```":    "x",
		"---\n`x`":          "x",
		"*x":                "*x",
		"**":                "**",
		"*_x_*":             "x",
		"{what}\n\nx":       "x",
		"xa}\n\ny":          "xa}",
	} {
		s := message("INFO: x", "## Context\n"+content+"\n").Section("Context")
		if got := s.Text(s.FirstLine()); got != want {
			t.Errorf("%q: first line %q, want %q", content, got, want)
		}
	}
}

// TestNestedSections: a heading in a list or quotation ends no section outside.
func TestNestedSections(t *testing.T) {
	for body, want := range map[string][]string{
		"## A\n> # B\n\nx":  {"A false", "B true"},
		"## A\n- # B\n\nx":  {"A false", "B true"},
		"## A\n\n## B\n\nx": {"A false", "B false"},
	} {
		m := message("INFO: x", body)
		var got []string
		for i := range m.Sections {
			nested := " false"
			if m.Sections[i].Nested {
				nested = " true"
			}
			got = append(got, m.Sections[i].Title+nested)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", body, diff)
		}
		if a := m.Section("A"); m.Sections[1].Nested != (a.Content.End == len(body)) {
			t.Errorf("%q: A ends at %d", body, a.Content.End)
		}
	}
}

// TestThread checks what a thread knows of its messages as they are added.
func TestThread(t *testing.T) {
	in := func(subject string) *mail.Message {
		return &mail.Message{
			Subject: source.NewText([]byte(subject)), Body: source.NewText([]byte("## Context\n\n" + json + "\n")), BodyState: mail.BodyPresent,
		}
	}
	th := NewThread(&mail.Thread{Messages: []*mail.Message{
		in("KICKOFF: x"), in("COMPILED: v1"), in("compiled : v2"), in("ACK: x"), in("INFO: x"),
	}}, artifact.Limits{})
	var published []bool
	for i, m := range th.Messages {
		if m.Index != i {
			t.Errorf("message %d has index %d", i, m.Index)
		}
		published = append(published, th.Published(m))
	}
	if want := []bool{false, false, true, true, true}; !cmp.Equal(published, want) {
		t.Errorf("published: %v, want %v", published, want)
	}
	for _, m := range th.Messages {
		if got := m.UnfencedDeltas; len(got) != 1 {
			t.Errorf("%q: %d misplaced deltas are found", m.SubjectText, len(got))
		}
	}
}

const json = `{"operation": "ADD", "section": "hypothesis_slate"}`

// TestSubjectPlace: a form without subject has its findings at the body's first
// line, one without either at the header (decisions.md 3).
func TestSubjectPlace(t *testing.T) {
	subject, body, empty, header := source.NewText([]byte("INFO: x")), source.NewText([]byte("first\nsecond")), source.NewText(nil), source.NewText([]byte("---"))
	for name, tt := range map[string]struct {
		subject, body *source.Text
		text          *source.Text
		want          string
	}{
		"a subject":       {subject, body, subject, "INFO: x"},
		"no subject":      {nil, body, body, "first"},
		"an empty body":   {nil, empty, header, "---"},
		"neither":         {nil, nil, header, "---"},
		"a subject alone": {subject, nil, subject, "INFO: x"},
	} {
		m := readMessage(&mail.Message{Subject: tt.subject, Body: tt.body, Header: header.WholePlace()}, "", artifact.Limits{})
		if at := m.SubjectPlace(); at.Text != tt.text || at.Text.Slice(at.Span) != tt.want {
			t.Errorf("%s: is at %q", name, at.Text.Slice(at.Span))
		}
		if m.Doc != nil || m.UnfencedDeltas != nil {
			t.Errorf("%s: a body that is not present is read", name)
		}
	}
}

func TestFields(t *testing.T) {
	ex := must.Examples(t, "testdata/fields.txtar")[0]
	m := message("INFO: x", strings.TrimSuffix(ex.In, "\n"))
	got := ""
	for i := range m.Fields {
		f := &m.Fields[i]
		got += fmt.Sprintf("%s = %q\n", f.Name, f.Text)
		if m.Body.Slice(f.Value) != f.Text {
			t.Errorf("%s: the span of the value holds %q, the text is %q", f.Name, m.Body.Slice(f.Value), f.Text)
		}
		if m.Body.Slice(f.Label) != f.Name {
			t.Errorf("%s: the span of the label holds %q", f.Name, m.Body.Slice(f.Label))
		}
	}
	if diff := cmp.Diff(ex.Want, got); diff != "" {
		t.Error(diff)
	}
	if f := m.Field("TWICE"); f == nil || f.Text != "1" {
		t.Errorf("Field finds %v, want the first", f)
	}
	if m.Field("Schema") != nil {
		t.Error("a line without a bold name is a field line")
	}
}

func TestPairs(t *testing.T) {
	m := message("COMPILED: v1", strings.Join([]string{
		"## Statistics", "- Hypotheses: 3", "- **Tests**: `2`", "no pair", ": neither", "", "## Other", "- Tests: 9",
	}, "\n"))
	var got []string
	for _, f := range m.Section("Statistics").Pairs() {
		got = append(got, f.Name+"="+f.Text)
	}
	if want := []string{"Hypotheses=3", "Tests=2"}; !cmp.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if f := m.Section("Other").Field("Tests"); f != nil {
		t.Errorf("Field of a section finds the line %q, whose name is not bold", f.Text)
	}
}

// message returns a message of that subject and body.
func message(subject, body string) *Message {
	return readMessage(&mail.Message{
		Subject: source.NewText([]byte(subject)), Body: source.NewText([]byte(body)), BodyState: mail.BodyPresent,
	}, "", artifact.Limits{})

}

func TestSections(t *testing.T) {
	ex := must.Examples(t, "testdata/sections.txtar")[0]
	m := message("INFO: x", strings.TrimSuffix(ex.In, "\n"))
	got := ""
	for i := range m.Sections {
		s := &m.Sections[i]
		got += fmt.Sprintf("%d %s %d %q", s.Level, s.Title, m.Body.Position(s.Content.End).Line, s.Text(s.FirstLine()))
		if s.Empty() {
			got += ", empty"
		}
		got += "\n"
	}
	if diff := cmp.Diff(ex.Want, got); diff != "" {
		t.Error(diff)
	}
	for name, want := range map[string]string{
		"research question": "Research Question (Discriminative)", "Item": "item", "State": "State-ments", "Not": "", "Research": "Research Question (Discriminative)",
	} {
		s := m.Section(name)
		if s == nil && want != "" || s != nil && s.Title != want {
			t.Errorf("Section(%q) = %+v, want %q", name, s, want)
		}
	}
}
