package export

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// ThreadReader reads the messages of one thread.
type ThreadReader struct {
	mail.Thread // with no messages
	// Whole reports that the thread can be replayed, up to its Gap if it has one.
	Whole bool
	// Facts are what was found while the thread was read: about its messages, and about
	// files that can no longer be read.
	Facts Facts

	store  *Store
	groups [][]*entry // the copies of each message, by id: the reported one first
}

// Open starts reading a thread.
func (s *Store) Open(t ThreadInfo) *ThreadReader {
	r := &ThreadReader{Thread: mail.Thread{Project: t.Project, ID: t.ID}, store: s, groups: t.groups()}
	seen := map[*export]bool{}
	for _, e := range t.entries {
		roster := e.export.info.Roster[t.Project]
		switch isNew := !seen[e.export] && len(roster) > 0; {
		case isNew && r.Roster == nil:
			r.Roster = roster // of most threads: one export, of many threads, has them all
		case isNew:
			r.Roster = slices.Concat(r.Roster, roster)
			slices.SortFunc(r.Roster, compareAgents)
			r.Roster = slices.Compact(r.Roster)
		}
		seen[e.export] = true
	}
	r.Whole, r.Gap = isWhole(r.groups), gapOf(r.groups)
	r.Complete = r.Whole && r.Gap == nil
	return r
}

// Load reads all messages of a thread, in order of time, then id. The facts are those found
// only now: about messages, and about files that can no longer be read.
func (s *Store) Load(t ThreadInfo) (*mail.Thread, Facts) {
	r := s.Open(t)
	out := r.Thread
	out.Messages = r.Read()
	return &out, r.Facts
}

// Read reads the messages, in order of time, then id.
func (r *ThreadReader) Read() []*mail.Message {
	copies := r.readCopies()
	out := make([]*mail.Message, 0, len(r.groups))
	for _, g := range r.groups {
		m := r.merge(g, copies)
		if m == nil {
			continue
		}
		if f := check(m); f != nil {
			f.Thread = r.ID
			r.Facts.Incomplete = append(r.Facts.Incomplete, *f)
		}
		out = append(out, m)
	}
	r.correct(out)
	Sort(out)
	return out
}

func (r *ThreadReader) report(f source.Fault) {
	f.Thread = r.ID
	r.Facts.Faults = append(r.Facts.Faults, f)
}

// mismatch records that the copies of a message do not agree.
func (r *ThreadReader) mismatch(f mail.CopyMismatch) {
	f.Thread = r.ID
	r.Facts.Mismatches = append(r.Facts.Mismatches, f)
}

// Has reports whether the thread has a message with that id.
func (r *ThreadReader) Has(id string) bool {
	at, found := slices.BinarySearchFunc(r.groups, id, func(g []*entry, id string) int { return brenner.CompareMessageIDs(g[0].id, id) })
	return found && id != "" && slices.ContainsFunc(r.groups[at], func(e *entry) bool { return e.id == id })
}

// Sort sorts messages by instant, then numeric id (decisions.md 16).
func Sort(messages []*mail.Message) { slices.SortStableFunc(messages, compareMessages) }

// compareMessages orders messages by instant, then numeric id, and those without an id,
// after the others, by their content; those without a time come last (decisions.md 16
// and 57).
func compareMessages(a, b *mail.Message) int {
	last := func(is bool) int {
		if is {
			return 1
		}
		return 0
	}
	if c := cmp.Or(last(!a.HasTime)-last(!b.HasTime), a.Time.Compare(b.Time), last(a.ID == "")-last(b.ID == ""), brenner.CompareMessageIDs(a.ID, b.ID)); c != 0 {
		return c
	}
	return mail.CompareTexts(a, b)
}

