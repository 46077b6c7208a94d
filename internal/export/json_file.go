package export

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/jsontree"
	"github.com/brennerlint/brennerlint/mail"
	"github.com/brennerlint/brennerlint/source"
)

// jsonFile loads messages of one JSON file: it reads only the parts of the file
// in which they are.
type jsonFile struct {
	in      *input.Input
	sse     bool
	garbled bool                // some bytes are not allowed in JSON
	masked  bool                // it could only be scanned without them
	places  []place             // of messages, by ref
	threads map[int64]*envelope // whose thread id they have without one of their own, by ref

	// held is the whole file, and the places of its messages' members, until all of them
	// were loaded once; else nil.
	held atomic.Pointer[heldFile]

	// export and facts are the first export of the file, nearly always the only one: here
	// they take no memory of their own.
	export export
	facts  mail.ExportInfo

	starts    []int // offsets whose positions may be needed, in addition to those of messages
	once      sync.Once
	positions map[int]source.Position // of all of them
}

// newPlaces returns room for n places: those of small files share memory.
func (s *Store) newPlaces(n int) []place {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.places.Make(n)[:0]
}

// add adds a message.
func (x *jsonFile) add(p place, thread *envelope) {
	if thread != nil {
		if x.threads == nil {
			x.threads = map[int64]*envelope{}
		}
		x.threads[int64(len(x.places))] = thread
		x.starts = append(x.starts, thread.threadAt.start)
	}
	x.places = append(x.places, p)
}

// heldFile is a file that is kept in memory.
type heldFile struct {
	file    *source.File
	members [][]memberPlace // of messages, by ref; nil for those that must be scanned
	left    atomic.Int64    // how many messages were not loaded yet
}

// hold keeps the file, in which messages were found.
func (x *jsonFile) hold(data []byte, found []found) {
	h := &heldFile{file: source.NewFile(x.in.Path(), data), members: make([][]memberPlace, len(found))}
	for i := range found {
		if found[i].depth == 0 {
			h.members[i] = found[i].members
		}
	}
	h.left.Store(int64(len(found)))
	x.held.Store(h)
}

// open opens the file, and counts the messages as loaded.
func (x *jsonFile) open(messages int) (*input.Content, *heldFile, error) {
	h := x.held.Load()
	if h == nil {
		c, err := x.in.Open()
		return c, nil, err
	}
	if h.left.Add(-int64(messages)) <= 0 {
		x.held.Store(nil)
	}
	return input.Held(h.file.Data), h, nil
}

// maxGap is how many bytes between two messages are read and discarded to avoid a second
// read.
const maxGap = 32 << 10

// load implements loader.
func (x *jsonFile) load(entries []*indexEntry, detached bool, report func(source.Fault)) []*loaded {
	out := make([]*loaded, len(entries))
	refs := make([]int64, len(entries))
	for i, s := range entries {
		refs[i] = s.ref
	}
	c, held, err := x.open(len(refs))
	if err != nil {
		report(source.UnreadableFault(x.in.Path(), err))
		return out
	}
	defer c.Close()
	at := make([]int, len(refs)) // indices of refs by place
	for i := range at {
		at[i] = i
	}
	slices.SortFunc(at, func(a, b int) int { return cmp.Compare(x.places[refs[a]].start, x.places[refs[b]].start) })
	parts := make([]source.Span, len(refs)) // what is read for each
	for i, ref := range refs {
		if parts[i] = (source.Span{Start: x.places[ref].start, End: x.places[ref].end}); detached {
			parts[i] = x.around(ref)
		}
	}
	for lo := 0; lo < len(at); {
		start, end := parts[at[lo]].Start, parts[at[lo]].End
		hi := lo + 1
		for hi < len(at) && parts[at[hi]].Start-end <= maxGap {
			start, end = min(start, parts[at[hi]].Start), max(end, parts[at[hi]].End)
			hi++
		}
		data, err := x.read(c, start, end)
		if err != nil {
			report(source.UnreadableFault(x.in.Path(), err))
			return out
		}
		window := x.file(data, start, held)
		text := window.Text()
		for _, i := range at[lo:hi] {
			if detached {
				text = x.file(window.Bytes(parts[i]), parts[i].Start, nil).Text()
			}
			if out[i], err = x.message(text, refs[i], held); err != nil {
				report(source.UnreadableFault(x.in.Path(), fmt.Errorf("the file changed while it was read: %w", err)))
				return out
			}
			if detached {
				x.detach(&out[i].Message, parts[i], refs[i])
			}
		}
		if window, text = nil, nil; detached && end-start >= largePart {
			x.in.Pack() // it is read again only for places
		}
		lo = hi
	}
	return out
}

