package replay_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/must"
	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

// example returns version 1 of the example's thread, as it should be.
func example(t testing.TB) *replay.Compiled {
	t.Helper()
	r, err := compiled(engine.Options{}, replay.CompileOptions{Version: 1}, filepath.Join("..", "..", "examples", "mail"))
	must.OK(t, err)
	return r
}

// published returns the artifact of the example, which another compiler published.
func published(t testing.TB) string {
	t.Helper()
	data := must.Read(t, filepath.Join("..", "..", "examples", "artifacts", "RS-20251230-cell-fate.md"))
	return string(data)
}

func TestUpdate(t *testing.T) {
	r, old := example(t), published(t)
	for _, c := range []struct {
		name     string
		from, to string // the replacement in the old file
		lost     string // what is named if nothing is kept
		kept     string // what the new file has if it is kept; "" if that is also an error
	}{
		{name: "an earlier version"},
		{name: "a comment before an item", from: "### T1:", to: "<!-- brennerlint:ignore WT-001 -- checked -->\n\n### T1:", lost: "a comment (line ", kept: "<!-- brennerlint:ignore WT-001 -- checked -->\n### T1:"},
		{name: "a comment of several lines", from: "### T1:", to: "<!-- checked\n\nby Ada -->\n\n### T1:", lost: "a comment (line ", kept: "<!-- checked\n\nby Ada -->\n### T1:"},
		{name: "a comment of several lines below a heading", from: "**Procedure**", to: "<!-- checked\nby Ada -->\n**Procedure**", lost: "a comment (line ", kept: "<!-- checked\nby Ada -->\n### T2:"},
		{name: "a fence with a comment", from: "## 5. Assumption Ledger\n", to: "## 5. Assumption Ledger\n\n```\na\n<!-- b -->\n\nc\n```\n", lost: "\"```\" (line ", kept: "## 5. Assumption Ledger\n\n```\na\n<!-- b -->\n\nc\n```\n\n### A1"},
		{name: "a comment at the end", from: "\n## 5.", to: "\n<!-- end of tests -->\n\n## 5.", lost: "a comment", kept: "\n<!-- end of tests -->\n\n## 5. Assumption Ledger"},
		{name: "a comment in the front matter", from: "status:", to: "# by hand\nstatus:", lost: "a comment", kept: "# by hand\n---\n"},
		{name: "a comment behind a value of the front matter", from: "version: 1\n", to: "version: 1  # frozen until May\n", lost: "a comment (line ", kept: "# frozen until May\n---\n"},
		{name: "a comment behind a contributor", from: "  - Operator\n", to: "  - 'Operator' # in May\n", lost: "a comment (line ", kept: "# in May\n---\n"},
		{name: "a number sign in a value", from: "  - Operator\n", to: "  - agent: Operator\n    model: \"m #1 # x\"\n", kept: "    model: \"m #1 # x\"\n"},
		{name: "a closed session", from: "status: active", to: "status: closed # in May", lost: "the front matter key \"status\" (line ", kept: "status: closed # in May\n---\n"},
		{name: "a draft", from: "status: active", to: "status: draft"},
		{name: "a remark in the title", from: "# Brenner Protocol Artifact: RS-20251230-cell-fate\n", to: "# Brenner Protocol Artifact: RS-20251230-cell-fate — reviewed by Ada\n", lost: "a remark in the title (line ", kept: "\n# Brenner Protocol Artifact: RS-20251230-cell-fate — reviewed by Ada\n\n## 1."},
		{name: "a title in another form", from: "# Brenner Protocol Artifact: RS-20251230-cell-fate\n", to: "Brenner Protocol Artifact: `RS-20251230-cell-fate`\n=====\n"},
		{name: "a name in the heading of the table", from: "| H1 | H2 |", to: "| H1 (lineage) | H2 predicts |", kept: "| ID | Observation/Condition | H1 (lineage) | H2 predicts | H3 |\n"},
		{name: "a remark in the heading of the table", from: "| Observation/Condition |", to: "| Observation/Condition (as of May) |", lost: "a heading of the table (line "},
		{name: "a remark in a heading", from: "(Score: 9/12)", to: "(Score: 9/12, decisive)", lost: "a remark in the heading of T1 (line ", kept: "### T1: Transplantation series (Score: 9/12, decisive)\n"},
		{name: "a heading in another form", from: "### T1: Transplantation series (Score: 9/12)", to: "### **T1** — Transplantation series (score 9)"},
		{name: "a key in braces", from: old[:strings.Index(old, "\n---\n")], to: "---\n{session_id: RS-20251230-cell-fate, note: mine}", lost: `the front matter key "note"`},
		{name: "a key of the front matter", from: "status:", to: "research_program:\n  program_id: RP-1\nstatus:", lost: `the front matter key "research_program"`, kept: "research_program:\n  program_id: RP-1\n---\n"},
		{name: "a contributor's model", from: "  - Operator\n", to: "  - agent: Operator\n    model: \"m 1\"\n", kept: "  - agent: \"Operator\"\n    model: \"m 1\"\n"},
		{name: "a contributor", from: "  - Operator\n", to: "  - Operator\n  - Nobody\n", lost: `the contributor "Nobody"`},
		{name: "a contributor's mood", from: "  - Operator\n", to: "  - agent: Operator\n    mood: good\n", lost: `the contributor's "mood"`},
		{name: "front matter that is not YAML", from: "version: 1", to: "version: [1", lost: "its front matter cannot be read"},
		{name: "a section", from: "\n## 6.", to: "\n## Notes\n\nTwo lines\nof text.\n\n- one\n\n## 6.", lost: `the section "Notes" (line `, kept: "\n## Notes\n\nTwo lines\nof text.\n\n- one\n\n## 6. Anomaly Register"},
		{name: "a section at the end", from: "", to: "\n## Appendix\n\nText.\n", lost: `the section "Appendix"`, kept: "\n## Appendix\n\nText.\n"},
		{name: "a field", from: "\n### H2", to: "**Reviewer**: Ada\n\n### H2", lost: `the field "Reviewer"`, kept: "\n**Reviewer**: Ada\n\n### H2: Gradient"},
		{name: "text below a section's heading", from: "## 5. Assumption Ledger\n", to: "## 5. Assumption Ledger\n\nAll to be checked.\n", lost: `"All to be checked."`, kept: "## 5. Assumption Ledger\n\nAll to be checked.\n\n### A1"},
		{name: "text below the table", from: "\n## 4.", to: "\nAs of May.\n\n## 4.", lost: `"As of May."`, kept: "\nAs of May.\n\n## 4. Discriminative Tests"},
		{name: "a value", from: "Fate follows ancestry.", to: "Fate follows something else.", lost: "H1 claim (line "},
		{name: "a longer value", from: "Fate follows ancestry.", to: "Fate follows ancestry.\nAnd more.", lost: "H1 claim"},
		{name: "a name", from: "### H1: Lineage", to: "### H1: Descent", lost: "H1 name (line "},
		{name: "a KILL", from: "### H1: Lineage\n", to: "### ~~H1: Lineage~~ [KILLED]\n**Killed by**: Ada\n**Reason**: r\n", lost: "how H1 was killed"},
		{name: "a column", from: "| ID | Observation/Condition | H1 | H2 | H3 |\n|---|---|---|---|---|\n| P1 | Early transplant | fate unchanged | fate changes | indeterminate |", to: "| ID | Observation/Condition | H1 | H2 | H3 | Notes |\n|---|---|---|---|---|---|\n| P1 | Early transplant | fate unchanged | fate changes | indeterminate | note |", lost: "P1 predictions"},
		{name: "a remark in a score", from: "LR=3, Cost=2", to: "LR=3 (decisive), Cost=2", lost: "a remark in T1 score (line ", kept: "**Evidence-per-week score**: LR=3 (decisive), Cost=2, Speed=2, Ambiguity=2\n\n### T2"},
		{name: "a remark above outcomes", from: "**Expected outcomes**:\n", to: "**Expected outcomes**: as far as we know\n", lost: "a remark in T1 expected_outcomes", kept: "**Expected outcomes**: as far as we know\n- H1: the fate of origin\n"},
		{name: "an outcome of no hypothesis", from: "- H1: the fate of origin\n", to: "- H1: the fate of origin\n- MARK\n", lost: "a remark in T1 expected_outcomes", kept: "- H1: the fate of origin\n- MARK\n- H2"},
		{name: "a second outcome", from: "- H1: the fate of origin\n", to: "- H1: the fate of origin\n- H1: another\n", lost: "a remark in T1 expected_outcomes", kept: "- H1: the fate of origin\n- H1: another\n"},
		{name: "a remark beside another value", from: "LR=3, Cost=2", to: "LR=1 (weak), Cost=2", lost: "T1 score (line "},
		{name: "a field without value", from: "**Load**: One embryo", to: "**Anchors**: —\n**Load**: One embryo"},
		{name: "a second field", from: "**Claim**: Fate follows ancestry.", to: "**Claim**: Fate follows ancestry.\n**Claim**: Or not.", lost: "a second claim of H1 (line "},
		{name: "a second item", from: "\n## 3.", to: "\n### H1: Lineage\n**Claim**: Fate follows ancestry.\n\n## 3.", lost: "a second H1 (line "},
		{name: "a cell under no column", from: "| fate changes | indeterminate |\n", to: "| fate changes | indeterminate | and more |\n", lost: "a cell of P1 (line "},
		{name: "an item", from: "\n## 6.", to: "\n### A9: Mine\n**Statement**: s\n\n## 6.", lost: "the item A9"},
		{name: "an item without id", from: "\n## 6.", to: "\n### Mine\n**Statement**: s\n\n## 6.", lost: `the section "Mine"`, kept: "\n### Mine\n**Statement**: s\n"},
		{name: "another session", from: `session_id: "RS-20251230-cell-fate"`, to: `session_id: "RS-20251230-other"`, lost: "another session"},
	} {
		text := strings.Replace(old, c.from, c.to, 1)
		if c.from == "" {
			text = old + c.to
		}
		if c.to != "" && text == old {
			t.Fatalf("%s: %q is not in the file", c.name, c.from)
		}
		data, err := r.Update([]byte(text), false)
		switch {
		case c.lost == "" && c.kept != "":
			if err != nil || !strings.Contains(string(data), c.kept) {
				t.Errorf("%s is not kept unbidden (%v)", c.name, err)
			}
		case c.lost == "" && (err != nil || !bytes.Equal(data, r.Artifact)):
			t.Errorf("%s: %v", c.name, err)
		case c.lost != "" && (err == nil || !strings.Contains(err.Error(), c.lost)):
			t.Errorf("%s: the error is %v, expected it to name %q", c.name, err, c.lost)
		}
		data, err = r.Update([]byte(text), true)
		switch {
		case c.lost != "" && c.kept == "":
			if err == nil {
				t.Errorf("%s is kept, or lost", c.name)
			}
		case err != nil || !strings.Contains(string(data), c.kept):
			t.Errorf("%s is not kept (%v):\n%s", c.name, err, data)
		default:
			again, err := r.Update(data, true)
			if err != nil || !bytes.Equal(again, data) {
				t.Errorf("%s: written again it is another file (%v):\n%s", c.name, err, again)
			}
		}
	}
	for _, other := range []string{"# Notes\n", "{\"metadata\": {}}", "\x00\xff"} {
		if _, err := r.Update([]byte(other), true); err == nil {
			t.Errorf("%q is overwritten", other)
		}
	}
}

