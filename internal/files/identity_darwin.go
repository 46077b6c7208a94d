package files

import (
	"io/fs"
	"syscall"
	"time"
)

// IdentityOf returns the identity of a file; false if the system reports too little.
func IdentityOf(info fs.FileInfo) (Identity, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Identity{}, false
	}
	return Identity{uint64(st.Dev), st.Ino, info.Size(), info.ModTime(), time.Unix(st.Ctimespec.Unix())}, true
}
