package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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
	text    *source.Text
	members []jsontree.Member
	export  string // that the arguments name
}

// isOfMessage reports whether a member of the arguments is a part of the message.
// Others are our own, and those by which a draft in a file would be taken for the
// call of a tool.
func isOfMessage(name string) bool { return name != "export" && !mail.MemberOf(name).Has(mail.InCall) }

// readDraft reads arguments. Members that are null are left out: for the tools of
// Agent Mail that is the same, and clients send them.
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
		d.data = append(d.data, raw[m.NameSpan().Start:m.NameSpan().End]...)
		d.data = append(d.data, ": "...)
		d.data = append(d.data, valueOf(m, raw)...)
	}
	d.data = append(d.data, '}')
	if root, fault = jsontree.Parse(d.data, jsontree.Options{}); fault != nil {
		return nil, fmt.Errorf("read arguments: %w", fault.Discreet())
	}
	d.text, d.members = source.NewFile(draftName, d.data).Text(), root.Members()
	return d, nil
}

// valueOf returns the value of a member as the draft has it. Recipients in a list that a client
// wrote as text are that list.
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

// place names the places of findings in the draft as its writer does: path is the
// member, the range is in its decoded text. A fix that is not in one text is left
// to the repaired draft.
func (d *draft) place(findings []*lint.Finding) {
	texts := placedTexts{}
	for _, f := range findings {
		if f.Path == draftName {
			f.Fix = d.placeFix(f.Fix, f.Range, texts)
			f.Path, f.Range = d.at(f.Range, texts)
			if f.Range != nil && f.Body != nil { // which counts lines as Markdown does
				f.Range.Start.Line, f.Range.Start.Column = f.Body.Line, f.Body.Column
			}
		}
		for i := range f.Related {
			if r := &f.Related[i]; r.Path == draftName {
				r.Path, r.Range = d.at(r.Range, texts)
			}
		}
	}
}

// at returns a range of the draft's JSON as a member and a range of its text; no range
// if the member is not a string, and the draft if it is not a member.
func (d *draft) at(r *source.Range, texts placedTexts) (string, *source.Range) {
	if r == nil {
		return draftName, nil
	}
	m := d.memberAt(r.Start.Offset)
	if m == nil {
		return draftName, nil
	}
	t := d.textOf(m, texts)
	if t == nil || r.Start.Offset <= m.Value.Span().Start && r.End.Offset >= m.Value.Span().End || r.Start.Offset < m.Value.Span().Start {
		return m.Name, nil
	}
	start, end := offsetIn(t, r.Start.Offset), offsetIn(t, r.End.Offset)
	return m.Name, &source.Range{Start: positionIn(t, start), End: positionIn(t, end)}
}

// placeFix returns a fix of the draft's JSON as one of the text of a member.
func (d *draft) placeFix(x *lint.Fix, of *source.Range, texts placedTexts) *lint.Fix {
	if x == nil || of == nil {
		return nil
	}
	name, _ := d.at(of, texts)
	out := &lint.Fix{Description: x.Description, Unsafe: x.Unsafe, NotApplied: x.NotApplied}
	for _, e := range x.Edits {
		member, r := d.at(&e.Range, texts)
		if r == nil || member != name {
			return nil
		}
		out.Edits = append(out.Edits, lint.Edit{Range: *r, Text: string(source.AppendUnescaped(nil, []byte(e.Text)))})
	}
	return out
}

// memberAt returns the member that holds an offset of the draft, nil if none does.
func (d *draft) memberAt(offset int) *jsontree.Member {
	i := sort.Search(len(d.members), func(i int) bool { return d.members[i].Value.Span().End > offset })
	if i < len(d.members) && d.members[i].NameSpan().Start <= offset {
		return &d.members[i]
	}
	return nil
}

// placedTexts are the texts of members that have been decoded.
type placedTexts map[*jsontree.Member]*source.Text

// textOf returns the decoded text of a member; nil if it is not a string.
func (d *draft) textOf(m *jsontree.Member, texts placedTexts) *source.Text {
	if !m.Value.Is(jsontree.String) {
		return nil
	}
	if texts[m] == nil {
		texts[m] = d.text.JSONString(m.Value.Span())
	}
	return texts[m]
}

// offsetIn returns where a text has what is at an offset of its file.
func offsetIn(t *source.Text, offset int) int {
	return sort.Search(len(t.Data), func(i int) bool {
		s, ok := t.ToFile(source.Span{Start: i, End: i + 1})
		return !ok || s.End > offset
	})
}

func positionIn(t *source.Text, offset int) source.Position {
	p := t.Position(offset)
	p.Offset = offset
	return p
}
