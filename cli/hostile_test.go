package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
	"github.com/brennerlint/brennerlint/rules"
)

// hostileText tries what terminals, CI logs, Markdown and browsers obey.
const hostileText = "x\n::error::pwned\n##[error]pwned ##vso[task.complete] \x1b]8;;http://x\x07\x1b[2J\u202e\u200b | `|` <script>alert(1)</script> ]]> \u0085\u2028\r::set-output name=x::y"

// obeyed is what a runner of CI obeys: a command at the start of a line, which
// may follow white space, or a logging command anywhere.
var obeyed = regexp.MustCompile(`(?m)^\s*::[a-z-]+[ :]|##[a-zA-Z]*\[`)

// ourCommand is a workflow command of the github format.
var ourCommand = regexp.MustCompile(`(?m)^::(error|warning|notice) (file|title)=`)

func checkShown(t *testing.T, what, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%s is not UTF-8", what)
	}
	if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsGraphic(r) || r == '\u2028' }); i >= 0 {
		t.Errorf("%s shows %q", what, text[max(0, i-40):min(len(text), i+10)])
	}
	if m := obeyed.FindString(ourCommand.ReplaceAllString(text, "")); m != "" {
		t.Errorf("%s has the command %q", what, m)
	}
}

// hostileName is a hostile name of a file.
const hostileName = "a\n::error::b\x1b[31m##[error]\u202e"

// hostileTree writes mail and artifacts whose every text, their names included,
// is hostile.
func hostileTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, data string) {
		path := filepath.Join(dir, name)
		must.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Skipf("the file system takes no such name: %v", err)
		}
	}
	message := map[string]any{
		"id": hostileText, "from": hostileText, "to": []string{hostileText}, "thread_id": "../../" + hostileText,
		"subject": "DELTA[" + hostileText + "]: " + hostileText, "created_ts": "2025-12-30T10:00:00Z",
		"body_md": hostileText + "\n```delta\n{\"operation\": \"KILL\", \"section\": \"hypothesis_slate\", \"target_id\": " + quote(hostileText) + ", " + quote(hostileText) + ": 1}\n```\n",
	}
	mail := func(id any) string {
		message["id"] = id
		data, err := json.Marshal(map[string]any{"messages": []any{message}})
		must.OK(t, err)
		return string(data)
	}
	name := hostileName
	write(name+".json", mail(hostileText))
	write("mail/"+name+"2.json", mail(17))
	write("artifacts/"+name+".md", "---\nsession_id: "+quote(hostileText)+"\nversion: 0\nstatus: "+quote(hostileText)+"\n---\n\n# Brenner Protocol Artifact: x\n\n## 1. Research Thread\n\n"+hostileText+"\n\n## 2. Hypothesis Slate\n\n### H1: "+strings.ReplaceAll(hostileText, "\n", " ")+"\n**Claim**: "+hostileText+"\n**Anchors**: §999999 | x\n**Bogus \x1b[31m\u202e**: x\n")
	write("draft.json", `{"subject": `+quote("DELTA["+hostileText+"]: "+hostileText)+`, "thread_id": `+quote("../"+hostileText)+`, "to": [`+quote(hostileText)+`], "body_md": `+quote(hostileText+"\n```delta\n{"+hostileText+"}\n```\n")+`, `+quote(hostileText)+`: 1}`)
	write("draft.md", "Subject: "+hostileText+"\nThread: "+hostileText+"\n\n"+hostileText)
	write("hostile.yaml", "include: ["+quote(hostileText)+"]\n"+quote(hostileText)+": 1\nrules: {select: ["+quote(hostileText)+"]}\nscope: "+quote(hostileText)+"\nlimits: {file-size: "+quote(hostileText)+"}\n")
	write("nonsense.yaml", "a: [\x1b[31m ::error::x\u202e\n  ##[error]x: {\n")
	write("nowhere.yaml", "include: ["+quote(hostileText)+"]\n")
	write("accepted.json", `{"schema": `+quote(hostileText)+`}`)
	write("artifacts/broken\n::error::x.md", "---\n: [\x1b[31m\n---\n# Brenner Protocol Artifact\n\xff\xfe\n")
	return dir
}

func quote(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}

