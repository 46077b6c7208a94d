// Package delta finds the delta blocks of a message body, reads them and says
// what is structurally wrong with each (spec: delta_output_format,
// artifact_delta_spec; decisions.md 8 to 12).
//
// The faults are found here and not in the rules because the merge needs them
// too: a rejected delta is not applied (decisions.md 18).
package delta

import (
	"time"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/protocol"
	"github.com/brennerlint/brennerlint/internal/source"
)

// Operation is what a delta does.
type Operation = protocol.Operation

// The three operations.
const (
	Add  = protocol.Add
	Edit = protocol.Edit
	Kill = protocol.Kill
)

// Delta is one delta block of a message. All spans are of Text.
type Delta struct {
	Index int             // in the message, from 1
	Block *markdown.Block // the fence, in the document of the body
	Text  *source.Text    // the content of the fence, mapped to the body

	// Root is the JSON value; nil if the block is not valid JSON, then Syntax
	// tells why (MB-005).
	Root   *jsontree.Node
	Syntax *jsontree.SyntaxError

	// What follows is read as far as it can be; the zero value where it can not.
	Operation Operation
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
}

// Fault is one structural fault of a delta.
type Fault struct {
	Rule       string // the rule id: MB-005, DL-001, …
	Span       source.Span
	Message    string
	Suggestion string
	Field      string // the JSON key concerned, if any
	// Edits of the delta's text are a mend, if there is one; Safe reports that it
	// does not change what the writer meant.
	Edits []source.Edit
	Safe  bool
}

// Rejected is the first fault for which the merge rejects the delta
// (decisions.md 18), or nil.
func (d *Delta) Rejected() *Fault {
	for i := range d.Faults {
		switch d.Faults[i].Rule {
		case "MB-005", "DL-001", "DL-002", "DL-003", "DL-005", "DL-006", "DL-008", "DL-009", "DL-010", "DL-024":
			return &d.Faults[i]
		}
	}
	return nil
}
