// Package jsontree reads JSON (RFC 8259, strictly) into a tree in which every
// value and every member name has its byte span.
//
// Package jsontext finds out whether a text is JSON, and where its first fault is. This package
// keeps what rules need: spans, members in order with repeated names (the last counts,
// decisions.md 9), and a limit on depth. It knows nothing of the protocol.
package jsontree

import (
	"errors"
	"math"
	"strconv"

	"github.com/brennerlint/brennerlint/source"
)

// Kind is the type of a JSON value.
type Kind uint8

// The types of JSON values.
const (
	Null Kind = iota + 1
	Bool
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"nothing", "null", "a boolean", "a number", "a string", "an array", "an object"}

// String names the kind as messages do.
func (k Kind) String() string { return kindNames[k] }

// Node is one value. A nil *Node is an absent value: all methods accept it. A text has many
// nodes, so they are kept small. Offsets have 32 bits, because no text is as long as 4 GiB.
type Node struct {
	Kind       Kind
	start, end uint32
	Text       string // a string decoded; a number, true or false as written
	in         *content
}

// content is what an object or array has in it.
type content struct {
	members []Member
	items   []*Node
	last    map[string]int // of a large object: the last member of each name
}

// Member is one name and its value.
type Member struct {
	Name       string
	start, end uint32 // of the name
	Value      *Node
	Repeated   bool // an earlier member of the object has the same name
	Replaced   bool // a later member has the same name: that one counts
}

// NewObject returns an object at a place of a text with members of others.
func NewObject(at source.Span, members []Member) *Node {
	return &Node{Kind: Object, start: uint32(at.Start), end: uint32(at.End), in: &content{members: members}}
}

// Span returns the place of the whole value in the text that was parsed.
func (n *Node) Span() source.Span {
	if n == nil {
		return source.Span{}
	}
	return source.Span{Start: int(n.start), End: int(n.end)}
}

// NameSpan returns the place of the name, with its quotes.
func (m *Member) NameSpan() source.Span {
	return source.Span{Start: int(m.start), End: int(m.end)}
}

// empty is the content of values that are neither objects nor arrays.
var empty content

// content returns what is in an object or array.
func (n *Node) content() *content {
	if n == nil || n.in == nil {
		return &empty
	}
	return n.in
}

// Members returns those of an object in order, repeated names included.
func (n *Node) Members() []Member { return n.content().members }

// Items returns those of an array.
func (n *Node) Items() []*Node { return n.content().items }

// Get returns the value of a member, the last of that name; nil if there is none or
// n is not an object.
func (n *Node) Get(name string) *Node {
	if m := n.Member(name); m != nil {
		return m.Value
	}
	return nil
}

// Member returns the last member of that name, or nil.
func (n *Node) Member(name string) *Member { return n.content().find(name, len(n.Members())) }

// Is reports whether the value is there and of kind k.
func (n *Node) Is(k Kind) bool { return n != nil && n.Kind == k }

// Absent reports whether the value is not there or null.
func (n *Node) Absent() bool { return n == nil || n.Kind == Null }

// StringOr returns the decoded string, or a default if n is not a string.
func (n *Node) StringOr(byDefault string) string {
	if n.Is(String) {
		return n.Text
	}
	return byDefault
}

// True reports whether n is the literal true.
func (n *Node) True() bool { return n.Is(Bool) && n.Text == "true" }

// Strings returns the strings in a value in order, names of members left out.
func (n *Node) Strings() []*Node { return n.appendStrings(nil) }

func (n *Node) appendStrings(out []*Node) []*Node {
	if n.Is(String) {
		return append(out, n)
	}
	for _, item := range n.Items() {
		out = item.appendStrings(out)
	}
	for _, m := range n.Members() {
		out = m.Value.appendStrings(out)
	}
	return out
}

// SyntaxError is a mistake in a text that is not JSON.
type SyntaxError struct {
	Span    source.Span // the offending bytes; empty at the end of the text
	Message string      // what is wrong, lower case
	Hint    string      // how to fix it; may be ""
	// Quoted are the words of the text that Message or Hint repeats, as they are
	// there: a report that must not show what the text says leaves them out.
	Quoted []string
	// ValueEnd is where the value ends if other text follows it; else 0.
	ValueEnd int
	// Open are the brackets that are missing where the text ends too early; CutOff that
	// more is missing.
	Open   string
	CutOff bool
}

// Error returns the Message.
func (e *SyntaxError) Error() string { return e.Message }

// Discreet returns the fault without words of the text, which may be a credential.
func (e *SyntaxError) Discreet() *SyntaxError {
	if len(e.Quoted) == 0 {
		return e
	}
	d := *e
	d.Message, d.Hint = "a key, text or number is not written as JSON wants it", "write keys and texts in double quotes"
	d.Quoted = nil
	return &d
}

// Quoted returns the words of invalid JSON that an error quotes, if it is or wraps a
// SyntaxError; else nil.
func Quoted(err error) []string {
	if e, ok := errors.AsType[*SyntaxError](err); ok {
		return e.Quoted
	}
	return nil
}

// MaxDepth is how deep arrays and objects may nest unless Options say otherwise.
const MaxDepth = 512

// fewMembers is how many members are searched without a map.
const fewMembers = 16

// index marks members whose name another one has. Few objects are large, so a map
// is only made for those that are.
func (c *content) index() {
	if len(c.members) > fewMembers {
		c.last = make(map[string]int, len(c.members))
	}
	for i := range c.members {
		m := &c.members[i]
		if earlier := c.find(m.Name, i); earlier != nil {
			m.Repeated, earlier.Replaced = true, true
		}
		if c.last != nil {
			c.last[m.Name] = i
		}
	}
}

// find returns the last member of that name among the first n, or nil.
func (c *content) find(name string, n int) *Member {
	if i, ok := c.last[name]; ok {
		return &c.members[i]
	}
	for i := n - 1; i >= 0 && c.last == nil; i-- {
		if c.members[i].Name == name {
			return &c.members[i]
		}
	}
	return nil
}

// Value returns the node as plain data: nil, bool, float64, string, []any or
// map[string]any; of repeated members the last counts.
func (n *Node) Value() any {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case Bool:
		return n.Text == "true"
	case Number:
		f, _ := strconv.ParseFloat(n.Text, 64)
		return max(min(f, math.MaxFloat64), -math.MaxFloat64) // as RFC 8785 reads one beyond the range
	case String:
		return n.Text
	case Array:
		out := make([]any, len(n.Items()))
		for i, item := range n.Items() {
			out[i] = item.Value()
		}
		return out
	case Object:
		out := make(map[string]any, len(n.Members()))
		for _, m := range n.Members() {
			out[m.Name] = m.Value.Value()
		}
		return out
	}
	return nil
}
