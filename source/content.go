package source

// content is the bytes of a text, which may be elsewhere than in memory.
type content struct {
	data []byte
	size int
	part func(Span) []byte // if not nil, it reads a part, and there is no data
}

func held(data []byte) content { return content{data: data, size: len(data)} }

// bytes returns those of a span.
func (c *content) bytes(s Span) []byte {
	if c.part != nil {
		return c.part(s)
	}
	return c.data[s.Start:s.End:s.End]
}

func (c *content) all() []byte { return c.bytes(Span{0, c.size}) }

func (c *content) at(off int) byte { return c.bytes(Span{off, off + 1})[0] }

// hasBOM reports whether the text begins with a byte order mark.
func (c *content) hasBOM() bool {
	return c.size >= len(BOM) && string(c.bytes(Span{0, len(BOM)})) == BOM
}
