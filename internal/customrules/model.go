package customrules

import (
	"reflect"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
)

// The types below are what expressions see: their fields by the names in the tags
// `expr`, with the sentences that the reference (docs/custom-rules.md) has of them. read.go
// fills them. No pointer in them is nil: what is absent is an object without content. A
// field with a tag `quoted` of "no" holds an id or a name of the protocol, which --redact
// shows.

// Envelope is a message without its body: in the scope thread.
type Envelope struct {
	ID          string   `expr:"id" quoted:"no" doc:"Its id in the export; empty if the export has none."`
	Type        string   `expr:"type" quoted:"no" doc:"KICKOFF, DELTA, COMPILED, CRITIQUE, ACK, CLAIM, HANDOFF, BLOCKED, QUESTION or INFO, read leniently from the subject; empty for other mail."`
	Role        string   `expr:"role" doc:"The tag of a DELTA subject, such as opus."`
	Subject     string   `expr:"subject" doc:"The whole subject."`
	Description string   `expr:"description" doc:"The subject after its prefix."`
	From        string   `expr:"from" quoted:"no" doc:"The sender."`
	Recipients  []string `expr:"recipients" doc:"To, cc and bcc; empty if the export does not list them."`
	Time        string   `expr:"time" quoted:"no" doc:"When it was sent, in UTC, as 2025-12-30T19:00:00Z: such texts compare like times. Empty if unknown."`
	Thread      string   `expr:"thread" quoted:"no" doc:"The id of its thread."`
	AckRequired bool     `expr:"ack_required" doc:"Whether it asks for an acknowledgement."`
	Version     int      `expr:"version" doc:"The N of a COMPILED: vN; else 0."`
	Number      int      `expr:"number" doc:"Its place in the thread, from 1; 0 in a draft that is checked alone."`
	Draft       bool     `expr:"draft" doc:"Whether it is not sent yet."`
	Deltas      []*Delta `expr:"deltas" doc:"Its delta blocks."`

	of *session.Message
}

func (m *Envelope) absent() bool { return m.of == nil }

// Message is a message with its body.
type Message struct {
	Envelope
	Body     string     `expr:"body" doc:"The body, Markdown as written; empty if the export has none."`
	Sections []*Section `expr:"sections" doc:"The headings of the body, each with its text."`
	Artifact *Artifact  `expr:"artifact" doc:"The inline artifact of a COMPILED; else nil."`
}

// Section is a heading of a body and what is under it.
type Section struct {
	Title string `expr:"title" doc:"The heading, without its number signs."`
	Level int    `expr:"level" doc:"1 for #, 2 for ##, and so on; 0 for a section that is not there."`
	Text  string `expr:"text" doc:"The text up to the next heading of its level or above."`
	Empty bool   `expr:"empty" doc:"Whether it has only white space, comments or a placeholder; true for a section that is not there."`
}

// Delta is a delta block of a message.
type Delta struct {
	Fields
	Number    int    `expr:"number" doc:"Its place in the message, from 1."`
	Valid     bool   `expr:"valid" doc:"Whether it is JSON without faults of structure, so that the merge reads it."`
	Operation string `expr:"operation" quoted:"no" doc:"ADD, EDIT or KILL; empty if it names none."`
	Section   string `expr:"section" quoted:"no" doc:"The section's id, such as hypothesis_slate; empty if it names none."`
	Target    string `expr:"target" quoted:"no" doc:"The item that it changes, such as H2; empty if none."`
	Agent     string `expr:"agent" quoted:"no" doc:"Its own agent, else the sender of the message."`
	Rationale string `expr:"rationale" doc:"Why it is proposed."`
	Reason    string `expr:"reason" doc:"The reason of a KILL."`
}

// Thread is a thread with what its merges made.
type Thread struct {
	ID       string      `expr:"id" quoted:"no" doc:"The thread's id."`
	Messages []*Envelope `expr:"messages" doc:"Its messages, in order of time. Their bodies are in the scope message."`
	Agents   []string    `expr:"agents" doc:"Its senders, in the order of their first messages."`
	Versions int         `expr:"versions" doc:"How many versions were published (COMPILED messages)."`
	Items    []*Item     `expr:"items" doc:"The items of the merged state, with deltas that are not published yet."`

	merges *replay.Thread // it was read with
}

