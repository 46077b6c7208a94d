// Package replay merges the deltas of a thread again, window by window, and
// compares what was published with the result (decisions.md 18 to 29).
//
// A [Thread] finds the facts ([FactsOf]) for all rules together, because one fact explains another (a
// changed id explains a gap, an ADD that had to be rejected explains an item). Package rules
// words them.
//
// The files follow a window: its messages are read (delta.go) and merged into its base
// (window.go); what the merge shows are facts (merged.go). Then what its COMPILED published is
// compared with that (published.go): first how the publisher merged it (reading.go), then item by
// item (published_item.go). Last comes what the COMPILED says of its artifact (claims.go, files.go).
//
// [Compile] makes the COMPILED of the next version, or what that of a published one should have
// been (compile.go and compile_*.go).
package replay

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
)

// Options are what a replay needs in addition to the thread.
type Options struct {
	// Roster are the configured agents; if empty, the export's own list counts.
	Roster []string
	// Priority gives agents a rank (decisions.md 19).
	Priority map[string]int
	// Files are the persisted artifacts of the thread among the inputs.
	Files []File
}

// File is a persisted artifact.
type File struct {
	Path     string // as given on the command line
	Artifact *artifact.Artifact
}

// Thread is the replay of one thread.
type Thread struct {
	Thread *session.Thread
	// Windows each end with a COMPILED; Pending is what came after the last.
	Windows []*Window
	Pending *Window
	// Untimed are the protocol's messages whose time does not parse. They are left out (IN-003).
	Untimed []*session.Message
	// TooLarge is the first message whose window is not merged, because the states of all
	// windows together have too many items; nil if none.
	TooLarge *session.Message
	// Facts are the results, for rules to word: each is a value of one of the types in facts.go. A
	// difference that follows from another fact is not among them.
	Facts []any

	opts    Options
	held    int                     // items of the states of all windows, and the values that they change
	omitted map[brenner.ItemID]bool // items that the last version left out; nil if it is not known
	// gap is mail.Thread.Gap, or earlier: nothing after a message that cannot be read is compared
	// (decisions.md 76).
	gap *time.Time
	// untimedGap reports that the gap is at a message without a valid timestamp.
	untimedGap bool
	garbled    bool            // bytes of a message were read as U+FFFD
	fileOf     map[int]*File   // the persisted artifacts by version
	agents     []string        // that are known, in order; empty if none are
	hinted     int             // how many names were compared to find what unknown ones mean
	credited   map[string]bool // agents with deltas applied in earlier windows
	reported   reported
}

// Base is the kind of state that a window starts from (decisions.md 24).
type Base string

// The bases, as the report writes them.
const (
	FromEmpty     Base = "empty"
	FromPublished Base = "published"
	FromReplayed  Base = "replayed"
)

// Window is the part of a thread up to and including a COMPILED, or what is pending
// after the last.
type Window struct {
	Compiled *session.Message // nil if pending
	Base     Base
	// Deltas are all delta blocks of the window's DELTA messages in thread order.
	Deltas []*Delta
	// Unread reports that a body could not be read: the merged state is unknown, and
	// nothing is compared.
	Unread bool
	// Applied counts the deltas that changed something (decisions.md 29).
	Applied  int
	Rejected []*Delta
	// State is the merged state.
	State *brenner.State
	// Published is the published state, and Matches whether it equals the merged one; nil
	// where nothing can be compared.
	Published *brenner.State
	Matches   *bool
	// OrderSensitive reports that the order of deltas of one instant matters.
	OrderSensitive bool

	contributions []*session.Message // its DELTA messages
	last          *session.Message   // of the protocol
	// hidden are the deltas outside DELTA messages: they are not merged, but a publisher may
	// have merged them (decisions.md 87).
	hidden []*Delta
	// previous is the window before; nil for the first.
	previous *Window
	base     *brenner.State
	// renamed has the published ids of items by those that they had before, which no item of
	// the base has (decisions.md 88).
	renamed map[brenner.ItemID]brenner.ItemID
	// correct is the correct merge. asPublished is the one that its publisher seems to have done: tied
	// deltas may be in another order, and rejected ones applied.
	correct, asPublished *merge.Result
	inFile               bool // Published was read from a file that the COMPILED links to
	foreign              bool // its artifact is that of another session
}

// New replays a thread.
func New(t *session.Thread, opts Options) *Thread {
	r := &Thread{
		Thread: t, Pending: &Window{Base: FromEmpty, base: &brenner.State{}}, opts: opts, gap: t.Gap,
		fileOf: map[int]*File{}, credited: map[string]bool{},
		reported: reported{facts: map[reportedFact]mergedValue[any]{}, here: map[place]any{}},
	}
	published := map[int]bool{}
	for _, m := range t.Messages {
		published[m.Version.Number] = m.Version.Number > 0
	}
	for i := range opts.Files {
		f := &opts.Files[i]
		if v, _, _ := version(f.Artifact, func(n int) bool { return published[n] }); v > 0 && r.fileOf[v] == nil && !f.Artifact.IsJSON() && len(f.Artifact.Sections) > 0 {
			r.fileOf[v] = f
		}
	}
	r.agents = slices.Sorted(slices.Values(t.Agents(opts.Roster)))
	r.findGap()
	for _, m := range t.Messages {
		r.add(m)
	}
	r.Pending.Unread = r.Pending.Unread || r.gap != nil
	r.close(r.Pending)
	r.checkFiles()
	return r
}

