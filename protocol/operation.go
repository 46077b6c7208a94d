package protocol

// Operation is what a delta does.
type Operation uint8

// The three operations (artifact_delta_spec, Delta Types).
const (
	Add Operation = iota + 1
	Edit
	Kill
)

// String is the operation as deltas write it.
func (o Operation) String() string { return [...]string{"", "ADD", "EDIT", "KILL"}[o] }
