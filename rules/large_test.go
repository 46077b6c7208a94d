package rules_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/config"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/replay"
	"github.com/brennerlint/brennerlint/rules"
)

// TestExamplesAsLargeThreads checks that a rule finds the same in a thread whose
// messages are released one by one as in one that is kept whole.
func TestExamplesAsLargeThreads(t *testing.T) {
	testenv.SkipUnderRace(t)
	compared := 0
	for _, r := range rules.All() {
		for _, ex := range examplesOf(t, r) {
			var opts engine.Options
			check := selecting(t, ex.Files, &opts)
			opts.LargeThread = 1 << 40
			whole := check(t, nil, nil)
			opts.LargeThread = 1
			if d := cmp.Diff(whole, check(t, nil, nil)); d != "" {
				t.Errorf("%s %s: checked whole, and message by message:\n%s", r.ID, ex.Name(), d)
			}
			compared += len(whole)
		}
	}
	if compared < 500 {
		t.Errorf("the findings of only %d rules were compared", compared)
	}
}

// TestReplaysOfLargeThreads checks that the replay of a thread whose messages are released
// says the same as that of a thread that is kept whole: also why deltas are rejected.
func TestReplaysOfLargeThreads(t *testing.T) {
	testenv.SkipUnderRace(t)
	var messages []map[string]any
	for _, r := range rules.All() {
		for _, ex := range examplesOf(t, r) {
			for _, f := range ex.Files {
				if m := exampleMessage(f.Data); m != nil {
					messages = append(messages, m)
				}
			}
		}
	}
	const id = "RS-20260101-cell-fate"
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var thread []map[string]any
	for i, m := range messages {
		m["id"], m["thread_id"], m["created"] = 2*i+1, id, at.Add(time.Duration(2*i)*time.Second)
		thread = append(thread, m, map[string]any{
			"id": 2*i + 2, "thread_id": id, "created": at.Add(time.Duration(2*i+1) * time.Second), "from": "BlueLake",
			"subject": fmt.Sprintf("COMPILED: v%d x", i+1), "body_md": "",
		})
	}
	data, err := json.Marshal(map[string]any{"thread_id": id, "messages": thread})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "thread.json")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	compiled := map[int64]string{}
	replayed := func(large int64) *replay.Results {
		l := engine.MustNew(rules.All(), engine.Options{LargeThread: large})
		for version := 1; version <= len(messages); version += 1 + len(messages)/6 {
			if c, _, err := l.Compile(context.Background(), engine.CompileOptions{Version: version}, path); err != nil {
				compiled[large] += err.Error()
			} else {
				compiled[large] += c.Body
			}
		}
		res, err := l.Replay(context.Background(), engine.ReplayOptions{}, path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range res.Failures {
			t.Error(f)
		}
		return res
	}
	whole := replayed(1 << 40)
	if d := cmp.Diff(whole, replayed(1)); d != "" {
		t.Errorf("replayed whole, and message by message:\n%s", d)
	}
	if d := cmp.Diff(compiled[1<<40], compiled[1]); d != "" {
		t.Errorf("compiled whole, and message by message:\n%s", d)
	}
	by := map[string]int{}
	for _, w := range whole.Threads[0].Windows {
		for _, d := range w.Rejected {
			by[d.Rule]++
		}
	}
	if len(by) < 12 {
		t.Errorf("deltas are rejected by %v only", by)
	}
}

// exampleMessage returns the message of an example in Markdown, nil if it has another form.
func exampleMessage(text []byte) map[string]any {
	header, body, ok := strings.Cut(strings.TrimPrefix(string(text), "---json\n"), "\n---\n")
	if !ok || len(header) == len(text) {
		return nil
	}
	m := map[string]any{}
	if json.Unmarshal([]byte(header), &m) != nil || m["subject"] == nil {
		return nil
	}
	m["body_md"] = body
	return m
}

