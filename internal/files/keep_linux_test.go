package files_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/must"
)

// replaced replaces a file and returns its information afterwards.
func replaced(t *testing.T, name string) *syscall.Stat_t {
	t.Helper()
	must.OK(t, files.Replace(files.Named(name), []byte("old"), []byte("new")))
	info, err := os.Stat(name)
	if err != nil || read(t, name) != "new" {
		t.Fatalf("%q: %v", read(t, name), err)
	}
	return info.Sys().(*syscall.Stat_t)
}

func TestReplaceKeepsMode(t *testing.T) {
	for _, mode := range []os.FileMode{0o600, 0o640, 0o666, 0o777, 0o755 | os.ModeSetuid, 0o2750&0o777 | os.ModeSetgid} {
		name := filepath.Join(tree(t, "a.md", "old"), "a.md")
		must.OK(t, os.Chmod(name, mode))
		replaced(t, name)
		if info, err := os.Stat(name); err != nil || info.Mode() != mode {
			t.Errorf("%v became %v: %v", mode, info.Mode(), err)
		}
	}
}

// TestReplaceKeepsOwner needs a user who may change the owner of files.
func TestReplaceKeepsOwner(t *testing.T) {
	name := filepath.Join(tree(t, "a.md", "old"), "a.md")
	if err := os.Chown(name, 12345, 23456); err != nil {
		t.Skip(err)
	}
	if st := replaced(t, name); st.Uid != 12345 || st.Gid != 23456 {
		t.Errorf("owner %d, group %d", st.Uid, st.Gid)
	}
}

func TestReplaceKeepsAttributes(t *testing.T) {
	name := filepath.Join(tree(t, "a.md", "old"), "a.md")
	// The ACL lets one more user read: version 2, owner rw, user 12345 r,
	// group r, mask r, others nothing.
	acl := "\x02\x00\x00\x00" +
		"\x01\x00\x06\x00\xff\xff\xff\xff" + "\x02\x00\x04\x00\x39\x30\x00\x00" +
		"\x04\x00\x04\x00\xff\xff\xff\xff" + "\x10\x00\x04\x00\xff\xff\xff\xff" + "\x20\x00\x00\x00\xff\xff\xff\xff"
	want := map[string]string{"user.note": "keep me", "user.empty": "", "system.posix_acl_access": acl}
	for attr, value := range want {
		if err := unix.Setxattr(name, attr, []byte(value), 0); err != nil {
			t.Skip(attr, err)
		}
	}
	replaced(t, name)
	for attr, value := range want {
		buf := make([]byte, 100)
		if n, err := unix.Getxattr(name, attr, buf); err != nil || string(buf[:max(n, 0)]) != value {
			t.Errorf("%s: %q, %v", attr, buf[:max(n, 0)], err)
		}
	}
}

// TestReplaceAddsNoAttributes checks that a folder's default ACL for new files gives no
// user access to an old one.
func TestReplaceAddsNoAttributes(t *testing.T) {
	dir := tree(t, "a.md", "old")
	acl := "\x02\x00\x00\x00" +
		"\x01\x00\x07\x00\xff\xff\xff\xff" + "\x02\x00\x07\x00\x39\x30\x00\x00" +
		"\x04\x00\x05\x00\xff\xff\xff\xff" + "\x10\x00\x07\x00\xff\xff\xff\xff" + "\x20\x00\x05\x00\xff\xff\xff\xff"
	if err := unix.Setxattr(dir, "system.posix_acl_default", []byte(acl), 0); err != nil {
		t.Skip(err)
	}
	name := filepath.Join(dir, "a.md")
	replaced(t, name)
	if n, err := unix.Getxattr(name, "system.posix_acl_access", nil); err == nil {
		t.Errorf("an access list of %d bytes was added", n)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("mode %v: %v", info.Mode(), err)
	}
}

// TestReplaceRefusesReadOnly needs a user who cannot write to all files.
func TestReplaceRefusesReadOnly(t *testing.T) {
	name := filepath.Join(tree(t, "a.md", "old"), "a.md")
	must.OK(t, os.Chmod(name, 0o444))
	if f, err := os.OpenFile(name, os.O_RDWR, 0); err == nil {
		f.Close()
		t.Skip("this user writes every file")
	}
	if err := files.Replace(files.Named(name), []byte("old"), []byte("new")); !os.IsPermission(err) || read(t, name) != "old" {
		t.Errorf("error %v", err)
	}
}
