// Package engine checks inputs by rules: it finds and reads them, replays threads,
// runs the checks side by side, and brings what they report into one report:
// suppressed, with its severity, without what the baseline accepts, sorted.
package engine

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/workspace"
)

// Linter checks inputs by rules. It is safe for use by several goroutines.
type Linter struct {
	all  []*lint.Rule
	plan *plan
	opts Options
}

// New makes a linter of rules, which must be valid (Rule.Validate). The zero
// Options are those of the program without flags and configuration.
func New(rules []*lint.Rule, opts Options) *Linter {
	opts.Settings.SetDefaults()
	opts.Limits.setDefaults()
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	return &Linter{all: rules, plan: newPlan(rules, &opts.Levels), opts: opts}
}

// Check checks what lies at the paths. Faults of the inputs are findings; the
// error is a path that names nothing of ours, or a cancelled context.
func (l *Linter) Check(ctx context.Context, paths ...string) (*lint.Report, error) {
	c := &check{Linter: l}
	defer c.close()
	if err := c.gather(ctx, paths); err != nil {
		return nil, err
	}
	c.threads(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c.workspace()
	c.inputs(c.problems)
	return c.report(), nil
}

// check is one run: gather the inputs and check the artifacts on the way, check
// the threads one by one, then what all of them hold together.
type check struct {
	*Linter
	store *export.Store

	files     int
	artifacts []*artifactTask // in the order of the inputs
	byThread  map[string][]*artifactTask
	drafts    int
	problems  []export.Problem
	notices   []string
	countIDs  sync.Once
	threadIDs map[string]int // how many threads have an id

	sinks    []*sink // one a task, in the order of the inputs
	sessions []*workspace.Session
	sups     []*suppressor

	views         []lint.ThreadView
	artifactViews []lint.ArtifactView

	done atomic.Int64 // inputs read, then threads checked
}

// progress tells that one more is done.
func (c *check) progress(total int) {
	if c.opts.Progress != nil {
		c.opts.Progress(int(c.done.Add(1)), total)
	}
}

func (c *check) close() {
	if c.store != nil {
		c.store.Close()
	}
}

func (c *check) newSink(path string) *sink {
	s := &sink{levels: &c.opts.Levels, path: path, profile: c.opts.Profile, frameLine: c.opts.Limits.FrameLine}
	s.pass = lint.Pass{Settings: &c.opts.Settings, Record: s.add}
	return s
}
