package source

import "bytes"

// Cursor finds positions in a text that is read from start to end and not kept.
// The zero Cursor is at the start.
type Cursor struct {
	lines, offset int
	line          lineLength // of what was read of the current line
	bom           int        // how many bytes of a byte order mark the line begins with
	cr            bool       // the last byte was \r
}

type lineLength struct{ bytes, runes, units int }

// Advance moves the cursor over the next bytes.
func (c *Cursor) Advance(data []byte) {
	if len(data) == 0 {
		return
	}
	if c.cr && data[0] != '\n' {
		c.newLine()
	}
	for i := 0; i < len(data) && c.bom == c.offset+i && c.bom < len(BOM) && data[i] == BOM[c.bom]; i++ {
		c.bom++
	}
	c.offset += len(data)
	// A \r at the end may be half a line end: that depends on what follows.
	c.cr = data[len(data)-1] == '\r'
	last := bytes.LastIndexByte(data, '\n')
	for i := 0; i+1 < len(data); i++ {
		n := bytes.IndexByte(data[i:len(data)-1], '\r')
		if n < 0 {
			break
		}
		if i += n; data[i+1] != '\n' {
			c.lines++
			last = max(last, i)
		}
	}
	if last >= 0 {
		c.lines += bytes.Count(data, []byte{'\n'})
		c.line, c.bom = lineLength{}, 0
		data = data[last+1:]
	}
	c.line.bytes += len(data)
	for _, b := range data {
		if b&0xc0 != 0x80 { // not one of the further bytes of a character
			c.line.runes++
			c.line.units++
		}
		if b >= 0xf0 {
			c.line.units++
		}
	}
}

func (c *Cursor) newLine() {
	c.lines++
	c.line, c.bom, c.cr = lineLength{}, 0, false
}

// Position returns where the cursor is; what follows is not the second half of a
// line end.
func (c *Cursor) Position() Position {
	if c.cr {
		c.newLine()
	}
	skip := 0
	if c.bom == len(BOM) {
		skip = 1 // decisions.md 35
	}
	return Position{
		Line: c.lines + 1, Column: c.line.runes - skip + 1, Offset: c.offset,
		Byte: c.line.bytes + 1, UTF16: c.line.units - skip + 1,
	}
}
