// Package delta finds the delta blocks of a message body, reads them and finds
// what is structurally wrong with each (spec: delta_output_format,
// artifact_delta_spec; decisions.md 8 to 12).
//
// A [Fault] is a fact with a [Kind] and a place; rules say it in words. Faults of
// structure are found here and not in the rules because the merge needs them too:
// a rejected delta is not applied (decisions.md 18). What else may be wrong with a
// delta (anchors, references, names of fields) is for the rules alone.
package delta

import (
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/jsontree"
	"github.com/brennerlint/brennerlint/markdown"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/source"
)

// Delta is one delta block of a message. All spans are of Text.
type Delta struct {
	Index int             // in the message, from 1
	Block *markdown.Block // the fence, in the document of the body
	Fence source.Place    // the opening fence with its info string, in the body
	Text  *source.Text    // the content of the fence, mapped to the body

	// Root is the JSON value; nil if the block is not valid JSON, then Syntax
	// tells why, or if it is not kept, then Whole has it.
	Root   *jsontree.Node
	Syntax *jsontree.SyntaxError
	// Swallowed are the lines of a block that is no JSON that open the fences of
	// further blocks: the fence is not closed before them.
	Swallowed []source.Span

	// What follows is read as far as it can be; the zero value where it can not.
	Operation protocol.Operation
	Section   protocol.Section
	TargetID  string          // as written; "" if null, absent or no string
	Target    protocol.ItemID // if TargetID is well formed for the section
	Payload   *jsontree.Node  // if an object
	Reason    string          // of a KILL
	DeltaID   string
	Agent     string    // its own; "" if it has none
	Time      time.Time // its own timestamp in UTC; HasTime false if it has none that parses
	HasTime   bool

	// Faults are all structural faults that apply (decisions.md 9), ordered by
	// place.
	Faults []Fault

	json jsontree.Options

	released bool // Root and Payload are let go of; they have no faults
	start    int  // of the released Root
}

// Release lets go of the document that holds the delta, and of its text, which is
// made again when it is asked for. Of a delta without faults the JSON goes too: Whole
// reads it again. The values stay.
func (d *Delta) Release() {
	d.dropJSON()
	if d.released {
		d.Block = noBlock // nobody is going to edit it
	} else {
		block := *d.Block
		block.Lines = nil
		d.Block = &block
	}
	d.Text.Evict(nil)
}

var noBlock = new(markdown.Block)

// dropJSON lets go of the JSON of a delta without faults, and of the text that its
// values are parts of.
func (d *Delta) dropJSON() {
	if d.Root == nil || len(d.Faults) > 0 {
		return
	}
	d.released, d.start = true, d.Root.Span.Start
	d.Root, d.Payload = nil, nil
	for _, s := range []*string{&d.TargetID, &d.Reason, &d.DeltaID, &d.Agent} {
		*s = strings.Clone(*s)
	}
}

// HasMembers reports whether the block is a JSON object that holds something, also of
// one that was released.
func (d *Delta) HasMembers() bool {
	return d.released || d.Root.Is(jsontree.Object) && len(d.Root.Members) > 0
}

// Whole is the delta with its JSON, also of one that was released, or of so long a body
// that it is not kept.
func (d *Delta) Whole() *Delta {
	if !d.released {
		return d
	}
	again := *d
	again.released = false
	again.Root, _ = jsontree.Parse(d.Text.Content(), d.json)
	if p := again.Root.Get("payload"); p.Is(jsontree.Object) {
		again.Payload = p
	}
	return &again
}

// ObjectStart is the place of the delta's opening brace, where findings about missing
// fields are (decisions.md 3).
func (d *Delta) ObjectStart() source.Place {
	start := d.start
	switch {
	case d.released:
	case d.Root == nil:
		return d.Fence // it is not JSON, and was applied all the same
	default:
		start = d.Root.Span.Start
	}
	return d.Text.Place(source.Span{Start: start, End: start + 1})
}

// Pos is the place of a value, the opening brace alone of an object or array;
// of an absent value it is the delta's opening brace.
func (d *Delta) Pos(n *jsontree.Node) source.Place {
	if n == nil {
		return d.ObjectStart()
	}
	span := n.Span
	if n.Is(jsontree.Object) || n.Is(jsontree.Array) {
		span.End = span.Start + 1
	}
	return d.Text.Place(span)
}
