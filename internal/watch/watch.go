// Package watch checks inputs once, then again whenever they change, and reports, by
// fingerprint, which findings are new and which are resolved.
//
// The loop gets all its inputs from its options: a look at the files, a check, and when to look
// again. It returns data; the caller formats it.
package watch

import (
	"context"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/lint"
)

// Options are the inputs and callbacks of the loop.
type Options struct {
	// Look returns the files that exist. It reads no input.
	Look func(context.Context) (Look, error)
	// Check checks all inputs.
	Check func(context.Context) (*Checked, error)
	// Wait returns when something may have changed, and when the context ends.
	Wait func(context.Context)
	// Report is called with what each check found. It ends the loop if it returns true.
	Report func(context.Context, *Round) (done bool, err error)
	// Trouble is called with the reason why nothing can be checked now, once per reason.
	Trouble func(error)
}

// Checked is the outcome of a check.
type Checked struct {
	Report   *lint.Report
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
	seen, err := o.Look(ctx) // at the last check
	if err != nil {
		return nil, err
	}
	seen, c, err := o.check(ctx, seen)
	if err != nil {
		return nil, err
	}
	m := memory{messages: map[mail.Ref]bool{}}
	r := m.compare(c)
	r.First, r.Replies = true, nil
	checked := seen    // at the last check that worked
	var trouble string // why none has worked since
	for {
		if done, err := o.Report(ctx, r); done || err != nil {
			return r.Report, err
		}
		for {
			if o.Wait(ctx); ctx.Err() != nil {
				return r.Report, nil //nolint:nilerr // the caller ends the watch
			}
			now, err := o.Look(ctx)
			if err == nil {
				if len(seen.Changed(now)) == 0 {
					continue
				}
				if seen, c, err = o.check(ctx, now); err == nil {
					break
				}
			}
			if ctx.Err() != nil {
				return r.Report, nil //nolint:nilerr // the caller ends the watch
			}
			if err.Error() != trouble {
				trouble = err.Error()
				o.Trouble(err)
			}
		}
		r = m.compare(c)
		r.Changed = checked.Changed(seen)
		checked, trouble = seen, ""
	}
}

// maxChecks bounds the checks for one change: mail may come faster than it is checked.
const maxChecks = 4

// check checks until the files are the same before and after it, for a file that is replaced
// meanwhile may be missing in the report. It returns how they were before the last check.
func (o *Options) check(ctx context.Context, before Look) (Look, *Checked, error) {
	for n := 1; ; n++ {
		c, err := o.Check(ctx)
		if err != nil || n == maxChecks {
			return before, c, err
		}
		after, err := o.Look(ctx)
		if err != nil || len(before.Changed(after)) == 0 {
			return before, c, nil //nolint:nilerr // the next look has the same error
		}
		before = after
	}
}
