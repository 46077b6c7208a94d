// Package delta finds the delta blocks of a message body, reads them and finds
// what is structurally wrong with each (spec: delta_output_format,
// artifact_delta_spec; decisions.md 8 to 12).
//
// A [Fault] is a fact with a [Kind] and a place; rules word it. Structural faults are
// found here and not in the rules because the merge needs them too: a rejected delta is
// not applied (decisions.md 18). Other problems of a delta (anchors, references, names
// of fields) are only for the rules.
package delta

import (
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// Delta is one delta block of a message. All spans are of Text.
type Delta struct {
	Index int             // in the message, from 1
	Block *markdown.Block // the fence, in the document of the body
	Fence source.Place    // the opening fence with its info string, in the body
	// Text is the content of the fence, mapped to the body.
	Text *source.Text
	// OnFence reports that the JSON begins on the line that opens the fence, where no
	// compiler looks for it. Text has it.
	OnFence bool

	// Root is the JSON value; nil if the block is not valid JSON (see Syntax).
	Root   *jsontree.Node
	Syntax *jsontree.SyntaxError

	// The following is read as far as possible; zero values where it is not.
	TargetID  string         // as written; "" if null, absent or not a string
	Target    brenner.ItemID // if TargetID is well formed for the section
	Payload   *jsontree.Node // if an object
	Reason    string         // for a KILL
	Agent     string         // the delta's own; "" if none
	Time      time.Time      // the delta's own timestamp in UTC; HasTime false if none parses
	HasTime   bool
	Operation brenner.Operation
	Section   brenner.Section
	// BelongsTo is the section whose required fields the ADD has, if it names another that lacks fields.
	BelongsTo brenner.Section

	// Faults are all structural faults that apply (decisions.md 9), ordered by
	// place.
	Faults []Fault

	// OtherShape reports that the delta is an object of another format with a clear meaning. Then
	// its members are not where a delta has them.
	OtherShape bool
	// Swallowed are the lines in a block with invalid JSON that would open further fences for
	// JSON. No line of JSON looks like this. Their fences never begin, because the fence of the
	// block is still open.
	Swallowed []source.Span
	// Marks are those at the end of invalid JSON that should close the fence, but do not.
	Marks Marks
	// Outside puts the marks that are meant to close the block, and the end of its JSON if that is between, into the list
	// item or the quotation that the block is in; nil if they are not below that. Hidden are the deltas in the fence that
	// these marks open.
	Outside *source.Edit
	Hidden  []source.Span

	json *jsontree.Options // shared by the blocks of a body
}

// ObjectStart returns the place of the delta's opening brace, where findings about
// missing fields are (decisions.md 3).
func (d *Delta) ObjectStart() source.Place {
	if d.Root == nil {
		return d.Fence // it is not JSON, but was applied anyway
	}
	start := d.Root.Span().Start
	return d.Text.Place(source.Span{Start: start, End: start + 1})
}

// Pos returns the place of a value: only the opening brace of an object or array; for an
// absent value the delta's opening brace.
func (d *Delta) Pos(n *jsontree.Node) source.Place {
	if n == nil {
		return d.ObjectStart()
	}
	span := n.Span()
	if n.Is(jsontree.Object) || n.Is(jsontree.Array) {
		span.End = span.Start + 1
	}
	return d.Text.Place(span)
}
