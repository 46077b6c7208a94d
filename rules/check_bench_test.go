package rules_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// BenchmarkCheck checks 100 sessions by all rules, and reports the cost of each stage
// of the check.
func BenchmarkCheck(b *testing.B) {
	const sessions = 100
	dir := b.TempDir()
	err := gen.Generate(gen.Options{Out: dir, Seed: 1, Artifacts: sessions, Threads: sessions, Defects: 0.1, Forms: []string{"json", "archive", "sqlite"}})
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"artifacts", "json", "archive", "storage.sqlite3"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			profile := &engine.Profile{}
			l := engine.MustNew(rules.All(), engine.Options{RuleConfig: lint.DefaultRuleConfig, Limits: engine.DefaultLimits, Profile: profile})
			for b.Loop() {
				rep, err := l.Check(context.Background(), filepath.Join(dir, name))
				if err != nil {
					b.Fatal(err)
				}
				if rep.Summary.Artifacts+rep.Summary.Threads != sessions {
					b.Fatalf("%+v", rep.Summary)
				}
			}
			for _, s := range profile.Stages() {
				b.ReportMetric(float64(s.Time.Nanoseconds())/float64(b.N), s.Name+"-ns/op")
			}
		})
	}
}
