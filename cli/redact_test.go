package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

// slips are delta blocks that each break in another way around a word.
var slips = []string{
	`{zebra: 1}`, `{"a": zebra}`, `{"a": 'zebra'}`, `{'zebra': 1}`, `{"a": 1 zebra}`, `zebra {"a": 1}`, `{"a": 1} zebra`, `{"a": "x" zebra "y"}`, `{"a": 12zebra}`,
	`{"zebra" 1}`, `{"a": "zebra`, `{"a": “zebra”}`, `["zebra"]`, `"zebra"`, `{"zebra": 1, "zebra": 2}`, `{"operation": "ZEBRA"}`, `{"operation": "ADD", "section": "zebra"}`,
	`{"operation": "EDIT", "section": "hypothesis_slate", "target_id": "zebra", "payload": {"name": "zebra"}}`,
	`{"operation": "ADD", "section": "hypothesis_slate", "payload": {"zebra": 1, "name": "zebra", "claim": "zebra §9zebra", "anchors": ["zebra"]}, "zebra": 2, "delta_id": "zebra", "timestamp": "zebra"}`,
	`{"a": 1 // zebra` + "\n}", `{"a": 1, zebra}`, `{"a": "ze"zebra"}`, `{"operation": "KILL", "section": "hypothesis_slate", "target_id": ["zebra"], "payload": {"reason": "zebra"}}`,
	`{"operation": "ADD", "section": "hypothesis_slate", "payload": {"name": "Zebra", "claim": "zebra", "mechanism": "zebra"}, "rationale": "zebra"}`,
	`{"operation": "EDIT", "section": "discriminative_tests", "target_id": "T1", "payload": {"score": {"zebra": 3, "cost": "zebra", "ze-bra zebra": 1}, "status": "zebra", "expected_outcomes": {"zebra": 1}}, "rationale": "r"}`,
	`{"operation": "ADD", "section": "predictions_table", "target_id": null, "payload": {"condition": "c", "predictions": {"zebra": "x", "H1": {"zebra": 2}}, "third_alternative": "zebra"}, "rationale": "r"}`,
	`{"operation": "EDIT", "section": "assumption_ledger", "target_id": "A1", "payload": {"scale_check": "zebra", "zebra_replace": true, "load": {"zebra": 1}, "anchors": [{"zebra": 1}, 7]}, "rationale": "r"}`,
}

// zebraMail writes mail and an artifact in which each text of a writer is a zebra.
func zebraMail(t *testing.T) {
	t.Helper()
	type message struct {
		ID      int      `json:"id"`
		From    string   `json:"from"`
		To      []string `json:"to"`
		Created string   `json:"created"`
		Ack     bool     `json:"ack_required"`
		Subject string   `json:"subject"`
		Body    string   `json:"body_md"`
	}
	messages := []message{{Subject: "KICKOFF: zebra", Body: "# Zebra\n\n## Research Question\nzebra [zebra]\n"}}
	for _, slip := range slips {
		messages = append(messages, message{Subject: "DELTA[gpt]: zebra", Body: "# Zebra\n\n```delta\n" + slip + "\n```\n\n```json\n" + slip + "\n```\n"})
	}
	artifact := "# Brenner Protocol Artifact: RS-20251230-cell-fate\n\n## 2. Hypothesis Slate\n\n### H1: Zebra\n**Claim**: zebra §9zebra\n**Anchors**: zebra\n**Zebra**: zebra\n\n### zebra\n\n" +
		"## 3. Predictions Table\n\n| ID | Zebra | zebra |\n|---|---|---|\n| zebra | zebra | zebra |\n\n## 4. Discriminative Tests\n\n### T1: Zebra (Score: zebra)\n**Score**: zebra\n"
	messages = append(messages, message{Subject: "COMPILED: v1 zebra", Body: "# Zebra\n\n**Base Version**: zebra\n\n" + artifact}, message{Subject: "zebra", Body: "zebra"})
	for i := range messages {
		m := &messages[i]
		m.ID, m.From, m.To, m.Created = i+1, "BlueLake", []string{"RedCreek"}, "2025-12-30T10:00:00Z"
	}
	data, err := json.Marshal(map[string]any{"thread_id": "RS-20251230-cell-fate", "messages": messages})
	must.OK(t, err)
	for path, data := range map[string][]byte{"mail.json": data, "artifacts/RS-20251230-cell-fate.md": []byte(artifact), "broken.json": []byte(`{"thread_id": "RS-1", "messages": [zebra]}`)} {
		must.Write(t, path, string(data))
	}
}

