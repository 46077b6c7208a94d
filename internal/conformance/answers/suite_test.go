package answers_test

import (
	"encoding/json"
	"testing"

	"github.com/brennerlint/brennerlint/conformance"
	runner "github.com/brennerlint/brennerlint/internal/conformance"
	"github.com/brennerlint/brennerlint/internal/conformance/answers"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/rules"
)

// TestSuite checks that this program passes its own suite. By day it tries few of the cases on
// rules: they come from the pages of the rules, and from slips, which have tests of their own.
func TestSuite(t *testing.T) {
	cases, err := conformance.Cases()
	must.OK(t, err)
	answer := answers.New(rules.All())
	for i, c := range cases {
		if c.Kind == conformance.LintKind && !testenv.Sampled(i, 5) {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			got, err := answer(c.Kind, c.Input)
			must.OK(t, err)
			data, err := json.Marshal(got)
			must.OK(t, err)
			if wrong := runner.Judge(c, data); wrong != "" {
				t.Errorf("%s (%s): %s", c.Title, c.Source, wrong)
			}
		})
	}
}