// TestHostileInputs checks hostile inputs in every format: nothing of them may
// take effect where a report or standard error is read.
func TestHostileInputs(t *testing.T) {
	dir := hostileTree(t)
	t.Chdir(dir)
	out := allFormats(t, ".")
	if n := strings.Count(out["json"], `"rule"`); n < 10 {
		t.Errorf("only %d findings", n)
	}
	for format, text := range out {
		checkShown(t, format, text)
	}
	for _, args := range [][]string{
		{"no such\n::error::x\x1b[31m"}, {"--format", "::error::\x1b"}, {"--output", "\n::error::x=\x1b[31m/x", "."},
		{"--config", "\n::error::\x1b"}, {"--severity", "\n::error::\x1b[2J"}, {"--\n::error::x"}, {"explain", "\n::error::\x1b[2J"},
		{"replay", "."}, {"replay", "--thread", "\n::error::\x1b", "."}, {"presend", "\n::error::x"},
		{"--baseline", "\n::error::x", "."}, {"--fix", "--diff", "--verbose", "mail"}, {"--statistics", "."}, {"blame", "artifacts/" + hostileName + ".md", "."}, {"blame", "--format", "json", "artifacts/" + hostileName + ".md", "."},
		{"blame", "\n::error::x"}, {"rules", "\n::error::\x1b"}, {"completion", "\n::error::\x1b"}, {"init", "\n::error::\x1b"}, {"init", "--hook", "\n::error::\x1b"}, {"help", "\n::error::\x1b"},
		{"presend", "draft.json"}, {"presend", "--format", "text", "draft.json"}, {"presend", "--format", "json", "draft.json"}, {"presend", "draft.md"}, {"presend", "--thread", ".", "draft.json"},
		{"presend", "--hook", "claude", "draft.json"}, {"presend", "--hook", "\n::error::\x1b", "draft.json"}, {"--kind", "draft", "draft.json"},
		{"--config", "hostile.yaml", "."}, {"--config", "nonsense.yaml", "."}, {"--config", "nowhere.yaml"}, {"--config", "nowhere.yaml", "--show-config"}, {"--baseline", "accepted.json", "."},
		{"replay", "--format", "json", "."}, {"replay", "--permutations", "2", "."}, {"--verbose", "--color", "never", "."},
	} {
		stdout, stderr, _ := runHere(t, args...)
		checkShown(t, fmt.Sprintf("standard output of %q", args), stdout)
		checkShown(t, fmt.Sprintf("standard error of %q", args), stderr)
	}
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	got := map[string]string{}
	for _, path := range inputsOf(t, dir) {
		got[path] = readFile(t, path)
	}
	return got
}

const fixable = "../examples/artifacts/RS-20251230-cell-fate.md"

// fixableCopy returns an artifact with a fault that --fix fixes.
func fixableCopy(t *testing.T, path string) string {
	t.Helper()
	data := readFile(t, fixable)
	broken := strings.Replace(data, "## 2. Hypothesis Slate", "<!-- brennerlint:ignore ES-002 -->\n## 2. Hypothesis Slate", 1)
	if broken == data {
		t.Fatal("the example has no such heading")
	}
	must.Write(t, path, broken)
	return broken
}

// failing is a stream that breaks after some bytes.
type failing struct {
	left int
	err  error
}

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, f.err
	}
	return len(p), nil
}

// TestBrokenOutput writes to a full disk and to a pipe without a reader.
func TestBrokenOutput(t *testing.T) {
	commands := [][]string{{"--no-config", fixable}, {"--no-config", "--fix", "--diff", ""}, {"rules"}, {"explain", "SU-001"}, {"replay", "../examples"}, {"--show-config"}, {"--version"}, {"--help"}, {"completion", "bash"}}
	for _, format := range report.FormatNames() {
		commands = append(commands, []string{"--no-config", "--format", format, "../testdata/corpus/artifacts/golden-example-cell-fate.md", "../testdata/corpus/realmail/json/inbox-GreenDog.json"})
	}
	broken := filepath.Join(t.TempDir(), "RS-20251230-cell-fate.md")
	fixableCopy(t, broken)
	commands[1][3] = broken
	for _, args := range commands {
		for _, left := range []int{0, 100} {
			var errs bytes.Buffer
			status := run(t.Context(), args, streams{strings.NewReader(""), &failing{left, syscall.ENOSPC}, &errs}, rules.All())
			if status != 2 || !strings.Contains(errs.String(), "no space left") {
				var out bytes.Buffer
				if run(t.Context(), args, streams{strings.NewReader(""), &out, io.Discard}, rules.All()); out.Len() > left {
					t.Errorf("%q on a full disk: status %d, %q", args, status, errs.String())
				}
			}
			errs.Reset()
			status = run(t.Context(), args, streams{strings.NewReader(""), &failing{left, syscall.EPIPE}, &errs}, rules.All())
			if status == 2 || strings.Contains(errs.String(), "pipe") {
				t.Errorf("%q into a closed pipe: status %d, %q", args, status, errs.String())
			}
		}
	}
}

