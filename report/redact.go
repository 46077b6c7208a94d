package report

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// redacted replaces a text that is not shown.
const redacted = "…"

// Redact returns a report without text of mail and artifacts: no bodies, files, frames and
// fixes, of subjects only the type, and no quotations in messages. It still shows where each
// fault is: paths, threads, ids, times and names of agents.
func Redact(r *lint.Report) *lint.Report {
	out := *r
	out.Notices, out.Quoted = redactAll(r.Notices, r.Quoted), nil
	for _, list := range []*[]*lint.Finding{&out.Findings, &out.Hidden, &out.Accepted, &out.AfterFixes} {
		*list = each(*list, func(f **lint.Finding) { *f = redactFinding(*f) })
	}
	out.Failures = each(r.Failures, redactFailure)
	out.Threads = each(r.Threads, func(t *lint.ThreadView) {
		t.Messages = each(t.Messages, func(m *lint.MessageView) { m.Subject, m.Body = redactSubject(m.Subject), "" })
		t.Versions = each(t.Versions, func(v *lint.VersionView) {
			v.Deltas = each(v.Deltas, func(d *lint.DeltaView) { d.Reason = redactText(d.Reason, d.Quoted) })
			eachItem(v, func(it *lint.ItemView) { hide(&it.Title) }, func(f *lint.FieldView) {
				hide(&f.Before, &f.After)
				hideUnlessOurs(&f.Key, &f.Part)
			})
		})
	})
	out.Artifacts = each(r.Artifacts, func(a *lint.ArtifactView) { a.Text = "" })
	return &out
}

// each returns a copy of a list in which each element is changed.
func each[T any](list []T, change func(*T)) []T {
	list = slices.Clone(list)
	for i := range list {
		change(&list[i])
	}
	return list
}

// hide replaces texts that are not empty.
func hide(texts ...*string) {
	for _, s := range texts {
		if *s != "" {
			*s = redacted
		}
	}
}

// hideUnlessOurs replaces names that are not of the specifications.
func hideUnlessOurs(names ...*string) {
	for _, s := range names {
		if !isOurs(*s) {
			hide(s)
		}
	}
}

// eachItem changes the items of a version and their fields, in copies of the lists.
func eachItem(v *lint.VersionView, item func(*lint.ItemView), field func(*lint.FieldView)) {
	for _, items := range []*[]lint.ItemView{&v.Rebased, &v.Changes, &v.Published} {
		*items = each(*items, func(it *lint.ItemView) {
			item(it)
			it.Fields = each(it.Fields, field)
		})
	}
}

// RedactDraft is Redact for a draft.
func RedactDraft(d *lint.Draft) *lint.Draft {
	out := *d
	out.Report, out.Subject = Redact(d.Report), redactSubject(d.Subject)
	return &out
}

// RedactReplay returns a replay without text of mail: reasons of rejections have no quotations.
func RedactReplay(r *replay.Results) *replay.Results {
	out := *r
	out.Notices, out.Quoted = redactAll(r.Notices, r.Quoted), nil
	out.Failures = each(r.Failures, func(err *error) {
		if f, ok := errors.AsType[*lint.Failure](*err); ok {
			hidden := *f
			redactFailure(&hidden)
			*err = &hidden
		}
	})
	out.Threads = each(r.Threads, func(t *replay.ThreadResult) {
		t.Artifact = nil
		t.Windows = each(t.Windows, func(w *replay.WindowResult) {
			w.Rejected = each(w.Rejected, func(d *replay.RejectedDelta) { d.Message, d.Quoted = redactText(d.Message, d.Quoted), nil })
			w.Differences = each(w.Differences, func(d *replay.Difference) {
				hide(&d.Merged, &d.Published)
				hideUnlessOurs(&d.Key, &d.Part)
			})
		})
	})
	return &out
}

// RedactBlame returns a blame without the values of fields.
func RedactBlame(r *replay.BlameResult) *replay.BlameResult {
	out := *r
	out.Fields = each(r.Fields, func(f *replay.FieldBlame) {
		hide(&f.Value)
		hideUnlessOurs(&f.Field)
		f.History = each(f.History, func(e *replay.FieldEvent) { hide(&e.Value) })
	})
	return &out
}