// readCopies loads the copies of the messages, export by export.
func (r *ThreadReader) readCopies() map[*entry]*loaded {
	var order []*export
	wanted := map[*export][]*entry{}
	for _, g := range r.groups {
		for _, e := range g {
			if e.lost {
				continue
			}
			if wanted[e.export] == nil {
				order = append(order, e.export)
			}
			wanted[e.export] = append(wanted[e.export], e)
		}
	}
	out := map[*entry]*loaded{}
	for _, x := range order {
		entries := wanted[x]
		slices.SortFunc(entries, func(a, b *entry) int { return cmp.Compare(a.ref, b.ref) })
		for i, m := range x.load(entries, r.report) {
			if m != nil {
				m.Project, m.ExportInfo = entries[i].project, x.info
				out[entries[i]] = m
			}
		}
	}
	return out
}

// merge makes one message from its copies, and records differences at the first copy.
func (r *ThreadReader) merge(g []*entry, copies map[*entry]*loaded) *mail.Message {
	var read []*loaded
	var m *mail.Message // the copy that counts
	var from *entry
	garbled := false
	for _, e := range g {
		c := copies[e]
		if c == nil {
			continue
		}
		read = append(read, c)
		if len(c.faults) > 0 && !garbled { // of the first copy with bytes that cannot be what was written
			garbled = true
			for _, f := range c.faults {
				r.report(f)
			}
		}
		// Of several copies of the lowest form, the first in order of content counts, because one
		// id may have been given twice (decisions.md 57).
		if m == nil || compareCopies(from, e) == 0 && counts(&c.Message, m) {
			m, from = &c.Message, e
		}
	}
	if m == nil {
		return nil
	}
	r.reportCopy(g, m)
	r.reportReuse(g, m)
	for _, c := range read[1:] {
		if f := differ(&read[0].Message, &c.Message); f != nil {
			r.mismatch(*f)
			break
		}
	}
	for _, c := range read {
		if &c.Message != m {
			takeFrom(m, &c.Message)
		}
	}
	return m
}

// counts reports whether a copy of a message counts more than another one by what it says,
// whatever their files are called.
func counts(a, b *mail.Message) bool {
	c := cmp.Or(mail.CompareTexts(a, b), compareMessages(a, b))
	return c < 0 || c == 0 && a.AckRequired && !b.AckRequired
}

// takeFrom copies recipients and acknowledgements that only another copy has.
func takeFrom(m, c *mail.Message) {
	if !m.HasRecipients && c.HasRecipients {
		m.Recipients, m.HasRecipients = c.Recipients, true
	}
	if m.HasRecipients && c.ExportInfo.RecordsAcks && !m.ExportInfo.RecordsAcks && !c.ExportInfo.AckFlagsCleared {
		facts := *m.ExportInfo
		facts.RecordsAcks = true
		m.ExportInfo = &facts
		for i := range m.Recipients {
			for _, o := range c.Recipients {
				if o.Name == m.Recipients[i].Name && o.Acknowledged {
					m.Recipients[i].Acknowledged = true
				}
			}
		}
	}
}

// isWhole reports whether there is no sign of missing messages, apart from those that cannot be
// read.
func isWhole(groups [][]*entry) bool {
	single := 0
	for _, g := range groups {
		alone := false
		for _, e := range g {
			switch f := e.export.info; {
			case f.Partial, e.part:
			case f.Standalone:
				alone = true
			default:
				return true // of a complete export
			}
		}
		if alone {
			single++
		}
	}
	return single > 1
}

// check returns what a message lacks; nil if it lacks nothing. A draft needs no time, and a
// reply no subject (decisions.md 17).
func check(m *mail.Message) *mail.Incomplete {
	f := &mail.Incomplete{Path: m.Path(), MessageID: m.ID, Draft: m.Form == mail.Draft, Body: m.Body}
	lacks := func(is bool, field string, value *source.Text) bool {
		p := value.WholePlace()
		for _, w := range m.Malformed {
			if w.Name == field {
				p = w.At
			}
		}
		if is && !f.At.Known() {
			f.At = p
		}
		return is
	}
	f.NoSubject = lacks(blank(m.Subject) && !m.ReplyDraft, "subject", m.Subject)
	f.NoBody = lacks(m.BodyState == mail.BodyNull || f.Draft && m.BodyState == mail.BodyAbsent, "body", nil)
	f.NoSender = lacks(!f.Draft && blank(m.From) && !m.ExportInfo.Damaged, "from", m.From)
	f.NoTime = lacks(!f.Draft && !m.HasTime && !m.GarbledAt(m.Created.WholePlace()), "created", m.Created)
	if f.NoTime && !blank(m.Created) {
		f.Time = m.Created.String()
	}
	switch {
	case !f.NoSubject && !f.NoBody && !f.NoSender && !f.NoTime:
		return nil
	case f.At.Known():
	case !blank(m.Subject):
		f.At = m.Subject.WholePlace()
	default:
		f.At = m.Header
	}
	return f
}

