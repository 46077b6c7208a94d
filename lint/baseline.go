package lint

// BaselineEntry is an accepted finding. The fingerprint says which; the rule and the path
// say whether a check would find it, and the rest is for the people who read the file.
type BaselineEntry struct {
	Fingerprint string `json:"fingerprint"`
	Rule        string `json:"rule"`
	Path        string `json:"path"`
	Message     string `json:"message"`
	// Reason says why the finding is accepted.
	Reason string `json:"reason,omitempty"`
	// Until is the last day on which the entry is valid, such as 2026-12-31; "" is for ever.
	Until string `json:"until,omitempty"`
}

// BaselineUse says what a check did with a baseline: each entry is in one of the lists.
type BaselineUse struct {
	Matched []BaselineEntry // those that accept a finding
	Expired []BaselineEntry // those that would, if their Until were not over
	Stale   []BaselineEntry // those whose finding is gone
	// Unchecked are those whose rule did not run, or whose file was not checked.
	Unchecked []BaselineEntry
}
