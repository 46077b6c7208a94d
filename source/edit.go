package source

// Edit replaces the bytes of a span by a text.
type Edit struct {
	Span Span
	Text string
}

// Apply applies edits. They must be in order and must not overlap.
func Apply(data []byte, edits []Edit) []byte {
	out := make([]byte, 0, len(data))
	at := 0
	for _, e := range edits {
		out = append(out, data[at:e.Span.Start]...)
		out = append(out, e.Text...)
		at = e.Span.End
	}
	return append(out, data[at:]...)
}
