package rules_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// judgedElsewhere are rules of these families that need deltas, the replay or artifact
// files.
var judgedElsewhere = []string{"MB-004", "MB-005", "AP-002", "AP-009", "AP-010", "AP-012", "AP-014", "AP-015", "AP-018", "AP-019", "AP-020"}

// TestMailCorpus checks what the rules on messages, threads and subjects find in
// the real mail, message by message.
func TestMailCorpus(t *testing.T) {
	opts := engine.Options{}
	rep, err := engine.Check(context.Background(), rules.All(), opts, "../testdata/corpus/realmail/archive")
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(rep.Findings, func(a, b *lint.Finding) int {
		m, _ := strconv.Atoi(a.MessageID)
		n, _ := strconv.Atoi(b.MessageID)
		return cmp.Or(cmp.Compare(m, n), strings.Compare(a.Rule, b.Rule))
	})
	var out strings.Builder
	last := ""
	for _, f := range rep.Findings {
		if !slices.Contains(specFamilies, f.Rule[:2]) || slices.Contains(judgedElsewhere, f.Rule) {
			continue
		}
		if f.MessageID != last {
			fmt.Fprintf(&out, "%s %s\n", f.MessageID, f.Mail.Subject)
			last = f.MessageID
		}
		fmt.Fprintf(&out, "  %s %d:%d %s\n", f.Rule, f.Range.Start.Line, f.Range.Start.Column, f.Message)
	}
	compareGolden(t, "testdata/corpus-mail.txt", out.String())
}
