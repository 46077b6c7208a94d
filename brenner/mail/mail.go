// Package mail is the model of a mail export: messages, threads, and what an export
// states about itself. It knows how mail is stored but not the protocol: bodies are
// bytes here.
package mail

import (
	"bytes"
	"cmp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/source"
)

// Form is the kind of export that a message was read from. Of several copies of a message, the
// one with the lowest form is reported: it is the closest to the user.
type Form uint8

// The forms, nearest to the user first.
const (
	Draft Form = iota + 1
	Archive
	JSON
	SQLite
)

// BodyState is what an export has of a message's body.
type BodyState uint8

// The states of a body (decisions.md 13 and 17).
const (
	BodyPresent  BodyState = iota + 1
	BodyAbsent             // the export was requested without bodies: no body rules, no finding
	BodyNull               // null, or of a wrong type: IN-003
	BodyRedacted           // replaced by a strict share
)

// Message is one message from any form of export. Texts are nil where the export has no
// such value (or null); each maps back to its place in the file.
type Message struct {
	Form    Form
	Project string // slug of the project, "" if the export does not have it
	ID      string // "" if the export does not have it

	Thread  *source.Text
	Subject *source.Text
	From    *source.Text
	Created *source.Text
	Body    *source.Text

	BodyState BodyState
	// Time is the parsed Created; HasTime is false if it is missing or does not parse.
	Time    time.Time
	HasTime bool

	AckRequired bool         // absent counts as false (decisions.md 13)
	AckPlace    source.Place // of the value; the zero Place if absent
	// AckMistyped reports that the value is neither a boolean nor a 0 or 1.
	AckMistyped bool

	// Recipients are to, cc and bcc; HasRecipients is false if the export does not list them
	// (thread JSON).
	Recipients    []Recipient
	HasRecipients bool

	// Header is where the message begins in its export: its JSON object or front matter. A
	// finding is there if no better place is known.
	Header source.Place
	File   *source.File // nil for a database

	// Garbled reports that some bytes of the message cannot be the original ones and were
	// read as U+FFFD; IN-001 or IN-002 reports it.
	Garbled bool

	// ReplyDraft reports a draft of a reply, which has no subject of its own.
	ReplyDraft bool

	ExportInfo *ExportInfo

	// Malformed are values of a wrong type; the fields count as missing.
	Malformed []MalformedField
}

// Path returns the path that the message was read from; "" for one of no file.
func (m *Message) Path() string {
	if m.File != nil {
		return m.File.Path
	}
	if m.ExportInfo != nil {
		return m.ExportInfo.Path
	}
	return ""
}

// GarbledAt reports whether a place in the message contains a byte that was read as
// U+FFFD.
func (m *Message) GarbledAt(at source.Place) bool {
	return m.Garbled && at.Known() && bytes.ContainsRune(at.Text.Bytes(at.Span), utf8.RuneError)
}

// MalformedField is a member of a message whose value has a wrong type.
type MalformedField struct {
	Name string
	At   source.Place
}

// CompareTexts orders messages by the bytes of subject, sender and body
// (decisions.md 57).
func CompareTexts(a, b *Message) int {
	if c := cmp.Or(compareText(a.Subject, b.Subject), compareText(a.From, b.From)); c != 0 {
		return c
	}
	return compareText(a.Body, b.Body)
}

func compareText(a, b *source.Text) int {
	if a == b {
		return 0
	}
	return strings.Compare(a.String(), b.String())
}

// Recipient is one addressee. Text is nil in a database.
type Recipient struct {
	Name string
	Kind string // to, cc or bcc; "" if lost
	Text *source.Text
	// Acknowledged reports that the recipient acknowledged, if the export records it.
	Acknowledged bool
}

// ExportInfo is what an export states about itself; its messages share it.
type ExportInfo struct {
	Path string // of the export, as given on the command line
	Form Form
	// AckFlagsCleared reports that the share removed acknowledgement flags, or that the form (the
	// unified inbox) has none; BodiesRedacted that it redacted bodies (decisions.md 13).
	AckFlagsCleared bool
	BodiesRedacted  bool
	// Scrubbed reports that the share replaced secrets in subjects and bodies.
	Scrubbed bool
	// RecordsAcks reports that the export would have acknowledgement times if any exist.
	RecordsAcks bool
	// Partial reports an inbox or outbox listing, which is cut silently (decisions.md
	// 17), or an export that is damaged: what it lacks may exist.
	Partial bool
	// Damaged reports an export from which senders may be missing because it is damaged.
	Damaged bool
	// Standalone reports a message alone: the export says nothing about the rest of its
	// thread.
	Standalone bool
	// WithoutBodies reports an export that was requested without bodies.
	WithoutBodies bool
	// Mailbox reports a whole mailbox, whose mail outside the protocol is
	// skipped (decisions.md 15); false for a thread or message named alone.
	Mailbox bool
	// Roster is the export's own agent list by project slug (agents table, profile.json);
	// nil if it has none.
	Roster map[string][]Agent
}

// Agent is what an export records of an agent; only the name is certain.
type Agent struct{ Name, Program, Model string }

// Overseer is the name under which the web interface sends what people write. It has no profile
// (mail_formats.md, Git archive), and may write without being registered.
const Overseer = "HumanOverseer"

// Thread is the messages of one thread in order of time, then numeric id. A
// thread is project + thread id (decisions.md 16).
type Thread struct {
	Project  string
	ID       string // "" for a message without thread, which is alone
	Messages []*Message
	// Complete reports that there is no sign of missing messages: some are not from a listing,
	// and if each was given alone, there are several. Thread and merge rules check only complete
	// threads.
	Complete bool
	// Gap is the time of the first message that is in the exports but cannot be read, the zero
	// time if it is unknown. It is nil if all can be read; if not, the thread is not Complete.
	Gap *time.Time
	// Roster are the agents that the thread's exports list; nil if none has a list
	// (decisions.md 14).
	Roster []Agent
}

// Agents returns the known agents: those of the configuration, if it names any, else
// those that the thread's exports list (decisions.md 14 and 54).
func (t *Thread) Agents(configured []string) []string {
	if len(configured) > 0 {
		return configured
	}
	if t.Roster == nil {
		return nil
	}
	names := make([]string, len(t.Roster))
	for i := range t.Roster {
		names[i] = t.Roster[i].Name
	}
	return names
}

// Ref names a message or, without an ID, a thread. Ids of threads and messages are unique within
// a project. Project is "" if the export does not name it.
type Ref struct{ Project, Thread, ID string }

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
	Body                    *source.Text // nil if there is none
}

// MisnamedMember is a member that a draft gives under another name.
type MisnamedMember struct {
	At   source.Place // the name, with its quotation marks
	Name string
	Is   string
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
