package engine_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/rules"
)

// TestCancelWithinThread cancels a check while it reads a thread: the messages that
// follow are not checked.
func TestCancelWithinThread(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var checked atomic.Int64
	opts := engine.Options{Trace: &engine.Trace{Message: func(mail.Ref) { checked.Add(1); cancel() }}}
	rep, err := engine.Check(ctx, rules.All(), opts, filepath.Join("..", "examples", "mail"))
	if !errors.Is(err, context.Canceled) || rep != nil {
		t.Errorf("the check gives %v, %v; expected that it is cancelled", rep, err)
	}
	if n := checked.Load(); n != 1 {
		t.Errorf("%d messages are checked, expected 1", n)
	}
}
