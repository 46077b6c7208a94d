package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/fix"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
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
	AfterFixes   []json.RawMessage `json:"after_fixes,omitempty" jsonschema:"what the findings hide: fix it too, and the next check is the last"`
	MergePreview []string          `json:"merge_preview,omitempty" jsonschema:"what the merge would make of each delta"`
	Repaired     json.RawMessage   `json:"repaired_draft,omitempty" jsonschema:"the arguments with fixes applied; absent if no fix applies"`
	Left         int               `json:"errors_left,omitempty" jsonschema:"the errors of repaired_draft"`
	NotApplied   []string          `json:"not_applied,omitempty" jsonschema:"the fixes that repaired_draft lacks, and why"`
}

const (
	// maxDraft bounds a draft, as presend does.
	maxDraft = 16 << 20
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
		r, err := s.repair(ctx, box, d, found)
		if err != nil {
			return nil, err
		}
		return s.messageAnswer(d, found, r)
	})
}

// repaired is a draft with its fixes applied.
type repaired struct {
	data       json.RawMessage // nil if no fix applies
	fixed      int             // findings
	left       int             // errors
	notApplied []string        // the fixes, and why
}

// repair applies the fixes of a draft. It is checked alone on the way, many times: no rule on
// threads and merges has a fix. What is left is counted with the thread, as presend does.
func (s *server) repair(ctx context.Context, box *engine.Mailbox, d *draft, found *lint.Draft) (r repaired, _ error) {
	hasFix := slices.ContainsFunc(found.Findings, func(f *lint.Finding) bool { return f.Fix != nil })
	if !hasFix || len(d.data) > maxRepaired || len(found.Failures) > 0 {
		return r, nil
	}
	alone, err := engine.Open(ctx, s.Rules, s.Checks)
	if err != nil {
		return r, err
	}
	defer alone.Close()
	res, err := fix.All(d.data, false, fix.OfDraft(ctx, draftName, alone.CheckDraft))
	if _, failed := errors.AsType[*lint.Failure](err); failed || err == nil && !json.Valid(res.Data) {
		return r, nil
	}
	if err != nil {
		return r, err
	}
	for _, f := range res.Held {
		if why := f.Rule + ": not applied: " + f.Fix.NotApplied; !slices.Contains(r.notApplied, why) && len(r.notApplied) < maxNotApplied {
			r.notApplied = append(r.notApplied, why)
		}
	}
	if bytes.Equal(res.Data, d.data) {
		res.Explain(found.Findings)
		return r, nil
	}
	left, err := box.ReviewDraft(ctx, draftName, res.Data)
	if err != nil {
		return r, err
	}
	r.data, r.fixed, r.left = res.Data, res.Fixed, left.Summary.Errors
	return r, nil
}

// messageAnswer shows what was found of a draft.
func (s *server) messageAnswer(d *draft, found *lint.Draft, r repaired) (*checkedMessage, error) {
	d.place(found.Findings)
	d.place(found.AfterFixes)
	shown := *found
	shown.Report = bounded(found.Report)
	var out bytes.Buffer
	writeLines(&out, shown.Notices)
	if !shown.Summary.Valid {
		out.WriteString(report.ValidationError(withPlaces(shown), lint.Error))
	} else if err := report.Write(&out, "agent", shown.Report, report.Options{}); err != nil {
		return nil, err
	}
	writeLines(&out, report.MergePreview(shown.Report))
	more := map[string]any{}
	if r.data != nil {
		more["repaired_draft"], more["errors_left"] = r.data, r.left
		fmt.Fprintf(&out, "\nrepaired_draft in the structured content has %s applied; %s left\n",
			text.Count(r.fixed, "fix", "fixes"), text.Count(r.left, "error is", "errors are"))
	}
	if len(r.notApplied) > 0 {
		more["not_applied"] = r.notApplied
		writeLines(&out, r.notApplied)
	}
	data, err := s.reportJSON(shown.Report, more)
	return &checkedMessage{out.String(), data, r.data}, err
}

const (
	// maxShown bounds the findings that an answer holds, the most severe first.
	maxShown = 100
	// maxEdits bounds the texts of their fixes, in bytes: repaired_draft has them all.
	maxEdits = 64 << 10
	// editSize is about what the place of an edit takes in JSON.
	editSize = 200
)

// bounded cuts a report to what an answer may hold. The summary still counts all findings.
func bounded(rep *lint.Report) *lint.Report {
	out, room := *rep, maxEdits
	for _, list := range []*[]*lint.Finding{&out.Findings, &out.AfterFixes} {
		kept := slices.Clone(*list)
		if n := len(kept) - maxShown; n > 0 {
			slices.SortStableFunc(kept, func(a, b *lint.Finding) int { return cmp.Compare(a.Severity, b.Severity) })
			kept = kept[:maxShown]
			out.Notices = append(slices.Clip(out.Notices), text.Count(n, "more finding is", "more findings are")+" not shown; fix these first")
		}
		for i, f := range kept {
			if f.Fix == nil {
				continue
			}
			for _, e := range f.Fix.Edits {
				room -= len(e.Text) + editSize
			}
			if room < 0 {
				g := *f
				g.Fix, kept[i] = nil, &g
			}
		}
		*list = kept
	}
	return &out
}

// withPlaces puts the place of each finding in front of its message.
func withPlaces(d lint.Draft) *lint.Draft {
	rep := *d.Report
	d.Report = &rep
	for _, list := range []*[]*lint.Finding{&rep.Findings, &rep.AfterFixes} {
		placed := make([]*lint.Finding, len(*list))
		for i, f := range *list {
			g := *f
			g.Body = nil // the place says it
			g.Message = f.Path + ": " + f.Message
			if f.Range != nil {
				g.Message = fmt.Sprintf("%s:%d:%d: %s", f.Path, f.Range.Start.Line, f.Range.Start.Column, f.Message)
			}
			placed[i] = &g
		}
		*list = placed
	}
	return &d
}
