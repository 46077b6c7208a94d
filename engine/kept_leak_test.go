package engine_test

import (
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/rules"
)

// TestKeptLetsGo checks that a check keeps nothing of those before but what it uses: a watch
// runs for weeks.
func TestKeptLetsGo(t *testing.T) {
	dir := t.TempDir()
	copyTree(t, "../examples", dir)
	kept := &engine.Kept{}
	defer kept.Close()
	const rounds = 10
	gone := make(chan bool, 2*rounds)
	for round := range rounds {
		for _, suffix := range []string{".md", ".json"} {
			for _, path := range filesBelow(dir, suffix) {
				data, err := os.ReadFile(path)
				if err == nil {
					err = os.WriteFile(path, append(data, ' '), 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
				break
			}
		}
		// Only the check holds what is passed to it.
		held := &[1 << 10]byte{byte(round)}
		runtime.AddCleanup(held, func(bool) { gone <- true }, true)
		with := engine.Options{Kept: kept, Message: func(engine.MessageID) { held[0]++ }}
		if _, err := engine.MustNew(rules.All(), with).Check(t.Context(), dir); err != nil {
			t.Fatal(err)
		}
	}
	for n := range rounds - 1 { // the last is in use
		runtime.GC()
		select {
		case <-gone:
		case <-time.After(10 * time.Second):
			t.Fatalf("of %d checks only %d are let go of", rounds, n)
		}
	}
}
