package replay

import "github.com/brennerlint/brennerlint/brenner/session"

// NewForgetful is New, but each version is compared with all items, as if there were no version
// before.
func NewForgetful(t *session.Thread) *Thread {
	empty := *t
	empty.Messages = nil
	r := New(&empty, Options{})
	r.Thread = t
	for _, m := range t.Messages {
		r.add(m)
		r.omitted = nil
	}
	r.close(r.Pending)
	return r
}
