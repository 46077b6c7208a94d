package lint_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// TestStringers checks that no value of an exported type makes its stringer or
// marshaller panic, whether it is one of the constants or not.
func TestStringers(t *testing.T) {
	for i := range 256 {
		if text, err := lint.Severity(i).MarshalText(); err != nil || (len(text) > 0) != (lint.Error <= lint.Severity(i) && lint.Severity(i) <= lint.Info) {
			t.Errorf("severity %d is %q, %v", i, text, err)
		}
		section := brenner.Section(i)
		if (section.String() != "") != (brenner.ResearchThread <= section && section <= brenner.AdversarialCritique) {
			t.Errorf("section %d is %q", i, section)
		}
		_ = section.Title() + section.Prefix() + section.Plural() + section.Singular() + section.MainField()
		_, _, _, _ = section.Minimum(), section.Maximum(), section.Fields(), section.Keys()
		for _, s := range []fmt.Stringer{
			jsontree.Kind(i), source.FaultKind(i),
			brenner.ItemID{Section: section, Number: math.MaxInt32, Hypothesis: math.MinInt32},
		} {
			if text := s.String(); i == 255 && len(text) > 60 {
				t.Errorf("%T of 255 is %q", s, text)
			}
		}
	}
	for _, err := range []error{
		&source.Fault{}, &source.Fault{Kind: source.Unreadable}, &source.TooLargeError{}, &source.EncodingError{}, &source.ControlError{},
		&jsontree.SyntaxError{}, &lint.Failure{}, &config.Error{},
	} {
		if text := err.Error(); len(text) > 100 {
			t.Errorf("the zero %T says %q", err, text)
		}
	}
	var text *source.Text
	if got := text.String(); got != "" {
		t.Errorf("no text is %q", got)
	}
	for _, v := range []any{lint.Finding{}, lint.Report{}, lint.Draft{}, lint.Failure{}, lint.SuggestedFix{Edits: []lint.TextEdit{{}}}, diff.Change{}, replay.Results{}, replay.BlameResult{}, source.Range{}} {
		if _, err := json.Marshal(v); err != nil {
			t.Errorf("the zero %T cannot be written: %v", v, err)
		}
	}
}
