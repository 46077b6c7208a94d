package cli

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// composite is an object or a list of JSON with comments, as places where
// something can be put or taken away. What is put at the end and taken away again
// leaves every byte as it was.
type composite struct {
	first, last func(i int) *hujson.Value // of a member: its name and its value
	len         int
	tail        *hujson.Extra // before the closing bracket
}

func compositeOf(v *hujson.Value) composite {
	switch x := v.Value.(type) {
	case *hujson.Object:
		return composite{
			func(i int) *hujson.Value { return &x.Members[i].Name }, func(i int) *hujson.Value { return &x.Members[i].Value },
			len(x.Members), &x.AfterExtra,
		}
	case *hujson.Array:
		at := func(i int) *hujson.Value { return &x.Elements[i] }
		return composite{at, at, len(x.Elements), &x.AfterExtra}
	}
	return composite{tail: new(hujson.Extra)}
}

// appendValue puts a value at the end of a list, or of an object under a name: on a
// line of its own if the others are.
func appendValue(to *hujson.Value, name string, v hujson.Value) {
	c := compositeOf(to)
	head, rest := splitLine(*c.tail)
	first := &v
	n := hujson.Value{Value: hujson.String(name)}
	if name != "" {
		first = &n
	}
	if head != nil {
		first.BeforeExtra = append(append(bytes.Clone(head), '\n'), c.indent(rest)...)
		*c.tail = rest
	}
	if c.len > 0 && c.last(c.len-1).AfterExtra != nil {
		v.AfterExtra = hujson.Extra{} // a comma follows the last
	}
	switch x := to.Value.(type) {
	case *hujson.Object:
		x.Members = append(x.Members, hujson.ObjectMember{Name: n, Value: v})
	case *hujson.Array:
		x.Elements = append(x.Elements, v)
	}
}

// splitLine splits what is before a closing bracket where the line of the last value
// ends; nil if the bracket is on that line.
func splitLine(tail hujson.Extra) (head, rest []byte) {
	i := bytes.IndexByte(tail, '\n')
	if i < 0 || bytes.Contains(tail[:i], []byte("/*")) {
		return nil, tail
	}
	return append([]byte{}, tail[:i]...), tail[i:]
}

// indent returns the indentation of the values, else a deeper one than that of the
// closing bracket.
func (c composite) indent(tail []byte) string {
	if c.len > 0 {
		before := string(c.first(0).BeforeExtra)
		if i := strings.LastIndexByte(before, '\n'); i >= 0 {
			return before[i+1:]
		}
	}
	return string(tail[bytes.LastIndexByte(tail, '\n')+1:]) + "  "
}

// removeValue takes a value out of a list or an object. Comments around it stay.
func removeValue(from *hujson.Value, i int) {
	c := compositeOf(from)
	next := c.tail
	if i+1 < c.len {
		next = &c.first(i + 1).BeforeExtra
	}
	before, after := comments(c.first(i).BeforeExtra), comments(c.last(i).AfterExtra)
	if comma := c.last(i).AfterExtra != nil; i+1 == c.len && i > 0 && !comma {
		before = append(comments(c.last(i-1).AfterExtra), before...)
		c.last(i - 1).AfterExtra = nil // no comma follows the last
	} else if i+1 == c.len && i > 0 && c.last(i-1).AfterExtra == nil {
		c.last(i - 1).AfterExtra = hujson.Extra{}
	}
	left := slices.Concat(before, after)
	if len(left) > 0 && !bytes.HasPrefix(bytes.TrimLeft(*next, " \t\r"), []byte{'\n'}) {
		left = append(left, '\n')
	}
	*next = append(left, *next...)
	switch x := from.Value.(type) {
	case *hujson.Object:
		x.Members = append(x.Members[:i], x.Members[i+1:]...)
	case *hujson.Array:
		x.Elements = append(x.Elements[:i], x.Elements[i+1:]...)
	}
}

// comments returns what is around a value without the space that belongs to it.
func comments(x hujson.Extra) []byte { return append([]byte{}, bytes.TrimRight(x, " \t\r\n")...) }

// member returns the number of the member of an object with a name; -1 if there is
// none, and where there are several.
func member(v *hujson.Value, name string) int {
	found := -1
	if x, ok := v.Value.(*hujson.Object); ok {
		for i := range x.Members {
			if n, ok := x.Members[i].Name.Value.(hujson.Literal); ok && n.String() == name {
				if found >= 0 {
					return -1
				}
				found = i
			}
		}
	}
	return found
}

// isEmpty reports whether a value is an object or a list of nothing, not even a
// comment.
func isEmpty(v *hujson.Value) bool {
	c := compositeOf(v)
	switch v.Value.(type) {
	case *hujson.Object, *hujson.Array:
		return c.len == 0 && len(bytes.TrimSpace(*c.tail)) == 0
	}
	return false
}