// TestCredentials checks that no report shows the token of a draft or of a logged
// call, whatever the file is taken for, and however it is broken.
func TestCredentials(t *testing.T) {
	testenv.SkipUnderRace(t)
	const token, number = "tok-5ecret", "567856785678"
	t.Chdir(t.TempDir())
	secret := func(name, what, said string) {
		if strings.Contains(said, token) || strings.Contains(said, number) {
			t.Errorf("%s: %s shows the token:\n%s", name, what, said)
		}
	}
	texts := map[string]string{
		"cut.json":        `{"sender_name": "BlueLake", "sender_token": "tok-5ecret", "subject": "INFO: x", "body_md": "y"`,
		"bare.json":       `{"sender_token": tok-5ecret, "subject": "INFO: x", "body_md": "y"}`,
		"number.json":     `{"sender_token": 567856785678., "x": "tok-5ecret", "subject": "INFO: x", "body_md": "y"}`,
		"lines.json":      "{\n \"subject\": \"x\",\n \"sender_token\":\n\n   tok-5ecret,\n \"body_md\": \"x\"\n}\n",
		"quotes.json":     `{"subject": "INFO: x", "registration_token": 'tok-5ecret', "body_md": "y"}`,
		"key.json":        `{"subject": "INFO: x", api_key: tok-5ecret, "body_md": "y"}`,
		"hook.json":       `{"tool_name": "mcp__mail__send_message", "tool_input": {"sender_token": "tok-5ecret", "subject": "delta[x]: y", "body_md": "y",}}`,
		"call.json":       `{"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "send_message", "arguments": {"sender_token": "tok-5ecret", "subject": "INFO: x", "body_md": "y",}}}`,
		"log.jsonl":       `{"id": 1, "thread_id": "RS-1", "sender_token": "tok-5ecret", "from": "A", "to": ["B"], "created": "2025-12-30T10:00:00Z", "subject": "KICKOFF: x", "body_md": "# x"` + "\n{}\n",
		"header.md":       "xx{\"sender_token\": \"tok-5ecret\", \"subject\": \"DELTA[gpt]: x\",\n\n\"sender_token\": \"tok-5ecret\", \"body_md\": {\"operation\": \"ADD\", \"section\": \"x\"}}",
		"message.json":    `{"thread_id": "RS-20251230-x", "messages": [{"id": 1, "from": "A", "to": ["B"], "created": "2025-12-30T10:00:00Z", "sender_token": "tok-5ecret", "ack_required": true, "subject": "INFO: x", "body_md": "# x"}, {"sender_token": "tok-5ecret", "id": 2}]}`,
		"draft-of.json":   `{"sender_token": "tok-5ecret", "subject": "delta[x]: y", "thread_id": "RS-x", "body_md": "` + "```delta\\n{,}\\n```" + `"}`,
		"draft-lacks.md":  "---json\n{\"subject\": \"INFO: x\", \"sender_token\": \"tok-5ecret\",}\n---\ny\n",
		"draft-header.md": "Subject: INFO: x\nSender-Token: tok-5ecret\nhow tok-5ecret came here\n\ny\n",
		"draft-body.json": `{"sender_token": "tok-5ecret", "subject": 5, "body_md": ["tok-5ecret"]}`,
	}
	for i, name := range slices.Sorted(maps.Keys(texts)) {
		must.Write(t, name, texts[name])
		for _, kind := range []string{"auto", "mail", "artifact", "draft"} {
			if kind != "draft" && strings.HasPrefix(name, "draft") || kind != "auto" && !testenv.Sampled(i, 2) {
				continue
			}
			reports := allFormats(t, "--scope", "all", "--kind", kind, name)
			for format, text := range reports {
				if kind != "artifact" || format != "html" { // the page holds artifacts whole: there is --redact
					secret(name, kind+" in "+format, text)
				}
			}
			if text := reports["json"]; kind == "auto" && filepath.Ext(name) == ".json" && !strings.Contains(text, "IN-00") && !strings.Contains(text, "MB-") {
				t.Errorf("%s: nothing was found", name)
			}
		}
		for _, format := range []string{"--format=text", "--format=json", "--format=validation-error", "--hook=claude"} {
			stdout, stderr, _ := runHere(t, "presend", "--no-config", format, name)
			secret(name, "presend "+format, stdout+stderr)
		}
	}
}

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
	`{"operation": "KILL", "section": "hypothesis_slate", "target_id": "H1", "payload": {"zebra": "zebra"}, "rationale": "r"}`,
	`{"operation": "ADD", "section": "discriminative_tests", "target_id": null, "payload": {"name": "Zebra", "procedure": "zebra", "discriminates": "zebra", "expected_outcomes": {"H1": "zebra"}, "potency_check": "zebra", "score": {"likelihood_ratio": 3, "cost": 2, "speed": 2, "ambiguity": 2}}, "rationale": "zebra"}`,
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
		"## 3. Predictions Table\n\n| ID | Zebra | zebra |\n|---|---|---|\n| zebra | zebra | zebra |\n\n## 4. Discriminative Tests\n\n### T1: Zebra (Score: zebra)\n**Score**: LR=3, Zebra cost=2, Speed=2, Ambiguity=2\n**Expected zebra outcomes**:\n- H1: zebra\n\n### T2: Zebra (Score: zebra)\n**Score**: zebra\n"
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
	part := &lint.Finding{Message: "T1 score (cost), P1 predictions (H3), T1 score (12)", Quoted: []string{"score", "cost", "H3", "(12)"}}
	if got := report.Redact(&lint.Report{Findings: []*lint.Finding{part}}).Findings[0].Message; got != "T1 score (cost), P1 predictions (H3), T1 score …" {
		t.Errorf("the finding becomes %q", got)
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
		format := []string{"validation-error", "text", "json"}[i%3]
		commands = append(commands, []string{"presend", "--thread", "mail.json", "--format", format, fmt.Sprintf("draft%d.json", i)},
			[]string{"presend", "--hook", "claude", fmt.Sprintf("hook%d.json", i)})
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
