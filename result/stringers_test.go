package result_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/brennerlint/brennerlint/config"
	"github.com/brennerlint/brennerlint/delta"
	"github.com/brennerlint/brennerlint/diff"
	"github.com/brennerlint/brennerlint/jsontree"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/mail"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/replay"
	"github.com/brennerlint/brennerlint/result"
	"github.com/brennerlint/brennerlint/source"
	"github.com/brennerlint/brennerlint/workspace"
)

// TestStringers checks that no value of an exported type makes its stringer or
// marshaller panic, whether it is one of the constants or not.
func TestStringers(t *testing.T) {
	for i := range 256 {
		if text, err := lint.Severity(i).MarshalText(); err != nil || (len(text) > 0) != (lint.Error <= lint.Severity(i) && lint.Severity(i) <= lint.Info) {
			t.Errorf("severity %d is %q, %v", i, text, err)
		}
		section := protocol.Section(i)
		if (section.String() != "") != (protocol.ResearchThread <= section && section <= protocol.AdversarialCritique) {
			t.Errorf("section %d is %q", i, section)
		}
		_ = section.Title() + section.Prefix() + section.Plural() + section.Singular() + section.MainField()
		_, _, _, _ = section.Minimum(), section.Maximum(), section.Fields(), section.Keys()
		for _, s := range []fmt.Stringer{
			lint.Scope(i), protocol.MessageType(i), protocol.Operation(i), jsontree.Kind(i), delta.Kind(i), source.FaultKind(i), mail.Member(i),
			protocol.ItemID{Section: section, Number: math.MaxInt, Hypothesis: math.MinInt}, workspace.ItemOf(protocol.ItemID{Section: section, Number: i, Hypothesis: i}),
		} {
			if text := s.String(); i == 255 && len(text) > 60 {
				t.Errorf("%T of 255 is %q", s, text)
			}
		}
	}
	for _, err := range []error{
		&source.Fault{}, &source.Fault{Kind: source.Unreadable}, &source.TooLargeError{}, &source.EncodingError{}, &source.ControlError{},
		&jsontree.SyntaxError{}, &lint.UnknownRuleError{}, &result.Failure{}, &config.Error{},
	} {
		if text := err.Error(); len(text) > 100 {
			t.Errorf("the zero %T says %q", err, text)
		}
	}
	var text *source.Text
	if got := text.String(); got != "" {
		t.Errorf("no text is %q", got)
	}
	for _, v := range []any{result.Finding{}, result.Report{}, result.Draft{}, result.Failure{}, result.SuggestedFix{Edits: []result.TextEdit{{}}}, diff.Item{}, replay.Results{}, replay.BlameResult{}, source.Range{}} {
		if _, err := json.Marshal(v); err != nil {
			t.Errorf("the zero %T cannot be written: %v", v, err)
		}
	}
}
