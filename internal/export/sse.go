package export

import (
	"bytes"

	"github.com/brennerlint/brennerlint/source"
)

// scanEvents scans a stream of server-sent events, whose data lines hold JSON
// (mail_formats.md section 4). The lines of one event make one document.
func (x *jsonIndexer) scanEvents(start int) {
	data := x.data
	var event []source.Span
	flush := func() {
		if len(event) > 0 {
			x.scanEvent(data, event)
			event = nil
		}
	}
	for at := start; at < len(data); {
		end := len(data)
		if n := bytes.IndexByte(data[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		line := data[at:end]
		if len(bytes.TrimRight(line, "\r\n")) == 0 {
			flush()
		} else if n := dataPrefix(line); n > 0 {
			event = append(event, source.Span{Start: at + n, End: end})
		}
		at = end
	}
	flush()
}

// dataPrefix returns the length of `data:` and the space after it, 0 if the line has
// no data.
func dataPrefix(line []byte) int {
	rest, ok := bytes.CutPrefix(line, []byte("data:"))
	if !ok {
		return 0
	}
	return len(line) - len(bytes.TrimPrefix(rest, []byte(" ")))
}

// scanEvent scans the document that consists of the parts of data.
func (x *jsonIndexer) scanEvent(data []byte, parts []source.Span) {
	var doc []byte
	if len(parts) == 1 {
		doc = data[parts[0].Start:parts[0].End]
	} else {
		for _, p := range parts {
			doc = append(doc, data[p.Start:p.End]...)
		}
	}
	if firstByte(doc) == 0 {
		return
	}
	c := newScanner(doc, 0)
	if err := c.document(nil); err != nil {
		c.faults = append(c.faults, diagnose(doc, err, c.offset(), 0))
	}
	x.documents++
	x.likely = x.likely || isEmptyList(doc)
	c.mapPlaces(func(offsets []int, ends bool) { fromParts(parts, offsets, ends) })
	x.take(c)
}

// fromParts maps offsets of joined parts, which ascend, to the text that they
// are parts of. Between two parts ends are those of the first, others are at
// the start of the second.
func fromParts(parts []source.Span, offsets []int, ends bool) {
	joined, i := 0, 0 // the length of the parts before parts[i]
	for n, off := range offsets {
		for i < len(parts)-1 && (off > joined+parts[i].Len() || !ends && off == joined+parts[i].Len()) {
			joined += parts[i].Len()
			i++
		}
		offsets[n] = parts[i].Start + off - joined
	}
}

// joinEvent returns the text of a message in a stream of events, without the prefixes of
// its lines.
func joinEvent(t *source.Text, span source.Span) *source.Text {
	var parts []source.Span
	for at := span.Start; at < span.End; {
		end := span.End
		if n := bytes.IndexByte(t.Data[at:span.End], '\n'); n >= 0 {
			end = at + n + 1
		}
		from := at
		if at > span.Start {
			from += dataPrefix(t.Data[at:end])
		}
		parts = append(parts, source.Span{Start: from, End: end})
		at = end
	}
	return t.Join(parts)
}
