package engine

import (
	"context"
	"slices"
	"sort"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/fix"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// assumedSubject is under what a reply with deltas is checked once more.
const assumedSubject = "DELTA[opus]: a reply"

// ReviewDraft is CheckDraft and one step further: where faults hide others, the
// draft is repaired in memory, however tolerantly, and what would remain then is in
// AfterFixes.
func (b *Mailbox) ReviewDraft(ctx context.Context, name string, data []byte) (*lint.Draft, error) {
	d, m, err := b.checkDraft(ctx, name, data, false)
	if err != nil || len(d.Failures) > 0 {
		return d, err
	}
	findings, asDelta := d.Findings, m != nil && m.ReplyDraft && len(d.Findings) > 0
	if asDelta { // a reply with deltas is to be sent as a DELTA: what does that hide?
		end := source.NewFile(name, data).Range(source.Span{Start: len(data), End: len(data)})
		assumed := &lint.Fix{Edits: []lint.Edit{{Range: end, Text: "\n"}}}
		findings = append(slices.Clone(findings), &lint.Finding{Severity: lint.Error, Assume: assumed})
	}
	after, err := fix.Ahead(data, findings, func(data []byte) ([]*lint.Finding, error) {
		next, _, err := b.checkDraft(ctx, name, data, false)
		if err != nil {
			return nil, err
		}
		if !asDelta {
			return next.Findings, nil
		}
		sent, _, err := b.checkDraft(ctx, name, data, true)
		if err != nil {
			return nil, err
		}
		return append(next.Findings, ofDeltas(sent.Findings)...), nil
	})
	if err != nil {
		return nil, err
	}
	for _, f := range after {
		if f.Body = nil; m != nil && f.Range != nil {
			f.Body = bodyPosition(m, f.Range.Start.Offset)
		}
	}
	d.AfterFixes = after
	return d, nil
}

// ofDeltas returns the findings that are about one delta.
func ofDeltas(findings []*lint.Finding) []*lint.Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(f *lint.Finding) bool { return f.Delta == 0 })
}

// bodyPosition returns the place in the body of a byte of the draft; nil if it is not in
// the body.
func bodyPosition(m *mail.Message, offset int) *lint.BodyPosition {
	body := m.Body
	if body == nil {
		return nil
	}
	inFile := func(off int) int {
		span, ok := body.ToFile(source.Span{Start: off, End: off})
		if !ok {
			return -1
		}
		return span.Start
	}
	size := body.Len()
	if first, last := inFile(0), inFile(size); first < 0 || offset < first || offset > last {
		return nil
	}
	at := max(0, sort.Search(size+1, func(i int) bool { return inFile(i) > offset })-1)
	p := body.Position(at)
	return &lint.BodyPosition{Line: p.Line, Column: p.Column}
}
