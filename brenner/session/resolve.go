package session

import (
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

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
func (r *Resolver) Resolve(s *Session, w Ref, key string) Resolved {
	if r.of != s {
		r.of, r.thread, r.artifact = s, nil, nil
		if s.Open != nil {
			r.thread, r.artifact = s.Open()
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
		return Resolved{At: r.artifact.Text.Place(at), Path: s.Path}
	}
	return Resolved{Path: s.Path}
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
