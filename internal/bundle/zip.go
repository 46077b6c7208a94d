//go:build !js

package bundle

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/internal/text"
)

// OpenZip opens the bundle in a zip of size bytes. Reports name the zip as shown. It reads
// from r until the bundle is closed. It returns an error if the zip cannot be read, or
// [ErrNoMailbox]; all other faults are in the bundle.
func OpenZip(r io.ReaderAt, size int64, shown string, limits Limits) (*Bundle, error) {
	limits.setDefaults()
	guard := newGuard(r, limits)
	zr, err := zip.NewReader(guard, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, fmt.Errorf("read the zip: %w", err)
	}
	if len(zr.File) > limits.Entries {
		return nil, limits.entriesError()
	}
	guard.lifted = true

	z := newZipTree(zr.File)
	switch mailbox := z.findMailbox(); {
	case mailbox == nil:
		return nil, ErrNoMailbox
	case mailbox.Flags&1 != 0:
		return nil, errEncrypted
	case overlap(zr.File, size):
		return nil, errOverlap
	}
	o := &opener{files: newBudget(z.open, "the zip expands to", limits), limits: limits, show: func(string) string { return shown }}
	if !o.checkNames(z, len(zr.File)) {
		o.bundle.Path = shown
		return &o.bundle, nil
	}
	o.open()
	return &o.bundle, nil
}

// overlap reports whether entries of a zip are the same bytes of it, which could be expanded many times.
func overlap(entries []*zip.File, size int64) bool {
	left := uint64(size)
	return slices.ContainsFunc(entries, func(f *zip.File) bool {
		tooLarge := f.CompressedSize64 > left
		left -= f.CompressedSize64
		return tooLarge
	})
}

// zipTree is the files of a zip, by name. [zip.Reader.Open] is not used: it makes an entry for
// every folder in every name, and names with very many folders would fill the memory.
type zipTree struct {
	files map[string]*zip.File
	root  string // the folder with the mailbox
	top   string // the one folder that contains all files, or "."

	twice, outside []string // names that an earlier entry has, and names that lead out of the zip
}

func newZipTree(entries []*zip.File) *zipTree {
	z := &zipTree{files: make(map[string]*zip.File, len(entries))}
	for _, f := range entries {
		if leadsOut(f.Name) {
			z.outside = append(z.outside, f.Name)
			continue
		}
		name := path.Clean(strings.ReplaceAll(f.Name, `\`, "/"))
		if z.files[name] != nil {
			z.twice = append(z.twice, f.Name)
		}
		z.files[name] = f
		if first, _, below := strings.Cut(name, "/"); !below && !isFolder(f) || z.top != "" && z.top != first {
			z.top = "."
		} else {
			z.top = first
		}
	}
	return z
}

func isFolder(f *zip.File) bool { return f.Mode().IsDir() || strings.HasSuffix(f.Name, `\`) }

// findMailbox finds the folder with the mailbox: the top, the snapshot of `archive save`,
// or the same in the one folder that contains all files. It returns the mailbox, or nil.
func (z *zipTree) findMailbox() *zip.File {
	for _, top := range []string{".", z.top} {
		for _, z.root = range []string{top, path.Join(top, "snapshot")} {
			for _, name := range []string{DatabaseName, ConfigName} {
				if f := z.files[path.Join(z.root, name)]; f != nil && !isFolder(f) {
					return f
				}
			}
		}
	}
	return nil
}

// open opens a file, and returns its size.
func (z *zipTree) open(name string) (io.ReadCloser, int64, error) {
	f := z.files[path.Join(z.root, name)]
	if f == nil || isFolder(f) {
		return nil, 0, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	data, err := f.Open()
	return data, int64(f.UncompressedSize64), err
}

// checkNames reports names that lead out of the zip, such as ../x. They do no harm here, because
// no file is written under such a name, but an honest program writes none. It returns false if
// two entries have one name: programs disagree which of them counts, so the zip is not read.
func (o *opener) checkNames(z *zipTree, entries int) bool {
	if n := len(z.outside); n > 0 {
		o.report(o.show(""), fmt.Errorf("the zip has an entry whose path leads out of it: %s (%d of %d entries)", text.Quote(z.outside[0]), n, entries),
			"such entries are never read; ask who made the zip")
	}
	if len(z.twice) > 0 {
		o.report(o.show(""), fmt.Errorf("the zip has two entries named %s", text.Quote(z.twice[0])), "ask who made the zip")
	}
	return len(z.twice) == 0
}

// leadsOut reports whether a name is absolute, or has a step upwards.
func leadsOut(name string) bool {
	name = strings.ReplaceAll(name, `\`, "/")
	return path.IsAbs(name) || len(name) > 1 && name[1] == ':' || slices.Contains(strings.Split(name, "/"), "..")
}
