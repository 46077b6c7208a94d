package replay_test

import (
	"sync"
	"testing"

	"github.com/brennerlint/brennerlint/brenner/replay"
)

// TestReadersOfStates reads a state in several goroutines, as a server does, for -race.
func TestReadersOfStates(t *testing.T) {
	last := replay.New(thread(rounds(3, 20, growing)), replay.Options{}).Pending.State
	var all sync.WaitGroup
	hashes := make([]string, 4)
	for i := range hashes {
		all.Go(func() { hashes[i] = last.Hash() })
	}
	all.Wait()
	for _, h := range hashes {
		if h != hashes[0] {
			t.Errorf("the hash is %s, and %s", h, hashes[0])
		}
	}
}
