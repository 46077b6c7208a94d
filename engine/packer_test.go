package engine

import (
	"fmt"
	"reflect"
	"sync"
	"testing"

	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/workspace"
)

// TestSessionPacker packs sessions in several goroutines: each is as it was.
func TestSessionPacker(t *testing.T) {
	var p sessionPacker
	var workers sync.WaitGroup
	for worker := range 8 {
		workers.Go(func() {
			var was, is []*workspace.Session
			for n := range 500 {
				s := &workspace.Session{ID: fmt.Sprintf("RS-%d-%d", worker, n), Path: "mail.json", Complete: n%2 == 0}
				for i := range n % 7 {
					item := workspace.Item{Section: protocol.HypothesisSlate, Number: int32(i + 1)}
					record := workspace.ItemRecord{Ref: workspace.Ref{Item: item, Message: int32(n)}, Key: workspace.Key{byte(n), byte(i)}, At: int64(worker)}
					s.Items, s.Added = append(s.Items, item), append(s.Added, record)
					if i%3 == 2 {
						s.Killed = append(s.Killed, workspace.KilledItem{ItemRecord: record, By: fmt.Sprint("Agent", i)})
					}
				}
				was, is = append(was, s), append(is, p.pack(s))
			}
			for n, s := range is {
				if s == was[n] || !reflect.DeepEqual(s, was[n]) {
					t.Errorf("session %d is %+v, was %+v", n, s, was[n])
				}
			}
		})
	}
	workers.Wait()
}
