package engine

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// collector gathers the findings of one task. Each task has its own, so that no
// worker waits for another and the order of work never shows.
type collector struct {
	scope    *scope
	found    findings
	yielding []yielding
	failures failures
	stopped  map[string]bool // rules that are not called again (lint.Pass.Stop)
	notices  []string
	hidden   int    // findings that overrides ignore
	alone    string // the file of a message that may be taken for its thread
	trace    *Trace
	// path is that of the input the task is about, for findings at no place.
	path      string
	project   string // of the thread
	thread    string
	session   string    // the thread of an artifact file
	frameLine int       // Limits.FrameLine
	slim      bool      // AllFindings
	garbled   bool      // the artifact file holds bytes that cannot be what was written
	artifact  bool      // the task is about an artifact file
	pass      lint.Pass // what all passes of the task share

	directives   *directiveIndex // of the artifact that the task is about
	suppressible bool
	suppressed   int
	moreEdits    int // of its fixes (maxMoreEdits)
	// keep, if given, is asked whether a finding is wanted.
	keep func(*lint.Finding) bool
	// artifacts, if given, are the paths of artifact files: the task is about any.
	artifacts map[string]bool

	here  *scopeOfPath
	lines frameLines // of the last frame
}

// yielding is a diagnostic that waits until all threads among the inputs are known.
type yielding struct {
	rule *lint.Rule
	lint.Diagnostic
}

// add turns a diagnostic into a finding: here, at the edge, spans become lines
// and columns.
func (s *collector) add(r *lint.Rule, d lint.Diagnostic) {
	checkPlaces(&d)
	if r.SkipGarbled && s.isGarbled(&d) {
		return
	}
	if d.Yields {
		d.Yields = false
		s.yielding = append(s.yielding, yielding{r, d})
		return
	}
	path := s.pathOf(d.Path, d.At, d.In)
	if s.here == nil || s.here.path != path {
		s.here = s.scope.at(path)
	}
	draft := d.In != nil && d.In.Form == mail.Draft
	severity, on := s.scope.levels.of(r, s.here.overrides, draft)
	if !on {
		s.hidden++
		return
	}
	f := &lint.Finding{
		Rule: r.ID, Name: r.Name, Code: r.Code, Severity: severity,
		Message: d.Message, Suggestion: d.Suggestion, Quoted: d.Quoted, Unreadable: d.Unreadable,
		Path: path, Thread: cmp.Or(d.Thread, s.thread), MessageID: d.MessageID, Delta: d.Delta, Item: d.Item, Field: d.Field,
	}
	// Of the inputs' faults only those of an artifact's directives have a fix.
	f.Artifact = s.artifact || r.Scope() == lint.InputScope && d.Fix != nil
	if s.artifacts != nil {
		f.Artifact = s.artifacts[f.Path] // --fix changes artifact files only
	}
	if f.Artifact {
		f.Session = s.session
	}
	if d.In != nil {
		f.MessageID = d.In.ID
		f.Mail = mailInfo(d.In, s.project)
		if f.Thread == "" {
			f.Thread = d.In.Thread.String()
		}
	}
	at := s.place(f, &d)
	f.Header = d.In != nil && f.Body == nil && at.Known() && at.Text == d.In.Header.Text
	if s.suppressible && s.suppresses(f) {
		s.suppressed++
		return
	}
	if s.keep != nil && !s.keep(f) {
		return
	}
	if at.Known() {
		f.Frame = s.frame(f, &d, at)
	}
	s.finish(f, &d)
	s.found.add(f)
}

// checkPlaces panics if a rule reports what is not in its text: that is a fault of the
// rule, like others that panic.
func checkPlaces(d *lint.Diagnostic) {
	check := func(at source.Place) {
		if at.Known() && (at.Span.Start < 0 || at.Span.End < at.Span.Start || at.Span.End > at.Text.Len()) {
			panic(fmt.Sprintf("it reports bytes %d to %d of a text of %d bytes", at.Span.Start, at.Span.End, at.Text.Len()))
		}
	}
	check(d.At)
	for i := range d.Related {
		check(d.Related[i].At)
	}
	for _, fix := range []*lint.SuggestedFix{d.Fix, d.Assume} {
		if fix != nil {
			for i := range fix.Edits {
				check(fix.Edits[i].At)
			}
		}
	}
}

