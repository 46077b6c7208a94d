package rules_test

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/lint"
)

// TestMailCorpus checks what the rules find in the real mail, message by message.
func TestMailCorpus(t *testing.T) {
	rep := checked(t, engine.Options{}, realmail+"archive")
	slices.SortStableFunc(rep.Findings, func(a, b *lint.Finding) int {
		m, _ := strconv.Atoi(a.MessageID)
		n, _ := strconv.Atoi(b.MessageID)
		return cmp.Or(cmp.Compare(m, n), strings.Compare(a.Rule, b.Rule))
	})
	var out strings.Builder
	last := ""
	for _, f := range rep.Findings {
		if f.MessageID != last {
			fmt.Fprintf(&out, "%s %s\n", f.MessageID, f.Mail.Subject)
			last = f.MessageID
		}
		fmt.Fprintf(&out, "  %s %d:%d %s\n", f.Rule, f.Range.Start.Line, f.Range.Start.Column, f.Message)
		if f.Suggestion != "" {
			fmt.Fprintf(&out, "    = %s\n", f.Suggestion)
		}
	}
	compareGolden(t, "testdata/corpus-mail.txt", out.String())
}
