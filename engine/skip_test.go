package engine

import (
	"testing"

	"github.com/brennerlint/brennerlint/lint"
)

// TestSkipFingerprints checks that fingerprints are left out only where nothing depends
// on them.
func TestSkipFingerprints(t *testing.T) {
	for name, c := range map[string]struct {
		opts Options
		want bool
	}{
		"by default":    {Options{}, true},
		"left out":      {Options{SkipFingerprints: true}, false},
		"for a format":  {Options{SkipFingerprints: true, Data: lint.Data{Fingerprints: true}}, true},
		"by a baseline": {Options{SkipFingerprints: true, Baseline: &Baseline{}}, true},
		"for a new one": {Options{SkipFingerprints: true, ForBaseline: true}, true},
	} {
		if got := (&check{Linter: &Linter{opts: c.opts}}).identifies(); got != c.want {
			t.Errorf("fingerprints %s: %v, want %v", name, got, c.want)
		}
	}
}
