package export

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// Messages of an archive that cannot be read (decisions.md 76). The name of the file tells when
// each was sent, and its id; what can be read of the front matter, another copy or the name tells
// the thread. What was sent after it in the thread is not compared.

// addLost puts a message that cannot be read into the index, with what is known of it.
func (f archiveFolder) addLost(hash uint64, in *input.Input, e *rawEntry, at source.Place) {
	name := path.Base(in.Path())
	e.lost, e.copy = true, f.copy
	if e.id == "" {
		e.id = idOfName(name)
	}
	if e.project == "" {
		e.project = projectOf(in.Abs())
	}
	if !e.hasTime {
		e.time, e.hasTime = timeOfName(name)
	}
	f.all.mu.Lock()
	defer f.all.mu.Unlock()
	f.faults[int64(len(f.messages))] = at
	f.addFile(hash, in, e)
}

// timeOfName returns the time at the beginning of a message file's name.
func timeOfName(name string) (time.Time, bool) {
	stamp, _, _ := strings.Cut(name, "__")
	t, err := time.Parse("2006-01-02T15-04-05Z", stamp)
	return t, err == nil
}

// projectOf returns the slug of the project whose folder of an archive a file is in, or "".
func projectOf(abs string) string {
	parts := strings.Split(abs, "/")
	for i := len(parts) - 3; i >= 0; i-- {
		if parts[i] == "projects" && isArchiveFolder(parts[i+2]) {
			return parts[i+1]
		}
	}
	return ""
}

// placeLost finds the threads of messages that cannot be read.
func (s *Store) placeLost() {
	lost := map[messageKey][]*indexEntry{}
	for i := range s.entries {
		if e := &s.entries[i]; e.lost && s.origin(e).thread == "" {
			key := messageKey{s.origin(e).project, s.id(e)}
			lost[key] = append(lost[key], e)
		}
	}
	if len(lost) == 0 {
		return
	}
	for i := range s.entries {
		e := &s.entries[i]
		for _, o := range lost[messageKey{s.origin(e).project, s.id(e)}] {
			if e.id != noID && !e.lost && sameSecond(o, e) {
				s.moveTo(o, s.origin(e).thread)
			}
		}
	}
	began := s.threadsBegan()
	for _, entries := range lost {
		for _, e := range entries {
			if from := s.origin(e); from.thread == "" {
				s.moveTo(e, threadOfName(path.Base(s.fileOf(e)), began[from.project], e))
			}
		}
	}
}

// threadsBegan returns when each thread of the protocol began, by project and id.
func (s *Store) threadsBegan() map[string]map[string]int64 {
	began := map[string]map[string]int64{}
	for i := range s.entries {
		e := &s.entries[i]
		from := s.origin(e)
		kind, _ := brenner.ClassifyThreadID(from.thread)
		if from.thread == "" || e.lost || kind == brenner.EngineeringThread && !e.typed {
			continue
		}
		if began[from.project] == nil {
			began[from.project] = map[string]int64{}
		}
		if first, known := began[from.project][from.thread]; !known || e.sec < first {
			began[from.project][from.thread] = e.sec
		}
	}
	return began
}

// moveTo puts an entry into a thread.
func (s *Store) moveTo(e *indexEntry, thread string) {
	if from := *s.origin(e); thread != "" {
		e.origin = s.numberOf(origin{from.export, from.project, from.row, thread})
	}
}

// fileOf returns the path of the file of a message of an archive.
func (s *Store) fileOf(e *indexEntry) string {
	if a, ok := s.origin(e).export.loader.(*archive); ok {
		return a.messages[e.ref].Path()
	}
	return s.origin(e).export.info.Path
}

// threadOfName returns the thread that a message which cannot be read belongs to, "" if that cannot
// be told: the longest id that the name of its file contains, in lower case as all of it is, else
// the only thread that had begun.
func threadOfName(name string, began map[string]int64, e *indexEntry) string {
	best, only, possible := "", "", 0
	for id, first := range began {
		if len(id) > len(best) && hasWord(name, strings.ToLower(id)) {
			best = id
		}
		if !e.hasTime || first <= e.sec {
			only = id
			possible++
		}
	}
	if best == "" && possible == 1 {
		return only
	}
	return best
}

// hasWord reports whether a name contains a thread id, not as a part of a longer word.
func hasWord(name, id string) bool {
	at := strings.Index(name, id)
	if at < 0 {
		return false
	}
	end := at + len(id)
	return (at == 0 || !isWord(name[at-1])) && (end == len(name) || !isWord(name[end]) || strings.HasPrefix(name[end:], "__"))
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_'
}

// gapOf returns when the first message of a thread was sent of which no copy can be read, the zero
// time if that is unknown; nil if there is none.
func gapOf(entries []indexEntry, groups []copyGroup) *time.Time {
	var gap *time.Time
	for _, r := range groups {
		e := &entries[r.lo]
		if !e.lost {
			continue
		}
		var at time.Time
		if e.hasTime {
			at = time.Unix(e.sec, int64(e.nsec)).UTC()
		}
		if gap == nil || at.Before(*gap) {
			gap = &at
		}
	}
	return gap
}

// reportCopy reports that a message was read from a copy, because the canonical one cannot be.
func (l *threadLoader) reportCopy(r copyGroup, m *mail.Message) {
	canonicals := slices.DeleteFunc(slices.Clone(l.entries[r.lo:r.hi]), func(e indexEntry) bool { return e.copy != canonical })
	if len(canonicals) == 0 || slices.ContainsFunc(canonicals, func(e indexEntry) bool { return !e.lost }) {
		return
	}
	e := &canonicals[0]
	a := l.store.origin(e).export.loader.(*archive)
	l.facts.Mismatches = append(l.facts.Mismatches, mail.CopyMismatch{
		Kind: mail.CopyReadAlone, MessageID: m.ID,
		Here:  mail.CopyText{Path: a.messages[e.ref].Path(), At: a.faults[e.ref]},
		There: mail.CopyText{Path: pathOf(m), At: m.Header},
	})
}

// noteLost notes the messages that cannot be read and are in none of the threads that are listed.
func (s *Store) noteLost() {
	var paths []string
	for i := range s.entries {
		e := &s.entries[i]
		if e.lost && s.origin(e).thread == "" && (i == 0 || !s.sameMessage(&s.entries[i-1], e)) {
			paths = append(paths, s.fileOf(e))
		}
	}
	if len(paths) > 0 {
		slices.Sort(paths)
		s.notices = append(s.notices, fmt.Sprintf("%s cannot be read, nor is the thread known: what follows from the absence may be blamed on others",
			text.And(paths)))
	}
}
