package source

import (
	"sync"
	"weak"
)

// evicted is what is kept of a text whose bytes were released.
type evicted struct {
	size   int
	reload func() []byte // of a text in no file and no other text

	mu   sync.Mutex
	last weak.Pointer[reloaded]
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
	if t.coded == 0 && t.places.Load() == nil && !alone {
		t.evicted = inPlace
	} else {
		t.evicted = &evicted{size: len(t.Data), reload: reload}
	}
	t.Data = nil
	t.lines.Store(nil)
	if t.coded != 0 {
		t.places.Store(nil)
	}
}

// EvictAll evicts a text that is in a file, and all that it is embedded
// in, the file included, whose bytes are read again by a function.
func (t *Text) EvictAll(reload func() []byte) {
	if t == nil || t.File == nil {
		return
	}
	t.File.evict(reload)
	for ; t != nil; t = t.parent {
		t.Evict(nil)
	}
}

// Detach gives a text its own copy of its bytes, so that it does not keep those of
// the text around it in memory. One with escapes has its own anyway.
func (t *Text) Detach() {
	if t != nil && t.Data != nil && t.coded == 0 {
		t.Data = append(make([]byte, 0, len(t.Data)), t.Data...)
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

// decode makes the bytes of a text again that is coded, or joined of parts.
func (t *Text) decode() []byte {
	if t.coded != 0 {
		data, _ := t.coded.decode(nil, t.raw(), nil)
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
func (f *File) evict(reload func() []byte) {
	if f.evicted == nil && len(f.Data) > 0 {
		f.evicted = &evicted{size: len(f.Data), reload: reload}
		f.Data, f.lines = nil, lineTable{}
	}
}

// content returns the bytes of the file or window.
func (f *File) content() []byte {
	if f.evicted == nil {
		return f.Data
	}
	return f.evicted.load(nil).data
}

// table returns the table of the file's lines.
func (f *File) table() *lineTable {
	if f.evicted == nil {
		return &f.lines
	}
	return &f.evicted.load(nil).lines
}
