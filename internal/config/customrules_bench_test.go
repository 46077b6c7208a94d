package config_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

var exampleName = regexp.MustCompile(`(?m)^(    name: .*)$`)

// twentyRules returns the ten of examples/houserules, each twice.
func twentyRules(b testing.TB) *config.Config {
	b.Helper()
	paths, err := filepath.Glob("../../examples/houserules/house-rules/*.yaml")
	if err != nil || len(paths) != 10 {
		b.Fatal(paths, err)
	}
	var text strings.Builder
	text.WriteString("rules:\n")
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			b.Fatal(err)
		}
		one := strings.TrimPrefix(string(data), "rules:\n")
		text.WriteString(one)
		text.WriteString(exampleName.ReplaceAllString(strings.ReplaceAll(one, "id: GRP-", "id: HSE-"), "$1-again"))
	}
	c, err := config.Parse("x.yaml", []byte(text.String()), rules.All())
	if err != nil {
		b.Fatal(err)
	}
	if n := len(c.CustomRules()); n != 20 {
		b.Fatalf("there are %d rules", n)
	}
	return c
}

// BenchmarkCustomRules checks 100 sessions by all rules, in turn with and without 20 custom
// rules, and reports the ratio (times). It compares the processor time of the cheapest
// runs, which other programs disturb least.
func BenchmarkCustomRules(b *testing.B) {
	const sessions = 100
	dir := b.TempDir()
	err := gen.Generate(gen.Options{Out: dir, Seed: 1, Artifacts: sessions, Threads: sessions, Defects: 0.1, Forms: []string{"json"}})
	if err != nil {
		b.Fatal(err)
	}
	c := twentyRules(b)
	for _, name := range []string{"artifacts", "json"} {
		b.Run(name, func(b *testing.B) {
			check := func(all lint.Catalogue, quiet bool) time.Duration {
				o := engine.Options{Workers: 1}
				if quiet { // what is found is not the matter here, but what looking takes
					o.Severities.Overrides = []engine.SeverityOverride{{Paths: []string{"**"}, Ignore: map[string]bool{}}}
					for _, r := range c.CustomRules() {
						o.Severities.Overrides[0].Ignore[r.ID] = true
					}
				}
				start := testenv.CPUTime()
				rep, err := engine.Check(context.Background(), all, o, filepath.Join(dir, name))
				if err != nil || len(rep.Failures) > 0 {
					b.Fatal(err, rep.Failures)
				}
				return testenv.CPUTime() - start
			}
			without, with := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
			for b.Loop() {
				without = min(without, check(rules.All(), false))
				with = min(with, check(c.AllRules(rules.All()), true))
			}
			b.ReportMetric(float64(with)/float64(without), "times")
			b.ReportMetric(float64(without.Microseconds()), "without-µs")
		})
	}
}