// findGap finds the gap at the first message, by its id, without a valid timestamp that is a DELTA or
// COMPILED, or may be one because it has no subject: it is left out, and nothing after it is compared.
func (r *Thread) findGap() {
	var first *session.Message
	for _, m := range r.Thread.Messages {
		mayBe := m.SubjectText == "" && (m.BodyState != mail.BodyPresent || len(m.Deltas) > 0)
		if m.HasTime || m.Intended != brenner.Delta && m.Intended != brenner.Compiled && !mayBe {
			continue
		}
		if first == nil || m.ID == "" || first.ID != "" && brenner.CompareMessageIDs(m.ID, first.ID) < 0 {
			first = m
		}
	}
	if first == nil {
		return
	}
	gap := r.gap
	for _, m := range r.Thread.Messages {
		if isAfter := first.ID == "" || brenner.CompareMessageIDs(m.ID, first.ID) > 0; m.HasTime && isAfter && (gap == nil || m.Time.Before(*gap)) {
			gap = &m.Time
		}
	}
	r.untimedGap = gap != r.gap && first.Intended != ""
	r.gap = gap
}

// add replays the next message in time order.
func (r *Thread) add(m *session.Message) {
	w := r.Pending
	r.garbled = r.garbled || m.Garbled
	if m.Intended != brenner.Delta && m.Intended != brenner.Compiled && m.HasTime {
		w.hidden = append(w.hidden, deltasOf(m)...)
	}
	if m.Intended == "" {
		w.Unread = w.Unread || m.SubjectText == "" && len(m.Deltas) > 0 // IN-003: it may be a DELTA
		return
	}
	if !m.HasTime {
		r.Untimed = append(r.Untimed, m)
		return
	}
	w.last = m
	w.Unread = w.Unread || r.gap != nil && !m.Time.Before(*r.gap)
	switch m.Intended {
	case brenner.Delta:
		w.Unread = w.Unread || m.BodyState != mail.BodyPresent
		w.contributions = append(w.contributions, m)
		for _, d := range deltasOf(m) {
			w.Deltas = append(w.Deltas, d)
			if f := d.Rejected(); f != nil {
				w.Unread = w.Unread || m.GarbledAt(d.Delta.Text.WholePlace()) // it may be right (decisions.md 90)
				d.Rejection = &Rejection{Delta: d, Fault: f.Kind}
			} else if r.unknownAgent(d) {
				d.Rejection = &Rejection{Delta: d}
			}
		}
	case brenner.Compiled:
		w.Compiled = m
		p := r.close(w)
		r.Windows = append(r.Windows, w)
		r.Pending = &Window{Base: FromReplayed, previous: w, base: p.next, renamed: p.renamed, Unread: w.Unread && w.Published == nil}
		if w.Published != nil && !w.inFile {
			r.Pending.Base = FromPublished
			maps.DeleteFunc(r.omitted, func(id brenner.ItemID, _ bool) bool { // another item has the id now
				return w.Published.Find(id) != nil
			})
		}
	}
}

const (
	// maxHeld bounds the items of the states of all windows of a thread: each window keeps a
	// state. A thread of a thousand versions may have thousands of items in each.
	maxHeld = 4_000_000
	// copiedEach is how many items a value counts of an item that differs from the window before.
	copiedEach = 3
)

// close merges a window, compares what was published, and finds what follows from
// both. Once a thread has too many windows of too many items, it merges no more.
func (r *Thread) close(w *Window) *publication {
	for _, sec := range brenner.Sections {
		r.held += w.base.Len(sec)
	}
	if r.held > maxHeld && w.last != nil {
		w.Unread, w.Deltas = true, nil
		r.TooLarge = cmp.Or(r.TooLarge, w.last)
	}
	w.merge(r.opts)
	r.held += copiedEach * w.correct.Copied
	p := r.compare(w)
	if !w.Unread {
		r.checkMerge(p)
	}
	r.checkClaims(p)
	for e := range applied(w.asPublished) {
		r.credited[e.Delta.Agent] = true
	}
	return p
}

// Notice returns what a reader should know of messages that the replay leaves out, "" if
// nothing.
func (r *Thread) Notice() string {
	var left []string
	if n := len(r.Untimed); n > 0 {
		left = append(left, text.Count(n, "message is", "messages are")+" left out of the replay without a valid timestamp")
	}
	if m := r.TooLarge; m != nil {
		left = append(left, fmt.Sprintf("its versions have so many items that the replay ends before message %s", cmp.Or(m.ID, strconv.Itoa(m.Index+1))))
	}
	if gap := r.gap; gap != nil {
		cause, whose := "a message cannot be read, so ", "its"
		if r.untimedGap {
			cause, whose = "", "the thread's"
		}
		from := "none of " + whose + " versions is compared"
		if !gap.IsZero() {
			from = whose + " versions are compared up to " + gap.Format("2006-01-02 15:04:05Z")
		}
		left = append(left, cause+from)
	}
	if left == nil {
		return ""
	}
	return fmt.Sprintf("thread %s: %s", r.Thread.ID, strings.Join(left, "; "))
}
