package cli

import (
	"strings"
	"testing"
)

// TestOwnRepository checks that nothing of this repository is taken for mail or an
// artifact but what its configuration leaves out.
func TestOwnRepository(t *testing.T) {
	out, errs, status := runProgram(t, program("..", "."))
	if status != 0 || !strings.Contains(errs, "nothing to check") {
		t.Errorf("status %d:\n%s%s", status, out, errs)
	}
}
