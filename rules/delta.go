package rules

import (
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// faultRule is the common part of rules on the structure of deltas: package delta finds
// the faults of a kind, and the rule words them. The merge rejects deltas for most of
// them, so reports of merges name them too.
type faultRule struct {
	kinds    []delta.Kind
	diagnose func(*delta.Delta, *delta.Fault) lint.Diagnostic
}

// check reports the faults of the rule's kinds.
func (r faultRule) check() lint.DeltaCheck {
	return func(p *lint.DeltaPass) {
		for i := range p.Delta.Faults {
			f := &p.Delta.Faults[i]
			if !slices.Contains(r.kinds, f.Kind) {
				continue
			}
			d := r.diagnose(p.Delta, f)
			d.At, d.Field = f.At, f.Field
			for i := range d.Related {
				d.Related[i].In = p.Message
			}
			reportDelta(p, d)
		}
	}
}

// reason returns why a delta with the fault is rejected; "" if another rule reports that.
func (r faultRule) reason(why *replay.Rejection) string {
	if !slices.Contains(r.kinds, why.Fault) {
		return ""
	}
	return r.diagnose(why.Delta.Delta, why.Delta.Rejected()).Message
}

// reportDelta reports a fault of the delta, and names the item that it is about.
func reportDelta(p *lint.DeltaPass, d lint.Diagnostic) {
	if p.Delta.Target != (brenner.ItemID{}) {
		d.Item = p.Delta.Target.String()
	}
	p.Report(d)
}

// newFix returns a fix by edits of one text.
func newFix(description string, text *source.Text, edits ...source.Edit) *lint.SuggestedFix {
	fix := &lint.SuggestedFix{Description: description, Edits: make([]lint.TextEdit, len(edits))}
	for i, e := range edits {
		fix.Edits[i] = lint.TextEdit{At: text.Place(e.Span), Text: e.Text}
	}
	return fix
}

// eachDelta returns the check of each delta that is a JSON object with members, and has the shape
// of a delta: others have already been reported (decisions.md 1).
func eachDelta(check func(p *lint.DeltaPass, d *delta.Delta)) lint.DeltaCheck {
	return func(p *lint.DeltaPass) {
		if d := p.Delta; d.HasMembers() && !d.OtherShape() {
			check(p, d)
		}
	}
}
