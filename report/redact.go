package report

import (
	"errors"
	"regexp"
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

// Redact returns a report without the contents of mail and artifacts: no bodies, files,
// frames and fixes, only the type of subjects, and no quotations in messages. What is
// left shows which fault is where: paths, threads, ids, times and names of agents.
func Redact(r *lint.Report) *lint.Report {
	out := *r
	out.Notices = redactAll(r.Notices, r.Quoted)
	out.Failures, out.Threads, out.Artifacts, out.Quoted = nil, nil, nil, nil
	for _, list := range []*[]*lint.Finding{&out.Findings, &out.Hidden, &out.Accepted, &out.AfterFixes} {
		*list = redactFindings(*list)
	}
	for i := range r.Failures {
		out.Failures = append(out.Failures, *redactFailure(&r.Failures[i]))
	}
	for _, t := range r.Threads {
		messages := t.Messages
		t.Messages = make([]lint.MessageView, len(messages))
		for i, m := range messages {
			m.Subject, m.Body = redactSubject(m.Subject), ""
			t.Messages[i] = m
		}
		t.Versions = redactVersions(t.Versions)
		out.Threads = append(out.Threads, t)
	}
	for _, a := range r.Artifacts {
		a.Text = ""
		out.Artifacts = append(out.Artifacts, a)
	}
	return &out
}

func redactFindings(findings []*lint.Finding) []*lint.Finding {
	var out []*lint.Finding
	for _, f := range findings {
		out = append(out, redactFinding(f))
	}
	return out
}

// redactVersions are versions without titles, values and quotations.
func redactVersions(versions []lint.VersionView) []lint.VersionView {
	out := slices.Clone(versions)
	for i := range out {
		v := &out[i]
		v.Rebased, v.Changes, v.Published = redactItems(v.Rebased), redactItems(v.Changes), redactItems(v.Published)
		v.Deltas = slices.Clone(v.Deltas)
		for j := range v.Deltas {
			v.Deltas[j].Reason = redactQuoted(v.Deltas[j].Reason, v.Deltas[j].Quoted)
		}
	}
	return out
}

// hide replaces a text, if there is one.
func hide(s *string) {
	if *s != "" {
		*s = redacted
	}
}

// hideUnlessOurs replaces a name that is not one of the specifications.
func hideUnlessOurs(name *string) {
	if !isOurs(*name) {
		hide(name)
	}
}

func redactItems(items []lint.ItemView) []lint.ItemView {
	out := slices.Clone(items)
	for i := range out {
		hide(&out[i].Title)
		out[i].Fields = slices.Clone(out[i].Fields)
		for j := range out[i].Fields {
			f := &out[i].Fields[j]
			hide(&f.Before)
			hide(&f.After)
			hideUnlessOurs(&f.Key)
			hideUnlessOurs(&f.Part)
		}
	}
	return out
}

// RedactDraft is Redact for a draft.
func RedactDraft(d *lint.Draft) *lint.Draft {
	out := *d
	out.Report, out.Subject = Redact(d.Report), redactSubject(d.Subject)
	return &out
}

// RedactReplay returns a replay without what mail says: it says without quotations why a
// delta was rejected.
func RedactReplay(r *replay.Results) *replay.Results {
	out := *r
	out.Notices, out.Quoted, out.Failures, out.Threads = redactAll(r.Notices, r.Quoted), nil, nil, make([]replay.ThreadResult, len(r.Threads))
	for _, err := range r.Failures {
		if f, ok := errors.AsType[*lint.Failure](err); ok {
			err = redactFailure(f)
		}
		out.Failures = append(out.Failures, err)
	}
	for i, t := range r.Threads {
		t.Untimed, t.Artifact = redactText(t.Untimed), nil
		t.Windows = slices.Clone(t.Windows)
		for i := range t.Windows {
			w := &t.Windows[i]
			w.Rejected = slices.Clone(w.Rejected)
			for i := range w.Rejected {
				d := &w.Rejected[i]
				d.Message, d.Quoted = redactQuoted(d.Message, d.Quoted), nil
			}
			w.Differences = slices.Clone(w.Differences)
			for i := range w.Differences {
				d := &w.Differences[i]
				hide(&d.Merged)
				hide(&d.Published)
				hideUnlessOurs(&d.Key)
				hideUnlessOurs(&d.Part)
			}
		}
		out.Threads[i] = t
	}
	return &out
}

// RedactBlame returns a blame without the values of fields.
func RedactBlame(r *replay.BlameResult) *replay.BlameResult {
	out := *r
	out.Fields = slices.Clone(r.Fields)
	for i := range out.Fields {
		f := &out.Fields[i]
		hide(&f.Value)
		hideUnlessOurs(&f.Field)
		f.History = slices.Clone(f.History)
		for j := range f.History {
			hide(&f.History[j].Value)
		}
	}
	return &out
}

func redactFailure(f *lint.Failure) *lint.Failure {
	out := *f
	out.Reason = redactText(f.Reason)
	return &out
}

func redactFinding(f *lint.Finding) *lint.Finding {
	out := *f
	out.Frame, out.Fix, out.Assume, out.Block, out.Mail, out.Quoted = nil, nil, nil, "", redactMail(f.Mail), nil
	known := []string{offending(f), f.Item, f.Field}
	out.Message, out.Suggestion = redactQuoted(f.Message, f.Quoted, known...), redactQuoted(f.Suggestion, f.Quoted, known...)
	if out.Item != "" && !isOurs(out.Item) {
		out.Item = redacted
	}
	if out.Field != "" && !isOurs(out.Field) {
		out.Field = redacted
	}
	out.Related = nil
	for _, r := range f.Related {
		r.Message, r.Mail = redactQuoted(r.Message, f.Quoted, known...), redactMail(r.Mail)
		out.Related = append(out.Related, r)
	}
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
	if t := brenner.ParseSubject(s).Intended.String(); t != "" {
		return t + ": " + redacted
	}
	return redacted
}

// offending returns the text at fault, as far as a finding knows it.
func offending(f *lint.Finding) string {
	if f.Frame == nil || len(f.Frame.Lines) == 0 {
		return ""
	}
	line := f.Frame.Lines[len(f.Frame.Lines)-1]
	return line[min(f.Frame.Start, len(line)):min(f.Frame.End, len(line))]
}

// quotation is a text in double quotes, as messages quote inputs (text.Quote),
// between the marks of code, as suggestions do, or in brackets, as sources are.
var quotation = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`|\\[[^]]*\\]") })

// redactText returns a message without its quotations and without texts that it is known
// to repeat as they are. Names of the protocol stay.
func redactText(s string, known ...string) string {
	s = quotation().ReplaceAllStringFunc(s, func(q string) string {
		if isOurs(q[1:len(q)-1]) || q[0] == '`' && strings.HasPrefix(q, "`brennerlint ") {
			return q
		}
		return q[:1] + redacted + q[len(q)-1:]
	})
	var texts []string
	for _, t := range known {
		if t = strings.TrimSpace(t); !isOurs(t) {
			texts = append(texts, t)
		}
	}
	return text.Hide(s, texts, redacted)
}

