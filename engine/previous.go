package engine

import (
	"context"
	"runtime"
	"slices"

	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/lint"
)

// Previous keeps what one mailbox knows for the next one: the index of a live database, and the
// findings of its threads. If messages were only added to the database, the next mailbox reads
// these and checks their threads. After any other change of the mail it reads and checks
// everything. Artifact files are always checked.
//
// The mailboxes are of the same paths, with the same rules and options, one after the other:
// each is closed before the next is opened. The zero Previous is ready for use.
type Previous struct {
	path    string        // of the database
	store   *export.Store // nil if the next mailbox cannot use it
	threads map[export.ThreadKey]*keptThread
}

// keptThread is what a check found in a thread, as long as no message is added to it.
type keptThread struct {
	findings []lint.Finding
	session  *session.Session // its summary; perhaps nil
}

// Open opens the next mailbox.
func (p *Previous) Open(ctx context.Context, rules lint.Catalogue, opts Options, paths ...string) (*Mailbox, error) {
	b, err := open(ctx, rules, opts, p, paths)
	if err != nil {
		p.Close() // some mail may not be indexed
	}
	return b, err
}

// Close closes the database, and forgets all.
func (p *Previous) Close() {
	if p.store != nil {
		p.store.Close()
	}
	*p = Previous{}
}

// begin begins to index databases; with allMail, the only database is all mail of a mailbox. It
// reports whether that is indexed already.
func (p *Previous) begin(b *Mailbox, databases []*input.Input, allMail bool) bool {
	live := allMail && !databases[0].InMemory()
	if live && p.store != nil && p.path == databases[0].Path() && p.store.Grow() {
		b.mail.store.Close()
		b.mail.store = p.store
		return true
	}
	p.Close()
	if live {
		p.path, p.store = databases[0].Path(), b.mail.store
	}
	return false
}

// keeps reports whether the next mailbox may use an index. A file that is open cannot be replaced
// on Windows.
func (p *Previous) keeps(store *export.Store) bool {
	if runtime.GOOS == "windows" {
		p.Close()
	}
	return p.store == store
}

// keep keeps what is known of threads.
func (p *Previous) keep(infos []export.ThreadInfo, results []*result) {
	p.threads = make(map[export.ThreadKey]*keptThread, len(infos))
	for i, r := range results {
		if r != nil && r.kept != nil {
			p.threads[infos[i].Key()] = r.kept
		}
	}
}

// knownResult takes over what is known of a thread; nil if it must be checked.
func (c *check) knownResult(info export.ThreadInfo) *result {
	if c.previous == nil || len(c.in.artifacts.byThread[info.ID]) > 0 {
		return nil
	}
	known := c.previous.threads[info.Key()]
	if known == nil {
		return nil
	}
	for _, f := range known.findings {
		c.findings.add(&f)
	}
	out := &result{kept: known}
	if known.session != nil {
		summary := *known.session
		out.session = c.in.reopening(&summary, info, nil)
	}
	return out
}

// keep returns what Previous may keep of a thread that was checked; nil if a later check could find
// something else although no message is added.
func (t *threadCheck) keep(summary *session.Session) *keptThread {
	s := t.task
	others := len(s.failures) + len(s.notices) + len(s.findings.omitted) + s.findings.suppressed + s.findings.hidden + len(s.findings.alone) + len(t.reader.Facts.Faults)
	if t.index.previous == nil || t.asksOthers || others > 0 || len(t.index.artifacts.byThread[t.info.ID]) > 0 {
		return nil
	}
	out := &keptThread{session: summary}
	for _, f := range sortFindings(slices.Clone(s.findings.list)) {
		f.Fingerprint = fingerprint(identity(f), 0)
		out.findings = append(out.findings, *f)
	}
	return out
}
