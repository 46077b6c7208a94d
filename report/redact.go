package report

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/replay"
)

// redacted stands for a text that is not shown.
const redacted = "…"

// Redact is a report without what mail and artifacts say: no bodies, files, frames
// and fixes, of subjects only the type, and in messages no quotation. What is left
// tells where a fault is and which: paths, threads, ids, times and names of agents.
func Redact(r *lint.Report) *lint.Report {
	out := *r
	out.Notices = redactAll(r.Notices)
	out.Findings, out.AfterFixes, out.Failures, out.Threads, out.Artifacts = nil, nil, nil, nil, nil
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, redactFinding(f))
	}
	for _, f := range r.AfterFixes {
		out.AfterFixes = append(out.AfterFixes, redactFinding(f))
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
		out.Threads = append(out.Threads, t)
	}
	for _, a := range r.Artifacts {
		a.Text = ""
		out.Artifacts = append(out.Artifacts, a)
	}
	return &out
}

// RedactDraft is Redact for a draft.
func RedactDraft(d *lint.Draft) *lint.Draft {
	out := *d
	out.Report, out.Subject = Redact(d.Report), redactSubject(d.Subject)
	return &out
}

// RedactReplay is a replay without what mail says: why a delta was rejected is told
// without quotations.
func RedactReplay(r *replay.Report) *replay.Report {
	out := *r
	out.Notices, out.Failures, out.Threads = redactAll(r.Notices), nil, make([]replay.ThreadReport, len(r.Threads))
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
				w.Rejected[i].Message = redactText(w.Rejected[i].Message)
			}
		}
		out.Threads[i] = t
	}
	return &out
}

// RedactBlame is a blame without the values of fields.
func RedactBlame(r *replay.BlameReport) *replay.BlameReport {
	out := *r
	out.Fields = slices.Clone(r.Fields)
	for i := range out.Fields {
		f := &out.Fields[i]
		if f.Value != "" {
			f.Value = redacted
		}
		if f.Field != "" && !isOurs(f.Field) {
			f.Field = redacted
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
	out.Frame, out.Fix, out.Block, out.Mail = nil, nil, "", redactMail(f.Mail)
	known := []string{offending(f), f.Item, f.Field}
	out.Message, out.Suggestion = redactText(f.Message, known...), redactText(f.Suggestion, known...)
	if out.Item != "" && !isOurs(out.Item) {
		out.Item = redacted
	}
	if out.Field != "" && !isOurs(out.Field) {
		out.Field = redacted
	}
	out.Related = nil
	for _, r := range f.Related {
		r.Message, r.Mail = redactText(r.Message, known...), redactMail(r.Mail)
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

// redactSubject is the type that a subject names.
func redactSubject(s string) string {
	if s == "" {
		return ""
	}
	if t := protocol.ParseSubject(s).Intended.String(); t != "" {
		return t + ": " + redacted
	}
	return redacted
}

// offending is the text at fault, as far as a finding knows it.
func offending(f *lint.Finding) string {
	if f.Frame == nil || len(f.Frame.Lines) == 0 {
		return ""
	}
	line := f.Frame.Lines[len(f.Frame.Lines)-1]
	return line[min(f.Frame.Start, len(line)):min(f.Frame.End, len(line))]
}

// quotation is a text in double quotes, as messages quote inputs (text.Quote),
// between the marks of code, as suggestions do, or in brackets, as sources are.
var quotation = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`|\\[[^]]*\\]")

// slip is how faults of JSON name what is there, which has no quotes.
var slip = regexp.MustCompile(`\b(unexpected|key|value|number) \S{3,}?( is not in double quotes|; expected | has no digit)`)

// redactText is a message without its quotations and without texts that it is known
// to repeat as they are. Names of the protocol stay.
func redactText(s string, known ...string) string {
	s = quotation.ReplaceAllStringFunc(s, func(q string) string {
		if isOurs(q[1:len(q)-1]) || q[0] == '`' && strings.HasPrefix(q, "`brennerlint ") {
			return q
		}
		return q[:1] + redacted + q[len(q)-1:]
	})
	s = slip.ReplaceAllString(s, "$1 "+redacted+"$2")
	for _, text := range known {
		if text = strings.TrimSpace(text); len(text) >= minKnown && !isOurs(text) {
			s = strings.ReplaceAll(s, text, redacted)
		}
	}
	return s
}

// minKnown is from which length on a text is looked for in messages: a shorter one
// is a sign such as a comma.
const minKnown = 3

// isOurs reports whether a text is no more than a name of the protocol, an id or a
// number, perhaps as it is written in a heading or field line.
func isOurs(s string) bool {
	name := strings.Trim(s, "#*_`:[](){}<>.,;/ 0123456789")
	return name == "" || names()[strings.ToLower(name)] || ourID.MatchString(strings.TrimSpace(s))
}

var ourID = regexp.MustCompile(`^(?:[A-Z]{1,2}-?P?\d{1,4}|\d+|v\d+)$`)

// names are those of the protocol, in lower case.
var names = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	add := func(texts ...string) {
		for _, text := range texts {
			out[strings.ToLower(text)] = true
		}
	}
	for _, s := range protocol.Sections {
		add(s.ID(), s.Title(), s.Prefix())
		for _, f := range s.Fields() {
			add(f.Key, f.Label)
		}
	}
	for _, t := range protocol.MessageTypes {
		add(t.String())
	}
	add(protocol.SystemFields...)
	add(strings.Fields("operation section payload target_id rationale timestamp agent delta_id replace add edit kill delta " +
		"subject body_md thread_id message_id ack_required to cc bcc sender_name tool_name tool_input --fix --unsafe-fixes " +
		"res id h t a x c p rt true false null n/a inference external")...)
	return out
})

func redactAll(texts []string) []string {
	var out []string
	for _, s := range texts {
		out = append(out, redactText(s))
	}
	return out
}
