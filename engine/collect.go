package engine

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// task is the check of one input, thread or draft: it runs rules, and gathers what they find. Each
// has its own findings, so that no worker waits for another and the order of work never shows.
type task struct {
	*runner
	scope   *scope
	found   findings
	notices []string
	hidden  int    // findings that overrides ignore
	alone   string // a file with one message, which may be meant as the whole thread
	project string // of the thread

	isArtifact bool           // the task is about an artifact file
	session    string         // its thread
	threadless bool           // its thread is not among the inputs
	garbled    bool           // it holds bytes that cannot be what was written
	directives []*suppression // its own
	// artifacts, if given, are the paths of artifact files: a finding may be in any of them.
	artifacts map[string]bool

	suppressible bool
	suppressed   int
	moreEdits    int // of its fixes (maxMoreEdits)
	// keep, if given, is asked whether a finding is wanted.
	keep func(*lint.Finding) bool

	here  *scopeOfPath
	lines frameLines // of the last frame
}

// add turns a diagnostic into a finding: here, at the edge, spans become lines
// and columns.
func (s *task) add(r *lint.Rule, d lint.Diagnostic) {
	checkPlaces(&d)
	if _, ofInput := r.Check.(lint.InputCheck); !ofInput && s.isGarbled(&d) {
		return
	}
	if d.DeferToThread && !s.threadless {
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
		Artifact: s.isArtifact || s.artifacts[path], // --fix changes artifact files only
		Session:  s.session,
	}
	if d.In != nil {
		f.MessageID = d.In.ID
		f.Mail = mailInfo(d.In, s.project)
		f.Thread = cmp.Or(f.Thread, d.In.Thread.String())
	}
	at := s.place(f, &d)
	f.Header = d.In != nil && f.Body == nil && at.Known() && at.Text == d.In.Header.Text
	if s.suppressible && s.suppresses(f, r) {
		s.suppressed++
		return
	}
	if s.keep != nil && !s.keep(f) {
		return
	}
	if at.Known() {
		f.Frame = s.frame(f, &d, at)
	}
	if !s.garbled { // a file is repaired whole or not at all
		s.offerFix(f, d.Fix)
	}
	if draft || d.Assume != nil {
		f.Assume, f.Block = s.resolveFix(d.Assume), d.Block
	}
	if s.box.opts.Limits.Findings != AllFindings {
		f.Related = s.resolveRelated(d.Related)
	}
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

// isGarbled reports whether a diagnostic is at a byte that was read as U+FFFD: IN-001 has
// reported it (decisions.md 40 and 90). A diagnostic about a whole message is at its subject,
// and so is never garbled.
func (s *task) isGarbled(d *lint.Diagnostic) bool {
	if s.garbled && d.In == nil {
		return d.At.Known() && bytes.ContainsRune(d.At.Text.Bytes(d.At.Span), utf8.RuneError)
	}
	return d.In != nil && d.In.GarbledAt(d.At) && d.At != d.In.SubjectPlace()
}

// place fills in where the finding is. It returns the place that its frame shows:
// in the body of a message, if it is there.
func (s *task) place(f *lint.Finding, d *lint.Diagnostic) source.Place {
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

func (s *task) pathOf(path string, at source.Place, in *session.Message) string {
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
func (s *task) resolveRelated(list []lint.RelatedLocation) []lint.Related {
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

const (
	// maxFixEdits bounds the edits of one fix: one for each line break of a text would
	// take many times the memory of the text, and as much of a report.
	maxFixEdits = 1000
	// maxMoreEdits bounds the edits of all fixes of a task, or of a report. The first edit of
	// each fix does not count.
	maxMoreEdits = 10_000
)

// offerFix gives a finding the fix of its diagnostic, or says that it has too many edits.
func (s *task) offerFix(f *lint.Finding, fix *lint.SuggestedFix) {
	if f.Fix = s.resolveFix(fix); fix == nil || f.Fix != nil || len(fix.Edits) <= maxFixEdits {
		return
	}
	if f.Suggestion != "" {
		f.Suggestion += "; "
	}
	f.Suggestion += fmt.Sprintf("no fix is offered: it would have %d edits", len(fix.Edits))
}

// resolveFix puts the edits of a fix where they are in the file. It returns nil for a fix
// of a text that no file holds, and for one with too many edits.
func (s *task) resolveFix(fix *lint.SuggestedFix) *lint.Fix {
	if fix == nil || len(fix.Edits) > maxFixEdits || s.moreEdits+len(fix.Edits)-1 > maxMoreEdits {
		return nil
	}
	s.moreEdits += len(fix.Edits) - 1
	out := &lint.Fix{Description: fix.Description, Unsafe: fix.Unsafe, Edits: make([]lint.Edit, len(fix.Edits))}
	for i := range fix.Edits {
		e := &fix.Edits[i]
		r := rangeOf(e.At)
		if r == nil {
			return nil
		}
		out.Edits[i] = lint.Edit{Range: *r, Text: e.At.Text.Encode(e.Text)}
	}
	return out
}

// limitEdits removes fixes from a report that have too many edits together.
func limitEdits(rep *lint.Report) {
	more, removed := 0, 0
	for i, f := range rep.Findings {
		if f.Fix == nil || len(f.Fix.Edits) <= 1 {
			continue
		}
		if more+len(f.Fix.Edits)-1 > maxMoreEdits {
			without := *f
			without.Fix = nil
			rep.Findings[i] = &without
			removed++
			continue
		}
		more += len(f.Fix.Edits) - 1
	}
	if removed > 0 {
		rep.Notices = append(rep.Notices, fmt.Sprintf("%s too many edits together: make those of the report, and check again", text.Count(removed, "fix is not offered, because the fixes have", "fixes are not offered, because they have")))
	}
}

// frame returns what people see at a place; nil where it may hold a credential.
func (s *task) frame(f *lint.Finding, d *lint.Diagnostic, at source.Place) *lint.Frame {
	draft, inBody := d.In != nil && d.In.Form == mail.Draft, f.Body != nil
	switch {
	case inBody:
	case d.Sensitive, draft && at.Text.IsFile(): // the line of a draft in JSON may hold the sender's token
		return nil
	case (at.Text.IsFile() || s.isArtifact) && s.scope.mayNameCredential(f.Path, at.Text) && s.namesCredential(at.Text, at.Span):
		return nil
	}
	line := at.Text.LineAt(at.Span.Start)
	number := line
	if f.Range != nil && (!inBody || d.In.Body.IsPlain()) {
		number = f.Range.Start.Line
	}
	frame := s.frameOf(at, line, number)
	if draft && inBody && input.NamesCredential([]byte(strings.Join(frame.Lines, "\n"))) {
		return nil // what was read as the body may hold other members too
	}
	return frame
}

// namesCredential reports whether the lines that a frame would show of a file name a credential:
// mail as JSON may be a log of calls, with the senders' tokens. Of a long line it looks at the
// part that is shown and at the bytes before it, which may hold the name.
func (s *task) namesCredential(t *source.Text, span source.Span) bool {
	most := s.box.opts.Limits.FrameLine
	line := t.Line(t.LineAt(span.Start))
	shown := source.Span{Start: max(0, line.Start-most), End: line.End}
	if line.Len() > most {
		shown.Start, shown.End = max(line.Start, span.Start-most), min(line.End, span.Start+most)
	}
	return input.NamesCredential(t.Bytes(shown))
}

// frameLines are the lines of a frame. Findings at one place share them: there may be thousands
// in one long line.
type frameLines struct {
	text        *source.Text
	before, cut source.Span // the line before, if it is shown, and what is shown of the line
	lines       []string
}

// frameOf returns the line with the start of a place, and the line before if it is short and not
// blank. number is the line's number for people. It keeps a bounded part of a line; reports cut
// it further.
func (s *task) frameOf(at source.Place, line, number int) *lint.Frame {
	t, most := at.Text, s.box.opts.Limits.FrameLine
	l := t.Line(line)
	start := min(max(at.Span.Start, l.Start), l.End)
	end := min(max(at.Span.End, start), l.End)
	cut := cutLine(t, l, start, most)
	before := source.Span{}
	if line > 1 && number > 1 {
		before = t.Line(line - 1)
		if before.Len() > most || len(bytes.TrimSpace(t.Bytes(before))) == 0 {
			before = source.Span{}
		}
	}
	k := &s.lines
	if k.text != t || k.before != before || k.cut != cut {
		*k = frameLines{text: t, before: before, cut: cut}
		if before.Len() > 0 {
			k.lines = append(k.lines, t.Slice(before))
		}
		k.lines = append(k.lines, t.Slice(cut))
	}
	return &lint.Frame{
		Line: number - len(k.lines) + 1, Lines: k.lines, Start: start - cut.Start, End: min(end, cut.End) - cut.Start,
		Before: cut.Start > l.Start, After: cut.End < l.End,
	}
}

// fineCut is the length of frames up to which each is cut at its own place. Longer
// ones are cut at few places of the line, so that thousands of findings in one line
// do not keep thousands of copies of it.
const fineCut = 1024

// cutLine returns the part of a line around a place, at most so many bytes.
func cutLine(t *source.Text, l source.Span, at, most int) source.Span {
	if l.Len() <= most {
		return l
	}
	cut := l
	cut.Start = max(l.Start, at-most/4)
	if step := most / 2; most >= fineCut {
		cut.Start = l.Start + (cut.Start-l.Start)/step*step
	}
	cut.End = min(l.End, cut.Start+most)
	cut.Start = max(l.Start, source.RuneStart(t.Data, cut.Start))
	if cut.End < l.End {
		cut.End = source.RuneStart(t.Data, cut.End)
	}
	return cut
}
