package workspace

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/brennerlint/brennerlint/protocol"
)

// TestPack packs more sessions than a piece of memory has room for: each is as it was, and
// none changes when another grows.
func TestPack(t *testing.T) {
	var p Packer
	var was, is []*Session
	for n := range 3 * packSize {
		s := &Session{ID: fmt.Sprint("RS-", n), Path: "mail.json", Complete: n%2 == 0}
		for i := range n % 7 {
			item := Item{protocol.HypothesisSlate, int32(i + 1), 0}
			s.Items = append(s.Items, item)
			s.Added = append(s.Added, ItemRecord{Ref{Item: item, Message: int32(n)}, Key{byte(n), byte(i)}, int64(n)})
			if i%3 == 2 {
				s.Killed = append(s.Killed, KilledItem{s.Added[i], fmt.Sprint("Agent", i)})
			}
		}
		if n == 5 { // longer than a piece
			s.Items = make([]Item, 2*packSize)
		}
		was, is = append(was, s), append(is, p.Pack(s))
	}
	for n, s := range is {
		if s == was[n] || !reflect.DeepEqual(s, was[n]) {
			t.Fatalf("session %d is %+v, was %+v", n, s, was[n])
		}
		s.Items, s.Added, s.Killed = append(s.Items, Item{}), append(s.Added, ItemRecord{}), append(s.Killed, KilledItem{})
	}
	for n, s := range is {
		s.Items, s.Added, s.Killed = s.Items[:len(was[n].Items)], s.Added[:len(was[n].Added)], s.Killed[:len(was[n].Killed)]
		if fmt.Sprint(s) != fmt.Sprint(was[n]) {
			t.Fatalf("session %d is %v after others grew, was %v", n, s, was[n])
		}
	}
	if pieces := cap(p.sessions); pieces != packSize {
		t.Errorf("a piece has room for %d sessions, expected %d", pieces, packSize)
	}
}
