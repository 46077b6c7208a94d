// Package replay merges the deltas of a thread again, window by window, and
// holds what was published against the result (decisions.md 18 to 29).
package replay

import "github.com/brennerlint/brennerlint/internal/session"

// Thread is the replay of one thread.
type Thread struct {
	Thread *session.Thread
}

// Session is what other sessions may refer to: a compact summary of a thread
// or an artifact file that outlives it.
type Session struct {
	ID string
}
