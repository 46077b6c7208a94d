package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/brennerlint/brennerlint/conformance"
)

// Request is a line that a command is given: a case.
type Request struct {
	ID    string           `json:"id"`
	Kind  conformance.Kind `json:"kind"`
	Input json.RawMessage  `json:"input"`
}

// Response is a line that a command answers.
type Response struct {
	ID     string          `json:"id"`
	Result json.RawMessage `json:"result,omitempty"`
	// Unsupported says that the implementation has nothing that could answer the case.
	Unsupported bool `json:"unsupported,omitempty"`
	// Error says why the implementation cannot answer the case although it should.
	Error string `json:"error,omitempty"`
}

// Status is what became of a case.
type Status string

// The statuses.
const (
	Pass        Status = "pass"
	Fail        Status = "fail"    // another answer than expected
	Timeout     Status = "timeout" // no answer in time
	Crash       Status = "crash"   // the command ended
	Garbage     Status = "garbage" // the line is not an answer
	Flood       Status = "flood"   // the line does not end
	Unsupported Status = "unsupported"
	NotRun      Status = "not-run" // the command had hung too often
)

// Statuses are all statuses.
var Statuses = []Status{Pass, Fail, Timeout, Crash, Garbage, Flood, Unsupported, NotRun}

// Failed reports whether a status is a failure.
func (s Status) Failed() bool { return s != Pass && s != Unsupported }

// Result is what became of one case.
type Result struct {
	Case    *conformance.Case
	Status  Status
	Message string // what is wrong; "" if nothing is
}

// Options say how the suite runs.
type Options struct {
	Command []string
	// PerCase starts the command for each case again, and closes its input after it.
	PerCase bool
	// Timeout is for one case.
	Timeout time.Duration
}

// maxHangs is after how many cases in a row without an answer in time the command is
// not asked again: the rest of a suite would take hours.
const maxHangs = 10

// Run runs cases against a command, in order. A command that hangs, crashes or writes
// garbage is started again for the next case. The error is a command that cannot be
// started, or that of the context.
func Run(ctx context.Context, cases []*conformance.Case, opts Options) ([]Result, error) {
	r := &runner{opts: opts}
	defer r.stop(exitGrace)
	results := make([]Result, 0, len(cases))
	hangs := 0
	for _, c := range cases {
		res := Result{Case: c, Status: NotRun, Message: fmt.Sprintf("%d cases in a row had no answer in time", maxHangs)}
		if hangs < maxHangs {
			var err error
			if res.Status, res.Message, err = r.run(ctx, c); err != nil {
				return nil, err
			}
		}
		if res.Status == Timeout {
			hangs++
		} else if res.Status != NotRun {
			hangs = 0
		}
		results = append(results, res)
	}
	return results, nil
}

// runner runs cases one by one.
type runner struct {
	opts    Options
	process *process // nil if none runs
}

// stop ends the process, if one runs.
func (r *runner) stop(grace time.Duration) {
	if r.process != nil {
		r.process.end(grace)
		r.process = nil
	}
}

// run runs a case.
func (r *runner) run(ctx context.Context, c *conformance.Case) (Status, string, error) {
	if r.process == nil {
		p, err := start(r.opts.Command)
		if err != nil {
			return "", "", fmt.Errorf("start %s: %w", r.opts.Command[0], err)
		}
		r.process = p
	}
	line, err := encodeLine(Request{c.ID, c.Kind, c.Input})
	if err != nil {
		return "", "", err
	}
	data, err := r.process.ask(ctx, line, r.opts.PerCase, r.opts.Timeout)
	if err == nil {
		status, message := read(c, data)
		if r.opts.PerCase && status != Garbage {
			if how, wrong := r.process.finish(r.opts.Timeout); how != Pass {
				status, message = how, wrong
			}
		}
		if r.opts.PerCase || status == Garbage {
			r.stop(0)
		}
		return status, message, nil
	}
	r.stop(0)
	var f *failure
	if errors.As(err, &f) {
		return f.status, f.message, nil
	}
	return "", "", err
}

// read reads and judges an answer.
func read(c *conformance.Case, line []byte) (Status, string) {
	var res Response
	switch err := json.Unmarshal(line, &res); {
	case err != nil:
		return Garbage, "the line is not an answer: " + brief(string(line))
	case res.ID != c.ID:
		return Garbage, fmt.Sprintf("the line answers %s", brief(res.ID))
	case res.Unsupported:
		return Unsupported, ""
	case res.Error != "":
		return Fail, "error: " + brief(res.Error)
	case res.Result == nil:
		return Garbage, "the answer has neither result nor error: " + brief(string(line))
	}
	if wrong := Judge(c, res.Result); wrong != "" {
		return Fail, wrong
	}
	return Pass, ""
}

// encodeLine returns a value as a line of JSON.
func encodeLine(v any) ([]byte, error) {
	line, err := conformance.ToJSON(v)
	return append(line, '\n'), err
}
