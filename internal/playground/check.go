package playground

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf16"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/fix"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

// checkAnswer is what was found of a text. The report is that of --format json; Details
// are, in the order of its findings, what else the page shows.
type checkAnswer struct {
	Kind    string          `json:"kind"`
	Form    string          `json:"form"`
	Name    string          `json:"name"`
	Line    string          `json:"line"` // the report in one line
	Report  json.RawMessage `json:"report"`
	Details []detail        `json:"details"`
	Notices []string        `json:"notices,omitempty"`
	// Safe and Unsafe count the fixes.
	Safe   int `json:"safe"`
	Unsafe int `json:"unsafe"`
}

// detail is what a page shows of a finding in addition to the report.
type detail struct {
	// Span is the place in UTF-16 code units, as the page counts; null if there is none.
	Span  *[2]int             `json:"span"`
	Frame *report.SourceFrame `json:"frame,omitempty"`
	// Message is the subject of the message concerned, with its sender.
	Message string `json:"message,omitempty"`
}

// find checks the text: a draft as presend does, with review or without.
func (w *work) find(ctx context.Context, review bool) (*lint.Report, error) {
	if w.kind != engine.AsDraft {
		return engine.Check(ctx, w.rules, w.options(), w.name)
	}
	d, err := w.draft(ctx, review)
	if err != nil {
		return nil, err
	}
	return d.Report, nil
}

func (w *work) check(ctx context.Context) (any, error) {
	r, err := w.find(ctx, true)
	if err != nil {
		return nil, err
	}
	out := &checkAnswer{
		Kind: kinds[w.kind], Form: w.form, Name: w.name, Line: report.Summary(r), Report: json.RawMessage(report.JSON(r, report.Options{Version: w.version})),
		Notices: r.Notices, Details: make([]detail, len(r.Findings)),
	}
	at := newUnits(w.data, r.Findings)
	for i, f := range r.Findings {
		d := &out.Details[i]
		d.Frame = report.NewSourceFrame(f.Frame)
		if f.Range != nil && f.Path == w.name {
			d.Span = &[2]int{at[f.Range.Start.Offset], at[f.Range.End.Offset]}
		}
		if m := f.Mail; m != nil && w.kind == engine.AsMail {
			d.Message = titleOf(m)
		}
		switch {
		case f.Fix == nil || f.Path != w.name:
		case f.Fix.Unsafe:
			out.Unsafe++
		default:
			out.Safe++
		}
	}
	return out, nil
}

func titleOf(m *lint.MailInfo) string {
	title := m.Subject
	if m.ID != "" {
		title = "message " + m.ID + " · " + title
	}
	if m.From != "" {
		title += " · " + m.From
	}
	return report.Message(title)
}

// newUnits counts for the ends of all findings how many UTF-16 code units are before
// them, by their offsets in bytes.
func newUnits(data []byte, findings []*lint.Finding) map[int]int {
	offsets := make([]int, 0, 2*len(findings))
	for _, f := range findings {
		if f.Range != nil {
			offsets = append(offsets, f.Range.Start.Offset, f.Range.End.Offset)
		}
	}
	slices.Sort(offsets)
	out := make(map[int]int, len(offsets))
	units, from := 0, 0
	for _, to := range offsets {
		to = min(to, len(data))
		for _, r := range string(data[from:to]) {
			units += utf16.RuneLen(r)
		}
		from = to
		out[to] = units
	}
	return out
}

// fixAnswer is the text with fixes applied.
type fixAnswer struct {
	Text  string `json:"text"`
	Fixed int    `json:"fixed"`
	Left  int    `json:"left"` // findings whose fix did not help, or is not allowed
}

// fix applies the fix of one finding.
func (w *work) fix(ctx context.Context) (any, error) {
	r, err := w.find(ctx, true)
	if err != nil {
		return nil, err
	}
	for _, f := range r.Findings {
		if f.Fingerprint != w.Fingerprint || f.Fix == nil || f.Path != w.name {
			continue
		}
		data, applied := fix.Apply(w.data, []*lint.Fix{f.Fix})
		if !applied[0] {
			return nil, fmt.Errorf("the fix of %s cannot be applied", f.Rule)
		}
		return &fixAnswer{Text: string(data), Fixed: 1}, nil
	}
	return nil, errors.New("the text has changed: the finding is gone")
}

// fixAll applies fixes until none is left, as --fix does.
func (w *work) fixAll(ctx context.Context) (any, error) {
	if len(w.data) > maxFixed {
		return nil, fmt.Errorf("larger than %d KiB: apply fixes one by one, or use the program", maxFixed>>10)
	}
	res, err := fix.All(w.data, w.Unsafe, fix.OfReport(w.name, func(data []byte) (*lint.Report, error) {
		again := *w
		again.data = data
		return again.find(ctx, false)
	}))
	if err != nil {
		return nil, err
	}
	return &fixAnswer{Text: string(res.Data), Fixed: res.Fixed, Left: len(res.Held)}, nil
}
