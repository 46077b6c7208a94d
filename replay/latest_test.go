package replay_test

import (
	"reflect"
	"sync"
	"testing"

	"github.com/brennerlint/brennerlint/replay"
	"github.com/brennerlint/brennerlint/state"
)

// TestLatestState checks that a replay reports and summarizes the same if it keeps only
// the last state, and that it keeps those with which files have to be compared.
func TestLatestState(t *testing.T) {
	posts := rounds(300, 20, growing)
	posts = append(posts, post{from: "Ada", subject: "DELTA[opus]: kill", deltas: []object{kill("A1")}})
	posts = publish(posts, 99, func(st *state.State) {
		for _, it := range st.Items(4) {
			st.Remove(it.ID)
		}
	})
	posts = append(posts, post{from: "Ada", subject: "DELTA[opus]: last", deltas: []object{edit("A2", object{"load": "another"})}})
	whole := replay.New(thread(posts), replay.Options{})
	latest := replay.New(thread(posts), replay.Options{Large: true, LatestState: true})
	if want, got := whole.Summary(), latest.Summary(); !reflect.DeepEqual(want, got) || len(want.Killed) == 0 {
		t.Errorf("the summary is\n%+v\nwant\n%+v", got, want)
	}
	if want, got := len(whole.Facts.OmittedItems), len(latest.Facts.OmittedItems); want != got || want == 0 {
		t.Errorf("%d items are left out, want %d", got, want)
	}
	for _, w := range latest.Windows {
		if w.State != nil || w.Published != nil || w.BaseState() != nil {
			t.Fatal("states of earlier versions are kept")
		}
	}
	if !latest.Pending.State.Equal(whole.Pending.State) {
		t.Error("the last state is another")
	}
	files := []replay.File{{Path: "a.md", Artifact: now(whole)}}
	if w := replay.New(thread(posts), replay.Options{LatestState: true, Files: files}).Windows[0]; w.State == nil {
		t.Error("states are let go of that a file has to be compared with")
	}
}

// TestReadersOfStates reads a state in several goroutines, as a server does: with -race it
// checks that items whose fields are not yet data may be.
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
