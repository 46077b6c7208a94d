package session

import (
	"cmp"
	"hash/maphash"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// Workspace is all sessions, found by id. A thread and a file of one session, or threads of
// several projects, count together. It finds references between their items, and items that are
// proposed again after they were killed (delta_output_format, Cross-Session References).
type Workspace struct {
	sessions []*Session // by path
	byID     map[string][]*Session
}

// NewWorkspace returns a workspace of sessions, in whatever order.
func NewWorkspace(sessions []*Session) *Workspace {
	w := &Workspace{sessions: slices.Clone(sessions), byID: make(map[string][]*Session, len(sessions))}
	slices.SortStableFunc(w.sessions, func(a, b *Session) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.ID, b.ID), strings.Compare(a.Project, b.Project))
	})
	for _, s := range w.sessions {
		if s.ID != "" {
			w.byID[s.ID] = append(w.byID[s.ID], s)
		}
	}
	return w
}

// IDs returns the ids of all sessions, in order.
func (w *Workspace) IDs() []string { return slices.Sorted(maps.Keys(w.byID)) }

// Sessions returns all sessions, in the order of their paths and ids. The slice is shared:
// do not change it.
func (w *Workspace) Sessions() []*Session { return w.sessions }

// Highest returns the highest item number of a section in the sessions with an id; 0 if there is
// none.
func (w *Workspace) Highest(id string, sec brenner.Section) int32 {
	high := int32(0)
	for _, s := range w.byID[id] {
		for _, it := range s.Items {
			if it.Section == sec {
				high = max(high, it.Number)
			}
		}
	}
	return high
}

// references yields all references, those of a thread before the same ones of its files.
func (w *Workspace) references(yield func(*Reference) bool) {
	type link struct {
		from            node
		session, target string
	}
	seen := map[link]bool{}
	for _, files := range [...]bool{false, true} {
		for _, s := range w.sessions {
			for i := range s.References {
				r := &s.References[i]
				l := link{r.node(), r.Session, r.Target}
				if isFile := r.Delta == 0; isFile == files && !seen[l] {
					if seen[l] = true; !yield(r) {
						return
					}
				}
			}
		}
	}
}

// UnknownSessions returns the references to sessions that are not among the inputs. If only one
// session is, it returns none.
func (w *Workspace) UnknownSessions() (out []*Reference) {
	for r := range w.references {
		if len(w.byID) > 1 && w.byID[r.Session] == nil {
			out = append(out, r)
		}
	}
	return out
}

// UnknownItems returns the references to items that their session does not have.
func (w *Workspace) UnknownItems() (out []*Reference) {
	for r := range w.references {
		at := w.byID[r.Session]
		if at == nil || slices.ContainsFunc(at, func(s *Session) bool { return !s.Complete }) {
			continue
		}
		has := func(s *Session) bool {
			_, ok := slices.BinarySearchFunc(s.Items, r.target(), brenner.ItemID.Compare)
			return ok
		}
		if r.target() == (brenner.ItemID{}) || !slices.ContainsFunc(at, has) {
			out = append(out, r)
		}
	}
	return out
}

// Session is a compact summary of a thread or an artifact file, for references from other
// sessions. It outlives both, so that memory stays bounded by the largest thread. So it has no
// text of theirs, nor strings that share memory with it. For a finding the source is opened
// again.
type Session struct {
	ID      string // thread id, or session_id of an artifact
	Project string
	Path    string // of the export or file
	// Complete reports that Items are all items that the session has.
	Complete   bool
	Items      []brenner.ItemID // in order
	References []Reference
	Added      []ItemRecord // by ADDs that were applied
	Killed     []ItemRecord
	// Open reads the session again; the maker of the summary sets it. One of the results
	// is nil, both if the source is gone.
	Open func() (*Thread, *artifact.Artifact)
}

// Finish sorts the items and releases unused memory.
func (s *Session) Finish() *Session {
	slices.SortFunc(s.Items, brenner.ItemID.Compare)
	s.Items = slices.Clone(slices.Compact(s.Items))
	s.Added, s.Killed = slices.Clone(s.Added), slices.Clone(s.Killed)
	return s
}

// Ref refers to a place in a session's source without holding the source.
type Ref struct {
	From      *Session
	Item      brenner.ItemID
	Message   int32 // index in the thread
	Delta     int32 // in the message, from 1; 0 for an artifact
	Reference int32 // index in references; -1 for the item itself
}

// node is an item of a session.
type node struct {
	session string
	item    brenner.ItemID
}

func (r *Ref) node() node { return node{r.From.ID, r.Item} }

// Reference is a reference of an item to an item of a session.
type Reference struct {
	Ref
	Session, Target string
}

// target returns the item referred to, the zero id if it is none.
func (r *Reference) target() brenner.ItemID {
	id, _ := brenner.ParseItemID(r.Target)
	return id
}

// ItemRecord is an item that was added or killed.
type ItemRecord struct {
	Ref
	Key Key
	At  time.Time // zero if the source does not say when
	By  string    // who killed it; "" if the source does not say
}

// AddReference adds a reference of an item if it names a session and an item; DL-016 and RD-003
// report other references.
func (s *Session) AddReference(at Ref, ref any) {
	fields, _ := ref.(map[string]any)
	to, _ := fields["session"].(string)
	item, _ := fields["item"].(string)
	if to != "" && item != "" {
		s.References = append(s.References, Reference{at, strings.Clone(to), strings.Clone(item)})
	}
}

