package engine

import (
	"bytes"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/mail"
	"github.com/brennerlint/brennerlint/session"
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
	hidden   int      // findings that overrides ignore
	alone    string   // the file of a message that may stand for its thread
	profile  *Profile // nil if nobody asks
	// path is that of the input the task is about, for findings at no place.
	path      string
	thread    string
	session   string    // the thread of an artifact file
	frameLine int       // Limits.FrameLine
	slim      bool      // Options.Accept
	short     bool      // Options.Uncapped
	garbled   bool      // the artifact file holds bytes that cannot be what was written
	artifact  bool      // the task is about an artifact file
	pass      lint.Pass // what all passes of the task share

	directives   *directiveIndex // of the artifact that the task is about
	suppressible bool
	suppressed   int
	remember     bool              // the results may be kept
	silenced     map[silenced]bool // what was suppressed, if so
	// keep, if given, is asked whether a finding is wanted.
	keep func(*lint.Finding) bool
	// artifacts, if given, are the paths of artifact files: the task is about any.
	artifacts map[string]bool

	here       scopeOfPath
	mail       mailMemo
	framed     frameMemo
	credential credentialMemo
}

// yielding is a diagnostic that waits until all threads among the inputs are known.
type yielding struct {
	rule *lint.Rule
	lint.Diagnostic
}

// add turns a diagnostic into a finding: here, at the edge, spans become lines
// and columns.
func (s *collector) add(r *lint.Rule, d lint.Diagnostic) {
	if r.SkipGarbled && s.isGarbled(&d) {
		return
	}
	if d.Yields {
		d.Yields = false
		s.yielding = append(s.yielding, yielding{r, d})
		return
	}
	f := &lint.Finding{
		Rule: r.ID, Name: r.Name, Code: r.Code,
		Message: d.Message, Suggestion: d.Suggestion, Quoted: d.Quoted, Unreadable: d.Unreadable,
		Path: s.pathOf(d.Path, d.At, d.In), Thread: s.thread, MessageID: d.MessageID, Delta: d.Delta, Item: d.Item, Field: d.Field,
	}
	// Of the inputs' faults only those of an artifact's directives have a fix.
	f.Artifact = s.artifact || r.Scope == lint.InputScope && d.Fix != nil
	if s.artifacts != nil {
		f.Artifact = s.artifacts[f.Path] // --fix changes artifact files only
	}
	if s.here.path != f.Path || s.here.scope == nil {
		s.here = s.scope.at(f.Path)
	}
	var on bool
	draft := d.In != nil && d.In.Form == mail.Draft
	if f.Severity, on = s.scope.levels.of(r, s.here.overrides, draft); !on {
		s.hidden++
		return
	}
	if d.Thread != "" {
		f.Thread = d.Thread
	}
	if f.Artifact {
		f.Session = s.session
	}
	if d.In != nil {
		f.MessageID = d.In.ID
		f.Mail = s.mail.of(d.In)
		if f.Thread == "" {
			f.Thread = d.In.Thread.String()
		}
	}
	at := s.place(f, d)
	if s.suppressible && s.suppresses(f) {
		s.silence(f)
		return
	}
	if s.keep != nil && !s.keep(f) {
		return
	}
	if at.Known() {
		f.Frame = s.frame(f, d, at)
	}
	s.finish(f, &d)
	s.found.add(f)
}

// finish completes a finding by what depends on nothing else. A baseline needs none
// of it, and of the frame only what identifies the finding.
func (s *collector) finish(f *lint.Finding, d *lint.Diagnostic) {
	if s.slim {
		f.Frame = slimFrame(f.Frame)
		return
	}
	if s.short {
		f.Frame = slimFrame(f.Frame)
	}
	if !s.garbled { // a file is repaired whole or not at all
		f.Fix = resolveFix(d.Fix)
	}
	if d.In != nil && d.In.Form == mail.Draft || d.Assume != nil {
		f.Assume, f.Block = resolveFix(d.Assume), d.Block
	}
	for i := range d.Related {
		s.resolve(&d.Related[i])
	}
	f.Related = d.Related
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
	silenced := s.scope.entries.suppress(f, s.here.entries)
	directives := s.directives
	if directives == nil {
		directives = s.scope.directives[f.Path]
	}
	return directives != nil && directives.suppress(f) || silenced
}

// place fills in where the finding is. It returns the place that its frame shows:
// in the body of a message, if it is there.
func (s *collector) place(f *lint.Finding, d lint.Diagnostic) source.Place {
	at := d.At
	if !at.Known() && d.In != nil {
		at = d.In.Header
	}
	if !at.Known() {
		return at
	}
	f.Range = rangeOf(at)
	if d.In != nil && d.In.Body != nil {
		if in, ok := at.Text.Within(d.In.Body, at.Span); ok {
			p := d.In.Body.Position(in.Start)
			f.Body = &lint.BodyPosition{Line: p.Line, Column: p.Column}
			return d.In.Body.Place(in)
		}
	}
	return at
}

// frame is what people see at a place; nil where it may hold a credential.
func (s *collector) frame(f *lint.Finding, d lint.Diagnostic, at source.Place) *lint.Frame {
	draft := d.In != nil && d.In.Form == mail.Draft
	if f.Body != nil {
		line := f.Body.Line
		if d.In.Body.IsPlain() {
			line = f.Range.Start.Line
		}
		frame := s.framed.of(at.Text, at.Span, line, s.frameLine)
		if draft && input.NamesCredential([]byte(strings.Join(frame.Lines, "\n"))) {
			return nil // what is taken for the body may be more
		}
		return frame
	}
	if d.Sensitive || draft && at.Text.IsFile() {
		return nil // the line of a draft in JSON may hold the sender's token
	}
	line := at.Text.LineAt(at.Span.Start)
	if f.Range != nil {
		line = f.Range.Start.Line
	}
	if at.Text.IsFile() && s.credential.beside(at.Text, at.Span, s.frameLine) {
		return nil
	}
	return s.framed.of(at.Text, at.Span, line, s.frameLine)
}

