package deadline

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestRun checks that work that does not end is answered all the same.
func TestRun(t *testing.T) {
	late := errors.New("late")
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Millisecond, late)
	defer cancel()
	release := make(chan struct{})
	stuck := func(context.Context) (int, error) { <-release; return 1, nil }
	if _, err := Run(ctx, stuck); !errors.Is(err, late) {
		t.Errorf("the error is %v", err)
	}
	close(release)
	if n, err := Run(t.Context(), func(context.Context) (int, error) { return 2, nil }); n != 2 || err != nil {
		t.Errorf("afterwards it gives %d, %v", n, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(gone, func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() }); !errors.Is(err, context.Canceled) {
		t.Errorf("a call that was cancelled gives %v", err)
	}
}
