package rules_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// checkGenerated checks changed artifacts of which a share of the items has a finding. It
// returns the report and the number of allocations.
func checkGenerated(t *testing.T, artifacts int, findings float64, change func([]byte) []byte) (rep *lint.Report, allocs uint64) {
	t.Helper()
	dir := t.TempDir()
	if err := gen.Generate(gen.Options{Out: dir, Seed: 1, Artifacts: artifacts, Findings: findings}); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(dir, "artifacts", "*.md"))
	if err != nil || len(paths) != artifacts {
		t.Fatal(len(paths), err)
	}
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err == nil {
			err = os.WriteFile(p, change(data), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var before, after runtime.MemStats
	for range 2 { // the first creates what all share
		runtime.ReadMemStats(&before)
		if rep, err = engine.Check(context.Background(), rules.All(), engine.Options{Workers: 1}, filepath.Join(dir, "artifacts")); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
	}
	return rep, after.Mallocs - before.Mallocs
}

// TestAllocationsOfFindings bounds the extra allocations of a finding: its record, its
// message, the lines around it, and its fingerprint.
func TestAllocationsOfFindings(t *testing.T) {
	const artifacts, most = 40, 12
	same := func(data []byte) []byte { return data }
	few, least := checkGenerated(t, artifacts, 0, same)
	many, allocs := checkGenerated(t, artifacts, 1, same)
	findings := len(many.Findings) - len(few.Findings)
	if findings < 10*artifacts {
		t.Fatalf("only %d findings", findings)
	}
	if each := float64(allocs-least) / float64(findings); each > most {
		t.Errorf("a finding takes %.1f allocations; expected at most %d", each, most)
	}
}

// TestFindingsKeepNoFile checks that a report does not keep what was read.
func TestFindingsKeepNoFile(t *testing.T) {
	const artifacts, size = 30, 100_000
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	rep, _ := checkGenerated(t, artifacts, 1, func(data []byte) []byte {
		return append(data, bytes.Repeat([]byte("\nSome more text.\n"), size/17)...)
	})
	runtime.GC()
	runtime.ReadMemStats(&after)
	if kept, read := int(after.HeapAlloc)-int(before.HeapAlloc), artifacts*size; kept > read/2 {
		t.Errorf("%d findings keep %d bytes of %d that were read", len(rep.Findings), kept, read)
	}
	runtime.KeepAlive(rep)
}
