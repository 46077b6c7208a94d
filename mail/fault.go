package mail

import "github.com/brennerlint/brennerlint/source"

// Incomplete is a message that lacks what every message has. Of a draft no sender
// and no time are asked for, of a reply no subject (decisions.md 17).
type Incomplete struct {
	// Path is that of the export, as given on the command line.
	Path string
	// At is where something is missing, else the subject, else the message.
	At                source.Place
	Thread, MessageID string

	NoSubject, NoBody, NoSender, NoTime bool
	// Time is what the message has as its timestamp, which does not parse; "" if
	// there is none.
	Time string

	// Draft reports a message that is not sent yet, Header that it is one in
	// Markdown, and BodyName how it calls its body, if that is not body_md.
	Draft, Header bool
	BodyName      string
}

// CopyMismatch is a message whose copies differ in subject or body.
type CopyMismatch struct {
	Thread, MessageID string
	Part              string // "subject" or "body"
	Here, There       CopyText
}

// CopyText is what one copy of a message says where another says something else.
type CopyText struct {
	Path string // of the export, as given on the command line
	At   source.Place
	// Text is what it says there, cut if it is long; Ends reports that it says
	// nothing more.
	Text string
	Ends bool
}
