package engine

import (
	"hash/maphash"
	"path/filepath"
	"slices"

	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/result"
)

// surplus says of which severities a task's findings in a thread of a database are
// only counted: as many as a report shows come before them, whatever else is found.
type surplus [lint.Info + 1]bool

// surplus returns what is surplus in a thread of a file, of the findings without a range.
func (k *findings) surplus(path, thread string) (s surplus) {
	for severity := range s {
		last := k.last[omission{path, lint.Severity(severity)}]
		s[severity] = last != nil && last.Range == nil && last.Thread < thread
	}
	return s
}

// surplus returns what is surplus in a thread as far as it is known yet. A result that is
// kept has all findings.
func (c *check) surplus(path, thread string) surplus {
	if c.results != nil {
		return surplus{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.found.surplus(filepath.ToSlash(path), thread)
}

// counted are the findings of a task in one file that are only counted: hashes of what
// distinguishes them, since one that is found again counts once.
type counted struct {
	path   string
	hashes [lint.Info + 1][]uint64 // by severity
}

var countedSeed = maphash.MakeSeed()

// count counts a finding that is surplus.
func (k *findings) count(f *result.Finding) {
	h := maphash.Comparable(countedSeed, struct {
		place, delta                          int
		rule, message, messageID, item, field string
	}{bodyPlaceOf(f), f.Delta, f.Rule, f.Message, f.MessageID, f.Item, f.Field})
	if k.counted == nil {
		k.counted = &counted{path: f.Path}
	}
	list := &k.counted.hashes[f.Severity]
	*list = append(*list, h)
}

// mergeCounted takes over what another task has only counted.
func (k *findings) mergeCounted(other *counted) {
	if other == nil {
		return
	}
	for severity, list := range other.hashes {
		if slices.Sort(list); len(list) > 0 {
			k.omit(other.path, lint.Severity(severity), len(slices.Compact(list)))
		}
	}
}
