package rules_test

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"

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
			var mu sync.Mutex
			spent := map[string]time.Duration{}
			opts := engine.Options{Trace: &engine.Trace{Timed: func(stage string, took time.Duration) {
				mu.Lock()
				defer mu.Unlock()
				if lint.IsRuleID(stage) {
					stage = "rules"
				}
				spent[stage] += took
			}}}
			for b.Loop() {
				rep, err := engine.Check(context.Background(), rules.All(), opts, filepath.Join(dir, name))
				if err != nil {
					b.Fatal(err)
				}
				if rep.Summary.Artifacts+rep.Summary.Threads != sessions {
					b.Fatalf("%+v", rep.Summary)
				}
			}
			for stage, took := range spent {
				b.ReportMetric(float64(took.Nanoseconds())/float64(b.N), stage+"-ns/op")
			}
		})
	}
}
