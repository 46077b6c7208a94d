// Package watch checks inputs once, then again whenever they change, and reports, by
// fingerprint, which findings are new and which are resolved.
//
// The loop gets all its inputs from its options: a look at the files, a check, and two
// channels that say when to look again. It returns data; the caller formats it.
package watch

import (
	"context"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/lint"
)

// Options are the inputs and callbacks of the loop.
type Options struct {
	// Look returns the files that exist. It reads no input.
	Look func(context.Context) (Look, error)
	// Check checks all inputs.
	Check func(context.Context) (*Checked, error)
	// Hints say that something may have changed, Ticks that it is time to look anyway.
	Hints <-chan struct{}
	Ticks <-chan time.Time
	// Report is called with what each check found. It ends the loop if it returns true.
	Report func(context.Context, *Round) (done bool, err error)
	same   func(a, b fs.FileInfo) bool // os.SameFile, except in tests
	// Trouble is called with the reason why nothing can be checked now, once per reason.
	Trouble func(error)
}

// Checked is the outcome of a check.
type Checked struct {
	Report   *lint.Report
	Inputs   map[string]bool   // the paths that were recognised
	Messages map[mail.Ref]bool // the messages that were checked
}

// Round is what one check found, compared with those before.
type Round struct {
	First   bool
	Changed []string // paths, sorted
	Events  []Event  // resolved ones first, else in the order of the reports
	Replies []Reply  // in the order of the report
	Report  *lint.Report
}

// Event is a finding that appeared or was resolved.
type Event struct {
	Resolved bool
	Finding  *lint.Finding
}

// Reply is a message that arrived after the first check, with its findings.
type Reply struct {
	Message  mail.Ref
	Findings []*lint.Finding
}

// Run checks until the context ends or Report returns true. It returns the last report;
// the error is from the first check or from Report.
func Run(ctx context.Context, o Options) (*lint.Report, error) {
	w := &watcher{Options: o}
	if w.same == nil {
		w.same = os.SameFile
	}
	if done, err := w.begin(ctx); done || err != nil {
		return w.last, err
	}
	for {
		tick := false
		select {
		case <-ctx.Done():
			return w.last, nil
		case <-o.Hints:
		case <-o.Ticks:
			tick = true
		}
		if done, err := w.recheck(ctx, tick); done || err != nil {
			return w.last, err
		}
	}
}

// watcher is the state between two checks.
type watcher struct {
	Options
	memory
	look    Look
	last    *lint.Report
	changed []string // since the last round
	// doubt is set after a check that failed, or missed what existed before: a file may
	// be in the middle of being replaced. The next tick checks again.
	doubt    bool
	reported string // the last trouble
	failed   int    // checks in a row
	pause    int    // ticks until a check that fails is tried again, if nothing changes
}

func (w *watcher) begin(ctx context.Context) (bool, error) {
	var err error
	if w.look, err = w.Look(ctx); err != nil {
		return false, err
	}
	c, err := w.Check(ctx)
	if err != nil {
		return false, err
	}
	r := w.compare(c, w.look)
	r.First = true
	w.last = c.Report
	return w.Report(ctx, r)
}

// recheck looks, and checks if something changed.
func (w *watcher) recheck(ctx context.Context, tick bool) (bool, error) {
	now, err := w.Look(ctx)
	if err == nil {
		changed := w.look.changed(now, w.same)
		if len(changed) == 0 && (!w.doubt || !tick || w.pauses()) {
			return false, nil
		}
		w.look, w.changed = now, append(w.changed, changed...)
		slices.Sort(w.changed)
		w.changed = slices.Compact(w.changed)
	} else if w.doubt && !tick {
		return false, nil
	}
	var c *Checked
	if err == nil {
		c, err = w.Check(ctx)
	}
	if ctx.Err() != nil {
		return false, nil //nolint:nilerr // Run ends
	}
	if err != nil || w.hasLostInputs(c, w.look) || w.hasLostFiles(w.look) {
		if !w.doubt || !tick {
			w.doubt = true
			return false, nil
		}
	}
	if err != nil {
		w.reportError(err)
		return false, nil
	}
	w.doubt, w.reported, w.failed, w.pause = false, "", 0, 0
	return w.round(ctx, c)
}

// maxPause is how many ticks a check that fails waits at most.
const maxPause = 30

// pauses reports whether a check that failed waits for another tick.
func (w *watcher) pauses() bool {
	if w.pause == 0 {
		return false
	}
	w.pause--
	return true
}

// reportError reports why nothing is checked. The check is tried again, less and less often
// while nothing changes.
func (w *watcher) reportError(err error) {
	w.failed++
	w.pause = min(w.failed/4, maxPause)
	if err.Error() != w.reported {
		w.reported = err.Error()
		w.Trouble(err)
	}
}

func (w *watcher) round(ctx context.Context, c *Checked) (bool, error) {
	r := w.compare(c, w.look)
	r.Changed, w.changed = w.changed, nil
	w.last = c.Report
	return w.Report(ctx, r)
}
