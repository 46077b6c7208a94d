package fix_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/fix"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
	"github.com/brennerlint/brennerlint/rules"
	"github.com/brennerlint/brennerlint/source"
)

// TestAgent checks that one round is enough: every broken draft of testdata/drafts
// passes on the second try when somebody who sees the report alone does literally
// what it says.
func TestAgent(t *testing.T) {
	files, err := filepath.Glob("../../testdata/drafts/*.*")
	if err != nil || len(files) < 182 {
		t.Fatalf("%d drafts, %v", len(files), err)
	}
	meanings := readMeanings(t)
	for _, path := range files {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			data := must.Read(t, path)
			first := reviewed(t, name, data)
			if first.Summary.Errors == 0 {
				t.Fatal("the draft has no errors")
			}
			a := newAgent(data)
			for _, f := range first.Findings {
				a.fix(f)
			}
			for _, f := range first.After {
				a.fix(f)
			}
			a.edit()
			for _, f := range first.Findings {
				a.follow(f)
			}
			for _, f := range first.After {
				a.follow(f)
			}
			repaired := a.draft()
			second := reviewed(t, name, repaired)
			if second.Summary.Errors == 0 {
				checkMeaning(t, a.body(), meanings[name])
				return
			}
			t.Errorf("%d errors are left of %d", second.Summary.Errors, first.Summary.Errors)
			for _, f := range append(first.Findings, first.After...) {
				t.Logf("said: %s %s\n\t= %s\n%s", f.Rule, f.Message, f.Suggestion, f.Block)
			}
			for _, s := range a.ignored {
				t.Logf("not followed: %s", s)
			}
			for _, f := range second.Findings {
				t.Logf("left: %s %s %s", f.Severity, f.Rule, f.Message)
			}
			t.Logf("%s", repaired)
		})
	}
}

// readMeanings returns the deltas that drafts must say once they are repaired.
func readMeanings(t *testing.T) map[string][]map[string]any {
	t.Helper()
	data := must.Read(t, "../../testdata/meanings.json")
	var out map[string][]map[string]any
	must.OK(t, json.Unmarshal(data, &out))
	return out
}

