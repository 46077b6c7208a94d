package files

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxLinks is how many links are followed, one after the other.
const maxLinks = 40

// Target returns the file that would be written under a name, as an absolute path without
// links. The file need not exist, but its folder must. Two names with the same target are
// one file.
func Target(name string) (string, error) {
	for range maxLinks {
		if isSpecial(name) {
			return name, nil
		}
		dir, base := filepath.Split(name) // not cleaned: the element before .. may be a link
		to, err := os.Readlink(name)
		if err != nil { // it is no link, or opening it reports the error
			if dir, err = filepath.EvalSymlinks(cmp.Or(dir, ".")); err == nil {
				dir, err = filepath.Abs(dir)
			}
			return filepath.Join(dir, base), err
		}
		if !filepath.IsAbs(to) {
			to = dir + to
		}
		name = to
	}
	return "", &fs.PathError{Op: "open", Path: name, Err: errors.New("too many links")}
}

// Same reports whether two names are the same file, so that writing one would overwrite
// the other.
func Same(a, b string) bool {
	if a == b {
		return true
	}
	targetA, errA := Target(a)
	targetB, errB := Target(b)
	if errA != nil || errB != nil {
		return false // writing it reports the error
	}
	infoA, errA := os.Stat(targetA)
	infoB, errB := os.Stat(targetB)
	if errA == nil && errB == nil {
		return infoA.Mode().IsRegular() && os.SameFile(infoA, infoB)
	}
	return targetA == targetB
}

// isSpecial reports whether a path leads to an open file of a process, such as standard
// output. It may be redirected to a file, which is then written in place, not replaced.
func isSpecial(name string) bool {
	return strings.HasPrefix(name, "/dev/") || strings.HasPrefix(name, "/proc/")
}