// credentialMemo is where beside looked last: findings of one text, and of one line,
// share the answer.
type credentialMemo struct {
	text  *source.Text
	any   bool // the text names a credential somewhere
	shown source.Span
	named bool
}

// beside reports whether the lines that a frame would show of a file name a
// credential: mail as JSON may be a log of calls, with the senders' tokens. Of a long
// line it looks at what is shown, and at what may name it before.
func (m *credentialMemo) beside(t *source.Text, span source.Span, most int) bool {
	if m.text != t {
		*m = credentialMemo{text: t, any: input.NamesCredential(t.Content())}
	}
	if !m.any {
		return false
	}
	line := t.Line(t.LineAt(span.Start))
	shown := source.Span{Start: max(0, line.Start-most), End: line.End}
	if line.Len() > most {
		shown.Start, shown.End = max(line.Start, span.Start-most), min(line.End, span.Start+most)
	}
	if m.shown != shown {
		m.shown, m.named = shown, input.NamesCredential(t.Bytes(shown))
	}
	return m.named
}

// frameMemo is the lines of the last frame: findings of one place share them.
type frameMemo struct {
	text         *source.Text
	line, number int
	cut          source.Span // what is shown of the line
	lines        []string
	first        int // the number of the first of them
}

// of is the line that holds the start of span and the one before it. Of a line it
// keeps at most some bytes: reports cut it further.
func (m *frameMemo) of(t *source.Text, span source.Span, number, most int) *lint.Frame {
	line := t.LineAt(span.Start)
	l := t.Line(line)
	start := min(max(span.Start, l.Start), l.End)
	end := min(max(span.End, start), l.End)
	cut := cutLine(t.Content(), l, start, most)
	if m.text != t || m.line != line || m.number != number || m.cut != cut {
		*m = frameMemo{text: t, line: line, number: number, cut: cut, first: number}
		m.before(t, most)
		m.lines = append(m.lines, t.Slice(cut))
	}
	return &lint.Frame{
		Line: m.first, Lines: m.lines, Start: start - cut.Start, End: min(end, cut.End) - cut.Start,
		Before: cut.Start > l.Start, After: cut.End < l.End,
	}
}

// fineCut is the length of frames up to which each is cut at its own place. Longer
// ones are cut at few places of the line, so that thousands of findings in one line
// do not keep thousands of copies of it.
const fineCut = 1024

// cutLine is the part of a line around a place, at most so many bytes.
func cutLine(data []byte, l source.Span, at, most int) source.Span {
	if l.Len() <= most {
		return l
	}
	cut := l
	cut.Start = max(l.Start, at-most/4)
	if step := most / 2; most >= fineCut {
		cut.Start = l.Start + (cut.Start-l.Start)/step*step
	}
	cut.End = min(l.End, cut.Start+most)
	cut.Start = max(l.Start, runeStart(data, cut.Start))
	if cut.End < l.End {
		cut.End = runeStart(data, cut.End)
	}
	return cut
}

// before adds the line before, if it is short and not blank.
func (m *frameMemo) before(t *source.Text, most int) {
	if m.line <= 1 || m.number <= 1 {
		return
	}
	if before := t.Line(m.line - 1); before.Len() <= most && len(bytes.TrimSpace(t.Bytes(before))) > 0 {
		m.first--
		m.lines = append(m.lines, t.Slice(before))
	}
}

// runeStart is the start of the character that the byte at i belongs to; i in
// bytes that are no UTF-8.
func runeStart(data []byte, i int) int {
	for n := range min(utf8.UTFMax, i+1) {
		if utf8.RuneStart(data[i-n]) {
			return i - n
		}
	}
	return i
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

func rangeOf(at source.Place) *lint.Range {
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

// mailMemo describes the last message: its findings share that.
type mailMemo struct {
	message *session.Message
	info    *lint.MailInfo
}

// of describes a message; nil for none.
func (k *mailMemo) of(m *session.Message) *lint.MailInfo {
	if m == nil || m == k.message {
		if m == nil {
			return nil
		}
		return k.info
	}
	info := &lint.MailInfo{ID: m.ID, Subject: m.SubjectText, From: m.From.String(), Type: m.Intended.String()}
	if m.Form != mail.Draft { // that of a draft is only assumed
		info.Time = m.Time
	}
	*k = mailMemo{m, info}
	return info
}

// resolve puts a related location where it is in its file.
func (s *collector) resolve(r *lint.RelatedLocation) {
	r.Path, r.Range, r.Mail = s.pathOf(r.Path, r.At, r.In), rangeOf(r.At), s.mail.of(r.In)
	r.At, r.In = source.Place{}, nil // findings outlive the texts
}

// resolveFix puts the edits of a fix where they are in the file. A fix of a text
// that no file holds is none.
func resolveFix(fix *lint.SuggestedFix) *lint.SuggestedFix {
	if fix == nil {
		return nil
	}
	for i := range fix.Edits {
		e := &fix.Edits[i]
		r := rangeOf(e.At)
		if r == nil {
			return nil
		}
		e.Range, e.Text, e.At = *r, e.At.Text.Encode(e.Text), source.Place{}
	}
	return fix
}
