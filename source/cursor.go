package source

import "bytes"

// Cursor finds positions in a text that is read from start to end and not kept.
// The zero Cursor stands at the start.
type Cursor struct {
	lines, offset int
	line          lineLength // of what was read of the current line
	bom           int        // how many bytes of a byte order mark the line begins with
}

type lineLength struct{ bytes, runes, units int }

// Advance moves the cursor over the next bytes.
func (c *Cursor) Advance(data []byte) {
	for i := 0; i < len(data) && c.bom == c.offset+i && c.bom < len(BOM) && data[i] == BOM[c.bom]; i++ {
		c.bom++
	}
	c.offset += len(data)
	if n := bytes.LastIndexByte(data, '\n'); n >= 0 {
		c.lines += bytes.Count(data, []byte{'\n'})
		c.line, c.bom = lineLength{}, 0
		data = data[n+1:]
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

// Position is where the cursor stands.
func (c *Cursor) Position() Position {
	skip := 0
	if c.bom == len(BOM) {
		skip = 1 // decisions.md 35
	}
	return Position{
		Line: c.lines + 1, Column: c.line.runes - skip + 1, Offset: c.offset,
		Byte: c.line.bytes + 1, UTF16: c.line.units - skip + 1,
	}
}