// FuzzUpdate checks that no file content breaks the update.
func FuzzUpdate(f *testing.F) {
	r := example(f)
	f.Add([]byte(published(f)))
	f.Add([]byte("---\nsession_id: RS-20251230-cell-fate\n---\n# Brenner Protocol Artifact: x\n\n## 1. Research Thread\n\n<!-- x\n## 3. Predictions Table\n| ID |\n\r\n|-\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		out, err := r.Update(data, true)
		if err == nil && len(out) < len(r.Artifact) {
			t.Errorf("%d bytes are written, expected %d or more", len(out), len(r.Artifact))
		}
	})
}

// edits are lines that people may put into an artifact.
var edits = []string{
	"text", "<!-- a comment -->", "<!--", "-->", "```", "---", "## Notes", "## 2. Hypothesis Slate", "### 3. Predictions Table",
	"### H1: again", "### H9: new", "### no id", "### ~~H8: gone~~ [KILLED]", "**Claim**: again", "**Reviewer**: Ada", "**Killed by**: Ada (2025-12-30T10:00:00Z)",
	"**Reason**: r", "**Anchors**: §1, §2; inference", "**Score**: LP=3 (good), DM=2", "- Exit code: 0", "- Mood: good", "- If H1: yes", "| P9 | c | a | b | c | extra |",
	"> a quotation", "- a list", "    code", "<div>", "Claim: plain", "**Claim:** inside", "* **Claim**: listed", "=====", "§5",
}