// TestRedact checks that no format shows with --redact what writers wrote, and that
// all show the same findings.
func TestRedact(t *testing.T) {
	testenv.SkipUnderRace(t)
	t.Chdir(t.TempDir())
	zebraMail(t)
	for _, format := range report.FormatNames() {
		plain, _, status := runHere(t, "--no-config", "--format", format, ".")
		if !strings.Contains(strings.ToLower(plain), "zebra") {
			t.Errorf("without --redact the %s report shows nothing either", format)
		}
		stdout, stderr, redacted := runHere(t, "--no-config", "--redact", "--format", format, ".")
		for i, line := range strings.Split(stdout+stderr, "\n") {
			if strings.Contains(strings.ToLower(line), "zebra") {
				t.Errorf("line %d of the %s report shows %q", i+1, format, line)
			}
		}
		if status != redacted {
			t.Errorf("the %s report ends with %d, with --redact with %d", format, status, redacted)
		}
		if format == "json" {
			sameFindings(t, plain, stdout)
		}
	}
	if runHere(t, "--no-config", "--redact", "--write-baseline", "base.json", "."); strings.Contains(strings.ToLower(readFile(t, "base.json")), "zebra") {
		t.Error("the baseline shows a text")
	}
	if stdout, _, _ := runHere(t, "--no-config", "--baseline", "base.json", "--format", "json", "."); !strings.Contains(stdout, `"findings": []`) {
		t.Error("the redacted baseline does not accept the findings")
	}
	if _, stderr, status := runHere(t, "--redact", "--diff", "."); status != exitUsage || !strings.Contains(stderr, "--diff shows the texts that --redact hides") {
		t.Errorf("--redact --diff ends with %d, %q", status, stderr)
	}
}

// sameFindings holds that two reports have the same findings at the same places.
func sameFindings(t *testing.T, a, b string) {
	t.Helper()
	places := func(text string) (out []string) {
		var r struct {
			Findings []map[string]any `json:"findings"`
		}
		must.OK(t, json.Unmarshal([]byte(text), &r))
		for _, f := range r.Findings {
			for _, key := range []string{"message", "suggestion", "fix", "related", "item", "field"} {
				delete(f, key)
			}
			data, err := json.Marshal(f)
			must.OK(t, err)
			out = append(out, string(data))
		}
		return out
	}
	x, y := places(a), places(b)
	if len(x) < 30 || strings.Join(x, "\n") != strings.Join(y, "\n") {
		t.Errorf("%d findings become %d, or others", len(x), len(y))
	}
}

// TestRedactKeepsNames checks that names of the protocol stay in messages, and the
// report that is redacted as it was.
func TestRedactKeepsNames(t *testing.T) {
	f := &lint.Finding{Message: `H1 lacks "claim"; "a claim" is not one`, Suggestion: "add `## 5. Assumption Ledger` or `[inference]`, not `x y`", Item: "H1", Field: "claim", Frame: &lint.Frame{Lines: []string{"H1"}, End: 2}}
	in := &lint.Report{Findings: []*lint.Finding{f}}
	got := report.Redact(in).Findings[0]
	if got.Message != `H1 lacks "claim"; "…" is not one` || got.Suggestion != "add `## 5. Assumption Ledger` or `[inference]`, not `…`" || got.Item != "H1" || got.Field != "claim" {
		t.Errorf("the finding becomes %+v", got)
	}
	if f.Frame == nil || in.Findings[0] != f || !strings.Contains(f.Message, "a claim") {
		t.Error("the report itself was changed")
	}
}

