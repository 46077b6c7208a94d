package brenner

// Operation is the operation of a delta, as deltas write it.
type Operation string

// The three operations (artifact_delta_spec, Delta Types).
const (
	Add  Operation = "ADD"
	Edit Operation = "EDIT"
	Kill Operation = "KILL"
)