// finish completes a finding by what depends on nothing else.
func (s *collector) finish(f *lint.Finding, d *lint.Diagnostic) {
	if !s.garbled { // a file is repaired whole or not at all
		s.offerFix(f, d.Fix)
	}
	if d.In != nil && d.In.Form == mail.Draft || d.Assume != nil {
		f.Assume, f.Block = s.resolveFix(d.Assume), d.Block
	}
	if s.slim {
		slim(f.Frame)
		return
	}
	f.Related = s.resolveRelated(d.Related)
}

// isGarbled reports whether a diagnostic is at a byte that cannot be what was
// written: that is reported already.
func (s *collector) isGarbled(d *lint.Diagnostic) bool {
	if s.garbled && d.In == nil {
		return d.At.Known() && bytes.ContainsRune(d.At.Text.Bytes(d.At.Span), utf8.RuneError)
	}
	return d.In != nil && d.In.GarbledAt(d.At)
}

// suppresses reports whether a finding is suppressed.
func (s *collector) suppresses(f *lint.Finding) bool {
	byEntry := suppressedBy(s.here.entries, f)
	directives := s.directives
	if directives == nil {
		directives = s.scope.directives[f.Path]
	}
	return directives != nil && directives.suppress(f) || byEntry
}

// place fills in where the finding is. It returns the place that its frame shows:
// in the body of a message, if it is there.
func (s *collector) place(f *lint.Finding, d *lint.Diagnostic) source.Place {
	at := d.At
	if !at.Known() && d.In != nil {
		at = d.In.Header
	}
	if !at.Known() {
		return at
	}
	if d.In != nil && d.In.Body != nil {
		if in, ok := at.Text.Within(d.In.Body, at.Span); ok {
			at = d.In.Body.Place(in)
			p := at.Text.Position(in.Start)
			f.Body = &lint.BodyPosition{Line: p.Line, Column: p.Column}
		}
	}
	f.Range = rangeOf(at)
	return at
}

func (s *collector) pathOf(path string, at source.Place, in *session.Message) string {
	switch {
	case path != "":
	case at.Known() && at.Text.File != nil:
		path = at.Text.File.Path
	case in != nil && in.File != nil:
		path = in.File.Path
	case in != nil && in.ExportInfo != nil:
		path = in.ExportInfo.Path
	default:
		path = s.path
	}
	return filepath.ToSlash(path)
}

func rangeOf(at source.Place) *source.Range {
	if !at.Known() {
		return nil
	}
	span, ok := at.Text.ToFile(at.Span)
	if !ok {
		return nil
	}
	r := at.Text.File.Range(span)
	return &r
}

// mailInfo describes a message of a project; nil for none.
func mailInfo(m *session.Message, project string) *lint.MailInfo {
	if m == nil {
		return nil
	}
	info := &lint.MailInfo{Project: project, ID: m.ID, Subject: m.SubjectText, From: m.From.String(), Type: m.Intended.String()}
	if m.Form != mail.Draft { // that of a draft is only assumed
		info.Time = m.Time
	}
	return info
}

// resolveRelated puts related locations where they are in their files.
func (s *collector) resolveRelated(list []lint.RelatedLocation) []lint.Related {
	if len(list) == 0 {
		return nil
	}
	out := make([]lint.Related, len(list))
	for i := range list {
		r := &list[i]
		out[i] = lint.Related{Path: s.pathOf(r.Path, r.At, r.In), Range: rangeOf(r.At), Message: r.Message, Mail: mailInfo(r.In, s.project)}
	}
	return out
}