func blank(t *source.Text) bool { return t == nil || len(bytes.TrimSpace(t.Data)) == 0 }

// differ finds where copies differ in subject or body; nil if they do not. Missing or scrubbed
// text is not a difference.
func differ(m, c *mail.Message) *mail.CopyMismatch {
	if m.ExportInfo.Scrubbed || c.ExportInfo.Scrubbed {
		return nil
	}
	if m.Subject != nil && c.Subject != nil && !bytes.Equal(m.Subject.Data, c.Subject.Data) {
		return differing(m, c, "subject", m.Subject, c.Subject)
	}
	if m.BodyState == mail.BodyPresent && c.BodyState == mail.BodyPresent && !sameBody(m.Body.Data, c.Body.Data) {
		return differing(m, c, "body", m.Body, c.Body)
	}
	return nil
}

// sameBody reports whether two bodies are equal except for surrounding white space, which
// archives strip, and line ends.
func sameBody(a, b []byte) bool {
	a, b = bytes.TrimSpace(a), bytes.TrimSpace(b)
	return bytes.Equal(a, b) || bytes.Equal(withoutCR(a), withoutCR(b))
}

func withoutCR(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

func differing(m, c *mail.Message, part string, mt, ct *source.Text) *mail.CopyMismatch {
	here, there := firstDifference(mt, ct)
	if isGarbled(m, here) || isGarbled(c, there) {
		return nil // the byte is a fault of its own
	}
	f := &mail.CopyMismatch{
		MessageID: m.ID, Part: part,
		Here:  mail.CopyText{Path: m.Path(), At: here, Text: textFrom(here)},
		There: mail.CopyText{Path: c.Path(), At: there, Text: textFrom(there)},
	}
	if text.Quote(f.Here.Text) == text.Quote(f.There.Text) { // the lines are alike, and what follows them is not
		f.Here.Text, f.Here.Ends = textAfter(here)
		f.There.Text, f.There.Ends = textAfter(there)
	}
	return f
}

// firstDifference returns the rest of the first line that differs, in both texts.
func firstDifference(a, b *source.Text) (source.Place, source.Place) {
	i, j := source.SkipSpace(a.Data, 0), source.SkipSpace(b.Data, 0)
	for {
		i, j = afterCR(a.Data, i), afterCR(b.Data, j)
		if i >= len(a.Data) || j >= len(b.Data) || a.Data[i] != b.Data[j] {
			break
		}
		i, j = i+1, j+1
	}
	for i > 0 && j > 0 && (i < len(a.Data) && !utf8.RuneStart(a.Data[i]) || j < len(b.Data) && !utf8.RuneStart(b.Data[j])) {
		i, j = i-1, j-1
	}
	return restOfLine(a, i), restOfLine(b, j)
}

// afterCR skips the first half of a line end.
func afterCR(text []byte, i int) int {
	if i+1 < len(text) && text[i] == '\r' && text[i+1] == '\n' {
		i++
	}
	return i
}

func restOfLine(t *source.Text, at int) source.Place {
	line := bytes.TrimSuffix(t.Data[at:source.LineEnd(t.Data, at)], []byte("\r"))
	return t.Place(source.Span{Start: at, End: at + len(line)})
}

// textAfter returns the next line with text below a place; it reports true if there is no such
// line.
func textAfter(p source.Place) (text string, ends bool) {
	rest := bytes.TrimSpace(p.Text.Data[p.Span.End:])
	return excerpt(bytes.TrimSpace(rest[:source.LineEnd(rest, 0)])), len(rest) == 0
}

// textFrom returns the text at a place, with the words before it on its line.
func textFrom(p source.Place) string {
	const before = 24
	line := p.Text.LineStart(p.Span.Start)
	start := max(line, p.Span.Start-before)
	for start > line && !utf8.RuneStart(p.Text.Data[start]) {
		start--
	}
	return excerpt(p.Text.Data[start:p.Span.End])
}

// excerpt returns as much of a text as a message may quote.
func excerpt(text []byte) string {
	const most = 400 // bytes; messages show less
	return string(text[:min(len(text), most)])
}

// A replaced byte in the thread id, sender or time of a message causes no second finding
// (decisions.md 90): if only one value can be meant, the message gets it.

const replaced = string(utf8.RuneError)

// correct corrects the thread ids, senders and times of a thread's messages.
func (r *ThreadReader) correct(messages []*mail.Message) {
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
		if !m.Garbled {
			continue
		}
		if left--; left < 0 {
			return
		}
		m.Thread, m.From = meantBy(m.Thread, r.ID), meantBy(m.From, names...)
		if !m.HasTime && strings.Contains(m.Created.String(), replaced) {
			correctTime(m, messages)
		}
	}
}

