package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// draftName is how a draft is named where no member of it is meant.
const draftName = "draft"

// draft is the arguments of a call as a draft to check: an object with what is a part of the
// message.
type draft struct {
	data    []byte
	members []member
	export  string // that the arguments name
}

// member is a member of a draft.
type member struct {
	jsontree.Member
	text *source.Text // decoded; nil if it is not a string
}

// isOfMessage reports whether a member of the arguments is a part of the message. The others
// are export, which is ours, and those that would make the draft look like the call of a tool.
func isOfMessage(name string) bool { return name != "export" && !mail.HasRole(name, mail.InCall) }

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
	d := &draft{}
	if export := root.Get("export"); !export.Absent() {
		if d.export = export.StringOr(""); d.export == "" {
			return nil, errors.New("export is not a path; expected a string")
		}
	}
	var kept []string
	for _, m := range root.Members() {
		if isOfMessage(m.Name) && !m.Value.Absent() {
			value := m.Value.Span()
			kept = append(kept, string(raw[m.NameSpan().Start:value.Start])+cmp.Or(listOf(&m), string(raw[value.Start:value.End])))
		}
	}
	d.data = []byte("{" + strings.Join(kept, ",") + "}")
	whole := source.NewFile(draftName, d.data).Text()
	root, _ = jsontree.Parse(d.data, jsontree.Options{}) // its parts were read
	for _, m := range root.Members() {
		member := member{Member: m}
		if m.Value.Is(jsontree.String) {
			member.text = whole.JSONString(m.Value.Span())
		}
		d.members = append(d.members, member)
	}
	return d, nil
}

// listOf returns the list of recipients that a client wrote as text; "" if it is none.
func listOf(m *jsontree.Member) string {
	if m.Name != "to" && m.Name != "cc" && m.Name != "bcc" {
		return ""
	}
	var names []string
	text := m.Value.StringOr("")
	if json.Unmarshal([]byte(text), &names) != nil || names == nil {
		return ""
	}
	return text
}

// place changes the places of findings to those that the writer of the draft knows: the path
// is the name of a member, the range is in its decoded text. A fix that is not in the text of
// one member is dropped: the repaired draft has it.
func (d *draft) place(findings []*lint.Finding) {
	for _, f := range findings {
		if f.Path == draftName {
			f.Fix = d.placeFix(f.Fix, f.Range)
			f.Path, f.Range = d.at(f.Range)
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
	for _, m := range d.members {
		if r.Start.Offset < m.NameSpan().Start || r.Start.Offset >= m.Value.Span().End {
			continue
		}
		if m.text != nil {
			start, end := m.text.FromFile(r.Start.Offset), m.text.FromFile(r.End.Offset)
			if start >= 0 && end >= 0 { // between its quotes
				return m.Name, &source.Range{Start: m.text.Position(start), End: m.text.Position(end)}
			}
		}
		return m.Name, nil
	}
	return draftName, nil
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
