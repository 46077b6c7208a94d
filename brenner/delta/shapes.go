package delta

import (
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// Deltas in the shapes of other formats, which say plainly what they mean.

// OperationAsKey returns the member of the delta that is named by an operation and has what the
// delta should have, as {"EDIT": {"section": …}}, and the edits that write it as a delta; nil if
// there is none.
func (d *Delta) OperationAsKey() (*jsontree.Member, []source.Edit) {
	if !d.Root.Is(jsontree.Object) || d.Root.Get("operation") != nil {
		return nil, nil
	}
	for i := range d.Root.Members() {
		m := &d.Root.Members()[i]
		op, sure := SuggestOperation(m.Name)
		if !sure {
			continue
		}
		inner := d.membersOf(m.Value)
		if m.Value.Is(jsontree.String) {
			inner = []written{{"target_id", jsontree.Quote(m.Value.Text)}}
		}
		if len(inner) == 0 {
			continue
		}
		edits := d.rebuild(func(root, _ []written) ([]written, []written) {
			out := append([]written{{"operation", jsontree.Quote(op.String())}}, inner...)
			for _, w := range root {
				if w.name != m.Name && !slices.ContainsFunc(out, func(o written) bool { return o.name == w.name }) {
					out = append(out, w)
				}
			}
			return out, nil
		})
		return m, edits
	}
	return nil, nil
}

// Quoted returns the JSON of a block that has it in a string, encoded twice; nil if it is not.
func (d *Delta) Quoted() []byte {
	n := onlyItem(d.Root)
	if !n.Is(jsontree.String) {
		return nil
	}
	return objectIn(n, *d.json)
}

// QuotedPayload is Quoted for the payload.
func (d *Delta) QuotedPayload() []byte { return objectIn(d.Root.Get("payload"), *d.json) }

func objectIn(n *jsontree.Node, opts jsontree.Options) []byte {
	text := []byte(n.StringOr(""))
	root, _ := jsontree.Parse(text, opts)
	if !root.Is(jsontree.Object) || len(root.Members()) == 0 {
		return nil
	}
	return text
}

// OtherShape reports whether the delta is an object of another format that says plainly what it
// means, so that nothing in it is where a delta has it.
func (d *Delta) OtherShape() bool {
	if d.Operation != 0 || d.Root.Get("operation") != nil {
		return false
	}
	m, _ := d.OperationAsKey()
	return m != nil || len(d.Changes([]*jsontree.Node{d.Root})) > 0
}

// Change is what a JSON patch (RFC 6902) says of one item.
type Change struct {
	Target  brenner.ItemID
	Payload string // as a delta writes it
}

// Changes returns what the operations of a JSON patch change, one for each item; nil if one of
// them does not plainly set a field of an item. A list that is replaced says so: an EDIT would
// add to it.
func (d *Delta) Changes(ops []*jsontree.Node) []Change {
	var order []brenner.ItemID
	payloads := map[brenner.ItemID][]written{}
	for _, op := range ops {
		id, fields := d.change(op)
		if fields == nil {
			return nil
		}
		if _, known := payloads[id]; !known {
			order = append(order, id)
		}
		payloads[id] = append(payloads[id], fields...)
	}
	var out []Change
	for _, id := range order {
		out = append(out, Change{id, writeMembers(payloads[id], func(int) string { return "" }, 0)})
	}
	return out
}

// change returns what one operation of a patch writes.
func (d *Delta) change(op *jsontree.Node) (brenner.ItemID, []written) {
	value := op.Get("value")
	path := strings.FieldsFunc(op.Get("path").StringOr(""), func(r rune) bool { return r == '/' })
	word := strings.ToLower(op.Get("op").StringOr(""))
	if value == nil || len(path) == 0 || !slices.Contains([]string{"add", "replace", "set"}, word) {
		return brenner.ItemID{}, nil
	}
	id, _ := SuggestTarget(d.meant("target_id").StringOr(""))
	for _, part := range path {
		if named, ok := SuggestTarget(part); ok {
			id = named
		}
	}
	last := path[len(path)-1]
	appends := last == "-" && len(path) > 1
	if appends {
		last = path[len(path)-2]
	}
	if id.Section == 0 || id.Section.Field(last) == nil {
		return id, nil
	}
	text := d.Text.Slice(value.Span())
	switch isList := id.Section.Field(last).IsArray(); {
	case isList && appends && !value.Is(jsontree.Array):
		return id, []written{{last, "[" + text + "]"}}
	case isList && !appends && word != "add":
		return id, []written{{last, text}, {last + "_replace", "true"}}
	case appends:
		return id, nil
	}
	return id, []written{{last, text}}
}
