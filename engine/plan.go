package engine

import (
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/lint"
)

// plan is the rules that run, indexed by what they look at, so that nothing is
// run and discarded.
type plan struct {
	rules     []*lint.Rule // in catalogue order
	message   [len(brenner.MessageTypes) + 1][]*lint.Rule
	delta     []*lint.Rule
	thread    []*lint.Rule
	visit     []*lint.Rule
	artifact  []*lint.Rule
	workspace []*lint.Rule
	input     []*lint.Rule

	// counted are the rules whose findings in an artifact are its faults, whether
	// they run or not; silent are those of them that do not.
	counted, silent []*lint.Rule
}

// newPlan indexes the rules that the levels let run.
func newPlan(rules []*lint.Rule, levels *Severities) *plan {
	p := &plan{}
	for _, r := range rules {
		runs := levels.runs(r)
		if _, ok := r.Check.(lint.ArtifactCheck); ok && r.Scope() == lint.ArtifactScope && r.Protocol {
			p.counted = append(p.counted, r)
			if !runs {
				p.silent = append(p.silent, r)
			}
		}
		if !runs {
			continue
		}
		p.rules = append(p.rules, r)
		switch r.Check.(type) {
		case lint.MessageCheck:
			for t := range p.message {
				if r.Types == nil || slices.Contains(r.Types, brenner.MessageType(t)) {
					p.message[t] = append(p.message[t], r)
				}
			}
		case lint.DeltaCheck:
			p.delta = append(p.delta, r)
		case lint.ThreadCheck:
			p.thread = append(p.thread, r)
		case lint.MessageVisitor:
			p.visit = append(p.visit, r)
		case lint.ArtifactCheck:
			p.artifact = append(p.artifact, r)
		case lint.WorkspaceCheck:
			p.workspace = append(p.workspace, r)
		case lint.InputCheck:
			p.input = append(p.input, r)
		}
	}
	return p
}

// each runs a check of rules, one after the other. One that panics is recorded, and the
// others go on.
func (s *collector) each(rules []*lint.Rule, check func(i int, r *lint.Rule)) {
	for next := 0; next < len(rules); {
		next = s.runFrom(next, rules, check)
	}
}

// runFrom runs rules from an index on, until one panics; it returns the index of the next.
func (s *collector) runFrom(next int, rules []*lint.Rule, check func(i int, r *lint.Rule)) (after int) {
	after = next
	defer func() {
		if v := recover(); v != nil {
			s.failures.record(rules[after].ID, s.path, s.thread, v)
			after++
		}
	}()
	for ; after < len(rules); after++ {
		switch r := rules[after]; {
		case s.stopped != nil && s.stopped[r.ID]:
		default:
			start := s.trace.start()
			check(after, r)
			s.trace.end(r.ID, start)
		}
	}
	return after
}

// halt stops a rule for the rest of the task.
func (s *collector) halt(r *lint.Rule, reason string) {
	if s.stopped[r.ID] {
		return
	}
	if s.stopped == nil {
		s.stopped = map[string]bool{}
	}
	s.stopped[r.ID] = true
	s.failures = append(s.failures, lint.Failure{Rule: r.ID, Path: filepath.ToSlash(s.path), Thread: s.thread, Reason: reason, Stopped: true})
}

// guard runs a part of the check.
func (s *collector) guard(name string, do func()) {
	s.failures.guard(name, s.path, s.thread, do)
}

// failures are the rules and parts of a check that panicked.
type failures []lint.Failure

// guard runs a part of the check. If it panics that is recorded, and everything else
// goes on.
func (f *failures) guard(name, path, thread string, do func()) (ok bool) {
	defer func() {
		if v := recover(); v != nil {
			f.record(name, path, thread, v)
		}
	}()
	do()
	return true
}

// record records once that something panicked, which is a fault of the program.
func (f *failures) record(name, path, thread string, v any) {
	if !slices.ContainsFunc(*f, func(known lint.Failure) bool { return known.Rule == name }) {
		*f = append(*f, lint.Failure{Rule: name, Path: filepath.ToSlash(path), Thread: thread, Reason: fmt.Sprint(v), Stack: shortStack()})
	}
}

// shortStack returns where a rule panicked, without the frames of the recovery.
func shortStack() string {
	lines := strings.Split(string(debug.Stack()), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "panic(") && i+2 < len(lines) {
			lines = lines[i+2:]
			break
		}
	}
	return strings.ReplaceAll(strings.Join(lines[:min(6, len(lines))], "\n"), "\t", "  ")
}

// parallel calls do for 0 to n-1 on some workers. Each call writes to its own
// index; the order of work is free, that of results is not.
func parallel(workers, n int, do func(i int)) {
	workers = max(1, min(workers, n))
	if workers == 1 {
		for i := range n {
			do(i)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(i)
			}
		})
	}
	wg.Wait()
}

// progress counts what is done, for Trace.Progress.
type progress struct {
	done   atomic.Int64
	report func(done, total int) // perhaps nil
}

// add counts one more.
func (p *progress) add(total int) {
	if p.report != nil {
		p.report(int(p.done.Add(1)), total)
	}
}
