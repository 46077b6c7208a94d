package delta

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/steps"
	"github.com/brennerlint/brennerlint/source"
)

// written is a member as written in the block.
type written struct{ name, value string }

func indexOf(members []written, name string) int {
	return slices.IndexFunc(members, func(m written) bool { return m.name == name })
}

// Rename returns the edit that gives a member another name.
func (d *Delta) Rename(m *jsontree.Member, to string) source.Edit {
	return source.Edit{Span: m.NameSpan(), Text: jsontree.Quote(to)}
}

// MoveToPayload returns edits that move members of the delta into its payload, under their
// likely names there; nil if the payload is no object, or the block cannot be rewritten.
func (d *Delta) MoveToPayload(names []string) []source.Edit {
	if d.Payload == nil && !d.Root.Get("payload").Absent() {
		return nil
	}
	root, payload := d.parts()
	isMoved := func(m written) bool { return slices.Contains(names, m.name) }
	for _, m := range root {
		if isMoved(m) {
			payload = append(payload, written{d.FieldMeant(m.name), m.value})
		}
	}
	return d.rebuild(slices.DeleteFunc(root, isMoved), payload)
}

// MoveFromPayload returns edits that move a member of the payload into the delta, where it may
// replace a blank member.
func (d *Delta) MoveFromPayload(name, as string) []source.Edit {
	root, payload := d.parts()
	i := indexOf(payload, name)
	moved := written{as, payload[i].value}
	if j := indexOf(root, as); j >= 0 {
		root[j] = moved
	} else {
		root = append(root, moved)
	}
	return d.rebuild(root, slices.Delete(payload, i, i+1))
}

// Without returns edits that remove a member of the delta, and give another one its name if that is not "".
func (d *Delta) Without(name, other string) []source.Edit {
	root, payload := d.parts()
	root = slices.DeleteFunc(root, func(m written) bool { return m.name == name })
	if i := indexOf(root, other); i >= 0 {
		root[i].name = name
	}
	return d.rebuild(root, payload)
}

// Gather returns edits that write a field of the payload, in place of others.
func (d *Delta) Gather(names []string, field, value string) []source.Edit {
	root, payload := d.parts()
	payload = slices.DeleteFunc(payload, func(m written) bool { return slices.Contains(names, m.name) })
	return d.rebuild(root, append(payload, written{field, value}))
}

// isField reports whether a name is a field of the delta's section, or a replace key.
func (d *Delta) isField(name string) bool {
	return d.Section.Field(name) != nil || d.IsReplaceKey(name)
}

// Spread returns edits that move the fields of an object in the payload, such as {"$set": {…}},
// into the payload, in place of the former ones of an EDIT; nil if the object has other members, or a field
// that the payload or another object in it has too.
func (d *Delta) Spread(m *jsontree.Member) []source.Edit {
	inner := firstMembers(m.Value)
	isOther := func(field jsontree.Member) bool {
		isTwice := func(o jsontree.Member) bool {
			return o.Name != m.Name && !d.IsFormer(o.Name) && !namesOther(d, o.Name) && o.Value.Get(field.Name) != nil
		}
		isFlag := field.Value.Is(jsontree.Bool) && d.IsReplaceKey(field.Name+"_replace") // {"replace": {"anchors": true}}
		return isFlag || !d.isField(field.Name) || d.Payload.Get(field.Name) != nil || slices.ContainsFunc(firstMembers(d.Payload), isTwice)
	}
	if len(inner) == 0 || len(inner) == maxMembers || slices.ContainsFunc(inner, isOther) {
		return nil
	}
	root, payload := d.parts()
	i := indexOf(payload, m.Name)
	fields := d.membersOf(m.Value)
	for _, flag := range d.ListFlags(m) {
		fields = append(fields, written{flag, "true"})
	}
	payload = slices.Replace(payload, i, i+1, fields...)
	return d.rebuild(root, slices.DeleteFunc(payload, func(w written) bool { return d.IsFormer(w.name) }))
}

// ListFlags returns the replace keys that say of the lists in an object in an EDIT's payload what its name
// says, {"$set": {"anchors": […]}}: that they are the new ones. An EDIT would add to the present ones.
func (d *Delta) ListFlags(m *jsontree.Member) (flags []string) {
	isGiven := func(flag string) bool {
		return m.Value.Get(flag) != nil || flag != m.Name && d.Payload.Get(flag) != nil
	}
	if d.Operation != brenner.Edit || !slices.Contains(NewWords, strings.ToLower(m.Name)) || isGiven("replace") {
		return nil
	}
	for _, field := range firstMembers(m.Value) {
		if flag := field.Name + "_replace"; d.IsReplaceKey(flag) && !isGiven(flag) {
			flags = append(flags, flag)
		}
	}
	return flags
}

