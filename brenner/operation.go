package brenner

// Operation is the operation of a delta.
type Operation uint8

// The three operations (artifact_delta_spec, Delta Types).
const (
	Add Operation = iota + 1
	Edit
	Kill
)

var operationNames = [...]string{"", "ADD", "EDIT", "KILL"}

// String returns the operation as deltas write it; "" if there is no such operation.
func (o Operation) String() string {
	if int(o) < len(operationNames) {
		return operationNames[o]
	}
	return ""
}

// MarshalText is String.
func (o Operation) MarshalText() ([]byte, error) { return []byte(o.String()), nil }
