package rules_test

import (
	"fmt"

	"github.com/brennerlint/brennerlint/rules"
)

// Find rules by id, name, specification code or a prefix of ids.
func ExampleAll() {
	for _, r := range rules.All().Match("TH") {
		fmt.Println(r.ID, r.Name, r.Severity)
	}
	// Output:
	// TH-001 bead-thread-id error
	// TH-002 research-thread-id error
	// TH-003 coordination-thread-id error
	// TH-004 research-thread-date warning
	// TH-005 research-thread-slug info
	// TH-006 thread-id-path-safe error
	// TH-007 thread-id-missing warning
	// TH-008 kickoff-thread-mismatch warning
}
