package report

import (
	"bytes"

	"github.com/brennerlint/brennerlint/result"
)

// EventSchema names the form of the events of watch.
const EventSchema = "brennerlint/event/v1"

// Event is what watch reports: a finding that appeared or was resolved, or the reply
// to a new message with errors.
type Event struct {
	Schema string `json:"schema"`
	Event  string `json:"event"`
	// First reports that the first check found it: it was there before.
	First   bool            `json:"first,omitempty"`
	Finding *result.Finding `json:"finding,omitempty"`

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
	e.Schema = EventSchema
	return append(bytes.Clone(newJSON(nil).encode(e)), '\n')
}

// Text returns the event as people read it, with its end.
func (e Event) Text() string {
	switch e.Event {
	case Appeared:
		return guard(Appeared+" "+agentLine(e.Finding)) + "\n"
	case Resolved:
		return guard(Resolved+" "+findingLine(e.Finding)) + "\n"
	}
	about := "message " + e.MessageID
	if e.Thread != "" {
		about += " of thread " + e.Thread
	}
	return guard("reply to "+clean(about)+":") + "\n\n" + e.Body + "\n"
}
