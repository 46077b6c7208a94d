package report

import (
	"bufio"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/lint"
)

// writeAgent writes one line per finding: what a language-model agent needs to
// fix it, and no more.
//
//	mail/x.json:41:330: error MB-005 delta-json (message 17, delta 2, line 13 of the body): … help: …
func writeAgent(w *bufio.Writer, r *lint.Report, o *Options) {
	for i, line := range failureLines(r) {
		if i < maxFailures {
			line = guard(cleanName(r.Failures[i].Path) + ": error " + line + "; findings may be missing")
		}
		w.WriteString(line + "\n")
	}
	if len(r.Findings) == 0 && !o.Quiet {
		w.WriteString(Summary(r) + "\n")
	}
	shown, rest := mostSevere(r.Findings, o.MaxFindings)
	for _, f := range shown {
		w.WriteString(guard(agentLine(f)) + "\n")
	}
	if rest != "" {
		w.WriteString(rest + "\n")
	}
}

// agentLine returns a finding in one line.
func agentLine(f *lint.Finding) string {
	line := findingLine(f) + withLead(" help: ", clean(f.Suggestion))
	if canFix(f) {
		line += " (fixable with --fix)"
	}
	return line
}

// findingLine says where a finding is and what is wrong.
func findingLine(f *lint.Finding) string {
	return place(f.Path, f.Range) + ": " + f.Severity.String() + " " + f.Rule + " " + f.Name + inBrackets(subject(f)) + ": " + clean(f.Message)
}

// inBrackets returns a text behind others; "" if it is.
func inBrackets(s string) string {
	if s == "" {
		return ""
	}
	return " (" + clean(s) + ")"
}

// subject returns what a finding is about, as far as its message need not say so:
// "message 17, delta 2, line 13 of the body".
func subject(f *lint.Finding) string {
	delta, line := "", ""
	if f.Delta > 0 {
		delta = "delta " + strconv.Itoa(f.Delta)
	}
	if f.Body != nil {
		line = "line " + strconv.Itoa(f.Body.Line) + " of the body"
	}
	return strings.Join(given(withLead("message ", f.MessageID), delta, strings.Join(given(f.Item, f.Field), " "), line), ", ")
}

// Event is what watch reports: a finding that appeared or was resolved, or the reply
// to a new message with errors.
type Event struct {
	Schema string `json:"schema"`
	Event  string `json:"event"`
	// First reports that the first check found it.
	First   bool          `json:"first,omitempty"`
	Finding *lint.Finding `json:"finding,omitempty"`

	Thread    string `json:"thread,omitempty"`
	MessageID string `json:"message_id,omitempty"`
	Body      string `json:"body_md,omitempty"`
}

// The names of events.
const (
	Appeared = "appeared"
	Resolved = "resolved"
	Reply    = "validation_error"
)

// JSON returns the event in one line, with its end.
func (e Event) JSON() []byte {
	e.Schema = "brennerlint/event/v1"
	if e.Finding != nil {
		e.Finding = withThread(e.Finding)
	}
	return []byte(encode(e, "", "") + "\n")
}

// Text returns the event as people read it, with its end.
func (e Event) Text() string {
	switch e.Event {
	case Appeared:
		return guard(Appeared+" "+agentLine(e.Finding)) + "\n"
	case Resolved:
		return guard(Resolved+" "+findingLine(e.Finding)) + "\n"
	}
	return guard("reply to "+clean("message "+e.MessageID+withLead(" of thread ", e.Thread))+":") + "\n\n" + e.Body + "\n"
}
