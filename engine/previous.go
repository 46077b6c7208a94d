package engine

import (
	"runtime"
	"slices"

	"github.com/brennerlint/brennerlint/brenner/workspace"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/lint"
)

// Previous is what a check leaves for the next one: the index of a live database, and
// what was found in its threads. If nothing happened to the mail but that messages were
// added to the database, the next check reads these and checks their threads; otherwise it
// reads and checks everything. Artifact files are always checked.
//
// The checks are of the same paths, by the same rules and options, one after the other. Their
// reports share findings, which therefore must not be changed. The zero Previous is ready
// for use.
type Previous struct {
	path    string        // of the database
	store   *export.Store // nil if the next check cannot use it
	threads map[export.ThreadKey]*knownThread
}

// knownThread is what was found in a thread that depends on nothing else.
type knownThread struct {
	findings []*lint.Finding
	session  *workspace.Session
}

// Close closes the database, and forgets all.
func (p *Previous) Close() {
	if p.store != nil {
		p.store.Close()
	}
	*p = Previous{}
}

// begin begins to load inputs. It reports whether their mail is indexed already.
func (p *Previous) begin(in *inputs, found []*input.Input) bool {
	mail := slices.DeleteFunc(slices.Clone(found), func(f *input.Input) bool { return !f.Kind.IsMail() })
	live := len(mail) == 1 && mail[0].Kind == input.SQLite && !mail[0].InMemory()
	if live && p.store != nil && p.path == mail[0].Path() && p.store.Grow() {
		in.store = p.store
		return true
	}
	p.Close()
	if live {
		p.path, p.store = mail[0].Path(), in.store
	}
	return false
}

// end ends a check.
func (p *Previous) end() {
	if runtime.GOOS == "windows" { // a file that is open cannot be replaced
		p.Close()
	}
}

// keep keeps what is known of threads.
func (p *Previous) keep(infos []export.ThreadInfo, known []*knownThread) {
	p.threads = make(map[export.ThreadKey]*knownThread, len(infos))
	for i, k := range known {
		if k != nil {
			p.threads[infos[i].Key()] = k
		}
	}
}

// known returns what is known of a thread; nil if it must be checked.
func (c *check) known(info *export.ThreadInfo) *knownThread {
	if c.in.previous == nil || len(c.in.byThread[info.ID]) > 0 {
		return nil
	}
	return c.in.previous.threads[info.Key()]
}

// asKnown returns what a check of a thread has found, if a later check would find the same as
// long as no message is added to the thread; else nil.
func (t *threadCheck) asKnown(r *threadResult) *knownThread {
	s := t.collector
	if t.asksOthers || len(t.check.in.byThread[t.info.ID]) > 0 || r.unreadable || r.agents != nil || len(r.failures)+len(s.found.omitted)+s.suppressed > 0 || !s.hasFindingsOnly() {
		return nil
	}
	k := &knownThread{findings: sortFindings(slices.Clone(s.found.list))}
	if r.session != nil {
		session := *r.session
		session.Open = nil // it holds on to this check
		k.session = &session
	}
	return k
}

// reuseThread takes over what is known of a thread.
func (c *check) reuseThread(k *knownThread, info *export.ThreadInfo) *workspace.Session {
	for _, f := range k.findings {
		c.found.add(f)
	}
	if k.session == nil {
		return nil
	}
	session := *k.session
	c.reopenThread(&session, info)
	return &session
}
