package lsp

import (
	"regexp"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/engine"
)

// maxThreads bounds the thread ids that are offered.
const maxThreads = 1000

// threadIDs returns the threads of the workspace.
func threadIDs(c *cursor) []word {
	var threads []engine.ThreadInfo
	err := c.server.withMailbox(c.ctx, c.server.workspace.recently(), func(b *mailbox) (err error) {
		threads, err = b.Threads(c.ctx)
		return err
	})
	if err != nil {
		return nil
	}
	var out []word
	for _, t := range threads { // by id
		twice := len(out) > 0 && out[len(out)-1].text == t.Thread
		if t.Thread != "" && !twice && len(out) < maxThreads && strings.HasPrefix(t.Thread, c.groups[1]) {
			out = append(out, word{t.Thread, t.Project, moduleItem})
		}
	}
	return out
}

// sessionIDs returns the threads, in the front matter of an artifact.
func sessionIDs(c *cursor) []word {
	if c.model == nil || c.model.Meta == nil || c.offset > c.model.Meta.Span.End {
		return nil
	}
	return threadIDs(c)
}

var (
	threadMember = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"thread_id"\s*:\s*"([^"\\]*)"`) })
	headerThread = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?i)thread(?:[-_ ]?id)?[ \t]*:[ \t]*(\S+)$`) })
)

// headerThreadIDs returns the threads, in the header of a draft in Markdown.
func headerThreadIDs(c *cursor) []word {
	if line := c.snap.position(c.offset).Line; line >= len(c.snap.header()) {
		return nil
	}
	return threadIDs(c)
}

// threadID returns the thread that a draft or a thread in JSON names, "" if none.
func (s *snapshot) threadID() string {
	for _, line := range s.header() {
		if m := headerThread().FindStringSubmatch(line); m != nil {
			return m[1]
		}
	}
	if m := threadMember().FindSubmatch(s.text[:min(len(s.text), maxThreadSearch)]); m != nil {
		return string(m[1])
	}
	return ""
}

// stateOfThread returns what the deltas of the document's thread give; nil if the workspace
// has no mail of it.
func (c *cursor) stateOfThread() (st *state.State) {
	if err := c.server.inThread(c.ctx, c.snap, func(t *mailThread) error { st = t.State(); return nil }); err != nil {
		return nil
	}
	return st
}

// maxThreadSearch is how many bytes are searched for the thread id of a document.
const maxThreadSearch = 1 << 20

// targets returns the items of the thread in the section of the delta.
func targets(c *cursor) []word {
	section, _ := c.deltaSection()
	return itemWords(c.stateOfThread(), func(id brenner.ItemID) bool { return id.Section == section || section == 0 })
}

// itemWords returns the items of a state that are wanted.
func itemWords(st *state.State, wanted func(brenner.ItemID) bool) []word {
	if st == nil {
		return nil
	}
	var out []word
	for _, section := range brenner.Sections {
		for _, it := range st.Items(section) {
			if !wanted(it.ID) {
				continue
			}
			detail := state.OneLine(it.Fields()["name"])
			if it.Killed != nil {
				detail += " (killed)"
			}
			out = append(out, word{it.ID.String(), detail, referenceItem})
		}
	}
	return out
}
