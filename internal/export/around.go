package export

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/text"
)

// Parts of an archive (decisions.md 75): if no walk went through all messages of an archive, it
// may have other messages of the threads that were found.

// noteAround notes the folder of the messages of a file's project, unless a walk went through it.
func (a *archive) noteAround(in *input.Input, place archivePlace) {
	if top := in.Walked(); place.messages == "" || in.InMemory() || top != "" && isWithin(top, place.messages) {
		return
	}
	a.around[place.messages] = place.root
	wd, err := filepath.Abs(".")
	if err != nil || path.IsAbs(in.Path()) {
		return
	}
	if rel, err := filepath.Rel(wd, filepath.FromSlash(place.root)); err == nil {
		a.around[place.messages] = filepath.ToSlash(rel)
	}
}

// isWithin reports whether a folder is top or below it.
func isWithin(top, folder string) bool {
	return folder == top || strings.HasPrefix(folder, strings.TrimSuffix(top, "/")+"/")
}

// lookAround finds the threads with messages that are not among the inputs.
func (s *Store) lookAround() {
	for _, a := range s.archives.byRoot {
		known := map[messageKey]bool{}      // the messages
		wanted := map[messageKey][]*entry{} // the entries of the threads
		for _, t := range s.threads {
			for _, e := range t.entries {
				if len(a.around) == 0 || e.export != &a.export {
					continue
				}
				known[messageKey{e.project, e.id}] = true
				if key := (messageKey{e.project, e.thread}); e.thread != "" {
					wanted[key] = append(wanted[key], e)
				}
			}
		}
		for dir, shown := range a.around {
			if ids := lookIn(dir, known, wanted); len(ids) > 0 {
				s.noteParts(ids, shown)
			}
		}
	}
	slices.Sort(s.notices)
}

// monthFolder is the folder of the messages of a month, below that of all.
var monthFolder = text.Pattern(`^(\.|\d{4}(/\d\d)?)$`)

// maxFront is how much is read of a message to find its thread, in bytes.
const maxFront = 256 << 10

// lookIn looks in a folder of messages for other messages of the wanted threads. It returns the
// ids of the threads that have some, and removes them from wanted.
func lookIn(dir string, known map[messageKey]bool, wanted map[messageKey][]*entry) (ids []string) {
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
		m := messageKey{placeOf(dir + "/x").project, idOfName(name)}
		if m.id != "" && known[m] {
			return nil
		}
		inThread := ""
		if f, _, err := (files.Ref{Dir: folder, Name: name}).Open(); err == nil {
			data, err := io.ReadAll(io.LimitReader(f, maxFront))
			f.Close()
			if err == nil {
				front, _, _ := parseMessageFile(name, data).index()
				inThread, m = front.thread, messageKey{cmp.Or(front.project, m.project), cmp.Or(m.id, front.id)}
			}
		}
		thread := messageKey{m.project, cmp.Or(inThread, m.id)} // replies to a message without one have its id as theirs
		if entries := wanted[thread]; entries != nil && !known[m] {
			delete(wanted, thread)
			ids = append(ids, thread.id)
			for _, e := range entries {
				e.part = true
			}
		}
		if len(wanted) == 0 {
			return fs.SkipAll
		}
		return nil
	})
	return ids
}

// noteParts notes that only parts of threads were checked, and where the rest is.
func (s *Store) noteParts(ids []string, folder string) {
	slices.Sort(ids)
	what := "thread " + ids[0] + " has"
	if n := len(ids); n > 1 {
		what = text.Count(n, "thread", "threads") + " have"
	}
	s.notices = append(s.notices, fmt.Sprintf("%s messages that were not named, so the rules about whole threads were skipped: check the folder %s", what, folder))
}