// redactQuoted is redactText for a message that repeats texts of the input without
// quotation marks. Only names of the protocol stay of them: a number is a secret, too.
func redactQuoted(s string, quoted []string, known ...string) string {
	var texts []string
	for _, t := range quoted {
		if !names()[strings.ToLower(t)] {
			texts = append(texts, t)
		}
	}
	return redactText(text.Hide(s, texts, redacted), known...)
}

// isOurs reports whether a text is no more than a name of the protocol, an id or a
// number, possibly as it is written in a heading or field line.
func isOurs(s string) bool {
	name := strings.Trim(s, "#*_`:[](){}<>.,;/ 0123456789")
	return name == "" || names()[strings.ToLower(name)] || ourID().MatchString(strings.TrimSpace(s))
}

var ourID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[A-Z]{1,2}-?P?\d{1,4}|\d+|v\d+)$`) })

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
		add(t.String())
	}
	add(brenner.SystemFields...)
	add(strings.Fields("operation section payload target_id rationale timestamp agent delta_id replace add edit kill delta " +
		"subject body_md thread_id message_id ack_required to cc bcc sender_name tool_name tool_input --fix --unsafe-fixes " +
		"res id h t a x c p rt true false null n/a inference external")...)
	return out
})

func redactAll(texts, quoted []string) []string {
	var out []string
	for _, s := range texts {
		out = append(out, redactQuoted(s, quoted))
	}
	return out
}
