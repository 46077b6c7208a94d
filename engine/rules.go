package engine

import (
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/lint"
)

// plan is the rules that run, in catalogue order.
type plan struct {
	rules []*lint.Rule
	// message are those of them for each type of message.
	message map[brenner.MessageType][]*lint.Rule
	// references reports that some look at references between sessions.
	references bool
	// counted are the rules whose findings in an artifact are its faults (counts), whether they
	// run or not.
	counted   []*lint.Rule
	allCounts bool // all of them run
}

// newPlan sorts the rules that the levels let run.
func newPlan(all []*lint.Rule, levels *Severities) *plan {
	rules := filter(all, levels.runs)
	p := &plan{
		rules: rules, message: map[brenner.MessageType][]*lint.Rule{}, references: slices.ContainsFunc(rules, checks[lint.WorkspaceCheck]),
		counted: filter(all, counts), allCounts: len(filter(rules, counts)) == len(filter(all, counts)),
	}
	for _, t := range slices.Concat(brenner.MessageTypes, []brenner.MessageType{""}) { // the others, too
		p.message[t] = filter(rules, func(r *lint.Rule) bool { return r.Types == nil || slices.Contains(r.Types, t) })
	}
	return p
}

func filter(rules []*lint.Rule, wanted func(*lint.Rule) bool) (out []*lint.Rule) {
	for _, r := range rules {
		if wanted(r) {
			out = append(out, r)
		}
	}
	return out
}

// checks reports whether the check of a rule is of a type.
func checks[C lint.Check](r *lint.Rule) bool {
	_, ok := r.Check.(C)
	return ok
}

// counts reports whether the findings of a rule in an artifact are faults of the artifact. Those of
// another scope are not: MR-017 looks at artifacts too, but is about the thread. Nor are those of
// rules that are not of the protocol.
func counts(r *lint.Rule) bool {
	return checks[lint.ArtifactCheck](r) && r.Scope() == lint.ArtifactScope && r.Protocol
}

// runner runs rules, one after the other. It is the only way in which rules are run.
type runner struct {
	box      *Mailbox
	record   func(*lint.Rule, lint.Diagnostic)
	pass     lint.Pass // what all passes share
	path     string    // of the input that is checked, for what has no place of its own
	thread   string    // that is checked
	failures failures
	stopped  map[string]bool // rules that are not called again (halt)
	// inline is the message whose artifact was checked last, with what was found. Without it,
	// every artifact of a thread is checked twice, which takes a tenth of the time.
	inline struct {
		message *session.Message
		known   *replay.AlreadyReported
		faults  lint.Counts
	}
}

// newRunner returns a runner whose rules report to record.
func (b *Mailbox) newRunner(path string, record func(*lint.Rule, lint.Diagnostic)) *runner {
	r := &runner{box: b, record: record, path: path, stopped: map[string]bool{}}
	r.pass = lint.NewPass(&b.opts.RuleConfig, record, r.halt)
	return r
}

// run runs the rules of one kind with a pass: do calls the check of each.
func run[C lint.Check](r *runner, rules []*lint.Rule, p *lint.Pass, do func(C)) {
	for _, rule := range rules {
		if check, ok := rule.Check.(C); ok {
			r.call(rule, func() {
				p.Rule = rule
				do(check)
			})
		}
	}
}

// call runs a rule, unless it was stopped. If it panics that is recorded, and the others go on.
func (r *runner) call(rule *lint.Rule, do func()) {
	if r.stopped[rule.ID] {
		return
	}
	defer r.failures.recover(rule.ID, r.path, r.thread)
	end := r.box.opts.Trace.time(rule.ID)
	do()
	end()
}

// guard runs a part of the check.
func (r *runner) guard(name string, do func()) { r.failures.guard(name, r.path, r.thread, do) }

// halt stops a rule for the rest of the task (lint.Pass.Stop).
func (r *runner) halt(rule *lint.Rule, reason string) {
	if r.stopped[rule.ID] {
		return
	}
	r.stopped[rule.ID] = true
	r.failures = append(r.failures, lint.Failure{Rule: rule.ID, Path: filepath.ToSlash(r.path), Thread: r.thread, Reason: reason, Stopped: true})
}

// message checks a message with its deltas and its inline artifact. The thread is nil for a draft
// that is checked alone.
func (r *runner) message(m *session.Message, t *session.Thread, roster []mail.Agent, replayed *replay.Thread) {
	r.subjectAndBody(m, t, roster)
	if m.Intended == brenner.Delta {
		r.deltas(m, t)
	}
	if m.Artifact != nil {
		r.inline.message, r.inline.known = m, replayed.AlreadyReported(m)
		r.inline.faults = r.inlineArtifact(r.box.plan.rules, m, r.inline.known, r.record)
	}
}

// inlineArtifact checks the artifact of a COMPILED by rules that yield to what the replay has
// said, and counts its faults.
func (r *runner) inlineArtifact(rules []*lint.Rule, m *session.Message, known *replay.AlreadyReported, record func(*lint.Rule, lint.Diagnostic)) (faults lint.Counts) {
	r.artifact(rules, &lint.ArtifactPass{Artifact: m.Artifact, Message: m, Reported: known}, func(rule *lint.Rule, d lint.Diagnostic) {
		switch {
		case !counts(rule):
		case rule.Severity == lint.Error:
			faults.Errors++
		case rule.Severity == lint.Warning:
			faults.Warnings++
		}
		record(rule, d)
	})
	return faults
}

