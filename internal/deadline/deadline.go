// Package deadline answers in time, though the work may not have ended.
package deadline

import "context"

// Run does work and returns what it gives, or the cause of the context if that ends first. The
// work may go on then.
func Run[T any](ctx context.Context, work func(context.Context) (T, error)) (none T, _ error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := work(ctx)
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		if r.err == nil || ctx.Err() == nil {
			return r.value, r.err
		}
	case <-ctx.Done():
	}
	return none, context.Cause(ctx)
}
