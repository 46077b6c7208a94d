package lint

import "fmt"

// Severity is how severe a finding is. The zero Severity is invalid, so that no rule can
// leave it out.
type Severity uint8

// The severities, most severe first.
const (
	Error Severity = iota + 1
	Warning
	Info
)

var severityNames = [...]string{"", "error", "warning", "info"}

// String returns the severity as the report writes it; "" if it is not valid.
func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return ""
}

// MarshalText is String.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// ParseSeverity reads error, warning or info.
func ParseSeverity(name string) (Severity, error) {
	for s := Error; s <= Info; s++ {
		if name == s.String() {
			return s, nil
		}
	}
	return 0, fmt.Errorf("unknown level %q; expected error, warning or info", name)
}
