package source

import (
	"bytes"
	"sync"
	"weak"
)

// evicted is what is kept of a text whose bytes were released.
type evicted struct {
	size   int
	reload func() []byte     // of a file, or a text that is in none
	part   func(Span) []byte // of a file of which parts can be read, in its window

	mu     sync.Mutex
	last   weak.Pointer[reloaded]
	pieces *[2]piece // of a large file that was read again, the one that was used last first
}

// reloaded is the bytes of a text that was evicted, with what was made of them, until
// they are garbage: the findings of one message ask for them many times in a row.
type reloaded struct {
	data  []byte
	lines lineTable

	mapped sync.Once
	places *mapping
}

// load returns the bytes, reading them again if they are not in memory any more: by
// decode if they are those of a file or another text.
func (e *evicted) load(decode func() []byte) *reloaded {
	e.mu.Lock()
	defer e.mu.Unlock()
	if r := e.last.Value(); r != nil {
		return r
	}
	if e.reload != nil {
		decode = e.reload
	}
	r := &reloaded{data: fit(decode(), e.size)}
	e.last = weak.Make(r)
	return r
}

// largeFile is from how many bytes on only parts of an evicted file are read again.
const largeFile = 1 << 20

// isLarge reports whether parts of a file are read again, and not the whole.
func (e *evicted) isLarge() bool { return e.part != nil && e.size >= largeFile }

// piece is consecutive bytes of a large file that were read again.
type piece struct {
	at   int // in the window
	data []byte
}

// pieceSize is how many bytes of a large file are read again together.
const pieceSize = 32 << 10

