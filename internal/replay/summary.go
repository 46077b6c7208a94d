package replay

import (
	"cmp"
	"crypto/sha256"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/internal/artifact"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/merge"
	"github.com/brennerlint/brennerlint/internal/protocol"
	"github.com/brennerlint/brennerlint/internal/session"
	"github.com/brennerlint/brennerlint/internal/source"
	"github.com/brennerlint/brennerlint/internal/state"
)

// Session is what other sessions may refer to: a compact summary of a thread or
// an artifact file. It outlives both, so that memory stays bounded by the
// largest thread, and therefore holds no text of theirs, nor strings that are
// parts of it; for a finding the source is opened again.
type Session struct {
	ID      string // thread id, or session_id of an artifact
	Project string
	Path    string // of the export or file
	// Complete reports that Items are all items that the session has.
	Complete   bool
	Items      []Item // in order
	References []Reference
	Added      []Idea // by ADDs that were applied
	Killed     []Grave
	// Open reads the session again; whoever made the summary sets it. One of the
	// results is nil, both are if the source is gone.
	Open func() (*session.Thread, *artifact.Artifact)
}

// Item is an item id in half the room: there are some twenty in every session
// of a mailbox.
type Item struct {
	section            protocol.Section
	number, hypothesis int32
}

func itemOf(id protocol.ItemID) Item {
	return Item{id.Section, int32(id.Number), int32(id.Hypothesis)}
}

// ID is the item's id.
func (i Item) ID() protocol.ItemID {
	return protocol.ItemID{Section: i.section, Number: int(i.number), Hypothesis: int(i.hypothesis)}
}

// String is the id as it is written.
func (i Item) String() string { return i.ID().String() }

func compareItems(a, b Item) int {
	return cmp.Or(cmp.Compare(a.section, b.section), cmp.Compare(a.number, b.number), cmp.Compare(a.hypothesis, b.hypothesis))
}

// has reports whether the session has an item.
func (s *Session) has(id protocol.ItemID) bool {
	_, ok := slices.BinarySearchFunc(s.Items, itemOf(id), compareItems)
	return ok
}

// finish puts the items in order and gives back room that is not used.
func (s *Session) finish() *Session {
	slices.SortFunc(s.Items, compareItems)
	s.Items = slices.Clone(slices.Compact(s.Items))
	s.Added, s.Killed = slices.Clone(s.Added), slices.Clone(s.Killed)
	return s
}

// Where tells a place in a session's source without holding it.
type Where struct {
	Item      Item
	Message   int32 // index in the thread
	Delta     int32 // in the message, from 1; 0 for an artifact
	Reference int32 // index in references; -1 for the item itself
}

// Reference is a reference of an item to an item of a session.
type Reference struct {
	Where
	Session, Target string
}

// Idea is an item that was added or killed.
type Idea struct {
	Where
	Key [16]byte // of section, name and text, without case
	At  int64    // Unix time in nanoseconds; of no time, the least
}

// Grave is an item that was killed.
type Grave struct {
	Idea
	By string
}

// undated reports that the file does not say when.
func (i *Idea) undated() bool { return i.At == math.MinInt64 }

func nanos(t time.Time) int64 {
	if t.IsZero() {
		return math.MinInt64
	}
	return t.UnixNano()
}

// Summary is what is kept of a thread.
func (r *Thread) Summary() *Session {
	s := &Session{ID: r.Thread.ID, Project: r.Thread.Project, Complete: true}
	if len(r.Thread.Messages) > 0 && r.Thread.Messages[0].Facts != nil {
		s.Path = r.Thread.Messages[0].Facts.Path
	}
	held := &held{final: r.Pending.State}
	var before *state.State
	for _, w := range append(slices.Clone(r.Windows), r.Pending) {
		s.Complete = s.Complete && !w.Unread
		if w.base != before { // it holds what the thread itself does not tell
			for _, sec := range protocol.Sections {
				for _, it := range w.base.Items(sec) {
					s.Items = append(s.Items, itemOf(it.ID))
				}
			}
		}
		before = w.State
		for i := range w.strict.Log {
			if e := &w.strict.Log[i]; e.Outcome == merge.Applied {
				s.Items = append(s.Items, itemOf(e.Item))
			}
		}
		for i := range w.result.Log {
			if e := &w.result.Log[i]; e.Outcome == merge.Applied {
				r.summarize(s, w.result.State, held, e)
			}
		}
	}
	return s.finish()
}

func (r *Thread) summarize(s *Session, st *state.State, held *held, e *merge.Entry) {
	d := of(e.Delta)
	at := Where{Item: itemOf(e.Item), Message: int32(d.In.Index), Delta: int32(d.Index), Reference: -1}
	switch e.Delta.Operation {
	case protocol.Add:
		if key, ok := ideaKey(e.Item.Section, e.Delta.Payload); ok {
			s.Added = append(s.Added, Idea{at, key, nanos(e.Delta.Time)})
		}
	case protocol.Kill:
		if key, ok := ideaKey(e.Item.Section, st.Find(e.Item).Fields); ok {
			s.Killed = append(s.Killed, Grave{Idea{at, key, nanos(e.Delta.Time)}, strings.Clone(d.Agent)})
		}
	}
	refs, _ := e.Delta.Payload["references"].([]any)
	for i, ref := range refs {
		if held.reference(e.Item, ref) {
			at.Reference = int32(i)
			s.refer(at, ref)
		}
	}
}

