package engine

import (
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/workspace"
)

// keptThread is what is known of a thread as long as it has a stamp.
type keptThread struct {
	stamp   uint64
	unit    *unit // nil if nothing is known
	session *workspace.Session
	clean   bool // nothing was found
	asks    bool // it depends on other threads
	more    bool // it depends on artifact files
}

// answers reports whether the results are known.
func (t *keptThread) answers(c *check, info *export.ThreadInfo) bool {
	return t.unit != nil && (!t.asks || c.answers(t.unit, info))
}

// recall returns what is known of threads: of each what was last kept under its stamp. The
// threads that did not change come in the order of the check before.
func (k *Kept) recall(infos []export.ThreadInfo) []keptThread {
	newest := uint64(0)
	for i := range k.threads {
		newest = max(newest, k.threads[i].stamp)
	}
	was, out := k.threads, k.spare[:0]
	for i := range infos {
		t := keptThread{stamp: infos[i].Stamp}
		if t.stamp <= newest {
			for len(was) > 0 && was[0].stamp != t.stamp {
				was = was[1:]
			}
			if len(was) > 0 {
				t, was = was[0], was[1:]
			}
		}
		out = append(out, t)
	}
	return out
}

// keepThreads remembers what is known of threads, with those that were checked now.
func (k *Kept) keepThreads(known []keptThread, checked []int, done []*threadResult) {
	for _, i := range checked {
		if t := done[i]; t != nil && t.unit != nil && !known[i].more {
			known[i] = keptThread{stamp: known[i].stamp, unit: t.unit, session: t.session, clean: t.unit.isClean(), asks: len(t.unit.Asked) > 0}
		} else {
			known[i] = keptThread{stamp: known[i].stamp}
		}
	}
	k.threads, k.spare = known, k.threads[:0]
	clear(k.spare[:cap(k.spare)])
}
