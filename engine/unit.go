package engine

import (
	"maps"
	"slices"

	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/result"
	"github.com/brennerlint/brennerlint/source"
	"github.com/brennerlint/brennerlint/workspace"
)

// unit is what the check of one thread or artifact file has found: all that a report
// needs of it. While nothing changes that it depends on, it is not checked again.
type unit struct {
	Findings     []*result.Finding // in order, and never changed: reports share them
	Omitted      []omitted
	Suppressed   int
	SuppressedAs []suppressedFinding // what was suppressed, so that suppressions count as used
	Hidden       int
	Notices      []string
	Alone        string
	Session      *workspace.Session // nil if no rule asks; its Open keeps nothing of a check
	Agents       []result.AgentView // if the report wants them
	Asked        []asked            // what it depends on in other threads
	Thread       string             // of an artifact file
	Size         int64              // of an artifact file
}

// omitted counts findings that are not kept.
type omitted struct {
	Path     string
	Severity lint.Severity
	Count    int
}

// suppressedFinding is as much of a suppressed finding as suppressions look at.
type suppressedFinding struct {
	Rule, Path, Thread, MessageID, Item string
	Offset                              int // -1 for no place
}

// asked is a question for a message of the project, and its answer.
type asked struct {
	ID  string
	Has bool
}

// maxSuppressed bounds what a unit holds of suppressed findings: one with more is
// checked again each time.
const maxSuppressed = 4096

// results are the units that are known, by all that they depend on. They are safe for
// concurrent use.
type results interface {
	get(key unitKey) *unit
	put(key unitKey, u *unit)
}

// unit returns what a collector has found; nil if that cannot be kept.
func (s *collector) unit() *unit {
	if len(s.failures) > 0 || len(s.yielding) > 0 || len(s.suppressedAs) > maxSuppressed {
		return nil
	}
	setFirstFingerprints(s.found.list)
	u := &unit{
		Findings: sortFindings(slices.Clone(s.found.list)), Suppressed: s.suppressed, Hidden: s.hidden,
		Notices: slices.Clone(s.notices), Alone: s.alone, SuppressedAs: make([]suppressedFinding, 0, len(s.suppressedAs)),
	}
	for f := range s.suppressedAs {
		u.SuppressedAs = append(u.SuppressedAs, f)
	}
	for o, n := range s.found.omitted {
		u.Omitted = append(u.Omitted, omitted{o.path, o.severity, n})
	}
	return u
}

// reuse takes over what was found before.
func (s *collector) reuse(u *unit) {
	s.found.list = append(s.found.list, u.Findings...)
	for _, o := range u.Omitted {
		s.found.omit(o.Path, o.Severity, o.Count)
	}
	s.suppressed, s.hidden, s.alone = u.Suppressed, u.Hidden, u.Alone
	s.notices = append(s.notices, u.Notices...)
	for _, g := range u.SuppressedAs {
		f := &result.Finding{Rule: g.Rule, Path: g.Path, Thread: g.Thread, MessageID: g.MessageID, Item: g.Item}
		if g.Offset >= 0 {
			f.Range = &source.Range{Start: source.Position{Offset: g.Offset}}
		}
		if s.here.path != f.Path || s.here.scope == nil {
			s.here = s.scope.at(f.Path)
		}
		s.suppresses(f)
	}
}

// isClean reports whether nothing was found.
func (u *unit) isClean() bool { return len(u.Findings)+len(u.Agents) == 0 && u.hasFindingsOnly() }

// hasFindingsOnly reports whether nothing was found but what is reported.
func (u *unit) hasFindingsOnly() bool {
	return len(u.Omitted)+u.Suppressed+u.Hidden+len(u.Notices)+len(u.Alone) == 0
}

// recordSuppressed records a finding that is suppressed.
func (s *collector) recordSuppressed(f *result.Finding) {
	s.suppressed++
	if !s.remember {
		return
	}
	if s.suppressedAs == nil {
		s.suppressedAs = map[suppressedFinding]bool{}
	}
	s.suppressedAs[suppressedFinding{f.Rule, f.Path, f.Thread, f.MessageID, f.Item, offsetOf(f)}] = true
}

// absorb takes over what another collector of the same task has found.
func (s *collector) absorb(o *collector) {
	s.found.merge(&o.found)
	s.suppressed += o.suppressed
	s.hidden += o.hidden
	s.failures = append(s.failures, o.failures...)
	if s.suppressedAs == nil {
		s.suppressedAs = o.suppressedAs
	} else {
		maps.Copy(s.suppressedAs, o.suppressedAs)
	}
}

// list returns what was counted, for a unit.
func (t *agentTally) list() []result.AgentView {
	if *t == nil {
		return nil
	}
	return t.views()
}

// tallyOf returns what was counted in a unit.
func tallyOf(list []result.AgentView) agentTally {
	if list == nil {
		return nil
	}
	t := agentTally{}
	for i := range list {
		t[list[i].Name] = &list[i]
	}
	return t
}