// largePart is how large the messages are, together, after which a file in memory is
// compressed: another copy of them will be in memory.
const largePart = 32 << 20

// read reads a part of the file.
func (x *jsonFile) read(c *input.Content, start, end int) ([]byte, error) {
	data, err := c.Part(start, end)
	if x.masked && err == nil {
		data = bytes.Clone(data) // it is changed
	}
	return data, err
}

// window reads a part of the file.
func (x *jsonFile) window(c *input.Content, start, end int) (*source.File, error) {
	data, err := x.read(c, start, end)
	if err != nil {
		return nil, err
	}
	return x.file(data, start, nil), nil
}

// file returns a part of the file that begins at start, that of a message or one of
// x.starts. A part of a held file keeps that in memory in any case.
func (x *jsonFile) file(data []byte, start int, held *heldFile) *source.File {
	if held != nil {
		return held.file.Window(source.Span{Start: start, End: start + len(data)})
	}
	return source.NewWindow(x.in.Path(), data, start, func() source.Position { return x.position(start) })
}

// detach releases what is around a message.
func (x *jsonFile) detach(m *mail.Message, around source.Span, ref int64) {
	var part func(source.Span) []byte
	if !x.masked { // else what is masked depends on all before it
		part = func(s source.Span) []byte { return x.readAgain(s.Shift(around.Start)) }
	}
	detach(m, func() []byte { return x.reload(around, ref) }, part)
}

// reload reads what is around a message in the file again; nil if it can no longer be read.
func (x *jsonFile) reload(around source.Span, ref int64) []byte {
	data := x.readAgain(around)
	if at := x.places[ref]; x.masked && len(data) == around.Len() {
		jsontree.Mask(data[at.start-around.Start:at.end-around.Start], at.depth > 0)
	}
	return data
}

// readAgain reads a part of the file again, or as much of it as there still is.
func (x *jsonFile) readAgain(s source.Span) []byte {
	c, err := x.in.Open()
	if err != nil {
		return nil
	}
	defer c.Close()
	if !x.masked {
		if data, err := c.Part(s.Start, s.End); err == nil {
			return data
		}
	}
	data := make([]byte, s.Len()) // it may be changed
	n, _ := c.ReadAt(data, int64(s.Start))
	return data[:n]
}

// shown is how many bytes next to a message a report may show with it: its neighbours in
// one long line.
const shown = 8 << 10

// around returns the span of a message, with that much of its neighbours. It begins at the
// start of a message.
func (x *jsonFile) around(ref int64) source.Span {
	p := x.places[ref]
	s := source.Span{Start: p.start, End: p.end}
	for i := ref - 1; i >= 0 && p.start-s.Start < shown && p.start-x.places[i].end <= maxGap; i-- {
		s.Start = min(s.Start, x.places[i].start)
	}
	for i := ref + 1; i < int64(len(x.places)) && s.End-p.end < shown; i++ {
		s.End = max(s.End, min(x.places[i].end, p.end+shown))
	}
	return s
}

// message reads the message with a ref, which is in the text of a window.
func (x *jsonFile) message(t *source.Text, ref int64, held *heldFile) (*loaded, error) {
	f, p := t.File, x.places[ref]
	m := &loaded{Message: mail.Message{Form: mail.JSON, File: f, BodyState: mail.BodyAbsent}}
	whole := source.Span{Start: p.start, End: p.end}
	var raw []byte // as it is in the file
	if x.garbled {
		raw = bytes.Clone(f.Bytes(whole))
	}
	if x.masked {
		jsontree.Mask(f.Bytes(whole), p.depth > 0)
	}
	span := whole.Shift(-f.Base())
	if x.sse {
		t = joinEvent(t, span)
		span = source.Span{End: len(t.Data)}
	}
	for range p.depth {
		t = t.Unescape(span)
		span = source.Span{End: len(t.Data)}
	}
	var err error
	if held != nil && held.members[ref] != nil {
		err = readMembers(&m.Message, m.texts[:], t, span, held.members[ref])
	} else {
		err = readMessage(&m.Message, m.texts[:], t, span)
	}
	if err != nil {
		return nil, err
	}
	if e := x.threads[ref]; e != nil && m.Thread == nil {
		m.Thread = x.outside(e)
	}
	if x.garbled {
		x.byteFaults(m, f, raw, p.start)
	}
	return m, nil
}