// Artifact is an artifact: a file, or one that a COMPILED holds.
type Artifact struct {
	Session     string   `expr:"session" quoted:"no" doc:"The session_id of the front matter."`
	Version     int      `expr:"version" doc:"The version of the front matter; 0 if it has none."`
	Status      string   `expr:"status" doc:"The status of the front matter."`
	Path        string   `expr:"path" quoted:"no" doc:"The path of the file; empty for an inline artifact."`
	Inline      bool     `expr:"inline" doc:"Whether a COMPILED message holds it."`
	Items       []*Item  `expr:"items" doc:"All items, in the order of the text."`
	Hypotheses  []*Item  `expr:"hypotheses" doc:"The items of the Hypothesis Slate, killed ones too."`
	Predictions []*Item  `expr:"predictions" doc:"The rows of the Predictions Table."`
	Tests       []*Item  `expr:"tests" doc:"The items of Discriminative Tests."`
	Assumptions []*Item  `expr:"assumptions" doc:"The items of the Assumption Ledger."`
	Anomalies   []*Item  `expr:"anomalies" doc:"The items of the Anomaly Register."`
	Critiques   []*Item  `expr:"critiques" doc:"The items of the Adversarial Critique."`
	Citations   []string `expr:"citations" doc:"The transcript sections cited outside killed items, as written, such as §57."`

	of *artifact.Artifact
}

// Item is an item of an artifact, or of the merged state of a thread.
type Item struct {
	Fields
	ID         string `expr:"id" quoted:"no" doc:"H2, P1, T3, A1, X1, C1 or RT."`
	Number     int    `expr:"number" doc:"The number of the id; 0 for RT."`
	Section    string `expr:"section" quoted:"no" doc:"The section's id: research_thread, hypothesis_slate, predictions_table, discriminative_tests, assumption_ledger, anomaly_register or adversarial_critique."`
	Killed     bool   `expr:"killed" doc:"Whether it is killed."`
	KilledBy   string `expr:"killed_by" quoted:"no" doc:"Who killed it."`
	KillReason string `expr:"kill_reason" doc:"Why it was killed."`

	of *artifact.Item // nil in a merged state
}

func (it *Item) absent() bool { return it.of == nil }

// Outcome is what is expected, or was seen, if a hypothesis is true.
type Outcome struct {
	Hypothesis string `expr:"hypothesis" doc:"H1, H2, …"`
	Text       string `expr:"text" doc:"The outcome."`
}

// Session is a thread or an artifact file, as the scope workspace sees it.
type Session struct {
	ID     string   `expr:"id" quoted:"no" doc:"The thread's id, or the session_id of an artifact."`
	Path   string   `expr:"path" quoted:"no" doc:"The path of the export or file."`
	Items  []string `expr:"items" doc:"The ids of its items."`
	Killed []string `expr:"killed" doc:"The ids of the items that were killed."`
	// References are as session/item, which is how people write them.
	References []string `expr:"references" doc:"The items of other sessions that it refers to, as SESSION/ITEM."`
}

func (s *Session) absent() bool { return s.Path == "" }

// Workspace is everything that is checked together.
type Workspace struct {
	Sessions []*Session `expr:"sessions" doc:"The threads and artifact files, in the order of their paths and ids."`

	of *session.Workspace
}

var (
	noArtifact = &Artifact{}
	noMessage  = &Message{Artifact: noArtifact}
	noSection  = &Section{Empty: true}
	noThread   = &Thread{}
)

// objects are what stands for an absent object of each type of the model, in the order of the
// reference.
var objects = []any{
	noMessage, &Envelope{}, noSection, &Delta{Fields: noFields}, noThread, noArtifact, &Item{Fields: noFields},
	&Outcome{}, &Session{}, &Workspace{},
}

// absent returns the value of what is absent, by its type.
func absent(t reflect.Type) any {
	for _, o := range objects {
		if reflect.TypeOf(o) == t {
			return o
		}
	}
	return reflect.Zero(t).Interface()
}
