package engine

import (
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/lint"
)

// faults are the errors and warnings that rules on artifacts have found in the
// artifact of a COMPILED. Rules of another scope do not count: MR-017 looks at
// artifacts too, but is about the thread; nor do rules that are not of the protocol.
type faults struct {
	lint.Counts
	// yielded reports that a rule yielded to what the replay had already reported:
	// without the replay there may be more faults.
	yielded bool
}

func (f *faults) add(r *lint.Rule) {
	switch {
	case r.Scope() != lint.ArtifactScope || !r.Protocol:
	case r.Severity == lint.Error:
		f.Errors++
	case r.Severity == lint.Warning:
		f.Warnings++
	}
}

// reported returns what the replay, if there is one, has found of the artifact of a
// COMPILED.
func reported(r *replay.Thread, m *session.Message) *replay.AlreadyReported {
	if r == nil {
		return nil
	}
	return r.AlreadyReported(m)
}

// inlineArtifact checks the artifact of a COMPILED by rules that yield to what
// the replay has said, and counts what they find.
func (c *check) inlineArtifact(s *collector, m *session.Message, r *replay.Thread) *faults {
	f := &faults{}
	p := &lint.ArtifactPass{Pass: s.pass, Artifact: m.Artifact, Message: m, Reported: reported(r, m)}
	p.Record = func(r *lint.Rule, d lint.Diagnostic) {
		f.add(r)
		s.add(r, d)
	}
	c.checkArtifact(s, p)
	f.yielded = p.Reported != nil && p.Reported.Yielded
	return f
}

// countFaults counts the faults of the artifact of a COMPILED, whatever rules the
// configuration lets run: those that are where rules yield to the replay, and
// all. Those of the rules that run may be known.
func (c *check) countFaults(s *collector, m *session.Message, r *replay.Thread, known *faults) (low, high lint.Counts) {
	var f faults
	if known != nil {
		f = *known
		c.findFaults(s, &f, c.plan.silent, m, reported(r, m))
	} else {
		c.findFaults(s, &f, c.plan.counted, m, reported(r, m))
	}
	if !f.yielded {
		return f.Counts, f.Counts
	}
	var all faults
	c.findFaults(s, &all, c.plan.counted, m, nil)
	return f.Counts, all.Counts
}

// findFaults counts what rules find in the artifact of a COMPILED and reports
// nothing.
func (c *check) findFaults(s *collector, f *faults, rules lint.Catalogue, m *session.Message, known *replay.AlreadyReported) {
	p := &lint.ArtifactPass{Artifact: m.Artifact, Message: m, Reported: known}
	p.Record = func(r *lint.Rule, _ lint.Diagnostic) { f.add(r) }
	c.runInline(rules, p, &s.failures, s.thread)
	f.yielded = f.yielded || known != nil && known.Yielded
}

// runInline runs rules over an artifact that a message of a thread holds, for what they
// report to the pass. One that panics is recorded, and the others go on.
func (b *Mailbox) runInline(rules lint.Catalogue, p *lint.ArtifactPass, broke *failures, thread string) {
	p.RuleConfig, p.Task = &b.opts.RuleConfig, new(lint.Task)
	for _, r := range rules {
		p.Rule = r
		broke.guard(r.ID, "", thread, func() { r.Check.(lint.ArtifactCheck)(p) })
	}
}