// held are the references that items hold in the end.
type held struct {
	final  *state.State
	byItem map[protocol.ItemID]map[string]bool
}

// reference reports whether an item holds a reference.
func (h *held) reference(id protocol.ItemID, ref any) bool {
	set, ok := h.byItem[id]
	if !ok {
		if it := h.final.Find(id); it != nil {
			refs, _ := it.Fields["references"].([]any)
			set = make(map[string]bool, len(refs))
			for _, r := range refs {
				set[state.Canonical(r)] = true
			}
		}
		if h.byItem == nil {
			h.byItem = map[protocol.ItemID]map[string]bool{}
		}
		h.byItem[id] = set
	}
	return set[state.Canonical(ref)]
}

// refer adds a reference if it names a session and an item; what it lacks is
// DL-016 or RD-003.
func (s *Session) refer(at Where, ref any) {
	fields, _ := ref.(map[string]any)
	to, _ := fields["session"].(string)
	item, _ := fields["item"].(string)
	if to != "" && item != "" {
		s.References = append(s.References, Reference{at, strings.Clone(to), strings.Clone(item)})
	}
}

// ideaKey is what two items share that are one idea: section, name and text.
func ideaKey(sec protocol.Section, fields map[string]any) (key [16]byte, ok bool) {
	id := identify(sec, fields)
	if id.name == "" || id.body == "" {
		return key, false
	}
	text := make([]byte, 0, 512) // on the stack, where it is enough
	text = append(text, byte(sec))
	text = append(appendFolded(text, id.name), 0)
	sum := sha256.Sum256(appendFolded(text, id.body))
	return [16]byte(sum[:16]), true
}

// appendFolded appends a text in lower case, with one space for all white space
// between words.
func appendFolded(out []byte, s string) []byte {
	space := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			space = true
			continue
		case space:
			out = append(out, ' ')
			space = false
		}
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		} else if r >= utf8.RuneSelf {
			r = unicode.ToLower(r)
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

// SummarizeFile is what is kept of an artifact file. Its session is the one that
// it names, else the given one.
func SummarizeFile(f File, id string) *Session {
	s := &Session{ID: id, Path: f.Path, Complete: true}
	seen := map[protocol.ItemID]bool{}
	for _, sec := range f.Artifact.Sections {
		for _, it := range sec.Items {
			if !seen[it.ID] { // of items with one id the first counts
				seen[it.ID] = true
				s.summarizeItem(sec.Kind, it)
			}
		}
	}
	return s.finish()
}

// summarizeItem makes no data of most items: there are many.
func (s *Session) summarizeItem(sec protocol.Section, it *artifact.Item) {
	if sec == protocol.ResearchThread && !it.Killed && len(it.State(sec).Fields) == 0 {
		return // a section without a statement holds no research thread
	}
	s.Items = append(s.Items, itemOf(it.ID))
	if !it.Killed && it.Field("references") == nil {
		return
	}
	at := Where{Item: itemOf(it.ID), Reference: -1}
	data := it.State(sec)
	if data.Killed != nil {
		if key, ok := ideaKey(sec, data.Fields); ok {
			s.Killed = append(s.Killed, Grave{Idea{at, key, nanos(data.Killed.At)}, strings.Clone(data.Killed.By)})
		}
	}
	refs, _ := data.Fields["references"].([]any)
	for i, ref := range refs {
		at.Reference = int32(i)
		s.refer(at, ref)
	}
}

// Located is a place in a session's source, found again.
type Located struct {
	At    source.Place
	In    *session.Message
	Delta int
	Path  string
}

// Locator finds places again. It keeps one source open.
type Locator struct {
	of       *Session
	thread   *session.Thread
	artifact *artifact.Artifact
}

// Find is the place of a reference, or of the item.
func (l *Locator) Find(s *Session, w Where) Located {
	if l.of != s {
		l.of, l.thread, l.artifact = s, nil, nil
		if s.Open != nil {
			l.thread, l.artifact = s.Open()
		}
	}
	switch {
	case w.Delta > 0 && l.thread != nil && int(w.Message) < len(l.thread.Messages):
		m := l.thread.Messages[w.Message]
		if int(w.Delta) > len(m.Deltas) {
			return Located{In: m}
		}
		d := m.Deltas[w.Delta-1]
		at := d.Payload.Get("name")
		if w.Reference >= 0 {
			at = element(d.Payload.Get("references"), int(w.Reference))
		}
		return Located{At: d.Place(at), In: m, Delta: int(w.Delta)}
	case l.artifact != nil:
		it := l.artifact.Item(w.Item.ID())
		if it == nil {
			break
		}
		at := it.Heading
		if n := element(it.Node.Get("references"), int(w.Reference)); n != nil {
			at = n.Span
		}
		return Located{At: l.artifact.Text.Place(at), Path: s.Path}
	}
	return Located{Path: s.Path}
}

func element(list *jsontree.Node, i int) *jsontree.Node {
	if list == nil || i < 0 || i >= len(list.Items) {
		return nil
	}
	return list.Items[i]
}
