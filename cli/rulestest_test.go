package cli

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/rules"
)

// TestCustomRuleExamples checks that the rules of examples/houserules pass, and that none
// is untested.
func TestCustomRuleExamples(t *testing.T) {
	var out, errs strings.Builder
	status := run(context.Background(), []string{"rules", "test", "--config", filepath.Join("..", "examples", "houserules", ".brennerlint.yaml")},
		streams{strings.NewReader(""), &out, &errs}, rules.All())
	if status != exitClean || !regexp.MustCompile(`(?m)^([89]|\d\d) rules: \d+ passed, 0 failed, 0 untested$`).MatchString(out.String()) {
		t.Errorf("status %d\n%s%s", status, out.String(), errs.String())
	}
}
