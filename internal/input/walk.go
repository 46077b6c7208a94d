package input

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/gitignore"
)

// walker turns the paths of the command line into files to look at. Files come in the order of
// the paths and, below a folder, of their names.
type walker struct {
	ctx  context.Context
	opts Options
	ex   excludes
	emit func(in *Input, err error) // receives each file; err says why a folder cannot be read

	roots []*root
	known map[string]*root // the roots by their real paths
	held  []*files.Dir     // stay open until Set.Close

	above        map[string]*gitignore.Patterns // what folders outside of the walks ignore
	ignoredFiles int                            // files and folders that .gitignore files leave out
	notices      []string
}

func newWalker(ctx context.Context, opts Options, emit func(*Input, error)) *walker {
	return &walker{ctx: ctx, opts: opts, ex: newExcludes(&opts), emit: emit, known: map[string]*root{}, above: map[string]*gitignore.Patterns{}}
}

// walk is a walk through a folder and all below it. It begins at a real folder, and follows no
// link from there.
type walk struct {
	tree  *files.Dir
	base  string // the real path of tree
	shown string // tree as reports show it, with a slash at the end; "" for the working folder
	start string // the folder in tree where the walk begins, with a slash at the end; "" for tree
	holes bool   // messages of an archive are left out, or a folder of them
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
	ignores *gitignore.Patterns
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

// walk emits the files in a folder and below it that are not left out. Those that are roots come in
// their own turn.
func (w *walker) walk(dir folder) {
	entries, err := w.read(&dir)
	if err != nil {
		w.emit(&Input{path: dir.path()}, err)
		return
	}
	if share, whole := isBundle(dir.ref(), entries); share && !w.leavesOut(dir) {
		w.emit(&Input{Kind: Bundle, Named: dir.below() == "", path: dir.path(), ref: dir.ref(), walk: dir.walk}, nil)
		if whole {
			return
		}
	}
	w.filter(dir, entries, nil, func(sub folder, isDir bool) {
		var r *root
		if len(w.roots) > 1 {
			r = w.known[sub.real()]
		}
		switch {
		case r != nil && (r.in != nil || r.walked):
		case isDir:
			if r != nil {
				r.walked = true
			}
			w.walk(sub)
		default:
			w.emit(&Input{path: sub.path(), ref: sub.ref(), walk: sub.walk}, nil)
		}
	})
}

// match adds what a glob matches to the roots: files, and whole folders without `**`.
func (w *walker) match(dir folder, g *glob) {
	entries, err := w.read(&dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			w.emit(&Input{path: dir.path()}, err)
			g.found = true // files in it may match
		}
		return
	}
	w.filter(dir, entries, g, func(sub folder, isDir bool) {
		switch {
		case isDir && g.deep || !g.matches(sub.name):
		case isDir:
			begun := *dir.walk
			begun.start = sub.name + "/"
			w.add(sub.real(), root{dir: folder{walk: &begun, name: sub.name}})
		default:
			w.add(sub.real(), root{in: &Input{path: sub.path(), ref: sub.ref()}})
		}
		if isDir && (g.deep || strings.Count(sub.name, "/") < strings.Count(g.pattern, "/")) {
			w.match(sub, g)
		}
	})
}

// read lists a folder, and finds what its .gitignore file says.
func (w *walker) read(dir *folder) ([]fs.DirEntry, error) {
	entries, err := dir.tree.ReadDir(dir.ref().Name)
	if w.opts.GitIgnore {
		if dir.below() == "" {
			dir.ignores = w.ignoresOf(filepath.Dir(dir.real()))
		}
		dir.ignores = w.ignoresAt(*dir, dir.ignores)
	}
	return entries, err
}

// filter calls visit for the files and folders in a folder that are not left out.
func (w *walker) filter(dir folder, entries []fs.DirEntry, g *glob, visit func(sub folder, isDir bool)) {
	for _, e := range entries {
		isDir, isLink, sub := e.IsDir(), e.Type()&fs.ModeSymlink != 0, dir.child(e.Name())
		isPlace := !e.Type().IsRegular() && isMessagePlace(e.Name(), dir.real())
		switch {
		case w.ctx.Err() != nil:
			return
		case isLink && !isPlace: // its target is in the tree anyway, or outside of it
		case w.ex.match(isDir, sub.path(), sub.below()):
			sub.leaveOut()
			g.leaves(sub.name, isDir)
		case isPlace:
			visit(sub, false) // it is no file: the reader knows what the thread lacks (decisions.md 76)
		case sub.isIgnored(isDir):
			w.ignoredFiles++
			sub.leaveOut()
			g.leaves(sub.name, isDir)
		case isDir && e.Name() != ".git", e.Type().IsRegular():
			visit(sub, isDir)
		}
	}
}

// leaveOut notes that a file or folder is left out.
func (f *folder) leaveOut() {
	f.holes = f.holes || strings.Contains(filepath.ToSlash(f.real())+"/", "/messages/")
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
	data, _, err := dir.In("manifest.json").First(maxManifest)
	has := func(member string) bool { return bytes.Contains(data, []byte(member)) }
	return err == nil && has(`"database"`) && (database || has(`"project_scope"`) && has(`"scrub"`)), database
}
