// Package watch checks inputs once, then again whenever they change, and tells by
// fingerprints which findings are new and which are resolved.
//
// The loop takes all that it knows of the world from its options: a look at the
// files, a check, and two channels that say when to look again. What it gives are
// facts; the caller words them.
package watch

import (
	"context"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/brennerlint/brennerlint/lint"
)

// Options are what the loop works with.
type Options struct {
	// Look tells what is there. It reads no input.
	Look func(context.Context) (Look, error)
	// Check checks all inputs.
	Check func(context.Context) (*Checked, error)
	// Hints say that something may have changed, Ticks that it is time to look anyway.
	Hints <-chan struct{}
	Ticks <-chan time.Time
	// Report is told what each check found, if it found anything new or resolved, and
	// of the first check in any case. It ends the loop where it returns true.
	Report func(context.Context, *Round) (done bool, err error)
	same   func(a, b fs.FileInfo) bool // os.SameFile, but in tests
	// Trouble is told why nothing can be checked just now, once for each reason.
	Trouble func(error)
}

// Checked is the outcome of a check.
type Checked struct {
	Report   *lint.Report
	Inputs   map[string]bool     // the paths that were recognised
	Messages map[MessageKey]bool // that were checked
}

// MessageKey identifies a message of the inputs.
type MessageKey struct{ Thread, ID string }

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

// Reply is a message that came after the first check, with what was found in it.
type Reply struct {
	Message  MessageKey
	Findings []*lint.Finding
}

// Run checks until the context ends or Report says so. It returns the last report;
// the error is one of the first check or of Report.
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
		if done, err := w.again(ctx, tick); done || err != nil {
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
	// doubt is set after a check that failed, or missed what was there before: somebody
	// may be just replacing a file. A tick later it is checked again.
	doubt bool
	told  string // the last trouble
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

// again looks, and checks if something changed.
func (w *watcher) again(ctx context.Context, tick bool) (bool, error) {
	now, err := w.Look(ctx)
	if err == nil {
		changed := w.look.changed(now, w.same)
		if len(changed) == 0 && !(w.doubt && tick) {
			return false, nil
		}
		w.look, w.changed = now, append(w.changed, changed...)
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
	if err != nil || w.lost(c, w.look) || w.gone(w.look) {
		if !w.doubt || !tick {
			w.doubt = true
			return false, nil
		}
	}
	if err != nil {
		w.trouble(err)
		return false, nil
	}
	w.doubt, w.told = false, ""
	return w.round(ctx, c)
}

// trouble tells why nothing is checked. What there was is forgotten, so that it is
// checked again once it is back, even if it is as it was.
func (w *watcher) trouble(err error) {
	w.look = Look{}
	if err.Error() != w.told {
		w.told = err.Error()
		w.Trouble(err)
	}
}

func (w *watcher) round(ctx context.Context, c *Checked) (bool, error) {
	r := w.compare(c, w.look)
	slices.Sort(w.changed)
	r.Changed, w.changed = slices.Compact(w.changed), nil
	w.last = c.Report
	return w.Report(ctx, r)
}
