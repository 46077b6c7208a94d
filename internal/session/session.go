// Package session is mail as the protocol reads it: each message with its
// subject taken apart and its body parsed once (sections, deltas, the inline
// artifact of a COMPILED), each thread with its messages in order.
//
// It is what rules look at; it holds no rule itself.
package session

import (
	"github.com/brennerlint/brennerlint/internal/artifact"
	"github.com/brennerlint/brennerlint/internal/delta"
	"github.com/brennerlint/brennerlint/internal/mail"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/protocol"
	"github.com/brennerlint/brennerlint/internal/source"
)

// Message is a message and what the protocol makes of it.
type Message struct {
	*mail.Message
	protocol.Subject

	// SubjectText is the subject as a string, "" if there is none.
	SubjectText string

	// Doc is the block structure of the body; nil where there is no body to
	// read. Of a COMPILED it ends where the inline artifact begins.
	Doc *markdown.Document
	// Sections are the headings of the body in order (decisions.md 5).
	Sections []Section
	// Deltas are the delta blocks in order.
	Deltas []*delta.Delta
	// Artifact is the artifact that a COMPILED holds inline, or nil.
	Artifact *artifact.Artifact

	// Version is N of a COMPILED subject `COMPILED: vN …` as leniently read, 0
	// if it gives none.
	Version int
}

// Section is a heading of a body and what stands under it.
type Section struct {
	Title string // the heading's text
	Level int
	// Heading is the span of the heading's text, Content that of everything up
	// to the next heading of the same or a higher level, both in the body.
	Heading, Content source.Span
}

// Thread is a thread and its messages in order of time.
type Thread struct {
	*mail.Thread
	Messages []*Message
}
