package export

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/source"
)

// A byte that was replaced in what tells a message's thread, sender or time causes no other
// finding (decisions.md 90): the message has the one that can only be meant.

const replaced = string(utf8.RuneError)

// joinGarbledThreads adds a mail whose thread id has such a byte to the only thread of the project
// that can be meant.
func (s *Store) joinGarbledThreads() {
	for i := range s.entries {
		e := &s.entries[i]
		if !e.garbled {
			continue
		}
		from := *s.origin(e)
		var ids []string
		for _, o := range s.origins {
			if o.project == from.project && !strings.Contains(o.thread, replaced) {
				ids = append(ids, o.thread)
			}
		}
		s.moveTo(e, brenner.Meant(from.thread, ids...))
	}
}

// mend gives the messages of a thread the thread ids, senders and times that are meant.
func (r *ThreadReader) mend(messages []*mail.Message) {
	if !slices.ContainsFunc(messages, func(m *mail.Message) bool { return m.Garbled }) {
		return
	}
	var names []string
	for _, m := range messages {
		if name := m.From.String(); !strings.Contains(name, replaced) {
			names = append(names, name)
		}
	}
	for _, m := range messages {
		if m.Garbled {
			m.Thread, m.From = mended(m.Thread, r.ID), mended(m.From, names...)
		}
		if m.Garbled && !m.HasTime && strings.Contains(m.Created.String(), replaced) {
			mendTime(m, messages)
		}
	}
}

// mended returns a text as the one of some names that it can only mean.
func mended(t *source.Text, names ...string) *source.Text {
	if !strings.Contains(t.String(), replaced) {
		return t
	}
	if meant := brenner.Meant(t.String(), names...); meant != "" {
		return t.Mend(source.Span{End: t.Len()}, meant)
	}
	return t
}

// mendTime gives a message the time that is meant, if one byte of it was replaced: the first that it
// may be between those of the messages with the ids before and after.
func mendTime(m *mail.Message, among []*mail.Message) {
	var after, before *mail.Message
	for _, o := range among {
		switch c := brenner.CompareMessageIDs(o.ID, m.ID); {
		case !o.HasTime || c == 0:
		case c < 0 && (after == nil || brenner.CompareMessageIDs(o.ID, after.ID) > 0):
			after = o
		case c > 0 && (before == nil || brenner.CompareMessageIDs(o.ID, before.ID) < 0):
			before = o
		}
	}
	at := strings.Index(m.Created.String(), replaced)
	for _, c := range "0123456789-:T. Z+" {
		created := m.Created.Mend(source.Span{Start: at, End: at + len(replaced)}, string(c))
		t, ok := brenner.ParseTime(strings.TrimSpace(created.String()))
		if ok && (after == nil || !t.Time.Before(after.Time)) && (before == nil || !t.Time.After(before.Time)) {
			m.Created, m.Time, m.HasTime = created, t.Time, true
			return
		}
	}
}