// TestUpdateLosesNoWord edits an artifact at random: all words of its items are in the new
// version, unless that is refused.
func TestUpdateLosesNoWord(t *testing.T) {
	r, old := example(t), published(t)
	rapid.Check(t, func(t *rapid.T) {
		lines := strings.SplitAfter(old, "\n")
		begin := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "## 1.") }) + 1
		for range rapid.IntRange(1, 3).Draw(t, "edits") {
			at, to := rapid.IntRange(begin, len(lines)-1).Draw(t, "at"), rapid.IntRange(begin, len(lines)-1).Draw(t, "to")
			switch edit := rapid.SampledFrom(edits).Draw(t, "line"); rapid.SampledFrom([]string{"insert", "append", "remove", "swap"}).Draw(t, "edit") {
			case "insert":
				lines = slices.Insert(lines, at, edit+"\n")
			case "append":
				lines[at] = strings.TrimRight(lines[at], "\n") + " " + edit + "\n"
			case "remove":
				lines = slices.Delete(lines, at, at+1)
			default:
				lines[at], lines[to] = lines[to], lines[at]
			}
		}
		text := strings.Join(lines, "")
		for _, keep := range []bool{false, true} {
			data, err := r.Update([]byte(text), keep)
			if err != nil {
				continue
			}
			have := words(string(data))
			for w, n := range words(text) {
				if have[w] < n {
					t.Fatalf("with keep %v, %q is lost from\n%s", keep, w, text)
				}
			}
		}
	})
}

// words counts the words of an artifact's items, without headings of sections and columns.
func words(text string) map[string]int {
	out := map[string]int{}
	_, items, _ := strings.Cut(text, "\n## 1.")
	for line := range strings.Lines(items) {
		if t := strings.TrimSpace(line); strings.HasPrefix(t, "#") || strings.HasPrefix(t, "| ID") {
			continue
		}
		for _, w := range strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '§' }) {
			if w != "If" {
				out[w]++
			}
		}
	}
	return out
}
