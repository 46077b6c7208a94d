package export

import (
	"fmt"
	"io"
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
		if len(a.around) > 0 {
			s.lookAroundOf(a)
		}
	}
	slices.Sort(s.notices)
}

func (s *Store) lookAroundOf(a *archive) {
	a.parts = map[messageKey]bool{}
	known := map[messageKey]bool{}  // the messages
	wanted := map[messageKey]bool{} // the threads
	for _, t := range s.threads {
		for _, e := range t.entries {
			if e.export == &a.export {
				known[messageKey{e.project, e.id}], wanted[messageKey{e.project, e.thread}] = true, e.thread != ""
			}
		}
	}
	for dir, shown := range a.around {
		var ids []string
		folder := files.NewDir(dir)
		folder.Hold()
		eachMessageFile(files.Ref{Dir: folder, Name: "."}, func(name string, read func() ([]byte, error)) bool {
			e := entry{project: projectOf(dir + "/x"), id: idOfName(name)}
			if e.id != "" && known[messageKey{e.project, e.id}] {
				return true
			}
			if data, err := read(); err == nil {
				front, _, _ := parseMessageFile(name, data).index()
				e.thread = front.thread
				if front.project != "" {
					e.project = front.project
				}
				if e.id == "" {
					e.id = front.id
				}
			}
			thread := messageKey{e.project, e.thread}
			if e.thread == "" {
				thread.id = e.id // the replies to it are a thread of this name
			}
			if wanted[thread] && !known[messageKey{e.project, e.id}] {
				delete(wanted, thread)
				a.parts[thread] = true
				ids = append(ids, thread.id)
			}
			return len(wanted) > 0
		})
		folder.Release()
		if len(ids) > 0 {
			s.noteParts(ids, shown)
		}
	}
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

// monthFolder is the folder of the messages of a month, below that of all.
var monthFolder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d{4}(/\d\d)?$`) })

// maxFront is how much is read of a message to find its thread, in bytes.
const maxFront = 256 << 10

// eachMessageFile calls visit with the message files at and below a folder, until it returns
// false; then it does so, too.
func eachMessageFile(folder files.Ref, visit func(name string, read func() ([]byte, error)) bool) bool {
	entries, _ := folder.Dir.ReadDir(folder.Name) // what cannot be listed is not looked at
	for _, e := range entries {
		file := folder.In(e.Name())
		read := func() ([]byte, error) {
			f, _, err := file.Open()
			if err != nil {
				return nil, err
			}
			defer f.Close()
			return io.ReadAll(io.LimitReader(f, maxFront))
		}
		switch {
		case e.IsDir() && monthFolder().MatchString(file.Name):
			if !eachMessageFile(file, visit) {
				return false
			}
		case e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".md"):
			if !visit(e.Name(), read) {
				return false
			}
		}
	}
	return true
}
