package input

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/brennerlint/brennerlint/internal/files"
)

// walker turns the paths of the command line into files to look at. Files come in the order of
// the paths and, below a folder, of their names.
type walker struct {
	ctx  context.Context
	opts Options
	ex   excludes
	emit func(in *Input, err error) // receives each file; err says why a folder cannot be read

	roots  []root
	named  map[string]*Input // by their real paths, the files named or matched by a glob
	walked map[string]bool   // real paths of folders to walk; true once walked
	held   []*files.Dir      // stay open until Set.Close

	above        map[string]*ignores // what folders outside of the walks ignore
	ignoredFiles int                 // files and folders that .gitignore files leave out
	notices      []string
}

func newWalker(ctx context.Context, opts Options, emit func(*Input, error)) *walker {
	return &walker{
		ctx: ctx, opts: opts, ex: newExcludes(&opts), emit: emit,
		named: map[string]*Input{}, walked: map[string]bool{}, above: map[string]*ignores{},
	}
}

// walk is a walk through a folder and all below it. It begins at a real folder, and follows no
// link from there.
type walk struct {
	tree  *files.Dir
	base  string // the real path of tree
	shown string // tree as reports show it, with a slash at the end; "" for the working folder
	start string // the folder in tree where the walk begins, with a slash at the end; "" for tree
}

// newWalk returns the first folder of a walk.
func newWalk(name string) folder {
	shown := strings.TrimRight(name, "/") + "/"
	if shown == "./" {
		shown = ""
	}
	return folder{walk: &walk{tree: files.NewDir(name), base: realPath(name), shown: shown}}
}

// folder is a folder on a walk, or a file in one.
type folder struct {
	*walk
	name    string // its path in tree, "" for tree
	ignores *ignores
}

// child returns a file or folder in a folder.
func (f *folder) child(name string) folder {
	if f.name != "" {
		name = f.name + "/" + name
	}
	return folder{f.walk, name, f.ignores}
}

// path returns the path as shown.
func (f *folder) path() string {
	if f.name == "" {
		return cmp.Or(strings.TrimRight(f.shown, "/"), f.shown, ".")
	}
	return f.shown + f.name
}

// real returns the real path.
func (f *folder) real() string { return filepath.Join(f.base, f.name) }

// below returns the path from where the walk begins, "" for that folder itself.
func (f *folder) below() string { return f.name[min(len(f.start), len(f.name)):] }

// ref returns the reference to open it.
func (f *folder) ref() files.Ref { return files.Ref{Dir: f.tree, Name: cmp.Or(f.name, ".")} }

// maxPath bounds the paths of folders that are walked, in bytes. No system call accepts a
// longer one, but a walk, which descends one level at a time, could go on without end.
const maxPath = 4096

var errDeep = errors.New("its path is too long")

// list sends the files in a folder and below it that are not excluded; with a glob it adds what
// the glob matches to the roots instead.
func (w *walker) list(dir folder, g *glob) {
	if w.ctx.Err() != nil {
		return
	}
	here := dir.ref()
	entries, err := here.Dir.ReadDir(here.Name)
	dir.ignores = w.ignoresIn(dir, entries)
	if len(dir.path()) > maxPath {
		err = errDeep
	}
	switch {
	case err != nil && g != nil && errors.Is(err, fs.ErrNotExist):
		return
	case err != nil:
		w.emit(&Input{path: dir.path()}, err)
		if g != nil {
			g.found = true // files in it may match
		}
		return
	case g == nil:
		if share, whole := isBundle(here, entries); share && !w.leavesOut(dir) {
			w.emit(&Input{Kind: Bundle, Named: dir.below() == "", path: dir.path(), ref: here, walk: dir.walk}, nil)
			if whole {
				return
			}
		}
	}
	for _, e := range entries {
		name, link, sub := e.Name(), e.Type()&fs.ModeSymlink != 0, dir.child(e.Name())
		place := (e.IsDir() || link) && isMessagePlace(name, dir.real())
		switch {
		case link && !place:
			// its target is in the tree anyway, or outside of it
		case w.ex.match(e.IsDir(), sub.path(), sub.below()):
			g.leaves(sub.name, e.IsDir())
		case place:
			w.found(sub, g) // it cannot be read: the reader knows what the thread lacks (decisions.md 76)
		case dir.ignores != nil && dir.ignores.match(sub.real(), e.IsDir()):
			w.ignoredFiles++
			g.leaves(sub.name, e.IsDir())
		case e.IsDir() && name != ".git":
			if w.enters(sub, g) {
				w.list(sub, g)
			}
		case e.Type().IsRegular():
			w.found(sub, g)
		}
	}
}

// leavesOut reports whether all in a folder is excluded: it was entered because a ! may take back a part.
func (w *walker) leavesOut(dir folder) bool {
	name := path.Base(dir.name) // globs of names decide as for the folder itself
	for _, name := range []string{name, name + "/" + name} {
		if inside := dir.child(name); !w.ex.match(false, inside.path(), inside.below()) {
			return false
		}
	}
	return dir.below() != ""
}

// enters reports whether a walk goes on in a folder. A folder that is a root is walked once, and a
// whole folder that a glob matches becomes a root.
func (w *walker) enters(dir folder, g *glob) bool {
	if g == nil {
		real := dir.real()
		walked, root := w.walked[real]
		if root {
			w.walked[real] = true
		}
		return !walked
	}
	if !g.deep && g.matches(dir.name) {
		begun := *dir.walk
		begun.start = dir.name + "/"
		w.addFolder(folder{walk: &begun, name: dir.name})
	}
	return g.deep || strings.Count(dir.name, "/") < strings.Count(g.pattern, "/")
}

// found takes a file that a walk found.
func (w *walker) found(file folder, g *glob) {
	in := &Input{path: file.path(), ref: file.ref()}
	switch {
	case g != nil && g.matches(file.name):
		w.addFile(file.real(), in)
	case g == nil && (len(w.named) == 0 || w.named[file.real()] == nil):
		in.walk = file.walk
		w.emit(in, nil)
	}
}

// maxManifest is how much of a manifest is read to find its database, in bytes.
const maxManifest = 64 << 20

// isBundle reports whether a folder is that of a share: a manifest that names a database, and
// that database or its pieces (mail_formats.md section 3). Without these the manifest must be that
// of Agent Mail by more of its members.
func isBundle(dir files.Ref, entries []fs.DirEntry) (share, whole bool) {
	manifest, database := false, false
	for _, e := range entries {
		switch e.Name() {
		case "manifest.json":
			manifest = e.Type().IsRegular()
		case "mailbox.sqlite3", "mailbox.sqlite3.config.json", "chunks":
			database = true
		}
	}
	if !manifest {
		return false, false
	}
	f, _, err := dir.In("manifest.json").Open()
	if err != nil {
		return false, false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxManifest))
	has := func(member string) bool { return bytes.Contains(data, []byte(member)) }
	return err == nil && has(`"database"`) && (database || has(`"project_scope"`) && has(`"scrub"`)), database
}