// written writes files, and returns their paths; a configuration is applied to the options.
func written(t *testing.T, files []txtar.File, opts *engine.Options) (paths []string) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if f.Name == config.FileName {
			cfg, err := config.Parse(path, f.Data, rules.All())
			if err != nil {
				t.Fatal(err)
			}
			cfg.Apply(opts, rules.All())
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// deltaMail returns a thread of n DELTAs that conform except for a share of their
// items, each body changed by a function.
func deltaMail(t *testing.T, n int, findings float64, change func(body string) string) []byte {
	t.Helper()
	dir := t.TempDir()
	if err := gen.Generate(gen.Options{Out: dir, Seed: 5, Threads: 1 + n/6, Findings: findings, Forms: []string{"json"}}); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(dir, "json", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	const id = "RS-20260101-cell-fate"
	var out []map[string]any
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var thread struct{ Messages []map[string]any }
		if err := json.Unmarshal(data, &thread); err != nil {
			t.Fatal(err)
		}
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
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestLongBodies checks that the deltas of a body whose JSON is not kept have the
// findings of those of a short one.
func TestLongBodies(t *testing.T) {
	testenv.SkipUnderRace(t)
	check := func(filler string) map[string][]string {
		dir := t.TempDir()
		data := deltaMail(t, 5, 1, func(body string) string { return body + "\n<!--" + filler + "-->\n" })
		path := filepath.Join(dir, "thread.json")
		if err := os.WriteFile(path, bytes.ReplaceAll(data, []byte(`"rationale`), []byte(`"delta_id\": \"one\", \"rationale`)), 0o600); err != nil {
			t.Fatal(err)
		}
		found := findingsWith(t, engine.Options{}, nil, nil, dir)
		for rule, list := range found {
			for i, f := range list {
				list[i] = withoutFile(t, f, dir)
			}
			found[rule] = list
		}
		return found
	}
	short := check("x")
	if len(short) < 2 {
		t.Fatalf("only %d rules find something", len(short))
	}
	if d := cmp.Diff(short, check(strings.Repeat("x", 4<<20))); d != "" {
		t.Errorf("in short bodies, and in long ones:\n%s", d)
	}
}

// withoutFile returns a finding without what the length of a body changes.
func withoutFile(t *testing.T, finding, dir string) string {
	t.Helper()
	var f map[string]any
	if err := json.Unmarshal([]byte(strings.ReplaceAll(finding, dir, "")), &f); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"range", "related", "fix", "fingerprint"} {
		delete(f, key)
	}
	out, _ := json.Marshal(f)
	return string(out)
}

// TestPeak checks how much memory is kept at most during checks of large inputs, in
// bytes for each byte of the input (docs/performance.md, Large mailboxes). It runs in
// its own process, where nothing else is kept.
func TestPeak(t *testing.T) {
	testenv.SkipUnderRace(t)
	const child = "BRENNERLINT_PEAK"
	if os.Getenv(child) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestPeak$", "-test.v")
		cmd.Env = append(os.Environ(), child+"=1")
		out, err := cmd.CombinedOutput()
		if t.Logf("%s", out); err != nil {
			t.Error(err)
		}
		return
	}
	whole := func(body string) string { return body }
	messages := deltaMail(t, 3000, 0, whole)
	var blocks strings.Builder
	deltaMail(t, 3000, 0, func(body string) string {
		if _, list, ok := strings.Cut(body, "## Deltas\n"); ok {
			blocks.WriteString(list)
		}
		return body
	})
	prose := strings.Repeat(strings.Repeat("Some words of a paragraph that goes on for a while.\n", 5)+"\n", 30_000)
	for _, c := range []struct {
		name  string
		data  []byte
		stdin bool
		most  float64
	}{
		{"a thread of DELTAs", messages, false, 3.0},
		{"a message of prose", deltaMail(t, 1, 0, func(string) string { return prose }), true, 4.2},
		{"a message of deltas", deltaMail(t, 1, 0, func(string) string { return "## Deltas\n" + blocks.String() }), true, 6.0},
	} {
		opts := engine.Options{Workers: 1, LargeThread: 1 << 20}
		path := filepath.Join(t.TempDir(), "thread.json")
		if c.stdin {
			path = "-"
		} else if err := os.WriteFile(path, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		// What is allocated during a collection counts as kept, which is more if other
		// programs slow down the collector: what is really kept is in every run.
		got := math.Inf(1)
		for run := 0; run < 3 && got > c.most; run++ {
			opts.Stdin = bytes.NewReader(c.data)
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

// TestLongEscapedBody checks that the line breaks of a long body that is escaped twice are
// found, and that reading it again needs nothing that is not kept of long bodies.
func TestLongEscapedBody(t *testing.T) {
	body := "## Deltas\n\n```delta\n" + `{"operation": "KILL", "section": "hypothesis_slate", "target_id": "H1", "payload": {"reason": "x"}, "rationale": "r"}` + "\n```\n\n" +
		strings.Repeat("Words of a paragraph. ", 200_000)
	found := findingsWith(t, engine.Options{Stdin: bytes.NewReader(deltaMail(t, 1, 0, func(string) string {
		return strings.ReplaceAll(body, "\n", `\n`)
	}))}, nil, nil, "-")
	if len(found["MB-004"]) != 1 || !strings.Contains(found["MB-004"][0], "fix") {
		t.Errorf("MB-004 finds %v", found["MB-004"])
	}
}
