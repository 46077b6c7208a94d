package rules_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/steps"
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
		applyConfig(tb, dir, f, &opts)
	}
	rep, err := engine.Check(context.Background(), rules.All(), opts, dir)
	if err != nil && !strings.Contains(err.Error(), "no mail or artifact") {
		tb.Fatal(err)
	}
	if rep != nil {
		for _, failure := range rep.Failures {
			tb.Errorf("rule %s: %s", failure.Rule, failure.Reason)
		}
	}
}

// applyConfig applies a file of a folder to the options if it is a configuration, and reports whether it is.
func applyConfig(tb testing.TB, dir string, f txtar.File, opts *engine.Options) bool {
	tb.Helper()
	if f.Name != config.FileName {
		return false
	}
	cfg, err := config.Parse(filepath.Join(dir, f.Name), f.Data, rules.All())
	must.OK(tb, err)
	cfg.Apply(opts, rules.All())
	return true
}

// writeFiles writes files below a folder, and returns their paths.
func writeFiles(tb testing.TB, dir string, files []txtar.File) (paths []string) {
	tb.Helper()
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		must.Write(tb, path, f.Data)
		paths = append(paths, path)
	}
	return paths
}

// prepared writes n of a shape to a folder. It returns a function that checks them, and
// one that removes them.
func prepared(tb testing.TB, s shape, n int) (check, remove func()) {
	tb.Helper()
	dir, err := os.MkdirTemp("", "shape")
	must.OK(tb, err)
	files := s.files(n)
	writeFiles(tb, dir, files)
	run := s.check
	if run == nil {
		run = checkFolder
	}
	return func() { run(tb, dir, files) }, func() { os.RemoveAll(dir) }
}

// work is what a check takes: the same in every run, unlike time.
type work struct {
	bytes int // allocated, including those freed again
	steps int // of the loops that could take quadratic time (package steps)
}

func workOf(tb testing.TB, s shape, n int) work {
	tb.Helper()
	check, remove := prepared(tb, s, n)
	defer remove()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	taken := steps.Taken()
	check()
	runtime.ReadMemStats(&after)
	return work{int(after.TotalAlloc - before.TotalAlloc), steps.Taken() - taken}
}

const (
	// mostGrowth is how many times as much work four times as much may take: a square
	// takes 16 times as much.
	mostGrowth = 8
	// slack is what may be allocated in addition, in bytes: slices that double, maps that
	// split. slackSteps are a few more steps.
	slack      = 128 << 10
	slackSteps = 1000
)

// TestGrowth checks that what a check allocates, and the steps that it takes, grow with the
// input and not with its square, for every kind of input and every rule. It does not
// measure time, so that it gives the same on every machine: TestGrowthOfTime does.
func TestGrowth(t *testing.T) {
	testenv.SkipUnderRace(t)
	for kind, shapes := range allShapes(t) {
		t.Run(kind, func(t *testing.T) {
			names, each := map[string]bool{}, 6
			if kind == "rules" {
				each = 30
			}
			for i, s := range shapes {
				if names[s.name] {
					t.Errorf("there are two shapes %q", s.name)
				}
				names[s.name] = true
				if !testenv.Sampled(i, each) {
					continue
				}
				if grew := growing(t, s, growth); grew != "" {
					t.Errorf("%s: %s", s.name, grew)
				}
			}
		})
	}
}

// allShapes returns all shapes by their kind.
func allShapes(t *testing.T) map[string][]shape {
	return map[string][]shape{
		"adversaries": adversaries(), "commands": commandShapes(), "kinds": kindShapes(t), "rules": ruleShapes(t),
	}
}

// growing describes how a shape takes more work than it should by a measure, "" if it does not. It may
// be up to a bound, or other programs were in the way: a square continues.
func growing(t *testing.T, s shape, measure func(t *testing.T, s shape, n int) string) string {
	t.Helper()
	grew := measure(t, s, s.start)
	for n := 4 * s.start; grew != "" && n <= 16*s.start; n *= 4 {
		grew = measure(t, s, n)
	}
	return grew
}

// growth describes how a shape takes more work for 4n than it should; "" if it does not.
func growth(t *testing.T, s shape, n int) string {
	t.Helper()
	// No collection empties what is pooled for the next check in between.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(2 << 30))
	workOf(t, s, 1) // what is created once
	few, one, four := workOf(t, s, 1), workOf(t, s, n), workOf(t, s, 4*n)
	if four.bytes-few.bytes > mostGrowth*max(one.bytes-few.bytes, 0)+slack {
		return fmt.Sprintf("1, %d and %d of it allocate %d, %d and %d bytes", n, 4*n, few.bytes, one.bytes, four.bytes)
	}
	if four.steps > mostGrowth*one.steps+slackSteps {
		return fmt.Sprintf("%d and %d of it take %d and %d steps", n, 4*n, one.steps, four.steps)
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

const (
	// leastTime is what a check of the first size takes at least, so that the clock tells
	// it from others; mostSizes bounds how often a size is doubled for that.
	leastTime = 5 * time.Millisecond
	mostSizes = 8
)

// TestGrowthOfTime checks that time grows with the input and not with its square, for all
// shapes of TestGrowth. It takes half an hour: make growth runs it every night.
func TestGrowthOfTime(t *testing.T) {
	pattern := os.Getenv("BRENNERLINT_GROWTH")
	if pattern == "" {
		t.Skip("BRENNERLINT_GROWTH, a pattern of names of shapes, is not set: see make growth")
	}
	named := regexp.MustCompile(pattern)
	for kind, shapes := range allShapes(t) {
		for _, s := range shapes {
			if !named.MatchString(kind + "/" + s.name) {
				continue
			}
			t.Run(kind+"/"+s.name, func(t *testing.T) {
				if grew := growing(t, s, timeGrowth); grew != "" {
					t.Error(grew)
				}
			})
		}
	}
}

// timeGrowth describes how a shape takes more time for 4n than it should; "" if it does
// not.
func timeGrowth(t *testing.T, s shape, n int) string {
	t.Helper()
	few, one := median(t, s, 1), median(t, s, n)
	for i := 0; i < mostSizes && one-few < leastTime; i++ {
		n *= 2
		one = median(t, s, n)
	}
	two, four := median(t, s, 2*n), median(t, s, 4*n)
	said := fmt.Sprintf("1 takes %v, %d %v, %d %v, %d %v", few, n, one, 2*n, two, 4*n, four)
	t.Log(said)
	if four-few > mostGrowth*max(one-few, leastTime) {
		return said
	}
	return ""
}

// median returns the processor time of a check, the median of five.
func median(t *testing.T, s shape, n int) time.Duration {
	t.Helper()
	check, remove := prepared(t, s, n)
	defer remove()
	times := make([]time.Duration, 5)
	for i := range times {
		runtime.GC()
		before := testenv.CPUTime()
		check()
		times[i] = testenv.CPUTime() - before
	}
	slices.Sort(times)
	return times[len(times)/2]
}
