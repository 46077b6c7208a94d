package jsontree

import "github.com/go-json-experiment/json/jsontext"

// builder makes the tree of a text from its marks. All parts of a tree of one kind are in
// one piece of memory: one for each would be far more to allocate and to collect.
type builder struct {
	src      string // strings of the tree are parts of it
	marks    []mark // those that are left
	nodes    []Node
	contents []content
	members  []Member
	items    []*Node
}

// build returns the tree of a text.
func build(src string, marks []mark) *Node {
	names, filled := 0, 0
	for i := range marks {
		if marks[i].kind == 0 {
			names++
		} else if marks[i].in > 0 {
			filled++
		}
	}
	nodes := len(marks) - names
	b := builder{src: src, marks: marks, nodes: make([]Node, nodes)}
	if filled > 0 {
		b.contents = make([]content, filled)
		b.members = make([]Member, names)
		b.items = make([]*Node, nodes-1-names) // all but the root and the values of members
	}
	return b.value()
}

// value makes the next value.
func (b *builder) value() *Node {
	m, n := &b.marks[0], &b.nodes[0]
	b.marks, b.nodes = b.marks[1:], b.nodes[1:]
	n.Kind, n.start, n.end = m.kind, m.start, m.end
	switch m.kind {
	case String:
		n.Text = m.text(b.src[m.start:m.end])
	case Bool, Number:
		n.Text = b.src[m.start:m.end]
	case Array, Object:
		if m.in > 0 {
			n.in = &b.contents[0]
			b.contents = b.contents[1:]
			b.fill(n, m.in)
		}
	}
	return n
}

// fill makes the members or items of an object or array.
func (b *builder) fill(n *Node, size uint32) {
	if n.Kind == Array {
		n.in.items, b.items = b.items[:size:size], b.items[size:]
		for i := range n.in.items {
			n.in.items[i] = b.value()
		}
		return
	}
	n.in.members, b.members = b.members[:size:size], b.members[size:]
	for i := range n.in.members {
		m, name := &n.in.members[i], &b.marks[0]
		b.marks = b.marks[1:]
		m.Name, m.start, m.end, m.Repeated = name.text(b.src[name.start:name.end]), name.start, name.end, name.repeated
		m.Value = b.value()
	}
	n.in.index()
}

// text returns what a string or name says that is written like this.
func (m *mark) text(written string) string {
	if !m.escaped {
		return written[1 : len(written)-1]
	}
	// The literal is right; the only error left is a surrogate without its partner,
	// which RFC 8259 section 8.2 allows: it becomes U+FFFD.
	out, _ := jsontext.AppendUnquote(nil, written)
	return string(out)
}