// checkMeaning compares the deltas of a repaired body with what was meant, or the sections of one
// without deltas. A target that is null may be left out.
func checkMeaning(t *testing.T, body string, want []map[string]any) {
	t.Helper()
	if want == nil {
		t.Error("what it means is not written down in testdata/meanings.json")
	}
	if len(want) == 1 && want[0]["operation"] == nil {
		for title, text := range want[0] {
			if !strings.Contains(body+"\n", "## "+title+"\n\n"+text.(string)+"\n") && !strings.Contains(body+"\n", "## "+title+"\n"+text.(string)+"\n") {
				t.Errorf("the repaired draft does not say %q under %s:\n%s", text, title, body)
			}
		}
		return
	}
	got := []map[string]any{}
	for _, block := range fences.FindAllStringSubmatch(body, -1) {
		var d map[string]any
		must.OK(t, json.Unmarshal([]byte(block[1]), &d))
		if d["rationale"] == answers["<why the change is made>"] {
			delete(d, "rationale") // the agent's own, which the draft did not say
		}
		got = append(got, d)
	}
	for _, d := range slices.Concat(got, want) {
		if d["target_id"] == nil {
			delete(d, "target_id")
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the repaired draft says\n%v\nmeant was\n%v", got, want)
	}
}

// reported is the JSON report of a draft, as far as the agent reads it.
type reported struct {
	Summary  struct{ Errors int }
	Findings []*advice
	After    []*advice `json:"after_fixes"`
}

// advice is one finding, as the agent reads it.
type advice struct {
	Rule, Message, Suggestion, Field, Block string
	Severity                                string
	Delta                                   int
	Body                                    *lint.BodyPosition
	Range                                   *source.Range
	Fix                                     *lint.Fix
}

func reviewed(t *testing.T, name string, data []byte) *reported {
	t.Helper()
	box, err := engine.Open(t.Context(), rules.All(), engine.Options{})
	must.OK(t, err)
	d, err := box.ReviewDraft(t.Context(), name, data)
	must.OK(t, err)
	for _, f := range d.Failures {
		t.Errorf("rule %s: %s", f.Rule, f.Reason)
	}
	var out bytes.Buffer
	must.OK(t, report.Write(&out, "json", d.Report, report.Options{}))
	var r reported
	must.OK(t, json.Unmarshal(out.Bytes(), &r))
	return &r
}

// answers are what the agent knows: what it writes for each placeholder.
var answers = map[string]string{
	"<now>": "2026-01-05T10:00:00Z", "<role>": "opus", "<what the message is about>": "the timing hypothesis",
	"<why the change is made>": "Section 42 says so", "<why the item is killed>": "Refuted by T1", "<name of an agent>": "BlueLake",
	"<thread id>": "RS-20251230-gradient-vs-lineage", "<short name>": "Timing", "<the claim in one sentence>": "A clock counts divisions",
	"<id of its hypothesis>": "H1", "<how it works>": "An oscillator is read at each division", "<§n, or inference>": "§42", "<observable condition>": "Division is stopped",
	"<what is done>": "Stop division and score fates", "<which hypotheses, such as H1 vs H2>": "H1 vs H2", "<outcome under H1>": "No change",
	"<outcome under H2>": "Fates change", "<how you verify that the assay worked>": "A positive control", "<the statement in one sentence>": "Division can be stopped",
	"<what breaks if it is wrong>": "The whole assay", "<how to check it>": "Count cells", "<unchecked, verified or falsified>": "unchecked",
	"<active, resolved or deferred>": "active", "<what was observed>": "Some cells ignore position", "<how the framing could be wrong>": "Both could be true",
	"<what would confirm it>": "A mixed outcome", "<how seriously it is taken>": "Seriously", "<0 to 3>": "2", "<background in two sentences>": "Some background.",
	"<the problem in one sentence>": "Is fate read from position or lineage?", "<2 to 4 sentences of essential background>": "Both were argued for. Neither was shown.",
	"<a transcript excerpt with §n citations>": "\"Position matters\" (§42)", "<the expected artifacts or deliverables>": "Hypotheses and tests",
	"<the version, section and item that is criticised>": "v1, A2", "<the substantive challenge>": "The gradient is not stable",
	"<the id of the acknowledged message>": "3", "<the bead id or the task>": "brenner_bot-5so",
	"<the progress of the work>": "Half done", "<what blocks the work>": "The schema is missing",
	"<the specific question>": "Which rubric applies?", "<the number of items in each section>": "- Hypotheses: 3",
	"<the linter's result>": "Schema: PASS", "<the artifact, or a link to its file>": "artifacts/RS-20251230-gradient-vs-lineage.md", "<YYYYMMDD>": "20251230",
}

// itemAnswers are the items that the artifact shows, by the letter of their ids.
var itemAnswers = map[string]string{"hypothesis_slate": "H1", "predictions_table": "P1", "discriminative_tests": "T1", "assumption_ledger": "A1", "anomaly_register": "X1", "adversarial_critique": "C1"}

// answered returns a text with its placeholders answered.
func answered(s, section string) string {
	for placeholder, answer := range answers {
		s = strings.ReplaceAll(s, placeholder, answer)
	}
	item := itemAnswers[section]
	if item == "" {
		item = "H1"
	}
	return strings.ReplaceAll(s, "<id of an item>", item)
}

const (
	kill  = `{"operation": "KILL", "section": "hypothesis_slate", "target_id": "H2", "payload": {"reason": "r"}, "rationale": "r"}`
	kill2 = "{\n  \"operation\": \"KILL\",\n  \"section\": \"hypothesis_slate\",\n  \"target_id\": \"H3\",\n  \"payload\": {\"reason\": \"r\"},\n  \"rationale\": \"r\"\n}"
)

// TestContainers checks that a fix which needs new lines is the same in a list
// or quotation as outside of them, but for the marks that its lines need there.
func TestContainers(t *testing.T) {
	mend := func(t *testing.T, body string) string {
		draft, err := json.Marshal(map[string]any{"subject": "DELTA[gpt]: x", "thread_id": "RS-20251230-cell-fate", "body_md": body})
		must.OK(t, err)
		check := drafting(t, "-")
		r, err := fix.All(draft, true, check)
		must.OK(t, err)
		left, err := check(r.Data)
		must.OK(t, err)
		for _, f := range left {
			if f.Severity <= lint.Warning {
				t.Errorf("%s %s is left of %q", f.Rule, f.Message, body)
			}
		}
		var out struct {
			Body string `json:"body_md"`
		}
		must.OK(t, json.Unmarshal(r.Data, &out))
		return out.Body
	}
	for _, c := range []struct {
		name, bad, good string
		listOnly        bool // what is quoted is no contribution: DL-012 passes over it
	}{
		{"not closed", "```delta\n" + kill2, "```delta\n" + kill2 + "\n```", false},
		{"not closed, tildes", "~~~~delta\n" + kill, "~~~~delta\n" + kill + "\n~~~~", false},
		{"not closed before text", "```delta\n" + kill2 + "\nAnd so on.", "```delta\n" + kill2 + "\n```\n\nAnd so on.", false},
		{"not closed in a line", "```delta\n" + kill + " And so on.", "```delta\n" + kill + "\n```\n And so on.", false},
		{"array", "```delta\n[\n" + kill + ",\n" + kill2 + "\n]\n```", "```delta\n" + kill + "\n```\n\n```delta\n" + kill2 + "\n```", false},
		{"array in a line", "```delta\n[" + kill + ", " + kill + "]\n```", "```delta\n" + kill + "\n```\n\n```delta\n" + kill + "\n```", false},
		{"no fence", kill2, "```delta\n" + kill2 + "\n```", true},
		{"no fence before text", kill + "\nAnd so on.", "```delta\n" + kill + "\n```\nAnd so on.", true},
		{"no fence after text", "I say:\n" + kill2, "I say:\n```delta\n" + kill2 + "\n```", true},
	} {
		for _, in := range []struct{ first, rest string }{
			{"", ""}, {"> ", "> "}, {">", ">"}, {"- ", "  "}, {"10. ", "    "}, {"-\t", " \t"}, {"> - ", ">   "}, {"- > ", "  > "}, {"* 1. > ", "     > "},
		} {
			if c.listOnly && strings.Contains(in.first, ">") {
				continue
			}
			for _, end := range []string{"\n", "\r\n"} {
				contain := func(text string) string {
					lines := strings.Split("Here.\n"+text, "\n")
					for i := range lines {
						lines[i] = strings.TrimRight(in.rest+lines[i], " \t") + end
					}
					lines[0] = in.first + "Here." + end
					return "## Deltas" + end + end + strings.Join(lines, "") + end + "After." + end
				}
				t.Run(c.name+"/"+in.first+end, func(t *testing.T) {
					if got, want := mend(t, contain(c.bad)), contain(c.good); got != want {
						t.Errorf("got:\n%q\nwant:\n%q", got, want)
					}
				})
			}
		}
	}
}
