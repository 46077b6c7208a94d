package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/fix"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
	"github.com/brennerlint/brennerlint/source"
)

// messageArgs are what check_message takes, for its schema: the arguments of send_message or
// reply_message, and export. readDraft reads them.
type messageArgs struct {
	Subject    string     `json:"subject,omitempty" jsonschema:"subject line, such as DELTA[opus]: Added H3; a reply has none"`
	BodyMD     string     `json:"body_md,omitempty" jsonschema:"body in Markdown"`
	ThreadID   word       `json:"thread_id,omitempty" jsonschema:"thread id, such as RS-20251230-cell-fate"`
	MessageID  word       `json:"message_id,omitempty" jsonschema:"id of the message that a reply answers"`
	ProjectKey string     `json:"project_key,omitempty" jsonschema:"project of Agent Mail"`
	SenderName string     `json:"sender_name,omitempty" jsonschema:"name of the sending agent"`
	To         recipients `json:"to,omitempty" jsonschema:"recipient or recipients"`
	CC         recipients `json:"cc,omitempty"`
	BCC        recipients `json:"bcc,omitempty"`
	Importance string     `json:"importance,omitempty"`
	Ack        bool       `json:"ack_required,omitempty" jsonschema:"whether the message asks for acknowledgement"`
	Export     string     `json:"export,omitempty" jsonschema:"path of a mail export or database that has the thread, in the server's folder: thread and merge rules check the message too"`
}

// recipients are names in a list, or one as text.
type recipients []string

// messageReport is the part of the report on a draft that the schema describes.
type messageReport struct {
	findingReport
	AfterFixes   []*lint.Finding `json:"after_fixes,omitempty" jsonschema:"what the findings hide: fix it too, and the next check is the last"`
	MergePreview []string        `json:"merge_preview,omitempty" jsonschema:"what the merge would make of each delta"`
	Repaired     json.RawMessage `json:"repaired_draft,omitempty" jsonschema:"the arguments with fixes applied; absent if no fix applies"`
	Left         int             `json:"errors_left,omitempty" jsonschema:"the errors of repaired_draft"`
	NotApplied   []string        `json:"not_applied,omitempty" jsonschema:"the fixes that repaired_draft lacks, and why"`
}

const (
	// maxRepaired bounds a draft that is repaired: the answer has it once more.
	maxRepaired = 1 << 20
	// maxNotApplied bounds the reasons why fixes are not applied.
	maxNotApplied = 20
)

// checkedMessage is the answer of check_message.
type checkedMessage struct {
	text     string
	data     json.RawMessage // a messageReport
	repaired json.RawMessage // nil if no fix applies
}

// checkMessage checks the arguments of send_message or reply_message, with the mail of an
// export: the one given, or else the one that the arguments name.
func (s *server) checkMessage(ctx context.Context, raw json.RawMessage, export string) (*checkedMessage, error) {
	d, err := readDraft(raw)
	if err != nil {
		return nil, err
	}
	return inExport(ctx, s, cmp.Or(export, d.export), func(ctx context.Context, box *engine.Mailbox) (*checkedMessage, error) {
		found, err := box.ReviewDraft(ctx, draftName, d.data)
		if err != nil {
			return nil, err
		}
		hasFix := slices.ContainsFunc(found.Findings, func(f *lint.Finding) bool { return f.Fix != nil })
		if !hasFix || len(d.data) > maxRepaired || len(found.Failures) > 0 {
			return s.messageAnswer(d, found, fix.Result{}, nil), nil
		}
		fixed, left, err := box.RepairDraft(ctx, draftName, d.data, false)
		_, failed := errors.AsType[*lint.Failure](err)
		switch {
		case failed, err == nil && !json.Valid(fixed.Data):
			return s.messageAnswer(d, found, fix.Result{}, nil), nil
		case err != nil:
			return nil, err
		case fixed.Fixed == 0:
			found, left, fixed.Data = left, nil, nil // which says why
		}
		return s.messageAnswer(d, found, fixed, left), nil
	})
}

// messageAnswer shows what was found of a draft, and what is left of it with its fixes applied;
// left is nil if none applies.
func (s *server) messageAnswer(d *draft, found *lint.Draft, fixed fix.Result, left *lint.Draft) *checkedMessage {
	d.place(found.Findings)
	d.place(found.AfterFixes)
	bound(found.Report)
	more := map[string]any{}
	if left != nil {
		more["repaired_draft"], more["errors_left"] = json.RawMessage(fixed.Data), left.Summary.Errors
	}
	var notApplied []string
	for _, f := range fixed.Held {
		if why := f.Rule + ": not applied: " + f.Fix.NotApplied; !slices.Contains(notApplied, why) && len(notApplied) < maxNotApplied {
			notApplied = append(notApplied, why)
		}
	}
	if len(notApplied) > 0 {
		more["not_applied"] = notApplied
	}
	answer := &checkedMessage{data: s.reportJSON(found.Report, more), repaired: fixed.Data}
	var out bytes.Buffer
	writeLines(&out, found.Notices)
	if found.Summary.Valid {
		_ = report.Write(&out, "agent", found.Report, report.Options{}) // a buffer takes all
	} else {
		addPlaces(found.Report)
		out.WriteString(report.ValidationError(found, lint.Error))
	}
	writeLines(&out, report.MergePreview(found.Report))
	if left != nil {
		fmt.Fprintf(&out, "\nrepaired_draft in the structured content has %s applied; %s left\n",
			text.Count(fixed.Fixed, "fix", "fixes"), text.Count(left.Summary.Errors, "error is", "errors are"))
	}
	writeLines(&out, notApplied)
	answer.text = out.String()
	return answer
}

const (
	// maxShown bounds the findings that an answer holds: the most severe.
	maxShown = 100
	// maxEdits bounds the texts of their fixes, in bytes: repaired_draft has them all.
	maxEdits = 64 << 10
	// editSize is about what the place of an edit takes in JSON.
	editSize = 200
)

// bound cuts a report to what an answer may hold. The summary still counts all findings.
func bound(rep *lint.Report) {
	room := maxEdits
	for _, list := range []*[]*lint.Finding{&rep.Findings, &rep.AfterFixes} {
		shown, left := lint.MostSevere(*list, maxShown)
		if *list = shown; len(left) > 0 {
			rep.Notices = append(rep.Notices, text.Count(len(left), "more finding is", "more findings are")+" not shown; fix these first")
		}
		for _, f := range *list {
			if f.Fix == nil {
				continue
			}
			for _, e := range f.Fix.Edits {
				room -= len(e.Text) + editSize
			}
			if room < 0 {
				f.Fix = nil
			}
		}
	}
}

// addPlaces puts the place of each finding in front of its message.
func addPlaces(rep *lint.Report) {
	for _, f := range slices.Concat(rep.Findings, rep.AfterFixes) {
		place := f.Path
		if f.Range != nil {
			place = fmt.Sprintf("%s:%d:%d", f.Path, f.Range.Start.Line, f.Range.Start.Column)
		}
		f.Message, f.Body = place+": "+f.Message, nil // the place says it
	}
}

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
