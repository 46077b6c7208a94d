package rules_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/config"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/rules"
)

// shape is an input of any kind that grows: files returns about n of what the shape
// multiplies.
type shape struct {
	name  string
	start int // the first size
	files func(n int) []txtar.File
	check func(tb testing.TB, dir string, files []txtar.File) // checkFolder, if nil
}

// oneFile returns the files of a shape that has one.
func oneFile(name string, make func(n int) string) func(n int) []txtar.File {
	return func(n int) []txtar.File { return []txtar.File{{Name: name, Data: []byte(make(n))}} }
}

// everything returns the options of a run that leaves nothing out.
func everything() engine.Options {
	return engine.Options{Workers: 1, Mail: engine.AllMail, SkipUnrecognized: true}
}

// checkFolder checks all files by all rules. A configuration among them applies to the
// run.
func checkFolder(tb testing.TB, dir string, files []txtar.File) {
	tb.Helper()
	opts := everything()
	for _, f := range files {
		if f.Name == config.FileName {
			cfg, err := config.Parse(f.Name, f.Data, rules.All())
			if err != nil {
				tb.Fatal(err)
			}
			cfg.Apply(&opts, rules.All())
		}
	}
	rep, err := engine.MustNew(rules.All(), opts).Check(context.Background(), dir)
	if err != nil && !strings.Contains(err.Error(), "no mail or artifact") {
		tb.Fatal(err)
	}
	if rep != nil {
		for _, failure := range rep.Failures {
			tb.Errorf("rule %s: %s", failure.Rule, failure.Reason)
		}
	}
}

// allocated returns how many bytes a check allocates, including those freed again.
func allocated(tb testing.TB, s shape, n int) int {
	tb.Helper()
	dir, err := os.MkdirTemp("", "shape")
	if err != nil {
		tb.Fatal(err)
	}
	defer os.RemoveAll(dir)
	files := s.files(n)
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	check := s.check
	if check == nil {
		check = checkFolder
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	check(tb, dir, files)
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// slack is the tolerated growth, in bytes: slices that double, maps that split.
const slack = 128 << 10

// TestGrowth checks that the memory that a check allocates grows with the input and not
// with its square, for every kind of input and every rule. From n to 2n it may grow by
// any amount; from 2n to 4n it may then grow by twice as much, where a square grows
// four times. It counts bytes, not time, so that it gives the same on every machine;
// BenchmarkAdversarial shows the time.
func TestGrowth(t *testing.T) {
	testenv.SkipUnderRace(t)
	for kind, shapes := range map[string][]shape{
		"adversaries": adversaries(), "kinds": kindShapes(t), "rules": ruleShapes(t),
	} {
		t.Run(kind, func(t *testing.T) {
			names := map[string]bool{}
			for i, s := range shapes {
				if names[s.name] {
					t.Errorf("there are two shapes %q", s.name)
				}
				names[s.name] = true
				if kind == "rules" && !testenv.Sampled(i, 5) {
					continue
				}
				grew := growth(t, s, s.start)
				if grew != "" { // it may be up to a bound: a square continues
					grew = growth(t, s, 4*s.start)
				}
				if grew != "" {
					t.Errorf("%s: %s", s.name, grew)
				}
			}
		})
	}
}

// growth describes how a shape takes more for 2n and 4n than it should; "" if it does
// not.
func growth(t *testing.T, s shape, n int) string {
	t.Helper()
	// No collection empties what is pooled for the next check in between.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(2 << 30))
	allocated(t, s, 1) // what is created once
	one, two, four := allocated(t, s, n), allocated(t, s, 2*n), allocated(t, s, 4*n)
	if first, second := two-one, four-two; second > 3*max(first, 0)+slack {
		return fmt.Sprintf("for %d, %d and %d of it %d, %d and %d bytes are allocated", n, 2*n, 4*n, one, two, four)
	}
	return ""
}

// largest returns the file of an example that is grown.
func largest(files []txtar.File) int {
	at := -1
	for i, f := range files {
		if f.Name != config.FileName && (at < 0 || len(f.Data) > len(files[at].Data)) {
			at = i
		}
	}
	return at
}

// with returns files with the content of one replaced.
func with(files []txtar.File, at int, data string) []txtar.File {
	out := slices.Clone(files)
	out[at].Data = []byte(data)
	return out
}