// Key is equal for two items with the same section, name and text. It is another one in each
// process.
type Key uint64

// keySeed is secret, so that nobody can write two texts with one key.
var keySeed = maphash.MakeSeed()

// KeyOf returns the key of an item with a name and a text, both in any case and spacing.
func KeyOf(sec brenner.Section, name, text string) Key {
	fold := func(s string) string { return strings.ToLower(brenner.FoldSpace(s)) }
	return Key(maphash.String(keySeed, sec.ID()+fold(name)+"\x00"+fold(text)))
}

// Resolved is a place in a session's source, found again.
type Resolved struct {
	At    source.Place
	In    *Message
	Delta int
	Path  string
}

// Resolver finds places again. It keeps one source open.
type Resolver struct {
	of       *Session
	thread   *Thread
	artifact *artifact.Artifact
}

// Resolve returns the place of a reference, or of the item. A key narrows it to the
// value of that member of the reference.
func (r *Resolver) Resolve(w Ref, key string) Resolved {
	if r.of != w.From {
		r.of, r.thread, r.artifact = w.From, nil, nil
		if w.From.Open != nil {
			r.thread, r.artifact = w.From.Open()
		}
	}
	message, index, reference := int(w.Message), int(w.Delta), int(w.Reference)
	switch {
	case index > 0 && r.thread != nil && message < len(r.thread.Messages):
		m := r.thread.Messages[message]
		if index > len(m.Deltas) {
			return Resolved{In: m}
		}
		d := m.Deltas[index-1]
		at := d.Payload.Get("name")
		if reference >= 0 {
			at = element(d.Payload.Get("references"), reference, key)
		}
		return Resolved{At: d.Pos(at), In: m, Delta: index}
	case r.artifact != nil:
		it := r.artifact.Item(w.Item)
		if it == nil {
			break
		}
		at := it.Heading
		if n := element(it.Node.Get("references"), reference, key); n != nil {
			at = n.Span()
		}
		return Resolved{At: r.artifact.Text.Place(at), Path: w.From.Path}
	}
	return Resolved{Path: w.From.Path}
}

// element returns an element of a list, or the value of its member, if it has that.
func element(list *jsontree.Node, i int, key string) *jsontree.Node {
	if list == nil || i < 0 || i >= len(list.Items()) {
		return nil
	}
	if n := list.Items()[i].Get(key); n != nil {
		return n
	}
	return list.Items()[i]
}

// Reproposal is an item that was added after an item with the same Key was killed.
type Reproposal struct {
	Item *ItemRecord
	Of   *ItemRecord // the earliest that was killed
}

// Reproposals returns the items that were added again, in the order of the sessions.
func (w *Workspace) Reproposals() (out []Reproposal) {
	killed := map[Key]*ItemRecord{} // of those that say the same the earliest; undated ones come last
	for _, s := range w.sessions {
		for i := range s.Killed {
			k := &s.Killed[i]
			if e := killed[k.Key]; e == nil || e.At.IsZero() || !k.At.IsZero() && k.At.Before(e.At) {
				killed[k.Key] = k
			}
		}
	}
	for _, s := range w.sessions {
		for i := range s.Added {
			it := &s.Added[i]
			if k := killed[it.Key]; k != nil && it.follows(k) {
				out = append(out, Reproposal{it, k})
			}
		}
	}
	return out
}

// follows reports whether an item was added after another one was killed. Within a session the time
// shows that, and in one message the order of its deltas.
func (i *ItemRecord) follows(k *ItemRecord) bool {
	if k.From.ID != i.From.ID {
		return i.At.After(k.At)
	}
	return i.Item != k.Item && !k.At.IsZero() && (i.At.After(k.At) || i.At.Equal(k.At) && i.Message == k.Message && i.Delta > k.Delta)
}

// Cycles finds the chains of references that come back to where they began: each one refers to the item
// of the next, the last to that of the first. Each is found once, and begins with its first item in path order.
func (w *Workspace) Cycles() (out [][]*Reference) {
	var order []node // the items that refer, in the order of their references
	rank := map[node]int{}
	links := map[node][]*Reference{}
	for r := range w.references {
		if _, known := rank[r.node()]; !known {
			rank[r.node()] = len(order)
			order = append(order, r.node())
		}
		if r.target() != (brenner.ItemID{}) {
			links[r.node()] = append(links[r.node()], r)
		}
	}
	// A walk in depth; each link back to an item on the path closes a cycle.
	const left = -1
	place := map[node]int{} // of the items on the path, and left for those that were walked
	for _, start := range order {
		var path []*Reference
		nodes := []node{start}
		if _, walked := place[start]; walked {
			continue
		}
		for place[start] = 0; len(nodes) > 0; {
			top := nodes[len(nodes)-1]
			if len(links[top]) == 0 {
				place[top], nodes = left, nodes[:len(nodes)-1]
				continue
			}
			r := links[top][0]
			links[top] = links[top][1:]
			path = append(path[:len(nodes)-1], r)
			to := node{r.Session, r.target()}
			if at, walked := place[to]; !walked {
				place[to], nodes = len(nodes), append(nodes, to)
			} else if at != left {
				out = append(out, cycle(path[at:], rank))
			}
		}
	}
	return out
}

// cycle returns the links of a path that closes, from its first item on.
func cycle(path []*Reference, rank map[node]int) []*Reference {
	first := 0
	for i, r := range path {
		if rank[r.node()] < rank[path[first].node()] {
			first = i
		}
	}
	return slices.Concat(path[first:], path[:first])
}