// TestRedactThreadIDs checks that a suggestion does not repeat the thread id that its message
// hides.
func TestRedactThreadIDs(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, id := range []string{"RS-zebra-fate", "RS-20251230-Zebra-fate", "RS-2025-12-30-zebra-fate", "rs-20251230-zebra", "COORD-Zebra", "COORD-zebra_fate", "Zebra Fate", "zebra/fate", "RS-20251399-zebra-fate", "RS-20251230-test-zebra"} {
		must.Write(t, "mail.json", `{"thread_id": "`+id+`", "messages": [{"id": 1, "from": "BlueLake", "created_ts": "2025-12-30T10:00:00Z", "subject": "INFO: x", "body_md": "x"}]}`)
		stdout, _, _ := runHere(t, "--no-config", "--redact", "--select", "TH", "--format", "json", "mail.json")
		var rep struct {
			Findings []struct{ Rule, Message, Suggestion string }
		}
		must.OK(t, json.Unmarshal([]byte(stdout), &rep))
		for _, f := range rep.Findings {
			if strings.Contains(strings.ToLower(f.Message+f.Suggestion), "zebra") {
				t.Errorf("%s: %s shows %q, %q", id, f.Rule, f.Message, f.Suggestion)
			}
		}
	}
}

// TestRedactEverywhere checks that presend, replay and blame show with --redact as
// little of what writers wrote as the check does, with the same exit status.
func TestRedactEverywhere(t *testing.T) {
	testenv.SkipUnderRace(t)
	t.Chdir(t.TempDir())
	zebraMail(t)
	commands := [][]string{
		{"replay", "mail.json"}, {"replay", "--format", "json", "mail.json"}, {"replay", "broken.json"},
		{"blame", "artifacts/RS-20251230-cell-fate.md", "mail.json"}, {"blame", "--format", "json", "artifacts/RS-20251230-cell-fate.md", "mail.json"},
	}
	for i, slip := range slips {
		draft := map[string]any{
			"subject": "DELTA[gpt]: zebra", "thread_id": "RS-20251230-cell-fate", "sender_name": "BlueLake", "to": []string{"RedCreek"},
			"body_md": "# Zebra\n\n```delta\n" + slip + "\n```\n\n```json\n" + slip + "\n```\n",
		}
		for name, value := range map[string]any{"draft": draft, "hook": map[string]any{"tool_name": "send_message", "tool_input": draft}} {
			data, err := json.Marshal(value)
			must.OK(t, err)
			must.Write(t, fmt.Sprintf("%s%d.json", name, i), string(data))
		}
		for _, format := range []string{"validation-error", "text", "json"} {
			commands = append(commands, []string{"presend", "--thread", "mail.json", "--format", format, fmt.Sprintf("draft%d.json", i)})
		}
		commands = append(commands, []string{"presend", "--hook", "claude", fmt.Sprintf("hook%d.json", i)})
	}
	shown := map[string]int{} // commands that show a text without --redact
	for _, args := range commands {
		stdout, stderr, status := runHere(t, append(args[:1:1], append([]string{"--no-config"}, args[1:]...)...)...)
		if strings.Contains(strings.ToLower(stdout+stderr), "zebra") {
			shown[args[0]]++
		}
		out, errs, redacted := runHere(t, append(args[:1:1], append([]string{"--no-config", "--redact"}, args[1:]...)...)...)
		for line := range strings.Lines(out + errs) {
			if strings.Contains(strings.ToLower(line), "zebra") {
				t.Errorf("%s shows %q", strings.Join(args, " "), line)
			}
		}
		if status != redacted || strings.Count(stdout, "\n") == 0 != (strings.Count(out, "\n") == 0) {
			t.Errorf("%s ends with %d, with --redact with %d", strings.Join(args, " "), status, redacted)
		}
	}
	if shown["presend"] < len(slips) || shown["replay"] == 0 || shown["blame"] != 2 {
		t.Errorf("without --redact too few commands show a text: %v", shown)
	}
	for _, args := range [][]string{{"presend", "--fix", "draft1.json"}, {"presend", "--unsafe-fixes", "draft1.json"}, {"replay", "--artifact", "mail.json"}} {
		if _, stderr, status := runHere(t, append(args, "--redact")...); status != exitUsage || !strings.Contains(stderr, "--redact hides") {
			t.Errorf("%s --redact ends with %d, %q", strings.Join(args, " "), status, stderr)
		}
	}
}
