package delta

import (
	"bytes"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/steps"
	"github.com/brennerlint/brennerlint/source"
)

// written is a member as written in the block.
type written struct{ name, value string }

// Rename returns the edit that gives a member another name.
func (d *Delta) Rename(m *jsontree.Member, to string) source.Edit {
	return source.Edit{Span: m.NameSpan(), Text: jsontree.Quote(to)}
}

// MoveToPayload returns edits that move members of the delta into its payload, under the
// names that they mean there; nil if the block cannot be rewritten.
func (d *Delta) MoveToPayload(names []string) []source.Edit {
	return d.rebuild(func(root, payload []written) ([]written, []written) {
		var stay []written
		for _, m := range root {
			if !slices.Contains(names, m.name) {
				stay = append(stay, m)
				continue
			}
			if key := d.SuggestField(m.name); key != "" {
				m.name = key
			}
			payload = append(payload, m)
		}
		return stay, payload
	})
}

// MoveFromPayload returns edits that move a member of the payload into the delta,
// replacing one that is blank.
func (d *Delta) MoveFromPayload(name, as string) []source.Edit {
	return d.rebuild(func(root, payload []written) ([]written, []written) {
		i := slices.IndexFunc(payload, func(m written) bool { return m.name == name })
		moved := written{as, payload[i].value}
		payload = slices.Delete(payload, i, i+1)
		if i := slices.IndexFunc(root, func(m written) bool { return m.name == as }); i >= 0 {
			root[i] = moved
			return root, payload
		}
		return append(root, moved), payload
	})
}

// KeepLast returns edits that remove all members of a name but the last: those of the
// payload, or of the delta.
func (d *Delta) KeepLast(inPayload bool, name string) []source.Edit {
	keepLast := func(members []written) []written {
		last := 0
		for i, m := range members {
			if m.name == name {
				last = i
			}
		}
		var out []written
		for i, m := range members {
			if m.name != name || i == last {
				out = append(out, m)
			}
		}
		return out
	}
	return d.rebuild(func(root, payload []written) ([]written, []written) {
		if inPayload {
			return root, keepLast(payload)
		}
		return keepLast(root), payload
	})
}

// Spread returns edits that write the fields in an object of the payload, such as {"$set": {…}},
// into the payload; nil if it has others than fields, or one that the payload has too.
func (d *Delta) Spread(m *jsontree.Member) []source.Edit {
	inner := firstMembers(m.Value)
	isOther := func(field jsontree.Member) bool {
		return !d.isField(field.Name) && !d.IsReplaceKey(field.Name) || d.Payload.Get(field.Name) != nil
	}
	if len(inner) == 0 || len(inner) == maxMembers || slices.ContainsFunc(inner, isOther) {
		return nil
	}
	return d.rebuild(func(root, payload []written) ([]written, []written) {
		i := slices.IndexFunc(payload, func(w written) bool { return w.name == m.Name })
		return root, slices.Replace(payload, i, i+1, d.membersOf(m.Value)...)
	})
}

// WithPayload returns edits that give the delta a payload of one member.
func (d *Delta) WithPayload(name, value string) []source.Edit {
	return d.rebuild(func(root, _ []written) ([]written, []written) { return root, []written{{name, value}} })
}

// rebuild returns the edit that rewrites the delta with other members and another
// payload: in lines if it was, with the values unchanged.
func (d *Delta) rebuild(change func(root, payload []written) ([]written, []written)) []source.Edit {
	whole := d.Text.Data[d.Root.Span().Start:d.Root.Span().End]
	lines := bytes.IndexByte(whole, '\n') >= 0
	if lines && (d.Block.InList || d.Block.InQuote) {
		return nil // each line would begin with the list's markers
	}
	steps.Add(len(d.Root.Members()) + len(d.Payload.Members()))
	root, payload := change(d.membersOf(d.Root), d.membersOf(d.Payload))
	indent := func(n int) string {
		if !lines {
			return ""
		}
		return "\n" + strings.Repeat("  ", n)
	}
	text := writeMembers(payload, indent, 2)
	if len(payload) > 0 {
		if i := slices.IndexFunc(root, func(m written) bool { return m.name == "payload" }); i >= 0 {
			root[i].value = text
		} else {
			at := len(root)
			if i := slices.IndexFunc(root, func(m written) bool { return m.name == "rationale" }); i >= 0 {
				at = i
			}
			root = slices.Insert(root, at, written{"payload", text})
		}
	} else if i := slices.IndexFunc(root, func(m written) bool { return m.name == "payload" }); i >= 0 && d.Payload != nil {
		root[i].value = "{}"
	}
	return []source.Edit{{Span: d.Root.Span(), Text: writeMembers(root, indent, 1)}}
}

func (d *Delta) membersOf(n *jsontree.Node) []written {
	if n == nil {
		return nil
	}
	out := make([]written, len(n.Members()))
	for i, m := range n.Members() {
		out[i] = written{m.Name, string(d.Text.Data[m.Value.Span().Start:m.Value.Span().End])}
	}
	return out
}

func writeMembers(members []written, indent func(int) string, depth int) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, m := range members {
		switch lead := indent(depth); {
		case i > 0 && lead == "":
			b.WriteString(", ")
		case i > 0:
			b.WriteString("," + lead)
		default:
			b.WriteString(lead)
		}
		b.WriteString(jsontree.Quote(m.name) + ": " + m.value)
	}
	b.WriteString(indent(depth-1) + "}")
	return b.String()
}
