package export

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/text"
)

// Messages of an archive that cannot be read (decisions.md 76). The name of the file has the
// time and the id. The thread is known from readable front matter, another copy or the name.
// Later messages of the thread are not compared.

// setLost notes that a message cannot be read, with its time and id from the name of the file.
func (e *entry) setLost(name, project string) {
	e.lost, e.id, e.project = true, cmp.Or(e.id, idOfName(name)), cmp.Or(e.project, project)
	if !e.hasTime {
		t, ok := timeOfName(name)
		e.time, e.hasTime = t.UnixMicro(), ok
	}
}

// timeOfName returns the time at the beginning of a message file's name.
func timeOfName(name string) (time.Time, bool) {
	stamp, _, _ := strings.Cut(name, "__")
	t, err := time.Parse("2006-01-02T15-04-05Z", stamp)
	return t, err == nil
}

// placeLost finds the threads of messages that cannot be read.
func (s *Store) placeLost() {
	lost := map[messageKey][]*entry{}
	for _, e := range s.entries {
		if e.lost && e.thread == "" {
			key := messageKey{e.project, e.id}
			lost[key] = append(lost[key], e)
		}
	}
	if len(lost) == 0 {
		return
	}
	began := map[string]map[string]int64{} // when each thread of the protocol began, by project and id
	for _, e := range s.entries {
		for _, o := range lost[messageKey{e.project, e.id}] {
			if e.id != "" && !e.lost && sameSecond(o, e) && e.thread != "" {
				o.join(e.thread)
			}
		}
		if e.thread == "" || e.lost || !isOfProtocol(e.thread) && !e.typed {
			continue
		}
		if began[e.project] == nil {
			began[e.project] = map[string]int64{}
		}
		if first, known := began[e.project][e.thread]; !known || e.second() < first {
			began[e.project][e.thread] = e.second()
		}
	}
	for _, entries := range lost {
		for _, e := range entries {
			if e.thread == "" {
				e.join(threadOfName(path.Base(e.in.Path()), began[e.project], e))
			}
		}
	}
}

// threadOfName returns the thread of a message that cannot be read: the one with the longest id
// in the name of its file (which is in lower case), else the only thread that had begun. It is
// "" if neither is known.
func threadOfName(name string, began map[string]int64, e *entry) string {
	best, only, possible := "", "", 0
	for id, first := range began {
		if len(id) > len(best) && hasWord(name, strings.ToLower(id)) {
			best = id
		}
		if !e.hasTime || first <= e.second() {
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

// gapOf returns the time of the first message of a thread without a readable copy, the zero time
// if it is unknown; nil if all messages can be read.
func gapOf(groups []copies) *time.Time {
	var gap *time.Time
	for _, g := range groups {
		if !g[0].lost {
			continue
		}
		var at time.Time
		if g[0].hasTime {
			at = time.UnixMicro(g[0].time).UTC()
		}
		if gap == nil || at.Before(*gap) {
			gap = &at
		}
	}
	return gap
}

// reportCopy reports that a message was read from a copy, because the canonical one cannot be.
func (r *ThreadReader) reportCopy(g copies, m *mail.Message) {
	var lost *entry
	for _, e := range g {
		switch {
		case e.copy != canonical:
		case !e.lost:
			return
		case lost == nil:
			lost = e
		}
	}
	if lost == nil {
		return
	}
	r.mismatch(mail.CopyMismatch{
		Kind: mail.CopyReadAlone, MessageID: m.ID,
		Here:  mail.CopyText{Path: lost.in.Path(), At: lost.export.loader.(*archive).faults[lost]},
		There: mail.CopyText{Path: pathOf(m), At: m.Header},
	})
}

// noteLost notes the messages that cannot be read and are in no listed thread.
func (s *Store) noteLost() {
	var paths []string
	for i, e := range s.entries {
		if e.lost && e.thread == "" && (i == 0 || !sameMessage(s.entries[i-1], e)) {
			paths = append(paths, e.in.Path())
		}
	}
	if len(paths) > 0 {
		slices.Sort(paths)
		s.notices = append(s.notices, fmt.Sprintf("%s cannot be read, nor is the thread known: what follows from the absence may be blamed on others",
			text.And(paths)))
	}
}
