package state_test

import (
	"testing"

	"github.com/brennerlint/brennerlint/brenner/state"
)

// TestRead checks that what is read gives the same JSON again, and that JSON of
// another form is an error.
func TestRead(t *testing.T) {
	const full = `{"adversarial_critique":[],"anomaly_register":[],"assumption_ledger":[{"id":"A2","name":"x","score":[1,null,{"a":true}]}],"discriminative_tests":[],` +
		`"hypothesis_slate":[{"id":"H1","kill_reason":"no","killed":true,"killed_at":"2026-01-02T03:04:05.5Z","killed_by":"Ada","name":"é\n"},{"id":"H10"}],` +
		`"predictions_table":[{"id":"P1.H2"}],"research_thread":{"id":"RT","statement":"?"}}`
	const empty = `{"adversarial_critique":[],"anomaly_register":[],"assumption_ledger":[],"discriminative_tests":[],"hypothesis_slate":[],"predictions_table":[],"research_thread":null}`
	for in, want := range map[string]string{full: full, empty: empty, `{}`: empty} {
		s, err := state.Read([]byte(in))
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if got := string(s.CanonicalJSON()); got != want {
			t.Errorf("read as\n%s\nwant\n%s", got, want)
		}
	}
	for _, bad := range []string{
		``, `[]`, `{"hypotheses":[]}`, `{"hypothesis_slate":{}}`, `{"hypothesis_slate":[1]}`, `{"hypothesis_slate":[{}]}`, `{"hypothesis_slate":[{"id":"P1"}]}`,
		`{"hypothesis_slate":[{"id":"H1"},{"id":"H1"}]}`, `{"research_thread":[]}`, `{"hypothesis_slate":[{"id":"H1","killed":true,"killed_at":"noon"}]}`,
	} {
		if _, err := state.Read([]byte(bad)); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}