func redactFailure(f *lint.Failure) { f.Reason = redactText(f.Reason, nil) }

func redactFinding(f *lint.Finding) *lint.Finding {
	out := *f
	out.Frame, out.Fix, out.Assume, out.Block, out.Mail, out.Quoted = nil, nil, nil, "", redactMail(f.Mail), nil
	known := []string{offending(f), f.Item, f.Field}
	out.Message, out.Suggestion = redactText(f.Message, f.Quoted, known...), redactText(f.Suggestion, f.Quoted, known...)
	hideUnlessOurs(&out.Item, &out.Field)
	out.Related = each(f.Related, func(r *lint.Related) {
		r.Message, r.Mail = redactText(r.Message, f.Quoted, known...), redactMail(r.Mail)
	})
	return &out
}

func redactMail(m *lint.MailInfo) *lint.MailInfo {
	if m == nil {
		return nil
	}
	out := *m
	out.Subject = redactSubject(m.Subject)
	return &out
}

// redactSubject returns the type that a subject names.
func redactSubject(s string) string {
	if s == "" {
		return ""
	}
	if t := string(brenner.ParseSubject(s).Intended); t != "" {
		return t + ": " + redacted
	}
	return redacted
}

// offending returns the text at fault, as far as a finding knows it.
func offending(f *lint.Finding) string {
	if f.Frame == nil {
		return ""
	}
	line := f.Frame.Lines[len(f.Frame.Lines)-1]
	return line[min(f.Frame.Start, len(line)):min(f.Frame.End, len(line))]
}

// quotation is a text in double quotes, as messages quote inputs (text.Quote),
// between the marks of code, as suggestions do, or in brackets, as sources are.
var quotation = text.Pattern("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`|\\[[^]]*\\]")

// redactText returns a message without its quotations and without texts that it is known
// to repeat as they are, where names of the protocol stay. Of texts that it quotes without
// quotation marks only such names and ids stay: a number is a secret, too.
func redactText(s string, quoted []string, known ...string) string {
	quoted = slices.DeleteFunc(slices.Clone(quoted), func(t string) bool { return names()[strings.ToLower(t)] || ourID().MatchString(t) })
	s = quotation().ReplaceAllStringFunc(text.Hide(s, quoted, redacted), func(q string) string {
		if isOurs(q[1:len(q)-1]) || q[0] == '`' && strings.HasPrefix(q, "`brennerlint ") {
			return q
		}
		return q[:1] + redacted + q[len(q)-1:]
	})
	texts := each(known, func(t *string) { *t = strings.TrimSpace(*t) })
	return text.Hide(s, slices.DeleteFunc(texts, isOurs), redacted)
}

// isOurs reports whether a text is no more than a name of the protocol, an id or a
// number, possibly as it is written in a heading or field line.
func isOurs(s string) bool {
	name := strings.Trim(s, "#*_`:[](){}<>.,;/ 0123456789")
	return name == "" || names()[strings.ToLower(name)] || ourID().MatchString(strings.TrimSpace(s))
}

var ourID = text.Pattern(`^(?:[A-Z]{1,2}-?P?\d{1,4}|v\d+)$`)

// names are those of the protocol, in lower case.
var names = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	add := func(texts ...string) {
		for _, text := range texts {
			out[strings.ToLower(text)] = true
		}
	}
	for _, s := range brenner.Sections {
		add(s.ID(), s.Title(), s.Prefix())
		for _, f := range s.Fields() {
			add(f.Key, f.Label)
		}
	}
	for _, t := range brenner.MessageTypes {
		add(string(t))
	}
	add(brenner.SystemFields...)
	add(brenner.ScoreParts[:]...)
	add(strings.Fields("operation section payload target_id rationale reason timestamp agent delta_id replace add edit kill delta " +
		"subject body_md thread_id message_id ack_required to cc bcc sender_name tool_name tool_input --fix --unsafe-fixes " +
		"res id h t a x c p rt true false null n/a inference external")...)
	return out
})

func redactAll(texts, quoted []string) []string {
	return each(texts, func(s *string) { *s = redactText(*s, quoted) })
}
