package fix_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/fix"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
)

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
