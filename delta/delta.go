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
	"cmp"
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
	// Text is the content of the fence, mapped to the body; nil if it is not kept (see
	// Whole).
	Text *source.Text

	// Root is the JSON value; nil if the block is not valid JSON (see Syntax), or if it
	// is not kept (see Whole).
	Root   *jsontree.Node
	Syntax *jsontree.SyntaxError

	// The following is read as far as possible; zero values where it is not.
	TargetID  string          // as written; "" if null, absent or not a string
	Target    protocol.ItemID // if TargetID is well formed for the section
	Payload   *jsontree.Node  // if an object
	Reason    string          // for a KILL
	Agent     string          // the delta's own; "" if none
	Time      time.Time       // the delta's own timestamp in UTC; HasTime false if none parses
	HasTime   bool
	Refers    bool // the payload has references
	Operation protocol.Operation
	Section   protocol.Section

	// Faults are all structural faults that apply (decisions.md 9), ordered by
	// place. If the JSON is not kept, it is one, of which only the kind is known: the first
	// for which the merge rejects the delta, else the first.
	Faults []Fault

	// There are many deltas in a long body, so that they are small: no text is 4 GiB.
	released   bool              // Root, an object with members, and Payload are dropped
	start      uint32            // of the released Root
	from, size uint32            // of the Text in the body, if that is nil
	json       *jsontree.Options // shared by the blocks of a body
}

// Release drops the document that contains the delta, its text, which is rebuilt on demand,
// and the JSON, if it is an object: Whole reads it again. The values remain.
func (d *Delta) Release() {
	d.dropJSON()
	if d.released && len(d.Faults) == 0 {
		d.Block = noBlock // no edits will be made
	} else {
		block := *d.Block
		block.Parts = nil
		d.Block = &block
	}
	d.Text.Evict(nil) // it may be nil
}

var noBlock = new(markdown.Block)

// dropJSON drops the JSON of a delta that is an object, and the text that its values are
// parts of.
func (d *Delta) dropJSON() {
	if !d.Root.Is(jsontree.Object) || len(d.Root.Members()) == 0 {
		return
	}
	d.released, d.start = true, uint32(d.Root.Span().Start)
	d.Root, d.Payload = nil, nil
	if len(d.Faults) > 0 {
		k := cmp.Or(d.Rejected(), &d.Faults[0]).Kind
		d.Faults = faultOfKind[k : k+1 : k+1]
	}
	if at, ok := d.Text.PartOf(d.Fence.Text); ok {
		d.Text, d.from, d.size = nil, uint32(at.Start), uint32(at.Len())
	}
	for _, s := range []*string{&d.TargetID, &d.Reason, &d.Agent} {
		*s = strings.Clone(*s)
	}
}

// HasMembers reports whether the block is a JSON object with members, even if released.
func (d *Delta) HasMembers() bool {
	return d.released || d.Root.Is(jsontree.Object) && len(d.Root.Members()) > 0
}

// Whole returns the delta with its JSON, even if it was released or not kept because
// the body is long.
func (d *Delta) Whole() *Delta {
	if !d.released {
		return d
	}
	again := *d
	again.released, again.Text = false, d.content()
	again.Root, _ = jsontree.Parse(again.Text.Content(), *d.json)
	if p := again.Root.Get("payload"); p.Is(jsontree.Object) {
		again.Payload = p
	}
	if len(d.Faults) > 0 {
		again.Faults = nil
		if again.Root.Is(jsontree.Object) { // else the file has changed since
			again.check()
		}
	}
	return &again
}

// Size returns the length of the content of the fence in bytes.
func (d *Delta) Size() int {
	if d.Text != nil {
		return d.Text.Len()
	}
	return int(d.size)
}

// content returns the content of the fence.
func (d *Delta) content() *source.Text {
	if d.Text != nil {
		return d.Text
	}
	return d.Fence.Text.Sub(source.Span{Start: int(d.from), End: int(d.from + d.size)})
}

// ObjectStart returns the place of the delta's opening brace, where findings about
// missing fields are (decisions.md 3).
func (d *Delta) ObjectStart() source.Place {
	start := int(d.start)
	switch {
	case d.released:
	case d.Root == nil:
		return d.Fence // it is not JSON, but was applied anyway
	default:
		start = d.Root.Span().Start
	}
	return d.content().Place(source.Span{Start: start, End: start + 1})
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
