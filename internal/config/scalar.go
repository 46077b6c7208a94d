package config

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/brennerlint/brennerlint/source"
)

// within returns where a part of a scalar's value is in the file. It accounts for quotation
// marks, escapes, line breaks and indentation. For an empty part it returns the whole
// scalar.
func (d *decoder) within(n *yaml.Node, part source.Span) source.Span {
	whole := d.span(n)
	if part.Empty() || part.Start > len(n.Value) {
		return whole
	}
	m := &scalarMap{data: d.text.Data, at: whole.Start, value: n.Value, style: n.Style, offsets: make([]int, len(n.Value)+1)}
	if !m.run() {
		return whole
	}
	start := m.offsets[part.Start]
	end := start + 1
	if last := min(part.End, len(n.Value)) - 1; last > part.Start {
		end = m.offsets[last] + 1
	}
	for end < len(m.data) && !utf8.RuneStart(m.data[end]) {
		end++
	}
	return source.Span{Start: start, End: max(end, start)}
}

// scalarMap steps through a scalar as written and through its value, side by side.
type scalarMap struct {
	data    []byte
	at      int // in data
	value   string
	i       int // in value
	offsets []int
	style   yaml.Style
}

func (m *scalarMap) block() bool { return m.style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 }

// run fills the offsets. It reports whether the two match.
func (m *scalarMap) run() bool {
	m.skipProperties()
	indent := 0
	switch {
	case m.block():
		if !m.nextLine() {
			return false
		}
		indent = m.indent()
		m.skipIndent(indent)
	case m.style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		m.at++
	}
	for m.i < len(m.value) {
		if m.at >= len(m.data) {
			if strings.Trim(m.value[m.i:], "\n ") != "" {
				return false
			}
			break
		}
		if !m.step(indent) {
			return false
		}
	}
	for ; m.i < len(m.offsets); m.i++ {
		m.offsets[m.i] = min(m.at, len(m.data))
	}
	return true
}

// step goes over the next character as written.
func (m *scalarMap) step(indent int) bool {
	c := m.data[m.at]
	switch {
	case c == '\r' && m.at+1 < len(m.data) && m.data[m.at+1] == '\n':
		m.at++
	case m.block() && c == '\n':
		if v := m.value[m.i]; v == '\n' || v == ' ' {
			m.take(1)
		}
		m.at++
		m.skipIndent(indent)
	case !m.block() && m.breaks():
		m.fold()
	case c == '\\' && m.style&yaml.DoubleQuotedStyle != 0:
		return m.escape()
	case c == '\'' && m.style&yaml.SingleQuotedStyle != 0:
		m.take(1)
		m.at += 2
	case c != m.value[m.i]:
		return false
	default:
		m.take(1)
		m.at++
	}
	return true
}

// take records that the next bytes of the value come from here.
func (m *scalarMap) take(n int) {
	for ; n > 0 && m.i < len(m.value); n-- {
		m.offsets[m.i] = m.at
		m.i++
	}
}

// breaks reports whether only white space is left on the line.
func (m *scalarMap) breaks() bool {
	at := m.at
	for at < len(m.data) && (m.data[at] == ' ' || m.data[at] == '\t' || m.data[at] == '\r') {
		at++
	}
	return at < len(m.data) && m.data[at] == '\n'
}

// fold steps over line breaks outside blocks. A single one is a space; of several the first
// is dropped. White space around them is dropped too.
func (m *scalarMap) fold() {
	start, lines := m.at, 0
	for m.at < len(m.data) && strings.IndexByte(" \t\r\n", m.data[m.at]) >= 0 {
		if m.data[m.at] == '\n' {
			lines++
		}
		m.at++
	}
	end := m.at
	m.at = start
	m.take(max(1, lines-1))
	m.at = end
}

// escapes are the escapes of a backslash and one letter in double-quoted scalars whose
// characters are longer than one byte.
var escapes = map[byte]int{'N': 2, '_': 2, 'L': 3, 'P': 3}

// escape goes over a backslash and what follows it.
func (m *scalarMap) escape() bool {
	if m.at+1 >= len(m.data) {
		return false
	}
	c := m.data[m.at+1]
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	switch {
	case c == '\n' || c == '\r': // a line that goes on
		m.at += 2
		for m.at < len(m.data) && strings.IndexByte(" \t\r\n", m.data[m.at]) >= 0 {
			m.at++
		}
		return true
	case digits > 0:
		_, size := utf8.DecodeRuneInString(m.value[m.i:])
		m.take(size)
	default:
		m.take(max(1, escapes[c]))
	}
	m.at += 2 + digits
	return true
}

// skipProperties skips an anchor and a tag.
func (m *scalarMap) skipProperties() {
	for m.at < len(m.data) && (m.data[m.at] == '&' || m.data[m.at] == '!') {
		for m.at < len(m.data) && m.data[m.at] != ' ' && m.data[m.at] != '\n' {
			m.at++
		}
		for m.at < len(m.data) && m.data[m.at] == ' ' {
			m.at++
		}
	}
}

func (m *scalarMap) nextLine() bool {
	i := strings.IndexByte(string(m.data[m.at:]), '\n')
	m.at += i + 1
	return i >= 0
}

// indent returns how far the lines of a block are indented: by how much the first line that
// is not blank is longer than the value's.
func (m *scalarMap) indent() int {
	for at := m.at; at < len(m.data); {
		line, rest, _ := strings.Cut(string(m.data[at:]), "\n")
		if text := strings.TrimLeft(line, " "); strings.TrimRight(text, "\r") != "" {
			value := strings.TrimLeft(m.value, "\n")
			return max(0, len(line)-len(text)-(len(value)-len(strings.TrimLeft(value, " "))))
		}
		at = len(m.data) - len(rest)
		if rest == "" {
			break
		}
	}
	return 0
}

func (m *scalarMap) skipIndent(n int) {
	for ; n > 0 && m.at < len(m.data) && m.data[m.at] == ' '; n-- {
		m.at++
	}
}
