package files

import (
	"fmt"
	"time"
)

// Identity is the file system's information on a file: enough to determine, without
// reading it, that it is the same and was not written since.
type Identity struct {
	device, inode     uint64
	size              int64
	modified, changed time.Time
}

// String names the identity.
func (i Identity) String() string {
	return fmt.Sprintf("%d:%d:%d:%d:%d", i.device, i.inode, i.size, i.modified.UnixNano(), i.changed.UnixNano())
}

// Times of files advance in ticks of at most ten milliseconds, or of two seconds if the
// file system keeps no fractions.
const (
	fineTick   = 50 * time.Millisecond
	coarseTick = 2100 * time.Millisecond
)

// Before reports whether the file was written before a time, and not in the same tick of
// the clock, so that a change after that time can be detected.
func (i Identity) Before(t time.Time) bool {
	tick := fineTick
	if i.modified.Nanosecond()%int(time.Millisecond) == 0 || i.changed.Nanosecond()%int(time.Millisecond) == 0 {
		tick = coarseTick
	}
	return i.modified.Add(tick).Before(t) && i.changed.Add(tick).Before(t)
}
