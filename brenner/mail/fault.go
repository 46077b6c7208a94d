package mail

import "github.com/brennerlint/brennerlint/source"

// Incomplete is a message that lacks a part that every message needs. A draft needs no sender
// and no time, a reply no subject (decisions.md 17).
type Incomplete struct {
	// Path is the path of the export, as given on the command line.
	Path string
	// At is the place of the missing part, else the subject, else the message.
	At                source.Place
	Thread, MessageID string

	NoSubject, NoBody, NoSender, NoTime bool
	// Time is the message's timestamp if it does not parse; "" if there is none.
	Time string

	// Draft reports a message that is not sent yet, Header a draft in Markdown, and Headless one
	// without a header. Misnamed are the members of a draft in JSON that have other names.
	Draft, Header, Headless bool
	Misnamed                []MisnamedMember
}

// MisnamedMember is a member that a draft gives under another name.
type MisnamedMember struct {
	At   source.Place // the name, with its quotation marks
	Name string
	Is   Member
}

// CopyMismatch is a message whose copies differ, or an id that two messages have.
type CopyMismatch struct {
	Kind              MismatchKind
	Thread, MessageID string
	Part              string // "subject" or "body", where the texts differ
	Here, There       CopyText
}

// MismatchKind is the kind of a CopyMismatch.
type MismatchKind uint8

// The kinds of mismatches.
const (
	TextsDiffer   MismatchKind = iota
	CopyReadAlone              // the canonical copy cannot be read: There was read instead (decisions.md 76)
	IDGivenTwice               // Here is the second message that has the id, There the first (decisions.md 73)
)

// CopyText is the text of one copy of a message where another copy differs.
type CopyText struct {
	Path string // of the export, as given on the command line
	At   source.Place
	// Text is the text there, cut if it is long; Ends reports that nothing follows.
	Text string
	Ends bool
}
