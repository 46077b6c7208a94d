// Package replay merges the deltas of a thread again, window by window, and
// holds what was published against the result (decisions.md 18 to 29).
//
// A [Thread] is made once for all rules. It finds the faults itself, because
// they are found together (an id that was assigned anew explains a gap, an ADD
// that had to be rejected explains an item), and names the rule of each; the
// rules only report them.
package replay

import (
	"cmp"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/delta"
	"github.com/brennerlint/brennerlint/merge"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/session"
	"github.com/brennerlint/brennerlint/source"
	"github.com/brennerlint/brennerlint/state"
)

// Options are what a replay needs besides the thread.
type Options struct {
	// Roster are the configured agents; if empty, the export's own list counts.
	Roster []string
	// Priority gives agents a rank (decisions.md 19).
	Priority map[string]int
	// Files are the persisted artifacts of the thread among the inputs.
	Files []File
	// Explain names the rule for which a delta with a fault is rejected, and says
	// why; nil where nobody reads it.
	Explain func(*delta.Delta, *delta.Fault) (rule, reason string)
}

func (o *Options) explain(d *delta.Delta, f *delta.Fault) (rule, reason string) {
	if o.Explain != nil {
		rule, reason = o.Explain(d, f)
	}
	return cmp.Or(rule, f.Kind.String()), reason
}

// File is a persisted artifact.
type File struct {
	Path     string // as given on the command line
	Artifact *artifact.Artifact
}

// Thread is the replay of one thread.
type Thread struct {
	Thread *session.Thread
	// Windows end each with a COMPILED; Pending is what came after the last.
	Windows []*Window
	Pending *Window
	// Outside are the protocol's messages whose time does not parse: they have no
	// place in the order (IN-003).
	Outside []*session.Message
	// Problems are the faults found, in the order of the thread.
	Problems []Problem

	opts     Options
	arrays   merge.Arrays
	fileOf   map[int]*File                              // the persisted artifacts by version
	registry map[string]bool                            // of the known agents; nil if none are known
	likely   map[string]string                          // of unknown agents, the known one that is meant
	credited map[string]bool                            // agents with deltas applied in earlier windows
	told     map[told]int                               // the window that told first
	omitted  map[protocol.Section][]merged[*state.Item] // by MR-011
	differs  map[valueOf]merged[any]                    // by MR-013
}

// Base is where a window starts from (decisions.md 24).
type Base string

// The bases, as the report writes them.
const (
	FromEmpty     Base = "empty"
	FromPublished Base = "published"
	FromReplayed  Base = "replayed"
)

// Window is the stretch of a thread up to and with a COMPILED, or what is
// pending after the last.
type Window struct {
	Compiled *session.Message // nil if pending
	Base     Base
	// Deltas are all delta blocks of the window's DELTA messages in the order of
	// the thread.
	Deltas []*Delta
	// Unread reports that a body was not to be read: the merged state is not
	// known, and nothing is compared.
	Unread bool
	// Applied counts the deltas that changed something (decisions.md 29).
	Applied  int
	Rejected []*Delta
	// State is the merged state.
	State *state.State
	// Published is the state that was published, and Matches whether it is the
	// merged one; nil where nothing can be compared.
	Published *state.State
	Matches   *bool
	// OrderSensitive reports that the order of deltas of one instant shows.
	OrderSensitive bool

	inline *artifact.Artifact // what the COMPILED holds, where a file has the same version
	inFile bool               // Published was read from a file that the COMPILED links to
	base   *state.State
	next   *state.State // what the next window starts from
	// omitted are items that versions before have left out, left those that this
	// one leaves out.
	omitted, left map[protocol.ItemID]bool
	touched       map[protocol.ItemID]bool // by deltas of the window; made when needed
	strict        *merge.Result            // of the merge as it has to be
	result        *merge.Result            // the same, with the rejected deltas that were published
	last          *session.Message         // the last message of the window
	// contributions are its DELTA messages.
	contributions []*session.Message
	// hidden are the deltas of messages whose subjects only nearly make them DELTAs
	// (MB-001): they are not merged, but a publisher may have done so.
	hidden []*Delta
	// conceded are rejected deltas that were published all the same; missed those
	// that the publisher seems to have left out.
	conceded, missed map[*merge.Delta]bool
}

// Hash is the hash of the merged state.
func (w *Window) Hash() string { return w.State.Hash() }