func (r *runner) subjectAndBody(m *session.Message, t *session.Thread, roster []mail.Agent) {
	p := &lint.MessagePass{Pass: r.pass, Message: m, Thread: t, Roster: roster}
	run(r, r.box.plan.message[m.Intended], &p.Pass, func(check lint.MessageCheck) { check(p) })
}

func (r *runner) deltas(m *session.Message, t *session.Thread) {
	p := &lint.DeltaPass{Pass: r.pass, Message: m, Thread: t}
	for _, p.Delta = range m.Deltas {
		run(r, r.box.plan.rules, &p.Pass, func(check lint.DeltaCheck) { check(p) })
	}
}

// artifact checks an artifact by rules. Findings that replaced bytes cause are not recorded.
func (r *runner) artifact(rules []*lint.Rule, p *lint.ArtifactPass, record func(*lint.Rule, lint.Diagnostic)) {
	if p.Artifact.Text.Garbled {
		_, left := r.box.restoreArtifact(p, rules)
		all := record
		record = func(r *lint.Rule, d lint.Diagnostic) {
			if left.findings[keyIn(r, &d)] {
				all(r, d)
			}
		}
	}
	r.artifactAsIs(rules, p, record)
}

func (r *runner) artifactAsIs(rules []*lint.Rule, p *lint.ArtifactPass, record func(*lint.Rule, lint.Diagnostic)) {
	p.Pass = r.pass.Recording(record)
	run(r, rules, &p.Pass, func(check lint.ArtifactCheck) { check(p) })
}

// inlineFindings counts the faults of the artifact of a COMPILED by all rules, also those that
// the configuration ignores. least leaves out findings that the replay has reported, most counts
// all.
func (r *runner) inlineFindings(m *session.Message, replayed *replay.Thread) (least, most lint.Counts) {
	count := func(known *replay.AlreadyReported) lint.Counts {
		return r.inlineArtifact(r.box.plan.counted, m, known, func(*lint.Rule, lint.Diagnostic) {})
	}
	known := r.inline.known
	if least = r.inline.faults; r.inline.message != m || !r.box.plan.allCounts {
		known = replayed.AlreadyReported(m)
		least = count(known)
	}
	if known == nil || !known.Yielded {
		return least, least
	}
	return least, count(nil)
}

// threadPass shows rules a thread.
func (r *runner) threadPass(t *session.Thread, replayed *replay.Thread, hasMessage func(id string) bool) *lint.ThreadPass {
	return &lint.ThreadPass{
		Pass: r.pass, Thread: t, Replay: replayed,
		InlineFindings: func(m *session.Message) (least, most lint.Counts) { return r.inlineFindings(m, replayed) },
		RejectedBy:     r.box.rules.RejectedBy,
		HasMessage:     hasMessage,
	}
}

// visitor begins the rules that go through a thread, and returns what shows them a message. Each
// keeps a pass of its own.
func (r *runner) visitor(p *lint.ThreadPass) func(*session.Message) {
	var visits []func(*session.Message)
	run(r, r.box.plan.rules, &p.Pass, func(check lint.MessageVisitor) {
		own := *p
		if visit := check(&own); visit != nil {
			visits = append(visits, func(m *session.Message) { r.call(own.Rule, func() { visit(m) }) })
		}
	})
	return func(m *session.Message) {
		for _, visit := range visits {
			visit(m)
		}
	}
}

// wholeThread runs the rules that look at a thread as a whole.
func (r *runner) wholeThread(p *lint.ThreadPass) {
	run(r, r.box.plan.rules, &p.Pass, func(check lint.ThreadCheck) { check(p) })
}

// workspace runs the rules on references between sessions.
func (r *runner) workspace(sessions []*session.Session) {
	p := &lint.WorkspacePass{Pass: r.pass, Workspace: session.NewWorkspace(sessions)}
	run(r, r.box.plan.rules, &p.Pass, func(check lint.WorkspaceCheck) { check(p) })
}

// input runs the rules on what reading has shown, and on suppressions without effect.
func (r *runner) input(read export.Facts, unused []lint.UnusedSuppression) {
	if read.Count()+len(unused) == 0 {
		return
	}
	p := &lint.InputPass{Pass: r.pass, Faults: read.Faults, Incomplete: read.Incomplete, Mismatches: read.Mismatches, Suppressions: unused}
	run(r, r.box.plan.rules, &p.Pass, func(check lint.InputCheck) { check(p) })
}

// failures are the rules and parts of a check that panicked.
type failures []lint.Failure

// guard runs a part of the check. If it panics that is recorded, and everything else
// goes on.
func (f *failures) guard(name, path, thread string, do func()) (ok bool) {
	defer f.recover(name, path, thread)
	do()
	return true
}

// recover, when deferred, records once that something panicked, which is a fault of the program.
func (f *failures) recover(name, path, thread string) {
	v := recover()
	if v == nil || slices.ContainsFunc(*f, func(known lint.Failure) bool { return known.Rule == name }) {
		return
	}
	*f = append(*f, lint.Failure{Rule: name, Path: filepath.ToSlash(path), Thread: thread, Reason: fmt.Sprint(v), Stack: shortStack()})
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

// progress counts one more that is done, for Trace.Progress.
func (b *Mailbox) progress(total int) {
	if follow := b.opts.Trace.Progress; follow != nil {
		follow(int(b.done.Add(1)), total)
	}
}
