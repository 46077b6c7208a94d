package workspace

import (
	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/jsontree"
	"github.com/brennerlint/brennerlint/session"
	"github.com/brennerlint/brennerlint/source"
)

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
