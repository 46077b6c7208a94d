package export

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// A byte that was replaced in what tells a message's thread, sender or time causes no other
// finding (decisions.md 90): the message has the one that can only be meant.

const replaced = string(utf8.RuneError)

// joinGarbledThreads adds a mail whose thread id has such a byte to the only thread of the project
// that can be meant.
func (s *Store) joinGarbledThreads() {
	if !slices.ContainsFunc(s.entries, func(e *entry) bool { return e.garbled }) {
		return
	}
	ids, seen := map[string][]string{}, map[messageKey]bool{} // by project
	for _, e := range s.entries {
		if key := (messageKey{e.project, e.thread}); !seen[key] && !strings.Contains(e.thread, replaced) && len(ids[e.project]) < maxMeant {
			seen[key] = true
			ids[e.project] = append(ids[e.project], e.thread)
		}
	}
	left := maxMeant
	for _, e := range s.entries {
		if e.garbled && left > 0 {
			left--
			e.thread = cmp.Or(brenner.Meant(e.thread, ids[e.project]...), e.thread)
		}
	}
}

// maxMeant bounds the ids and names that are compared, and the messages for which they are.
const maxMeant = 1000

// mend gives the messages of a thread the thread ids, senders and times that are meant.
func (r *ThreadReader) mend(messages []*mail.Message) {
	if !slices.ContainsFunc(messages, func(m *mail.Message) bool { return m.Garbled }) {
		return
	}
	var names []string
	seen := map[string]bool{}
	for _, m := range messages {
		if name := m.From.String(); !seen[name] && !strings.Contains(name, replaced) && len(names) < maxMeant {
			seen[name] = true
			names = append(names, name)
		}
	}
	left := maxMeant
	for _, m := range messages {
		if left == 0 {
			return
		}
		if m.Garbled {
			left--
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
	const most = 255 // of Mend
	if meant := brenner.Meant(t.String(), names...); meant != "" && t.Len() <= most && len(meant) <= most {
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

// maxMended bounds the bytes of a file in whose place signs of JSON are tried, and
// maxMendedSize, in bytes, what is read for one sign.
const (
	maxMended     = 4
	maxMendedSize = 8 << 20
)

// maskJSON returns a copy of a JSON text whose bytes that JSON does not allow are harmless; false
// if it has none. Where such a byte stands for a sign of JSON, and only one, the text is not JSON
// without it: it is read with the first sign that makes it JSON.
func maskJSON(data []byte) (masked []byte, ok bool) {
	mask := func(data []byte) bool {
		masked = bytes.Clone(data)
		ok = jsontree.Mask(masked, false)
		return isJSON(masked)
	}
	if mask(data) {
		return masked, ok
	}
	asIs, changed := masked, ok
	var bad []int
	for i := 0; i < len(data) && len(bad) <= maxMended; i++ {
		if i += source.ValidLen(data[i:]); i < len(data) {
			bad = append(bad, i)
		}
	}
	if len(bad) > maxMended || len(bad)*len(data) > maxMendedSize {
		return asIs, changed
	}
	mended := bytes.Clone(data)
	for _, at := range bad {
		for _, sign := range []byte(`":,{}[]\truefalsn0`) {
			if mended[at] = sign; mask(mended) {
				return masked, true
			}
		}
		mended[at] = data[at]
	}
	return asIs, changed
}

// isJSON reports whether a text is JSON, or several values of JSON one after the other. Bytes in
// strings need not be UTF-8.
func isJSON(text []byte) bool {
	d := jsontext.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte(source.BOM))), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	for {
		if err := d.SkipValue(); err != nil {
			return errors.Is(err, io.EOF)
		}
	}
}
