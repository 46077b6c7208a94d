package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/rules"
)

// TestNoGoroutineIsLeft ends runs in every way: complete, by a limit, by an
// error, and by cancelling while files are read and while threads are checked. Each
// leaves no goroutine and no file open.
func TestNoGoroutineIsLeft(t *testing.T) {
	const corpus = "../testdata/corpus/realmail"
	damaged := filepath.Join(t.TempDir(), "storage.sqlite3")
	data := must.Read(t, corpus+"/storage.sqlite3")
	must.Write(t, damaged, data[:len(data)/2])
	tight := engine.Limits{FileSize: 1000, ExpandedSize: 1000, Entries: 2, JSONDepth: 1, YAMLDepth: 1, Findings: 1}
	for _, c := range []struct {
		name  string
		paths []string
		opts  engine.Options
		stop  func(done, total int) bool // when the run is cancelled
	}{
		{"whole", []string{corpus}, engine.Options{}, nil},
		{"limits", []string{corpus, "../testdata/corpus/artifacts"}, engine.Options{Limits: tight}, nil},
		{"limit of zip", []string{corpus + "/bundle.zip"}, engine.Options{Limits: tight}, nil},
		{"damaged", []string{damaged}, engine.Options{}, nil},
		{"missing", []string{corpus, "no such"}, engine.Options{}, nil},
		{"no input", []string{corpus + "/../../../go.mod"}, engine.Options{}, nil},
		{"stdin fails", []string{"-", corpus}, engine.Options{Stdin: engine.Stdin{Reader: failingReader{}}}, nil},
		{"while reading", []string{corpus}, engine.Options{}, func(_, total int) bool { return total == 0 }},
		{"while checking", []string{corpus}, engine.Options{}, func(_, total int) bool { return total > 0 }},
	} {
		before, files := runtime.NumGoroutine(), openFiles()
		run := func(what func(context.Context, *engine.Mailbox) error) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			opts := c.opts
			opts.Workers = 8
			if c.stop != nil {
				opts.Trace = &engine.Trace{Progress: func(done, total int) {
					if c.stop(done, total) {
						cancel()
					}
				}}
			}
			box, err := engine.Open(ctx, rules.All(), opts, c.paths...)
			if err == nil {
				err = what(ctx, box)
				box.Close()
			}
			if c.stop != nil && err == nil && ctx.Err() != nil {
				t.Errorf("%s: cancelled, and no error", c.name)
			}
		}
		run(func(ctx context.Context, b *engine.Mailbox) error { _, err := b.Check(ctx); return err })
		run(func(ctx context.Context, b *engine.Mailbox) error {
			_, err := b.Replay(ctx, engine.ReplayOptions{Permutations: 2})
			return err
		})
		run(func(ctx context.Context, b *engine.Mailbox) error {
			_, err := b.CheckDraft(ctx, "draft", []byte("Subject: INFO: x\nThread: RS-20251230-x\n\nx\n"))
			return err
		})
		for n := 0; runtime.NumGoroutine() > before || openFiles() > files; n++ {
			if n == 500 { // what ends by itself has ended long since
				stacks := make([]byte, 1<<16)
				t.Fatalf("%s: %d goroutines before, %d after; %d open files before, %d after\n%s", c.name, before, runtime.NumGoroutine(), files, openFiles(), stacks[:runtime.Stack(stacks, true)])
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// openFiles returns how many files the process has open, where it can be known.
func openFiles() int {
	list, _ := os.ReadDir("/proc/self/fd")
	return len(list)
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) {
	return 0, os.ErrClosed
}
