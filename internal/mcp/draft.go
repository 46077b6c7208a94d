package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// draftName is how a draft is named where no member of it is meant.
const draftName = "draft"

// draft is the arguments of a call as a draft to check.
type draft struct {
	data    []byte // an object
	members []member
	export  string // that the arguments name
}

// member is a member of a draft.
type member struct {
	name      string
	at, value source.Span  // at is from its name to the end of its value
	text      *source.Text // decoded; nil if it is not a string
}

// isOfMessage reports whether a member of the arguments is a part of the message. The others
// are export, which is ours, and those that would make the draft look like the call of a tool.
func isOfMessage(name string) bool { return name != "export" && !mail.MemberOf(name).Has(mail.InCall) }

// readDraft reads arguments. Members that are null are left out: clients send them, and the
// tools of Agent Mail treat them as absent.
func readDraft(raw json.RawMessage) (*draft, error) {
	if len(raw) > maxDraft {
		return nil, fmt.Errorf("the draft is larger than %d MiB", maxDraft>>20)
	}
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || string(raw) == "null" {
		raw = json.RawMessage("{}")
	}
	root, fault := jsontree.Parse(raw, jsontree.Options{})
	switch {
	case fault != nil:
		return nil, fmt.Errorf("read arguments: %w", fault.Discreet())
	case root.Kind != jsontree.Object:
		return nil, fmt.Errorf("the arguments are %s, expected an object with subject and body_md", root.Kind)
	}
	d := &draft{data: []byte{'{'}}
	if export := root.Get("export"); !export.Absent() {
		if d.export = export.StringOr(""); d.export == "" {
			return nil, errors.New("export is not a path; expected a string")
		}
	}
	members := root.Members()
	for i := range members {
		m := &members[i]
		if !isOfMessage(m.Name) || m.Value.Absent() {
			continue
		}
		if len(d.data) > 1 {
			d.data = append(d.data, ", "...)
		}
		start := len(d.data)
		d.data = append(d.data, raw[m.NameSpan().Start:m.NameSpan().End]...)
		d.data = append(d.data, ": "...)
		value := len(d.data)
		d.data = append(d.data, valueOf(m, raw)...)
		d.members = append(d.members, member{name: m.Name, at: source.Span{Start: start, End: len(d.data)}, value: source.Span{Start: value, End: len(d.data)}})
	}
	d.data = append(d.data, '}')
	whole := source.NewFile(draftName, d.data).Text()
	for i := range d.members {
		if m := &d.members[i]; d.data[m.value.Start] == '"' {
			m.text = whole.JSONString(m.value)
		}
	}
	return d, nil
}

// valueOf returns the value of a member. If a client wrote a list of recipients as text, it
// returns the list.
func valueOf(m *jsontree.Member, raw []byte) []byte {
	value := raw[m.Value.Span().Start:m.Value.Span().End]
	if m.Name == "to" || m.Name == "cc" || m.Name == "bcc" {
		list := []byte(m.Value.StringOr(""))
		var names []string
		if json.Unmarshal(list, &names) == nil && names != nil {
			return list
		}
	}
	return value
}

// place changes the places of findings to those that the writer of the draft knows: the path
// is the name of a member, the range is in its decoded text. A fix that is not in the text of
// one member is dropped: the repaired draft has it.
func (d *draft) place(findings []*lint.Finding) {
	for _, f := range findings {
		if f.Path == draftName {
			f.Fix = d.placeFix(f.Fix, f.Range)
			f.Path, f.Range = d.at(f.Range)
			if f.Range != nil && f.Body != nil { // which counts lines as Markdown does
				f.Range.Start.Line, f.Range.Start.Column = f.Body.Line, f.Body.Column
			}
		}
		for i := range f.Related {
			if r := &f.Related[i]; r.Path == draftName {
				r.Path, r.Range = d.at(r.Range)
			}
		}
	}
}

// at converts a range of the draft's JSON to a member and a range of its text. There is no
// range if the member is not a string, or the range is not inside it; a range outside of all
// members is in the draft.
func (d *draft) at(r *source.Range) (string, *source.Range) {
	if r == nil {
		return draftName, nil
	}
	i := slices.IndexFunc(d.members, func(m member) bool { return m.at.Start <= r.Start.Offset && r.Start.Offset < m.at.End })
	if i < 0 {
		return draftName, nil
	}
	m := &d.members[i]
	if m.text == nil || r.Start.Offset <= m.value.Start || r.End.Offset >= m.value.End { // not between its quotes
		return m.name, nil
	}
	return m.name, &source.Range{Start: m.position(r.Start.Offset), End: m.position(r.End.Offset)}
}

// position converts an offset of the draft's JSON to a position in the text.
func (m *member) position(offset int) source.Position {
	at := sort.Search(m.text.Len(), func(i int) bool {
		s, ok := m.text.ToFile(source.Span{Start: i, End: i + 1})
		return !ok || s.End > offset
	})
	p := m.text.Position(at)
	p.Offset = at
	return p
}

// placeFix converts a fix of the draft's JSON to one of the text of a member; nil if it is not
// in one text.
func (d *draft) placeFix(x *lint.Fix, of *source.Range) *lint.Fix {
	if x == nil || of == nil {
		return nil
	}
	name, _ := d.at(of)
	out := &lint.Fix{Description: x.Description, Unsafe: x.Unsafe, NotApplied: x.NotApplied}
	for _, e := range x.Edits {
		member, r := d.at(&e.Range)
		if r == nil || member != name {
			return nil
		}
		out.Edits = append(out.Edits, lint.Edit{Range: *r, Text: string(source.AppendUnescaped(nil, []byte(e.Text)))})
	}
	return out
}
