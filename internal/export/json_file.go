package export

import (
	"fmt"
	"sync"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/source"
)

// jsonFile loads messages of one JSON file.
type jsonFile struct {
	in      *input.Input
	sse     bool
	garbled bool                // some bytes are not allowed in JSON
	masked  bool                // it can only be read without them
	places  []place             // of messages, by ref
	threads map[int64]*envelope // whose thread id they have without one of their own, by ref

	// export and facts are the first export of the file, nearly always the only one: here
	// they take no memory of their own.
	export export
	facts  mail.ExportInfo

	mu   sync.Mutex
	kept *jsonData // nil if it must be read
}

// jsonData is a JSON file in memory.
type jsonData struct {
	raw  *source.Text // as it is
	read *source.Text // as it is read: with what JSON does not allow masked, if that must be
}

// textOf returns the texts of the file.
func (x *jsonFile) textOf(data []byte) *jsonData {
	raw := source.NewFile(x.in.Path(), data).Whole()
	if !x.masked {
		return &jsonData{raw, raw}
	}
	masked, _ := maskJSON(data)
	return &jsonData{raw, source.NewFile(x.in.Path(), masked).Whole()}
}

// add adds a message.
func (x *jsonFile) add(p place, thread *envelope) {
	if thread != nil {
		if x.threads == nil {
			x.threads = map[int64]*envelope{}
		}
		x.threads[int64(len(x.places))] = thread
	}
	x.places = append(x.places, p)
}

// open returns the file for loading some of its messages. If there are others, of other
// threads, it is kept for them: else it would be read again for each thread.
func (x *jsonFile) open(messages int) (*jsonData, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	text := x.kept
	if text == nil {
		data, err := x.in.Bytes()
		if err != nil {
			return nil, err
		}
		text = x.textOf(data)
	}
	if x.kept = nil; messages < len(x.places) {
		x.kept = text
	}
	return text, nil
}

// load implements loader.
func (x *jsonFile) load(entries []*indexEntry, report func(source.Fault)) []*loaded {
	out := make([]*loaded, len(entries))
	text, err := x.open(len(entries))
	if err != nil {
		report(source.UnreadableFault(x.in.Path(), err))
		return out
	}
	for i, e := range entries {
		if out[i], err = x.message(text, e.ref); err != nil {
			report(source.UnreadableFault(x.in.Path(), fmt.Errorf("the file changed while it was read: %w", err)))
			return out
		}
	}
	return out
}

// message reads the message with a ref.
func (x *jsonFile) message(file *jsonData, ref int64) (*loaded, error) {
	p := x.places[ref]
	span := source.Span{Start: p.start, End: p.end}
	if !file.read.WholePos().Span.Contains(span) {
		return nil, errNoObject
	}
	m := &loaded{Message: mail.Message{Form: mail.JSON, File: file.read.File, BodyState: mail.BodyAbsent}}
	t := file.read
	if x.sse {
		t = joinEvent(t, span)
		span = source.Span{End: len(t.Data)}
	}
	for range p.depth {
		t = t.Unescape(span)
		span = source.Span{End: len(t.Data)}
	}
	if err := readMessage(&m.Message, t, span); err != nil {
		return nil, err
	}
	if e := x.threads[ref]; e != nil && m.Thread == nil {
		m.Thread = threadOf(file.read, e)
	}
	if x.garbled {
		x.byteFaults(m, file, p)
	}
	return m, nil
}

// threadOf returns the thread id of an envelope, as a text of its own.
func threadOf(file *source.Text, e *envelope) *source.Text {
	at := source.Span{Start: e.threadAt.start, End: e.threadAt.end}
	if !file.WholePos().Span.Contains(at) { // the file has changed
		return source.NewText([]byte(e.thread))
	}
	t := file.Sub(at)
	for range e.threadAt.depth {
		t = t.Unescape(source.Span{End: len(t.Data)})
	}
	if len(t.Data) > 1 && t.Data[0] == '"' {
		t = t.JSONString(source.Span{End: len(t.Data)})
	}
	return t
}
