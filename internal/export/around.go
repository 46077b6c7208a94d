package export

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/text"
)

// Parts of an archive (decisions.md 75): if its messages were not found by a walk of all of them,
// the archive around them may have other messages of the same threads.

// noteAround notes the folder of the messages of a file's project, unless a walk went through it.
func (a *archive) noteAround(in *input.Input) {
	root, messages := archiveAround(in.Abs())
	if top := in.Walked(); messages == "" || in.InMemory() || top != "" && (top == messages || strings.HasPrefix(messages, strings.TrimSuffix(top, "/")+"/")) {
		return
	}
	a.around[messages] = root
	wd, err := filepath.Abs(".")
	if err != nil || path.IsAbs(in.Path()) {
		return
	}
	if rel, err := filepath.Rel(wd, filepath.FromSlash(root)); err == nil {
		a.around[messages] = filepath.ToSlash(rel)
	}
}

// archiveAround returns the folder of the archive that a file is in, and that of the messages of
// its project; "" if it is in none.
func archiveAround(abs string) (root, messages string) {
	parts := strings.Split(abs, "/")
	for i := len(parts) - 2; i > 0; i-- {
		if !isArchiveFolder(parts[i]) {
			continue
		}
		project := parts[:i]
		if n := len(project); n > 2 && project[n-2] == "projects" {
			parts = project[:n-2]
		} else {
			parts = project
		}
		return strings.Join(parts, "/"), strings.Join(project, "/") + "/messages"
	}
	return "", ""
}

// isPart reports whether an archive has other messages of the thread of its messages.
func (e *entry) isPart() bool {
	a, ok := e.export.loader.(*archive)
	return ok && a.parts[messageKey{e.project, e.thread}]
}

// lookAround finds the threads of which only a part are inputs.
func (s *Store) lookAround() {
	for _, a := range s.archives.byRoot {
		a.parts = map[messageKey]bool{}
		known := map[messageKey]bool{}  // the messages
		wanted := map[messageKey]bool{} // the threads
		for _, t := range s.threads {
			for _, e := range t.entries {
				if len(a.around) > 0 && e.export == &a.export {
					known[messageKey{e.project, e.id}], wanted[messageKey{e.project, e.thread}] = true, e.thread != ""
				}
			}
		}
		for dir, shown := range a.around {
			if ids := a.lookIn(dir, known, wanted); len(ids) > 0 {
				s.noteParts(ids, shown)
			}
		}
	}
	slices.Sort(s.notices)
}

// monthFolder is the folder of the messages of a month, below that of all.
var monthFolder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\.|\d{4}(/\d\d)?)$`) })

// maxFront is how much is read of a message to find its thread, in bytes.
const maxFront = 256 << 10

// lookIn looks in a folder of messages for other ones of the threads that are wanted. It returns the
// ids of the threads that have some, and strikes them off.
func (a *archive) lookIn(dir string, known, wanted map[messageKey]bool) (ids []string) {
	folder := files.NewDir(dir)
	folder.Hold()
	defer folder.Release()
	_ = fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error { // what cannot be listed is not looked at
		switch {
		case err != nil || e.IsDir() && !monthFolder().MatchString(name):
			return fs.SkipDir
		case !e.Type().IsRegular() || !strings.HasSuffix(name, ".md"):
			return nil
		}
		m := entry{project: projectOf(dir + "/x"), id: idOfName(name)}
		if m.id != "" && known[messageKey{m.project, m.id}] {
			return nil
		}
		if f, _, err := (files.Ref{Dir: folder, Name: name}).Open(); err == nil {
			data, err := io.ReadAll(io.LimitReader(f, maxFront))
			f.Close()
			if err == nil {
				front, _, _ := parseMessageFile(name, data).index()
				m.thread, m.project, m.id = front.thread, cmp.Or(front.project, m.project), cmp.Or(m.id, front.id)
			}
		}
		thread := messageKey{m.project, cmp.Or(m.thread, m.id)} // replies to a message without one have its id as theirs
		if wanted[thread] && !known[messageKey{m.project, m.id}] {
			delete(wanted, thread)
			a.parts[thread] = true
			ids = append(ids, thread.id)
		}
		if len(wanted) == 0 {
			return fs.SkipAll
		}
		return nil
	})
	return ids
}

// noteParts notes that threads were judged as parts, and where the whole is.
func (s *Store) noteParts(ids []string, folder string) {
	slices.Sort(ids)
	what := "thread " + ids[0] + " has"
	if n := len(ids); n > 1 {
		what = text.Count(n, "thread", "threads") + " have"
	}
	s.notices = append(s.notices, fmt.Sprintf("%s messages that were not named, so the rules about whole threads were skipped: check the folder %s", what, folder))
}
