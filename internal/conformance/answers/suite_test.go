package answers_test

import (
	"encoding/json"
	"testing"

	"github.com/brennerlint/brennerlint/conformance"
	runner "github.com/brennerlint/brennerlint/internal/conformance"
	"github.com/brennerlint/brennerlint/internal/conformance/answers"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/rules"
)

// TestSuite checks that this program passes its own suite.
func TestSuite(t *testing.T) {
	cases, err := conformance.Cases()
	must.OK(t, err)
	answer := answers.New(rules.All())
	for _, c := range cases {
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