// read returns a part of a file, and reads only that. Of a large one two pieces are kept:
// findings of one message are mostly near each other, in a line that begins elsewhere.
func (e *evicted) read(s Span) []byte {
	if e.part == nil {
		return e.load(nil).data[s.Start:s.End]
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if r := e.last.Value(); r != nil {
		return r.data[s.Start:s.End]
	}
	at := s.Start / pieceSize * pieceSize
	if !e.isLarge() || s.End > at+pieceSize {
		return fit(e.part(s), s.Len())
	}
	if e.pieces == nil {
		e.pieces = new([2]piece)
	}
	if e.pieces[0].at != at || e.pieces[0].data == nil {
		e.pieces[0], e.pieces[1] = e.pieces[1], e.pieces[0]
	}
	p := &e.pieces[0]
	if p.at != at || p.data == nil {
		whole := Span{at, min(at+pieceSize, e.size)}
		*p = piece{at, bytes.Clone(fit(e.part(whole), whole.Len()))} // it may be a part of something large
	}
	return p.data[s.Start-at : s.End-at]
}

// inPlace is what is kept of a text whose bytes are those of another: nothing.
var inPlace = new(evicted)

// Evict releases the bytes of a text that may be large: Data is nil from then on, and
// the methods make the bytes again, each time, from the text it is embedded in. A text
// that is alone needs a function that reads them again.
//
// Evict is not safe for concurrent use.
func (t *Text) Evict(reload func() []byte) {
	alone := t != nil && t.parent == nil && t.File == nil
	if t == nil || t.evicted != nil || len(t.Data) == 0 || alone && reload == nil {
		return
	}
	if t.keepsMap() {
		t.mapping() // while there are bytes to make it of
	} else if t.coded != 0 {
		t.places.Store(nil)
	}
	if t.coded == 0 && t.places.Load() == nil && !alone {
		t.evicted = inPlace
	} else {
		t.evicted = &evicted{size: len(t.Data), reload: reload}
	}
	t.Data = nil
	t.lines.Store(nil)
}

// keepsMap reports whether the map of a text is kept although its bytes are not: that of a
// long one is small, and with it parts of the text are made again.
func (t *Text) keepsMap() bool { return t.coded == jsonString && t.Len() >= longText }

// decodePart makes a part of a text again whose map is kept.
func (t *Text) decodePart(s Span) []byte {
	t.evicted.mu.Lock()
	r := t.evicted.last.Value()
	t.evicted.mu.Unlock()
	if r != nil {
		return r.data[s.Start:s.End]
	}
	var from int // where what is decoded begins
	var data []byte
	if m := t.places.Load(); m.escapes != nil {
		i, j := s.Start/escapeSpacing, (s.End+escapeSpacing-1)/escapeSpacing
		from = i * escapeSpacing
		raw := Span{from + int(m.escapes[i]), min(j*escapeSpacing, t.evicted.size) + int(m.escapes[j])}
		data = appendUnescaped(nil, t.rawAlone(raw)) // it may begin or end within a character
	} else {
		i, j := segmentAt(m.segments, s.Start), segmentAt(m.segments, s.End-1)+1
		from = int(m.segments[i].inner)
		raw := Span{int(m.segments[i].outer), t.within.Len()}
		if j < len(m.segments) {
			raw.End = int(m.segments[j].outer)
		}
		data, _ = t.coded.decode(nil, t.rawAlone(raw), nil)
	}
	return fit(data, max(len(data), s.End-from))[s.Start-from : s.End-from]
}

// EvictAll evicts a text that is in a file, and all that it is embedded
// in, the file included, whose bytes (those of its window) are read again by a function.
// If less can be read, another one reads a part of them; else it is nil.
func (t *Text) EvictAll(reload func() []byte, part func(Span) []byte) {
	if t == nil || t.File == nil {
		return
	}
	t.File.evict(reload, part)
	for ; t != nil; t = t.parent {
		t.Evict(nil)
	}
}

// Detach gives a text its own copy of its bytes, so that it does not keep those of
// the text around it in memory. One with escapes has its own anyway; if it is large, it gets
// the map to what is around it, while that is in memory.
func (t *Text) Detach() {
	switch {
	case t == nil || t.Data == nil:
	case t.coded == 0:
		t.Data = append(make([]byte, 0, len(t.Data)), t.Data...)
	case len(t.Data) >= largeFile:
		t.mapping()
	}
}

// Len returns the length of a text in bytes.
func (t *Text) Len() int {
	switch t.evicted {
	case nil:
		return len(t.Data)
	case inPlace:
		return t.within.Len()
	}
	return t.evicted.size
}

// Content returns the bytes of a text, also of one that was evicted.
func (t *Text) Content() []byte {
	switch t.evicted {
	case nil:
		return t.Data
	case inPlace:
		return t.raw()
	}
	return t.evicted.load(t.decode).data
}

// view returns the bytes of a text, also of one that was evicted.
func (t *Text) view() content {
	switch {
	case t.evicted == inPlace:
		return content{size: t.within.Len(), part: t.rawPart}
	case t.evicted != nil && t.keepsMap():
		return content{size: t.evicted.size, part: t.decodePart}
	}
	return held(t.Content())
}

// decode makes the bytes of a text again that is coded, or joined of parts.
func (t *Text) decode() []byte {
	if t.coded != 0 {
		data, _ := t.coded.decode(nil, t.rawAlone(Span{0, t.within.Len()}), nil)
		return data
	}
	around, segs := t.parent.Content(), t.places.Load().segments
	out := make([]byte, 0, t.evicted.size)
	for i, g := range segs {
		end := t.evicted.size
		if i+1 < len(segs) {
			end = int(segs[i+1].inner)
		}
		out = append(out, around[g.outer:int(g.outer)+end-int(g.inner)]...)
	}
	return out
}

// rawAlone is rawPart that reads nothing of what is around the part in its file: often only
// that is needed.
func (t *Text) rawAlone(s Span) []byte {
	s = s.Shift(t.within.Start)
	p := t.parent
	for ; p != nil && p.evicted == inPlace; p = p.parent {
		s = s.Shift(p.within.Start)
	}
	switch {
	case p != nil:
		return p.Bytes(s)
	case t.File.evicted == nil:
		return t.File.Bytes(s)
	}
	return t.File.evicted.read(s.Shift(-t.File.base))
}

// fit is data of the size that is expected: a file may have changed since, and
// spans of what was there must not lead beyond its end.
func fit(data []byte, size int) []byte {
	if len(data) == size {
		return data
	}
	out := make([]byte, size)
	copy(out, data)
	return out
}

// evict releases the bytes of a file. It is not safe for concurrent use.
func (f *File) evict(reload func() []byte, part func(Span) []byte) {
	if f.evicted != nil || len(f.Data) == 0 {
		return
	}
	f.evicted = &evicted{size: len(f.Data), reload: reload, part: part}
	if f.evicted.isLarge() {
		f.table().complete(f.Data)
	} else {
		f.lines.Store(nil)
	}
	f.Data = nil
}

// view returns the bytes of the file or window.
func (f *File) view() content {
	switch {
	case f.evicted == nil:
		return held(f.Data)
	case f.evicted.isLarge():
		return content{size: f.evicted.size, part: f.evicted.read}
	}
	return held(f.evicted.load(nil).data)
}

// table returns the table of the file's lines.
func (f *File) table() *lineTable {
	if f.evicted != nil && !f.evicted.isLarge() {
		return &f.evicted.load(nil).lines
	}
	return made(&f.lines)
}