// PublishedHash is the hash of the state that the COMPILED holds inline, "" if
// it holds none.
func (w *Window) PublishedHash() string {
	if w.Published == nil || w.inFile {
		return ""
	}
	return w.Published.Hash()
}

// Delta is a delta block of a DELTA message.
type Delta struct {
	*delta.Delta
	In    *session.Message
	Agent string // its own, else the sender
	Text  string // the time that orders it, as written

	// RejectedBy is the rule for which it was rejected, "" if it was not; Reason
	// tells why.
	RejectedBy, Reason string

	merge *merge.Delta // nil as long as it cannot be read
	// unnamed is the place of a message without an id among those that have none.
	unnamed int
}

// of is the delta that a delta of the merge stands for, nil for nil.
func of(d *merge.Delta) *Delta {
	if d == nil {
		return nil
	}
	return d.Source.(*Delta)
}

// Problem is a fault that the replay found.
type Problem struct {
	Rule       string
	At         source.Place
	In         *session.Message // the message concerned, nil for a file
	Path       string           // of a file
	Message    string
	Suggestion string
	Item       string
	Field      string
	Delta      int // in In, from 1
	Related    []Note

	omitted *state.Item // of MR-011
	differs *difference // of MR-013
}

// Note is a place that explains a problem.
type Note struct {
	At      source.Place
	In      *session.Message
	Path    string
	Message string
}

// New replays a thread.
func New(t *session.Thread, opts Options) *Thread {
	r := Begin(t, opts)
	for _, m := range t.Messages {
		r.Add(m)
	}
	r.End()
	return r
}

// Begin begins the replay of a thread whose messages are added one by one.
func Begin(t *session.Thread, opts Options) *Thread {
	return &Thread{
		Thread: t, Pending: &Window{Base: FromEmpty, base: &state.State{}},
		opts: opts, fileOf: filesByVersion(opts.Files), registry: registry(t, opts.Roster),
		credited: map[string]bool{}, told: map[told]int{},
		omitted: map[protocol.Section][]merged[*state.Item]{}, differs: map[valueOf]merged[any]{},
	}
}

// Add replays the next message in order of time. The replay needs its document,
// sections and artifact only until then.
func (r *Thread) Add(m *session.Message) {
	if m.Intended == 0 {
		if m.HasTime && len(m.Deltas) > 0 && protocol.MeansDelta(m.SubjectText) {
			r.collectHidden(r.Pending, m)
		}
		return
	}
	if !m.HasTime {
		r.Outside = append(r.Outside, m)
		return
	}
	w := r.Pending
	w.last = m
	switch m.Intended {
	case protocol.Delta:
		r.collect(w, m)
	case protocol.Compiled:
		w.Compiled = m
		r.close(w)
		r.Windows = append(r.Windows, w)
		r.Pending = r.after(w)
		r.checkVersion(w)
	}
}

// End merges what is pending, and holds the files against what was published.
func (r *Thread) End() {
	r.close(r.Pending)
	if len(r.opts.Files) == 0 {
		return
	}
	p := r.publications()
	for i := range r.opts.Files {
		r.checkFile(&r.opts.Files[i], p)
	}
}

// after is the window that follows one.
func (r *Thread) after(w *Window) *Window {
	next := &Window{Base: FromReplayed, base: w.next, omitted: w.left, Unread: w.Unread && w.Published == nil}
	if w.Published != nil && !w.inFile {
		next.Base = FromPublished
	}
	return next
}

// registry is the set of known agents (decisions.md 14).
func registry(t *session.Thread, configured []string) map[string]bool {
	names := configured
	if len(names) == 0 {
		for _, m := range t.Messages {
			if m.ExportInfo != nil && len(m.ExportInfo.Roster[m.Project]) > 0 {
				names = m.ExportInfo.Roster[m.Project]
				break
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	out := make(map[string]bool, len(names))
	for _, n := range names {
		out[n] = true
	}
	return out
}

// close merges a window and compares what was published.
func (r *Thread) close(w *Window) {
	first := len(r.Problems)
	r.merge(w)
	w.next = w.State
	if a, f := r.published(w); a != nil {
		r.compare(w, a, f)
	}
	if !w.Unread {
		r.judge(w)
	}
	r.claims(w)
	r.tell(len(r.Windows), first)
	for _, d := range w.result.Log {
		if d.Outcome == merge.Applied {
			r.credited[d.Delta.Agent] = true
		}
	}
}
