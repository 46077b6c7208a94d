package delta

import (
	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// Kind is what is wrong with a delta.
type Kind string

// The kinds of structural faults.
const (
	BlankBlock      Kind = "BlankBlock"      // the block is empty
	UnclosedFence   Kind = "UnclosedFence"   // not JSON, because its fence is not closed before the next block: Delta.Swallowed
	InvalidJSON     Kind = "InvalidJSON"     // not JSON: see Delta.Syntax
	NotObject       Kind = "NotObject"       // not a JSON object with members
	BadOperation    Kind = "BadOperation"    // operation is absent, or not ADD, EDIT or KILL
	BadSection      Kind = "BadSection"      // section is absent, or not a section id
	ThreadOperation Kind = "ThreadOperation" // the research thread takes EDIT only
	ThreadTarget    Kind = "ThreadTarget"    // the target of the research thread is RT or null
	MissingTarget   Kind = "MissingTarget"   // EDIT or KILL without a target_id that is a string
	TargetOfAdd     Kind = "TargetOfAdd"     // ADD with a target_id: the merge assigns ids
	ForeignTarget   Kind = "ForeignTarget"   // target_id does not have the form of the section's ids
	NoPayload       Kind = "NoPayload"       // ADD or EDIT without a payload that is an object with members
	NoReason        Kind = "NoReason"        // KILL whose payload gives no reason
	LacksFields     Kind = "LacksFields"     // ADD without required fields, or EDIT that blanks them: Fault.Missing and Empty
	BadValue        Kind = "BadValue"        // a field of another type, range or enumeration: Fault.Schema
)

// Rejects reports whether the merge rejects a delta for such a fault (decisions.md 18).
// The merge also rejects deltas for reasons that only its state shows.
func (k Kind) Rejects() bool { return k != "" && k != TargetOfAdd && k != BadValue }

// Fault is one structural fault of a delta.
type Fault struct {
	Kind Kind
	// At is the faulty value, or where it is expected, in the delta's text; for a blank
	// block its fence, in the body.
	At source.Place
	// Node is the faulty value; nil if it is absent, or if the block is not JSON.
	Node *jsontree.Node
	// Field is the member of the delta or of its payload concerned; "" if none.
	Field string
	// Missing and Empty are the required fields that the payload lacks, and those with
	// blank values.
	Missing, Empty []string
	// Misplaced are the delta's own members that belong in the payload.
	Misplaced []string
	// Schema is the field whose value is bad; without a kind if it is a replace key.
	Schema *brenner.Field
	// Parts are the members of a score that are not parts of one, or have bad values, or
	// the outcomes that are not named for hypotheses.
	Parts []jsontree.Member
}

// Rejected returns the first fault for which the merge rejects the delta
// (decisions.md 18), or nil.
func (d *Delta) Rejected() *Fault {
	for i := range d.Faults {
		if d.Faults[i].Kind.Rejects() {
			return &d.Faults[i]
		}
	}
	return nil
}
