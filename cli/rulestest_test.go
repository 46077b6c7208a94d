package cli

import (
	"path/filepath"
	"regexp"
	"testing"
)

// TestCustomRuleExamples checks that the rules of examples/houserules pass, and that none
// is untested.
func TestCustomRuleExamples(t *testing.T) {
	out, errs, status := runHere(t, "rules", "test", "--config", filepath.Join("..", "examples", "houserules", ".brennerlint.yaml"))
	if status != exitClean || !regexp.MustCompile(`(?m)^([89]|\d\d) rules: \d+ passed, 0 failed, 0 untested$`).MatchString(out) {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
}
