// Package delta finds the delta blocks of a message body, reads them and says
// what is structurally wrong with each (spec: delta_output_format,
// artifact_delta_spec; decisions.md 8 to 12).
//
// Faults of structure are found here and not in the rules because the merge
// needs them too: a rejected delta is not applied (decisions.md 18). They are
// MB-005, DL-001 to DL-010 and DL-024. What else may be wrong with a delta
// (anchors, references, names of fields) is for the rules alone.
package delta

import (
	"slices"
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
	// tells why (MB-005).
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
}

// Fault is one structural fault of a delta.
type Fault struct {
	Rule         string       // the rule id: MB-005, DL-001, …
	At           source.Place // in the delta's text; of a blank block its fence, in the body
	Message      string
	Suggestion   string
	Field        string        // the JSON key concerned, if any
	SuggestedFix *SuggestedFix // nil if there is none
	Related      []RelatedLocation
	// Members are the delta's own members that the fault names: they are not
	// reported as unknown too.
	Members []string
}

// RelatedLocation is another place that explains a fault.
type RelatedLocation struct {
	At      source.Place
	Message string
}

// SuggestedFix is how to fix a fault.
type SuggestedFix struct {
	Description string
	Text        *source.Text // of which the edits are: the delta's, or the body
	Edits       []source.Edit
	// Unsafe reports that it guesses at what the writer meant.
	Unsafe bool
}

// rejecting are the rules for whose faults the merge rejects a delta. MR-001,
// MR-003 and MR-004 reject too; they need the state of the merge.
var rejecting = []string{"MB-005", "DL-001", "DL-002", "DL-003", "DL-005", "DL-006", "DL-008", "DL-009", "DL-010", "DL-024"}

// Rejected is the first fault for which the merge rejects the delta
// (decisions.md 18), or nil.
func (d *Delta) Rejected() *Fault {
	for i := range d.Faults {
		if slices.Contains(rejecting, d.Faults[i].Rule) {
			return &d.Faults[i]
		}
	}
	return nil
}

// Release lets go of the document that holds the delta, and of its text, which is
// made again when it is asked for. The values stay.
func (d *Delta) Release() {
	block := *d.Block
	block.Lines = nil
	d.Block = &block
	d.Text.Evict(nil)
}

// ObjectStart is the place of the delta's opening brace, where findings about missing
// fields stand (decisions.md 3).
func (d *Delta) ObjectStart() source.Place {
	start := d.Root.Span.Start
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
