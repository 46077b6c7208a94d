//go:build darwin || freebsd || linux || netbsd

package files

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// keepAttributes gives a file exactly the extended attributes of another, including ACLs.
func keepAttributes(to, from *os.File) error {
	want, err := attributes(from)
	if err != nil {
		return err
	}
	have, err := attributes(to)
	if err != nil {
		return err
	}
	for name, value := range want {
		if old, ok := have[name]; ok && bytes.Equal(old, value) {
			continue
		}
		if err := unix.Fsetxattr(int(to.Fd()), name, value, 0); err != nil {
			return fmt.Errorf("its attribute %s cannot be kept: %w", name, err)
		}
	}
	for name := range have {
		// Security attributes of the system come with the file and cannot be removed.
		if _, ok := want[name]; ok || strings.HasPrefix(name, "security.") {
			continue
		}
		if err := unix.Fremovexattr(int(to.Fd()), name); err != nil {
			return fmt.Errorf("an attribute %s would be added: %w", name, err)
		}
	}
	return nil
}

// attributes returns the extended attributes of a file.
func attributes(f *os.File) (map[string][]byte, error) {
	list, err := sized(func(buf []byte) (int, error) { return unix.Flistxattr(int(f.Fd()), buf) })
	if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EPERM) {
		return nil, nil // the file system has none
	}
	if err != nil {
		return nil, fmt.Errorf("list its attributes: %w", err)
	}
	out := map[string][]byte{}
	for name := range strings.SplitSeq(string(list), "\x00") {
		if name == "" || name == "com.apple.provenance" { // the system's own note
			continue
		}
		value, err := sized(func(buf []byte) (int, error) { return unix.Fgetxattr(int(f.Fd()), name, buf) })
		if err != nil {
			return nil, fmt.Errorf("read its attribute %s: %w", name, err)
		}
		out[name] = value
	}
	return out, nil
}

// sized calls a function that needs a buffer. With an empty buffer the function returns
// the size that it needs.
func sized(read func([]byte) (int, error)) ([]byte, error) {
	for {
		n, err := read(nil)
		if err != nil || n == 0 {
			return nil, err
		}
		buf := make([]byte, n)
		n, err = read(buf)
		if errors.Is(err, unix.ERANGE) { // it has grown meanwhile
			continue
		}
		return buf[:max(n, 0)], err
	}
}