// outside returns the thread id of an envelope, as a text of its own.
func (x *jsonFile) outside(e *envelope) *source.Text {
	at := x.at(e.threadAt)
	if !at.Known() {
		return source.NewText([]byte(e.thread))
	}
	t := at.Text.Sub(at.Span)
	for range e.threadAt.depth {
		t = t.Unescape(source.Span{End: len(t.Data)})
	}
	if len(t.Data) > 1 && t.Data[0] == '"' {
		t = t.JSONString(source.Span{End: len(t.Data)})
	}
	return t
}

// at returns a place in the file outside the messages: that of a fault. Its start must be
// one of x.starts.
func (x *jsonFile) at(p place) source.Place {
	c, err := x.in.Open()
	if err != nil {
		return source.Place{}
	}
	defer c.Close()
	f, err := x.window(c, p.start, p.end)
	if err != nil {
		return source.Place{}
	}
	return f.Text().WholePos()
}

// inLine returns the place of a fault, with as much of its line as a report shows.
func (x *jsonFile) inLine(c *input.Content, at place) source.Place {
	buf := make([]byte, shown)
	start := max(0, at.start-shown)
	n, _ := c.ReadAt(buf[:at.start-start], int64(start))
	if n < at.start-start {
		return source.Place{} // the file has since been removed
	}
	if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
		start += i + 1
	} else if start > 0 {
		start += wholeRunes(buf[:n])
	}
	end := at.end
	n, _ = c.ReadAt(buf, int64(end))
	if i := bytes.IndexByte(buf[:n], '\n'); i >= 0 {
		n = i
	} else if last := n - 1; last >= 0 { // a character that is cut is left out
		for last > max(0, n-utf8.UTFMax) && !utf8.RuneStart(buf[last]) {
			last--
		}
		if !utf8.FullRune(buf[last:n]) {
			n = last
		}
	}
	end += n
	x.starts = append(x.starts, start)
	f, err := x.window(c, start, end)
	if err != nil {
		return source.Place{}
	}
	return f.Text().Place(source.Span{Start: at.start - start, End: at.end - start})
}

// wholeRunes returns the offset of the first whole character of a text that may be cut.
func wholeRunes(text []byte) int {
	for i := range min(len(text), utf8.UTFMax) {
		if utf8.RuneStart(text[i]) {
			return i
		}
	}
	return 0
}

// position returns the line and column of a start. All starts are computed together when
// the first one is needed, so that the file is read at most once for that.
func (x *jsonFile) position(start int) source.Position {
	x.once.Do(func() {
		starts := x.starts
		for i := range x.places {
			starts = append(starts, x.places[i].start)
		}
		slices.Sort(starts)
		x.positions = make(map[int]source.Position, len(starts))
		if c, err := x.in.Open(); err == nil { // else the file has gone since; its findings are in its first line
			x.findPositions(c, starts)
			c.Close()
		}
		x.starts = nil
	})
	if p, ok := x.positions[start]; ok {
		return p
	}
	return source.Position{Line: 1, Column: 1, Byte: 1, UTF16: 1}
}

// findPositions finds the positions of starts, which are in order.
func (x *jsonFile) findPositions(c *input.Content, starts []int) {
	var cursor source.Cursor
	pooled := buffers.Get().(*[]byte)
	defer buffers.Put(pooled)
	*pooled = slices.Grow((*pooled)[:0], 64<<10)
	buf, at := (*pooled)[:64<<10], 0
	for _, off := range starts {
		for at < off {
			n, err := c.ReadAt(buf[:min(len(buf), off-at)], int64(at))
			cursor.Advance(buf[:n])
			if at += n; err != nil || n == 0 {
				break
			}
		}
		x.positions[off] = cursor.Position()
	}
}
