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

// A replaced byte in the thread id, sender or time of a message causes no second finding
// (decisions.md 90): if only one value can be meant, the message gets it.

const replaced = string(utf8.RuneError)

// joinGarbledThreads adds a mail whose thread id has such a byte to the thread of its project
// that is meant, if only one can be.
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
			e.join(cmp.Or(brenner.Meant(e.thread, ids[e.project]...), e.thread))
		}
	}
}

// maxMeant bounds the ids and names that are compared, and the messages for which they are.
const maxMeant = 1000

// mend corrects the thread ids, senders and times of a thread's messages.
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

// mended returns the only name that a text can mean.
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

// mendTime corrects a time with one replaced byte: it takes the first possible time between the
// times of the messages with the ids before and after.
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

// maxMended bounds how many bytes of a file are replaced by signs of JSON on trial, and
// maxMendedSize how many bytes are read for one sign.
const (
	maxMended     = 4
	maxMendedSize = 8 << 20
)

// maskJSON returns a copy of a JSON text in which bytes that JSON does not allow are replaced by
// harmless ones; false if it has no such bytes. If one of them must have been a sign of JSON, it
// is replaced by the first sign that makes the text JSON.
func maskJSON(data []byte) (masked []byte, ok bool) {
	mask := func(data []byte) bool {
		masked = bytes.Clone(data)
		ok = jsontree.Mask(masked)
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