// meantBy returns the only name that a text can mean.
func meantBy(t *source.Text, names ...string) *source.Text {
	if !strings.Contains(t.String(), replaced) {
		return t
	}
	const most = 255 // bytes of a name; longer ones stay as they are
	if meant := brenner.Meant(t.String(), names...); meant != "" && t.Len() <= most && len(meant) <= most {
		return t.Replace(source.Span{End: t.Len()}, meant)
	}
	return t
}

// correctTime corrects a time with one replaced byte: it takes the first possible time between the
// times of the messages with the ids before and after.
func correctTime(m *mail.Message, among []*mail.Message) {
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
		created := m.Created.Replace(source.Span{Start: at, End: at + len(replaced)}, string(c))
		t, ok := brenner.ParseTime(strings.TrimSpace(created.String()))
		if ok && (after == nil || !t.Time.Before(after.Time)) && (before == nil || !t.Time.After(before.Time)) {
			m.Created, m.Time, m.HasTime = created, t.Time, true
			return
		}
	}
}

// gapOf returns the time of the first message of a thread without a readable copy, the zero time
// if it is unknown; nil if all messages can be read.
func gapOf(groups [][]*entry) *time.Time {
	var gap *time.Time
	for _, g := range groups {
		if !g[0].lost {
			continue
		}
		var at time.Time
		if g[0].hasTime {
			at = time.UnixMicro(g[0].time).UTC()
		}
		if gap == nil || at.Before(*gap) {
			gap = &at
		}
	}
	return gap
}

// reportCopy reports that a message was read from a copy, because the canonical one cannot be.
func (r *ThreadReader) reportCopy(g []*entry, m *mail.Message) {
	var lost *entry
	for _, e := range g {
		switch {
		case e.copy != canonical:
		case !e.lost:
			return
		case lost == nil:
			lost = e
		}
	}
	if lost == nil {
		return
	}
	r.mismatch(mail.CopyMismatch{
		Kind: mail.CopyReadAlone, MessageID: m.ID,
		Here:  mail.CopyText{Path: lost.in.Path(), At: lost.file.found.faults[0].At},
		There: mail.CopyText{Path: m.Path(), At: m.Header},
	})
}

// reportReuse reports that an earlier message has the id of a message.
func (r *ThreadReader) reportReuse(g []*entry, m *mail.Message) {
	for _, e := range g {
		first := r.store.earlier[e]
		if first == nil {
			continue
		}
		there := mail.CopyText{Path: first.in.Path()}
		if o := loadOne(first); o != nil {
			there.Path, there.At, there.Text = o.Path(), o.Subject.WholePlace(), o.Subject.String()
		}
		r.mismatch(mail.CopyMismatch{
			Kind: mail.IDGivenTwice, MessageID: m.ID,
			Here: mail.CopyText{Path: m.Path(), At: m.Subject.WholePlace(), Text: m.Subject.String()}, There: there,
		})
		return
	}
}
