package engine_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/result"
	"github.com/brennerlint/brennerlint/rules"
)

// noResults keeps nothing: a check makes results that could be kept.
type noResults struct{ engine.CacheStore }

func (noResults) Get([32]byte) []byte     { return nil }
func (noResults) Put([32]byte, []byte)    {}
func (noResults) GetRun([32]byte) []byte  { return nil }
func (noResults) PutRun([32]byte, []byte) {}

// TestSurplus checks that a report of a database with more findings than are shown is the same
// where those are made that are only counted, in whatever order threads are checked.
func TestSurplus(t *testing.T) {
	dir := t.TempDir()
	if err := gen.Generate(gen.Options{Out: dir, Seed: 9, Threads: 80, Defects: 0.5, Findings: 0.5, Forms: []string{"sqlite"}}); err != nil {
		t.Fatal(err)
	}
	check := func(most, workers int, cache *engine.Cache) *result.Report {
		opts := engine.Options{RuleConfig: lint.DefaultRuleConfig, Limits: engine.DefaultLimits, Workers: workers, Cache: cache}
		opts.Limits.Findings = most
		report, err := engine.MustNew(rules.All(), opts).Check(t.Context(), filepath.Join(dir, "storage.sqlite3"))
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	for _, most := range []int{1, 7, 40, 200} {
		want := check(most, 1, engine.NewCache(noResults{}, "1"))
		if len(want.Findings) != most || len(want.Notices) == 0 {
			t.Fatalf("%d findings, %q", len(want.Findings), want.Notices)
		}
		for _, workers := range []int{1, 3} {
			if d := cmp.Diff(want, check(most, workers, nil), cmpopts.IgnoreFields(result.Report{}, "Rules"), cmpopts.EquateEmpty()); d != "" {
				t.Errorf("%d findings, %d workers:\n%s", most, workers, d)
			}
		}
	}
}
