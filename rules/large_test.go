package rules_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
)

// written writes files, and returns their paths; a configuration is applied to the options.
func written(t *testing.T, files []txtar.File, opts *engine.Options) (paths []string) {
	t.Helper()
	dir := t.TempDir()
	inputs := slices.DeleteFunc(slices.Clone(files), func(f txtar.File) bool { return applyConfig(t, dir, f, opts) })
	return writeFiles(t, dir, inputs)
}

// deltaMail returns a thread of n DELTAs that conform, each body changed by a
// function.
func deltaMail(t *testing.T, n int, change func(body string) string) []byte {
	t.Helper()
	dir := t.TempDir()
	must.OK(t, gen.Generate(gen.Options{Out: dir, Seed: 5, Threads: 1 + n/6, Forms: []string{"json"}}))
	paths, err := filepath.Glob(filepath.Join(dir, "json", "*.json"))
	must.OK(t, err)
	const id = "RS-20260101-cell-fate"
	var out []map[string]any
	for _, path := range paths {
		data := must.Read(t, path)
		var thread struct{ Messages []map[string]any }
		must.OK(t, json.Unmarshal(data, &thread))
		for _, m := range thread.Messages {
			if len(out) == n || !strings.HasPrefix(m["subject"].(string), "DELTA") {
				continue
			}
			i := len(out)
			m["id"], m["thread_id"], m["body_md"] = i+1, id, change(m["body_md"].(string))
			m["created_ts"] = fmt.Sprintf("2026-01-%02dT%02d:%02d:%02dZ", 1+i/86400, i/3600%24, i/60%60, i%60)
			out = append(out, m)
		}
	}
	data, err := json.Marshal(map[string]any{"thread_id": id, "messages": out})
	must.OK(t, err)
	return data
}

// TestPeak checks how much memory is kept at most during checks of large inputs, in
// bytes for each byte of the input. It runs in
// its own process, where nothing else is kept.
func TestPeak(t *testing.T) {
	testenv.SkipUnderRace(t)
	const child = "BRENNERLINT_PEAK"
	if os.Getenv(child) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestPeak$", "-test.v")
		cmd.Env = append(os.Environ(), child+"=1", "GOGC=100")
		out, err := cmd.CombinedOutput()
		if t.Logf("%s", out); err != nil {
			t.Error(err)
		}
		return
	}
	var blocks strings.Builder
	messages := deltaMail(t, 1500, func(body string) string {
		if _, list, ok := strings.Cut(body, "## Deltas\n"); ok {
			blocks.WriteString(list)
		}
		return body
	})
	prose := strings.Repeat(strings.Repeat("Some words of a paragraph that goes on for a while.\n", 5)+"\n", 10_000)
	for _, c := range []struct {
		name  string
		data  []byte
		stdin bool
		most  float64
	}{
		{"a thread of DELTAs", messages, false, 10.5},
		{"a message of prose", deltaMail(t, 1, func(string) string { return prose }), true, 5.5},
		{"a message of deltas", deltaMail(t, 1, func(string) string { return "## Deltas\n" + blocks.String() }), true, 12},
	} {
		opts := engine.Options{Workers: 1}
		path := filepath.Join(t.TempDir(), "thread.json")
		if c.stdin {
			path = "-"
		} else if err := os.WriteFile(path, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		// What is allocated during a collection counts as kept, which is more if other
		// programs slow down the collector: what is really kept is in every run.
		got := math.Inf(1)
		for run := 0; run < 5 && got > c.most; run++ {
			opts.Stdin.Reader = bytes.NewReader(c.data)
			got = min(got, peak(func() { findingsWith(t, opts, nil, nil, path) })/float64(len(c.data)))
		}
		t.Logf("%s of %d bytes: %.2f bytes are kept for each", c.name, len(c.data), got)
		if got > c.most {
			t.Errorf("%s of %d bytes: %.2f bytes are kept for each, at most %.1f are expected", c.name, len(c.data), got, c.most)
		}
	}
}

// peak returns how many bytes are kept at most during a call: what remains after
// consecutive garbage collections.
func peak(do func()) float64 {
	live := func() uint64 {
		s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	}
	runtime.GC()
	before := live()
	most := before
	done := make(chan bool)
	go func() {
		defer close(done)
		do()
	}()
	for {
		select {
		case <-done:
			return float64(most - before)
		default:
			runtime.GC()
			most = max(most, live())
		}
	}
}

// TestFindingsKeepNoFile checks that a report does not keep what was read.
func TestFindingsKeepNoFile(t *testing.T) {
	const artifacts, size = 10, 100_000
	dir := t.TempDir()
	must.OK(t, gen.Generate(gen.Options{Out: dir, Seed: 1, Artifacts: artifacts, Findings: 1}))
	paths, err := filepath.Glob(filepath.Join(dir, "artifacts", "*.md"))
	if err != nil || len(paths) != artifacts {
		t.Fatal(len(paths), err)
	}
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err == nil {
			err = os.WriteFile(p, append(data, bytes.Repeat([]byte("\nSome more text.\n"), size/17)...), 0o600)
		}
		must.OK(t, err)
	}
	opts := engine.Options{Workers: 1}
	checked(t, opts, dir) // creates what all share
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	rep := checked(t, opts, dir)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if kept, read := int(after.HeapAlloc)-int(before.HeapAlloc), artifacts*size; kept > read/2 {
		t.Errorf("%d findings keep %d bytes of %d that were read", len(rep.Findings), kept, read)
	}
	runtime.KeepAlive(rep)
}