// WithFields returns edits that write changes to fields as the payload, and the payload. The
// changes are a member, {"field": "status", "value": "verified"} or a list of such, or one that is
// among the members of the delta, if the name is "". It returns the members that the payload replaces, too,
// and nil if a change is something else. New lists replace the present ones. It is not certain of those that are given
// with former ones: other entries may be meant to stay.
func (d *Delta) WithFields(name string) (payload string, used []string, edits []source.Edit, certain bool) {
	section := d.Section
	if section == 0 {
		section, _ = d.LikelySection()
	}
	n, isRoot := d.Root.Get(name), name == ""
	if used = []string{name}; isRoot {
		n, used = d.Root, nil
	}
	changes := n.Items()
	if n.Is(jsontree.Object) {
		changes = []*jsontree.Node{n}
	}
	certain = true
	var fields []written
	for _, change := range changes {
		var field string
		hasFormer := false
		var value, plain *jsontree.Node // beside a new value, a plain one is what the item has now
		for _, m := range firstMembers(change) {
			switch word := strings.ToLower(m.Name); {
			case word == "field" || word == "field_name" || word == "property" || !isRoot && (word == "key" || word == "name" || word == "path"):
				field = strings.Trim(m.Value.StringOr(""), "/")
			case word == "value" || slices.Contains(NewWords, word) && !m.Value.Is(jsontree.Bool):
				given := &value
				if word == "value" {
					given = &plain
				}
				if *given != nil {
					return "", nil, nil, false
				}
				*given = m.Value
			case slices.Contains(FormerWords, word):
				hasFormer = true
			case isRoot:
				continue
			default:
				return "", nil, nil, false
			}
			if isRoot {
				used = append(used, m.Name)
			}
		}
		replaces := value != nil && d.Operation == brenner.Edit && d.IsReplaceKey(field+"_replace")
		certain = certain && !(replaces && (hasFormer || plain != nil))
		value = cmp.Or(value, plain)
		if value == nil || section.Field(field) == nil || indexOf(fields, field) >= 0 {
			return "", nil, nil, false
		}
		fields = append(fields, written{field, jsontree.Compact(d.Text.Slice(value.Span()))})
		if replaces {
			fields = append(fields, written{field + "_replace", "true"})
		}
	}
	if len(fields) == 0 {
		return "", nil, nil, false
	}
	root, _ := d.parts()
	root = slices.DeleteFunc(root, func(m written) bool { return slices.Contains(used, m.name) })
	return writeMembers(fields, ""), used, d.rebuild(root, fields), certain
}

// JoinedPayload returns the payload that is in a list, as one object or as several with different
// fields; "" if it is not.
func (d *Delta) JoinedPayload() string {
	var fields []written
	for _, item := range d.Root.Get("payload").Items() {
		for _, m := range d.membersOf(item) {
			if !d.isField(m.name) || indexOf(fields, m.name) >= 0 || len(fields) == maxMembers {
				return ""
			}
			fields = append(fields, written{m.name, jsontree.Compact(m.value)})
		}
		if !item.Is(jsontree.Object) {
			return ""
		}
	}
	if len(fields) == 0 {
		return ""
	}
	return writeMembers(fields, "")
}

// Payloads returns the whole items of the section that are in a list in place of the payload; nil if there are others.
func (d *Delta) Payloads() (items []string) {
	for _, item := range d.Root.Get("payload").Items() {
		if !d.isPayload(item) {
			return nil
		}
		items = append(items, d.Text.Slice(item.Span()))
	}
	return items
}

// rebuild returns the edit that rewrites the delta with other members and another
// payload: in lines if it was, with the values unchanged.
func (d *Delta) rebuild(root, payload []written) []source.Edit {
	indent := d.indent()
	if indent != "" && (d.Block.InList || d.Block.InQuote) {
		return nil // each line would begin with the list's markers
	}
	steps.Add(len(root) + len(payload))
	inner := strings.Replace(indent, "  ", "    ", 1)
	text, i := writeMembers(payload, inner), indexOf(root, "payload")
	switch rationale := indexOf(root, "rationale"); {
	case len(payload) == 0 && i >= 0 && len(d.Payload.Members()) > 0: // all are elsewhere now
		root[i].value = "{}"
	case len(payload) == 0:
	case i >= 0:
		root[i].value = text
	case rationale >= 0:
		root = slices.Insert(root, rationale, written{"payload", text})
	default:
		root = append(root, written{"payload", text})
	}
	return []source.Edit{{Span: d.Root.Span(), Text: d.EndLines(writeMembers(root, indent))}}
}

// EndLines returns a text with the line ends of the body.
func (d *Delta) EndLines(text string) string {
	if !strings.HasPrefix(markdown.Below(d.Fence.Text, d.Fence.Span.Start), "\r") {
		return text
	}
	return strings.NewReplacer("\r\n", "\r\n", "\n", "\r\n").Replace(text)
}

// indent returns what is before each member of the delta: a new line with an indentation, or ""
// if the delta is on one line.
func (d *Delta) indent() string {
	if bytes.IndexByte(d.Text.Bytes(d.Root.Span()), '\n') < 0 {
		return ""
	}
	return "\n  "
}

// parts returns the members of the delta, and those of its payload.
func (d *Delta) parts() (root, payload []written) { return d.membersOf(d.Root), d.membersOf(d.Payload) }

func (d *Delta) membersOf(n *jsontree.Node) []written {
	var out []written
	for _, m := range n.Members() {
		out = append(out, written{m.Name, d.Text.Slice(m.Value.Span())})
	}
	return out
}

// writeMembers writes an object. indent is what is before each member: "" for an object on one
// line.
func writeMembers(members []written, indent string) string {
	var lines []string
	for _, m := range members {
		lines = append(lines, indent+jsontree.Quote(m.name)+": "+m.value)
	}
	comma := ","
	if indent == "" {
		comma = ", "
	}
	return "{" + strings.Join(lines, comma) + strings.TrimSuffix(indent, "  ") + "}"
}
