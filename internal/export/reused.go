package export

import (
	"cmp"
	"hash/maphash"
	"math"
	"slices"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/source"
)

// Ids that were given again, as after a reset of the server's database (decisions.md 73): two
// canonical messages of one id that differ in time, and in sender or body, are two messages.

// sameSecond reports whether two entries may have the same time: names of files have no
// fractions.
func sameSecond(a, b *entry) bool { return !a.hasTime || !b.hasTime || a.second() == b.second() }

// second returns the time in seconds since 1970.
func (e *entry) second() int64 { return time.UnixMicro(e.time).Unix() }

// separate finds ids of sorted entries that were given to a second message.
func (s *Store) separate() {
	s.earlier = map[*entry]*entry{}
	sameID := func(a, b *entry) bool { return a.id != "" && compareEntryIDs(a, b) == 0 }
	for run := range runs(s.entries, sameID) {
		if slices.ContainsFunc(run, func(e *entry) bool { return !sameSecond(run[0], e) }) {
			s.separateRun(run)
		}
	}
	s.compareAcrossThreads()
}

// separateRun separates the messages of one id in a thread. A copy belongs to the message with
// its time.
func (s *Store) separateRun(run []*entry) {
	second := func(e *entry) int64 {
		if !e.hasTime {
			return 0
		}
		return e.second()
	}
	slices.SortFunc(run, func(a, b *entry) int { return cmp.Or(cmp.Compare(second(a), second(b)), compareEntries(a, b)) })
	count, bySecond, byText := uint16(0), map[int64]uint16{}, map[uint64]uint16{}
	for _, e := range run {
		if e.copy != canonical || !e.hasTime {
			continue
		}
		n, known := bySecond[second(e)]
		text := senderAndBody(e)
		if text == 0 && !e.lost { // its bytes are not as they were written, and prove nothing
			count, bySecond = 0, nil
			break
		}
		if !known && text != 0 {
			n, known = byText[text]
		}
		if !known {
			n = count
			count = min(count, math.MaxUint16-1) + 1
		}
		e.again, bySecond[second(e)], byText[text] = n, n, n
	}
	for _, e := range run {
		if count == 0 || e.copy != canonical {
			e.again = bySecond[second(e)]
		}
	}
	slices.SortFunc(run, compareEntries)
	for i := 1; i < len(run); i++ {
		if run[i].again != run[i-1].again {
			s.earlier[run[i]] = run[0]
		}
	}
}

// senderAndBody returns a hash of the sender and the body or, in an export without bodies, the
// subject. Two messages of one id with the same hash are copies, even if their times differ. It
// is 0 if the message cannot be read, or has replaced bytes.
func senderAndBody(e *entry) uint64 {
	m := loadOne(e)
	if m == nil || m.Garbled {
		return 0
	}
	sender := []byte(m.From.String())
	if m.BodyState == mail.BodyPresent {
		return textDigest(sender, withoutCR(m.Body.Data))
	}
	return textDigest(append(sender, '\n'), []byte(m.Subject.String()))
}

// textDigest returns a hash of two texts, never 0. White space around the second one does not
// count: the archive strips bodies (mail_formats.md, trap 4).
func textDigest(first, second []byte) uint64 {
	var h maphash.Hash
	h.SetSeed(hashSeed)
	h.Write(first)
	h.WriteByte(0)
	h.Write(stripped(second))
	return max(h.Sum64(), 1)
}

// loadOne reads one message, nil if that is not possible.
func loadOne(e *entry) *mail.Message {
	if e.lost {
		return nil
	}
	m := e.export.load([]*entry{e}, func(source.Fault) {})[0]
	if m == nil {
		return nil
	}
	m.ExportInfo = e.export.info
	return &m.Message
}

// compareAcrossThreads finds ids of a project that messages of several threads have.
func (s *Store) compareAcrossThreads() {
	if len(s.exports) == 1 && s.exports[0].info.Form == mail.SQLite {
		return // its ids are unique
	}
	first := make(map[messageKey]*entry, len(s.entries))
	for _, e := range s.entries {
		key := messageKey{e.project, e.id}
		if !brenner.IsNumber(e.id) || key.project == "" || e.lost || e.copy != canonical || !e.hasTime {
			continue
		}
		o := first[key]
		if o == nil {
			first[key] = e
			continue
		}
		if compareThreads(o, e) == 0 || sameSecond(o, e) {
			continue
		}
		if x, y := senderAndBody(o), senderAndBody(e); x == 0 || y == 0 || x == y {
			continue
		}
		if e.time < o.time {
			o, e, first[key] = e, o, e
		}
		s.earlier[e] = o
	}
}

// reportReuse reports that an earlier message has the id of a message.
func (r *ThreadReader) reportReuse(g copies, m *mail.Message) {
	for _, e := range g {
		first := r.store.earlier[e]
		if first == nil {
			continue
		}
		there := mail.CopyText{Path: first.in.Path()}
		if o := loadOne(first); o != nil {
			there.Path, there.At, there.Text = pathOf(o), o.Subject.WholePlace(), o.Subject.String()
		}
		r.mismatch(mail.CopyMismatch{
			Kind: mail.IDGivenTwice, MessageID: m.ID,
			Here: mail.CopyText{Path: pathOf(m), At: m.Subject.WholePlace(), Text: m.Subject.String()}, There: there,
		})
		return
	}
}
