package session

import (
	"hash/maphash"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
)

// Session is a compact summary of a thread or an artifact file, for references from other
// sessions. It outlives both, so that memory stays bounded by the largest thread. So it has no
// text of theirs, nor strings that share memory with it. For a finding the source is opened
// again.
type Session struct {
	ID      string // thread id, or session_id of an artifact
	Project string
	Path    string // of the export or file
	// Complete reports that Items are all items that the session has.
	Complete   bool
	Items      []brenner.ItemID // in order
	References []Reference
	Added      []ItemRecord // by ADDs that were applied
	Killed     []KilledItem
	// Open reads the session again; the maker of the summary sets it. One of the results
	// is nil, both if the source is gone.
	Open func() (*Thread, *artifact.Artifact)
}

// has reports whether the session has an item.
func (s *Session) has(id brenner.ItemID) bool {
	_, ok := slices.BinarySearchFunc(s.Items, id, brenner.ItemID.Compare)
	return ok
}

// Finish sorts the items and releases unused memory.
func (s *Session) Finish() *Session {
	slices.SortFunc(s.Items, brenner.ItemID.Compare)
	s.Items = slices.Clone(slices.Compact(s.Items))
	s.Added, s.Killed = slices.Clone(s.Added), slices.Clone(s.Killed)
	return s
}

// Ref refers to a place in a session's source without holding the source.
type Ref struct {
	Item      brenner.ItemID
	Message   int32 // index in the thread
	Delta     int32 // in the message, from 1; 0 for an artifact
	Reference int32 // index in references; -1 for the item itself
}

// Reference is a reference of an item to an item of a session.
type Reference struct {
	Ref
	Session, Target string
}

// ItemRecord is an item that was added or killed.
type ItemRecord struct {
	Ref
	Key Key
	At  int64 // Unix time in nanoseconds; without a time, the least
}

// NewItemRecord returns a record of some instant, perhaps the zero one.
func NewItemRecord(at Ref, key Key, t time.Time) ItemRecord {
	if t.IsZero() {
		return ItemRecord{at, key, math.MinInt64}
	}
	return ItemRecord{at, key, t.UnixNano()}
}

// undated reports whether the source does not say when.
func (i *ItemRecord) undated() bool { return i.At == math.MinInt64 }

// KilledItem is an item that was killed.
type KilledItem struct {
	ItemRecord
	By string // "" where the source does not say
}

// AddReference adds a reference of an item if it names a session and an item; DL-016 and RD-003
// report other references.
func (s *Session) AddReference(at Ref, ref any) {
	fields, _ := ref.(map[string]any)
	to, _ := fields["session"].(string)
	item, _ := fields["item"].(string)
	if to != "" && item != "" {
		s.References = append(s.References, Reference{at, strings.Clone(to), strings.Clone(item)})
	}
}

// Key is equal for two items with the same section, name and text. It is another one in each
// process.
type Key uint64

// keySeed is secret, so that nobody can write two texts with one key.
var keySeed = maphash.MakeSeed()

// KeyOf returns the key of an item with a name and a text, both in any case and spacing.
func KeyOf(sec brenner.Section, name, text string) Key {
	fold := func(s string) string { return strings.ToLower(brenner.FoldSpace(s)) }
	return Key(maphash.String(keySeed, sec.ID()+fold(name)+"\x00"+fold(text)))
}
