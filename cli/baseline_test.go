package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/lint"
)

// TestIncompleteBaseline checks that a baseline of a part of the findings is not
// written: who runs again with it would think that the others are new.
func TestIncompleteBaseline(t *testing.T) {
	t.Chdir(t.TempDir())
	c := &checkCommand{writeBaseline: "base.json"}
	rep := &lint.Report{Findings: []*lint.Finding{{Rule: "MB-005"}}, Summary: lint.Summary{Errors: 1, Info: 2}}
	if err := c.acceptFindings(rep); err == nil || !strings.Contains(err.Error(), "at most 1 findings, but there are 3") {
		t.Errorf("the error is %v", err)
	}
	if _, err := os.Stat("base.json"); err == nil {
		t.Error("the baseline is written")
	}
}
