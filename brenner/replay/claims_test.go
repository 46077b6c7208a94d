package replay_test

import (
	"strings"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/brenner/replay"
)

// claiming returns a first round and its COMPILED, with sections before the artifact.
func claiming(sections string) []post {
	posts := publish(first(), 1, nil)
	at := &posts[len(posts)-1].body
	*at = strings.Replace(*at, "## Full Artifact", sections+"\n\n## Full Artifact", 1)
	return posts
}

// A COMPILED's claims about contributors and counts are compared with the merge.
func TestClaims(t *testing.T) {
	const table = "## Contributors\n\n| Agent | Delta Count |\n|---|---|\n"
	misplaced := append([]post{}, first()...)
	misplaced[2].body = "```json\n{\"operation\": \"KILL\", \"section\": \"assumption_ledger\", \"target_id\": \"A3\", \"payload\": {\"reason\": \"r\"}}\n```\n"
	for _, tt := range []struct {
		name, sections string
		want           []string
	}{
		{"as it is", table + "| Ada | 4 |\n| Bob | 7 |", nil},
		{"without counts", "## Contributors\n\n- Ada\n- Bob", nil},
		{"prose names nobody", "## Contributors\n\nall who took part", nil},
		{"one left out", table + "| Ada | 4 |", []string{"MR-018 Contributors leaves out Bob (7 deltas), whose deltas were applied"}},
		{"a wrong count", table + "| Ada | 1 |\n| Bob | 7 |", []string{"MR-018 Ada is listed with 1 delta, but 4 deltas of that agent were applied since the version before"}},
		{"a misspelt agent", table + "| Adda | 4 |\n| Ada | 4 |\n| Bob | 7 |", []string{`MR-018 "Adda" is listed as a contributor, but no delta of that agent was applied`}},
		{"counts of items", "## Statistics\n\n- Hypotheses: 3\n- Predictions Table: 3\n- Tests: 2\n- Mistakes: 9\n- Anomalies: none", []string{"MR-019 Statistics counts 3 predictions, but the published artifact has 2"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			expect(t, replay.New(thread(claiming(tt.sections)), replay.Options{}), tt.want...)
		})
	}
	// One who contributed to an earlier version may be listed, with 0.
	posts := append(claiming(table+"| Ada | 4 |\n| Bob | 7 |"), post{from: "Cyd", subject: "DELTA[gpt]: y", deltas: []object{kill("A1")}})
	posts = publish(posts, 2, nil)
	body := &posts[len(posts)-1].body
	plain := *body
	*body = strings.Replace(plain, "## Full", table+"| Ada | 0 |\n| Cyd | 1 |\n\n## Statistics\n\n- Assumptions: 7\n\n## Full", 1)
	expect(t, replay.New(thread(posts), replay.Options{}), "MR-019 Statistics counts 7 assumptions, but the published artifact has 3, 2 of them active")
	*body = strings.Replace(plain, "## Full", table+"| Cyd | 3 |\n\n## Full", 1)
	expect(t, replay.New(thread(posts), replay.Options{}), "MR-018 Cyd is listed with 3 deltas, but 1 delta of that agent was applied")
	// A version that is sent a second time claims what it claimed the first time.
	posts = publish(append(claiming(table+"| Ada | 4 |\n| Bob | 7 |"), from("Cyd", 1, kill("A1"))), 2, nil)
	last := &posts[len(posts)-1]
	last.body = strings.Replace(last.body, "## Full", table+"| Cyd | 1 |\n\n## Full", 1)
	again := *last
	again.at += time.Minute
	expect(t, replay.New(thread(append(posts, again)), replay.Options{}))
	// A delta outside of a fence was never merged; a publisher who counted it learns so
	// from another rule.
	posts = publish(misplaced, 1, nil)
	body = &posts[len(posts)-1].body
	*body = strings.Replace(*body, "## Full", table+"| Ada | 4 |\n| Bob | 8 |\n\n## Full", 1)
	expect(t, replay.New(thread(posts), replay.Options{}))
}
