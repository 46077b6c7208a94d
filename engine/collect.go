package engine

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// task is the check of one input, thread or draft: it runs rules, and gathers what they find. Each
// has its own findings, so that no worker waits for another and the order of work never shows.
type task struct {
	*runner
	check    *check
	findings findings
	notices  []string
	project  string // of the thread

	isArtifact bool           // the task is about an artifact file
	text       *source.Text   // of the file
	private    func() bool    // the text names a credential somewhere: nearly none does
	session    string         // its thread
	garbled    bool           // it holds bytes that cannot be what was written
	directives []*suppression // its own

	suppressible bool
	moreEdits    int             // of its fixes (maxMoreEdits)
	pathSettings *settingsOfPath // of the last finding
	lastLines    []string        // of the last frame
}

// settingsOfPath are the parts of the configuration that are about findings in one path.
type settingsOfPath struct {
	path      string
	overrides []*SeverityOverride
	entries   []*suppression
}

// add turns a diagnostic into a finding: here, at the edge, spans become lines
// and columns.
func (t *task) add(r *lint.Rule, d lint.Diagnostic) {
	checkPlace(d.At)
	if t.isGarbled(&d) && !checks[lint.InputCheck](r) {
		return
	}
	path := t.pathOf(d.Path, d.At, d.In)
	levels := &t.box.opts.Severities
	if t.pathSettings == nil || t.pathSettings.path != path {
		at := t.box.folder.Spellings(path)
		t.pathSettings = &settingsOfPath{path, levels.at(t.box.globs, at), entriesAt(t.check.entries, at)}
	}
	draft := d.In != nil && d.In.Form == mail.Draft
	severity, on := levels.of(r, t.pathSettings.overrides, draft)
	if !on {
		t.findings.hidden++
		return
	}
	f := &lint.Finding{
		Rule: r.ID, Name: r.Name, Code: r.Code, Severity: severity,
		Message: d.Message, Suggestion: d.Suggestion, Quoted: d.Quoted, Unreadable: d.Unreadable,
		Path: path, Thread: cmp.Or(d.Thread, t.thread), MessageID: d.MessageID, Delta: d.Delta, Item: d.Item, Field: d.Field,
		Artifact: t.isArtifact, Session: t.session,
	}
	if d.In != nil {
		f.MessageID = d.In.ID
		f.Mail = mailInfo(d.In, t.project)
		f.Thread = cmp.Or(f.Thread, d.In.Thread.String())
	}
	at := place(f, &d)
	f.Header = d.In != nil && f.Body == nil && at.Known() && at.Text == d.In.Header.Text
	if t.suppressible && t.suppresses(f, r) {
		t.findings.suppressed++
		return
	}
	if at.Known() {
		f.Frame = t.frame(f, &d, at)
	}
	f.Thread, f.MessageID, f.Session = shown(f.Thread), shown(f.MessageID), shown(f.Session)
	if !t.garbled { // a file is repaired whole or not at all
		t.offerFix(f, d.Fix)
	}
	if draft || d.Assume != nil {
		f.Assume, f.Block = t.resolveFix(d.Assume), d.Block
	}
	if t.check.draftOnly { // who writes a draft can still change it
		f.Suggestion = cmp.Or(f.Suggestion, r.Help)
	}
	for i := range d.Related {
		r := &d.Related[i]
		f.Related = append(f.Related, lint.Related{Path: t.pathOf(r.Path, r.At, r.In), Range: rangeOf(r.At), Message: r.Message, Mail: mailInfo(r.In, t.project)})
	}
	t.findings.add(f)
}

// checkPlace panics if a rule reports what is not in its text: that is a fault of the rule, like
// others that panic.
func checkPlace(at source.Place) {
	if at.Known() && (at.Span.Start < 0 || at.Span.End < at.Span.Start || at.Span.End > at.Text.Len()) {
		panic(fmt.Sprintf("it reports bytes %d to %d of a text of %d bytes", at.Span.Start, at.Span.End, at.Text.Len()))
	}
}

// isGarbled reports whether a diagnostic is at a byte that was read as U+FFFD: IN-001 has
// reported it (decisions.md 40 and 90). A diagnostic about a whole message is at its subject,
// and so is never garbled.
func (t *task) isGarbled(d *lint.Diagnostic) bool {
	if t.garbled && d.In == nil {
		return d.At.Known() && bytes.ContainsRune(d.At.Text.Bytes(d.At.Span), utf8.RuneError)
	}
	return d.In != nil && d.In.GarbledAt(d.At) && d.At != d.In.SubjectPlace()
}

// place fills in where the finding is. It returns the place that its frame shows:
// in the body of a message, if it is there.
func place(f *lint.Finding, d *lint.Diagnostic) source.Place {
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

func (t *task) pathOf(path string, at source.Place, in *session.Message) string {
	switch {
	case path != "":
	case at.Known() && at.Text.File != nil:
		path = at.Text.File.Path
	case in != nil:
		path = in.Path()
	default:
		path = t.path
	}
	return filepath.ToSlash(path)
}

// rangeOf returns the lines and columns of a place; nil if no file holds it.
func rangeOf(at source.Place) *source.Range {
	checkPlace(at)
	span, ok := at.Text.ToFile(at.Span)
	if !ok {
		return nil
	}
	r := at.Text.File.Range(span)
	return &r
}

// shown cuts a text that a report repeats with each finding. Only hostile ones are longer.
func shown(s string) string { return text.Shorten(s, maxRepeated) }

// maxRepeated is more code points than what a thread id, the name of an agent or a subject has.
const maxRepeated = 600

// mailInfo describes a message of a project; nil for none.
func mailInfo(m *session.Message, project string) *lint.MailInfo {
	if m == nil {
		return nil
	}
	info := &lint.MailInfo{
		Project: project, Thread: shown(m.ThreadID), ID: shown(m.ID), Subject: shown(m.SubjectText), From: shown(m.From.String()), Type: string(m.Intended),
	}
	if m.Form != mail.Draft { // that of a draft is only assumed
		info.Time = m.Time
	}
	return info
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
func (t *task) offerFix(f *lint.Finding, fix *lint.SuggestedFix) {
	if f.Fix = t.resolveFix(fix); fix == nil || f.Fix != nil || len(fix.Edits) <= maxFixEdits {
		return
	}
	if f.Suggestion != "" {
		f.Suggestion += "; "
	}
	f.Suggestion += fmt.Sprintf("no fix is offered: it would have %d edits", len(fix.Edits))
}

// resolveFix puts the edits of a fix where they are in the file. It returns nil for a fix
// of a text that no file holds, and for one with too many edits.
func (t *task) resolveFix(fix *lint.SuggestedFix) *lint.Fix {
	if fix == nil || len(fix.Edits) > maxFixEdits || t.moreEdits+len(fix.Edits)-1 > maxMoreEdits {
		return nil
	}
	t.moreEdits += len(fix.Edits) - 1
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
	for _, f := range rep.Findings {
		if f.Fix == nil || len(f.Fix.Edits) <= 1 {
			continue
		}
		if n := len(f.Fix.Edits) - 1; more+n <= maxMoreEdits {
			more += n
			continue
		}
		f.Fix = nil
		removed++
	}
	if removed > 0 {
		rep.Notices = append(rep.Notices, fmt.Sprintf("%s too many edits together: make those of the report, and check again", text.Count(removed, "fix is not offered, because the fixes have", "fixes are not offered, because they have")))
	}
}
