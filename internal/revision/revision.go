// Package revision reads the files that a git commit has. It runs the git program.
//
// It uses only git commands that read. They start no hook, filter or pager that
// the repository configures, and fetch nothing.
package revision

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Revision is a commit: the names of its files, and where git stores their contents.
type Revision struct {
	commit string
	dir    string            // the folder of Open: git runs there, because $GIT_DIR may be relative to it
	root   string            // the top folder of the repository, without symbolic links
	prefix string            // the path from root to the folder of Open, "" or ending in /
	blobs  map[string]string // the git object of each file, by the path from root
	known  map[string]string // what Name has returned
}

var objectID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{40,64}$`) })

// Open finds the commit that rev names, such as main or HEAD~1, and lists its files. dir is a
// folder of the repository.
func Open(ctx context.Context, dir, rev string) (*Revision, error) {
	name := rev
	if strings.HasPrefix(rev, ":/") { // ^{commit} would be a part of the text that it looks for
		out, _ := git(ctx, dir, "rev-parse", "--verify", "--quiet", "--end-of-options", rev)
		lines := strings.Fields(string(out))
		name = strings.Join(lines[max(0, len(lines)-1):], "")
	}
	out, err := git(ctx, dir, "rev-parse", "--show-toplevel", "--show-prefix", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") // an older git repeats --end-of-options
	commit := lines[len(lines)-1]
	if err != nil || len(lines) < 3 || !objectID().MatchString(commit) {
		return nil, noCommit(ctx, dir, rev)
	}
	root, prefix := lines[0], lines[1]
	tree, err := git(ctx, dir, "ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		return nil, err
	}
	r := &Revision{commit: commit, dir: dir, root: filepath.FromSlash(root), prefix: prefix, blobs: map[string]string{}, known: map[string]string{}}
	for entry := range strings.SplitSeq(string(tree), "\x00") { // mode, type, id, a tab, path
		info, name, ok := strings.Cut(entry, "\t")
		words := strings.Fields(info)
		if ok && len(words) == 3 && strings.HasPrefix(words[0], "100") && objectID().MatchString(words[2]) && filepath.IsLocal(filepath.FromSlash(name)) {
			r.blobs[name] = words[2]
		}
	}
	return r, nil
}

// noCommit says why rev names no commit.
func noCommit(ctx context.Context, dir, rev string) error {
	if _, err := git(ctx, dir, "rev-parse", "--show-toplevel"); err != nil {
		return err
	}
	if shallow, err := git(ctx, dir, "rev-parse", "--is-shallow-repository"); err == nil && strings.TrimSpace(string(shallow)) == "true" {
		return fmt.Errorf("no git revision %q: the clone is shallow; fetch the revision (fetch-depth: 0 for actions/checkout)", rev)
	}
	return fmt.Errorf("no git revision %q", rev)
}

// Prefix returns the path of dir from the root of its repository, which ends in /. It is "" if dir
// is the root, or in no repository.
func Prefix(ctx context.Context, dir string) string {
	out, _ := git(ctx, dir, "rev-parse", "--show-prefix")
	return strings.TrimSuffix(string(out), "\n")
}

// DefaultBranch returns the main branch of the repository of dir: the one that the remote
// names, else main or master, else the one that is checked out. It is "" if dir is in no
// repository.
func DefaultBranch(ctx context.Context, dir string) string {
	if out, err := git(ctx, dir, "symbolic-ref", "--short", "refs/remotes/origin/HEAD"); err == nil {
		return strings.TrimPrefix(strings.TrimSpace(string(out)), "origin/")
	}
	for _, name := range []string{"main", "master"} {
		if _, err := git(ctx, dir, "show-ref", "--verify", "--quiet", "refs/heads/"+name); err == nil {
			return name
		}
	}
	out, _ := git(ctx, dir, "symbolic-ref", "--short", "HEAD")
	return strings.TrimSpace(string(out))
}

// git runs a git command in dir and returns what it prints.
func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	out, err := command(ctx, dir, args...).Output()
	said := ""
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		said = string(exit.Stderr)
	}
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, errors.New("there is no git program")
	case strings.Contains(said, "not a git repository"):
		return nil, errors.New("not in a git repository")
	case strings.Contains(said, "dubious ownership"): // in a container
		return nil, errors.New("the repository is another user's; git config --global --add safe.directory FOLDER lets git read it")
	case said != "":
		return nil, fmt.Errorf("git %s: %s (%w)", args[0], firstLine(said), err)
	case err != nil:
		return nil, fmt.Errorf("git %s: %w", args[0], err)
	}
	return out, nil
}

// firstLine returns the first line of the error of git, without warnings above it.
func firstLine(s string) string {
	s = s[max(strings.Index(s, "fatal: "), 0):]
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

func command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--no-pager", "-c", "core.fsmonitor=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0")
	return cmd
}

// Name returns the name that a path has in the commit: the path from the top folder of the
// repository. A relative path begins in the folder of Open. It is "" for a path outside the
// repository. Links are looked at once, because many findings are of one file: one goroutine may call it.
func (r *Revision) Name(p string) string {
	name, ok := r.known[p]
	if !ok {
		name = r.find(p)
		r.known[p] = name
	}
	return name
}

// find is Name without its memory.
func (r *Revision) find(p string) string {
	if !filepath.IsAbs(p) {
		if name := path.Join(r.prefix, filepath.ToSlash(p)); r.Has(name) {
			return name
		}
		p = filepath.Join(r.root, filepath.FromSlash(r.prefix), p) // it may lead out of the repository and back
	}
	if real, err := filepath.EvalSymlinks(p); err == nil {
		p = real
	}
	root, err := filepath.EvalSymlinks(r.root)
	if err != nil {
		return ""
	}
	name, err := filepath.Rel(root, p)
	if err != nil || !filepath.IsLocal(name) {
		return ""
	}
	return filepath.ToSlash(name)
}

// Has reports whether the commit has a file with this name.
func (r *Revision) Has(name string) bool { return r.blobs[name] != "" }

// Stored returns the names of the wanted files of the commit, and of those the ones whose contents a
// partial clone lacks.
func (r *Revision) Stored(ctx context.Context, wanted func(name string) bool) (stored, lacking []string, err error) {
	out, err := git(ctx, r.dir, "rev-list", "--objects", "--no-walk", "--missing=print", r.commit)
	if err != nil {
		return nil, nil, err
	}
	missing := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if id, ok := strings.CutPrefix(strings.TrimSpace(line), "?"); ok {
			missing[id] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.blobs)) {
		switch {
		case !wanted(name):
		case missing[r.blobs[name]]:
			lacking = append(lacking, name)
		default:
			stored = append(stored, name)
		}
	}
	return stored, lacking, nil
}

// Ignores reports whether the repository ignores a file or folder.
func (r *Revision) Ignores(ctx context.Context, name string) bool {
	_, err := git(ctx, r.dir, "check-ignore", "--quiet", "--", filepath.Join(r.root, filepath.FromSlash(name)))
	return err == nil
}

// Gone reports whether a file of the commit no longer exists.
func (r *Revision) Gone(name string) bool {
	_, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(name)))
	return errors.Is(err, os.ErrNotExist)
}

// Root returns the top folder of the repository.
func (r *Revision) Root() string { return r.root }

// Write writes files of the commit below a folder, with their names. It returns those whose names the
// file system refuses.
func (r *Revision) Write(ctx context.Context, names []string, folder string) (refused []string, _ error) {
	if len(names) == 0 {
		return nil, nil
	}
	to, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer to.Close()
	cmd := command(ctx, r.dir, "cat-file", "--batch")
	var ids, stderr bytes.Buffer
	for _, name := range names {
		ids.WriteString(r.blobs[name] + "\n")
	}
	cmd.Stdin, cmd.Stderr = &ids, &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	in := bufio.NewReaderSize(out, 64<<10)
	for _, name := range names {
		written, err := writeNext(to, name, in)
		if err != nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			if said := firstLine(stderr.String()); errors.Is(err, io.EOF) && said != "" {
				err = errors.New(said)
			}
			return nil, cmp.Or(ctx.Err(), fmt.Errorf("read %s of the revision: %w", name, err))
		}
		if !written {
			refused = append(refused, name)
		}
	}
	if err := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("git cat-file: %s (%w)", firstLine(stderr.String()), err)
	}
	return refused, nil
}

// writeNext writes the next file from the output of git cat-file: a line with its id, type and
// size, then its bytes and a line end.
func writeNext(to *os.Root, name string, in *bufio.Reader) (written bool, err error) {
	head, err := in.ReadString('\n')
	if err != nil {
		return false, err
	}
	words := strings.Fields(head)
	if len(words) != 3 || words[1] != "blob" {
		return false, fmt.Errorf("git says %q", strings.TrimSpace(head))
	}
	size, err := strconv.ParseInt(words[2], 10, 64)
	if err != nil {
		return false, err
	}
	name = filepath.FromSlash(name)
	f, err := to.Create(name)
	if errors.Is(err, os.ErrNotExist) && to.MkdirAll(filepath.Dir(name), 0o700) == nil {
		f, err = to.Create(name)
	}
	if err != nil {
		_, err = io.CopyN(io.Discard, in, size+1)
		return false, err
	}
	_, err = io.CopyN(f, in, size)
	if err := cmp.Or(err, f.Close()); err != nil {
		return false, err
	}
	_, err = in.Discard(1)
	return true, err
}
