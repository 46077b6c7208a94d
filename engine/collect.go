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

// sink gathers the findings of one task. Each task has its own, so that no
// worker waits for another and the order of work never shows.
type sink struct {
	levels   *Levels
	findings []*lint.Finding
	failures failures
	notices  []string
	hidden   int      // findings that overrides ignore
	alone    string   // the file of a message that may stand for its thread
	profile  *Profile // nil if nobody asks
	// path is that of the input the task is about, for findings at no place.
	path      string
	thread    string
	frameLine int       // Limits.FrameLine
	artifact  bool      // the task is about an artifact file
	pass      lint.Pass // what all passes of the task share
}

// add turns a diagnostic into a finding: here, at the edge, spans become lines
// and columns.
func (s *sink) add(r *lint.Rule, d lint.Diagnostic) {
	f := &lint.Finding{
		Rule: r.ID, Name: r.Name, Code: r.Code,
		Message: d.Message, Suggestion: d.Suggestion,
		Path: s.pathOf(d.Path, d.At, d.In), Thread: s.thread, Delta: d.Delta, Item: d.Item, Field: d.Field,
		// Of the inputs' faults only those of an artifact's directives have a mend.
		Artifact: s.artifact || r.Scope == lint.InputScope && d.Fix != nil,
	}
	var on bool
	if f.Severity, on = s.levels.of(r, f.Path, d.In != nil && d.In.Form == mail.Draft); !on {
		s.hidden++
		return
	}
	if d.Thread != "" {
		f.Thread = d.Thread
	}
	f.MessageID = d.MessageID
	if d.In != nil {
		f.MessageID = d.In.ID
		f.Mail = mailInfo(d.In)
		if f.Thread == "" {
			f.Thread = d.In.Thread.Str()
		}
	}
	s.place(f, d)
	f.Fix = resolveFix(d.Fix)
	for i := range d.Related {
		s.resolve(&d.Related[i])
	}
	f.Related = d.Related
	s.findings = append(s.findings, f)
}

// place fills in where the finding stands and what people see there.
func (s *sink) place(f *lint.Finding, d lint.Diagnostic) {
	at := d.At
	if !at.Known() && d.In != nil {
		at = d.In.Header
	}
	if !at.Known() {
		return
	}
	f.Range = rangeOf(at)
	if d.In != nil && d.In.Body != nil {
		if in, ok := at.Text.Within(d.In.Body, at.Span); ok {
			p := d.In.Body.Position(in.Start)
			f.Body = &lint.BodyPosition{Line: p.Line, Column: p.Column}
			line := p.Line
			if d.In.Body.IsPlain() {
				line = f.Range.Start.Line
			}
			f.Frame = frame(d.In.Body, in, line, s.frameLine)
			if d.In.Form == mail.Draft && input.NamesCredential([]byte(strings.Join(f.Frame.Lines, "\n"))) {
				f.Frame = nil // what is taken for the body may be more
			}
			return
		}
	}
	if d.Private || d.In != nil && d.In.Form == mail.Draft && at.Text.IsFile() {
		return // the line of a draft in JSON may hold the sender's token
	}
	line := at.Text.Position(at.Span.Start).Line
	if f.Range != nil {
		line = f.Range.Start.Line
	}
	if !at.Text.IsFile() || !isBesideCredential(at.Text, at.Span, s.frameLine) {
		f.Frame = frame(at.Text, at.Span, line, s.frameLine)
	}
}

// isBesideCredential reports whether the lines that a frame would show of a file
// name a credential: mail as JSON may be a log of calls, with the senders' tokens.
// Of a long line it looks at what is shown, and at what may name it before.
func isBesideCredential(t *source.Text, span source.Span, most int) bool {
	line := t.Line(t.Position(span.Start).Line)
	shown := source.Span{Start: max(0, line.Start-most), End: line.End}
	if line.Len() > most {
		shown.Start, shown.End = max(line.Start, span.Start-most), min(line.End, span.Start+most)
	}
	return input.NamesCredential(t.Bytes(shown))
}

// frame is the line that holds the start of span and the one before it. Of a
// line it keeps at most some bytes: reports cut it further.
func frame(t *source.Text, span source.Span, number, most int) *lint.Frame {
	data := t.Content()
	pos := t.Position(span.Start)
	l := t.Line(pos.Line)
	start := min(max(span.Start, l.Start), l.End)
	end := min(max(span.End, start), l.End)
	fr := &lint.Frame{Line: number}
	if pos.Line > 1 && number > 1 {
		if before := t.Line(pos.Line - 1); before.Len() <= most && len(bytes.TrimSpace(t.Bytes(before))) > 0 {
			fr.Line--
			fr.Lines = append(fr.Lines, t.String(before))
		}
	}
	cut := l
	if l.Len() > most {
		cut.Start = max(l.Start, start-most/4)
		cut.End = min(l.End, cut.Start+most)
		cut.Start = max(l.Start, runeStart(data, cut.Start))
		if cut.End < l.End {
			cut.End = runeStart(data, cut.End)
		}
		end = min(end, cut.End)
	}
	fr.Lines = append(fr.Lines, t.String(cut))
	fr.Start, fr.End = start-cut.Start, end-cut.Start
	fr.Before, fr.After = cut.Start > l.Start, cut.End < l.End
	return fr
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

func (s *sink) pathOf(path string, at source.Place, in *session.Message) string {
	switch {
	case path != "":
	case at.Known() && at.Text.File != nil:
		path = at.Text.File.Path
	case in != nil && in.File != nil:
		path = in.File.Path
	case in != nil && in.Facts != nil:
		path = in.Facts.Path
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

// mailInfo describes a message; nil for none.
func mailInfo(m *session.Message) *lint.MailInfo {
	if m == nil {
		return nil
	}
	info := &lint.MailInfo{ID: m.ID, Subject: m.SubjectText, From: m.From.Str()}
	if m.Form != mail.Draft { // that of a draft is only assumed
		info.Time = m.Time
	}
	return info
}

// resolve puts a related location where it is in its file.
func (s *sink) resolve(r *lint.RelatedLocation) {
	r.Path, r.Range, r.Mail = s.pathOf(r.Path, r.At, r.In), rangeOf(r.At), mailInfo(r.In)
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
