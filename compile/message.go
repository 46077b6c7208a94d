package compile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/internal/text"
)

// Message is the message as the arguments of Agent Mail's send_message.
type Message struct {
	Project string   `json:"project_key,omitempty"`
	Sender  string   `json:"sender_name"`
	To      []string `json:"to"`
	Subject string   `json:"subject"`
	Body    string   `json:"body_md"`
	Thread  string   `json:"thread_id"`
	Ack     bool     `json:"ack_required"` // never: a COMPILED informs
}

// Message is the message that publishes the version.
func (c *Result) Message() Message {
	to := c.To
	if to == nil {
		to = []string{}
	}
	return Message{Project: c.Project, Sender: c.Compiler, To: to, Subject: c.Subject, Body: c.Body, Thread: c.Thread}
}

// JSON is the message as send_message takes it.
func (m Message) JSON() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(m); err != nil {
		return nil, fmt.Errorf("write message: %w", err)
	}
	return out.Bytes(), nil
}

// Markdown is the message as a draft in Markdown: a small header, then the body.
func (m Message) Markdown() []byte {
	var b strings.Builder
	line := func(name, value string) { fmt.Fprintf(&b, "%s: %s\n", name, text.OneLine(value)) }
	line("Subject", m.Subject)
	line("Thread", m.Thread)
	line("From", m.Sender)
	if len(m.To) > 0 {
		line("To", strings.Join(m.To, ", "))
	}
	line("Ack", "false")
	b.WriteString("\n" + m.Body)
	return []byte(b.String())
}
