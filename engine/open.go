// Package engine checks mail and artifacts by rules.
//
// [Open] finds the inputs at some paths, recognises them and indexes the mail. The [Mailbox]
// that it returns answers any number of questions: [Mailbox.Check] runs the rules and returns a
// report (severities set, suppressed and baselined findings left out, sorted),
// [Mailbox.CheckDraft] checks a message before it is sent, [Mailbox.Thread] replays a thread.
//
//	box, err := engine.Open(ctx, rules.All(), engine.Options{}, "mail/", "artifacts/")
//	if err != nil {
//		log.Fatal(err)
//	}
//	defer box.Close()
//	report, err := box.Check(ctx)
//
// [Check] does these steps for a caller with one question.
package engine

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/bundle"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/parallel"
	"github.com/brennerlint/brennerlint/lint"
)

// Mailbox is the inputs at some paths: mail, artifact files and drafts. Its methods check and
// replay it. A mailbox does not change: to see later changes, open it again. It is safe for
// concurrent use until it is closed.
type Mailbox struct {
	opts     Options // Contents also has what standard input and pipes gave: they can be read only once
	rules    lint.Catalogue
	plan     *plan
	paths    []string
	roots    func() input.Roots
	folder   *input.Folder // where globs begin
	globs    []input.Globs // of overrides
	previous *Previous     // or nil
	found    *input.Set
	byPath   map[string]*input.Input
	done     atomic.Int64 // for Trace.Progress

	loading   sync.Mutex            // guards what follows, which is read when it is asked for
	lone      *input.Input          // the database that is all the mail, until all of it is indexed
	mail      *mailIndex            // of all inputs but lone
	parts     map[string]*mailIndex // partial indexes of lone, by the thread ids that they hold
	artifacts *artifactSet          // nil until they are read
}

// mailIndex is an index of the mail of a mailbox: of all of it, or of some threads.
type mailIndex struct {
	*Mailbox
	store    *export.Store
	mu       sync.Mutex             // guards what follows while inputs are added
	errs     map[*input.Input]error // export.ErrNoMail of what looks like mail and holds none
	failures failures
}

// Open finds the inputs at the paths, recognises them, and indexes the mail. Faults of the
// inputs are findings of a check. The error is for a path that does not exist or is not
// recognised, rules that cannot be used together ([lint.Catalogue.Validate]), or a cancelled
// context.
//
// If the only mail is one database, indexing waits for the first question, and covers one
// thread if that question is about one. Without paths the mailbox is empty.
func Open(ctx context.Context, rules lint.Catalogue, opts Options, paths ...string) (*Mailbox, error) {
	return open(ctx, rules, opts, nil, paths)
}

// OpenContent opens a content as if it were the file at a path: an editor has text that is not
// saved. If the path is excluded, or the content is not recognised, it is left out.
func OpenContent(ctx context.Context, rules lint.Catalogue, opts Options, path string, data []byte) (*Mailbox, error) {
	if input.Excluded(&input.Options{Exclude: opts.Files.Exclude, Folder: opts.Files.Folder, ConfigExclude: opts.Files.ConfigExclude}, path) {
		return Open(ctx, rules, opts)
	}
	opts.Contents, opts.SkipUnrecognized = map[string][]byte{path: data}, true
	return Open(ctx, rules, opts, path)
}

// Check opens the paths, checks what is there, and closes it.
func Check(ctx context.Context, rules lint.Catalogue, opts Options, paths ...string) (*lint.Report, error) {
	b, err := Open(ctx, rules, opts, paths...)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	return b.Check(ctx)
}

// Reopen opens the paths of a mailbox again, with their present files. Standard input and pipes
// give the same content again.
func (b *Mailbox) Reopen(ctx context.Context) (*Mailbox, error) {
	return open(ctx, b.rules, b.opts, b.previous, b.paths)
}

func open(ctx context.Context, rules lint.Catalogue, opts Options, previous *Previous, paths []string) (*Mailbox, error) {
	if err := rules.Validate(); err != nil {
		return nil, err
	}
	opts.setDefaults()
	b := &Mailbox{
		opts: opts, rules: rules, plan: newPlan(rules, &opts.Severities), folder: input.NewFolder(opts.Files.Folder), previous: previous,
		paths: slices.Sorted(slices.Values(paths)), // of copies that say the same, the first counts
		found: &input.Set{}, byPath: map[string]*input.Input{}, parts: map[string]*mailIndex{},
	}
	for _, o := range opts.Severities.Overrides {
		b.globs = append(b.globs, b.folder.Globs(o.Paths...))
	}
	b.roots = sync.OnceValue(func() input.Roots { return input.NewRoots(b.paths) })
	b.mail = b.newIndex()
	if len(b.paths) == 0 {
		return b, nil
	}
	if err := b.load(ctx); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// Close closes databases. It must not be called before all other calls have ended, and no call may follow.
func (b *Mailbox) Close() {
	for _, x := range b.parts {
		x.store.Close()
	}
	if b.previous == nil || !b.previous.keeps(b.mail.store) {
		b.mail.store.Close()
	}
	b.found.Close()
}

// load finds the inputs, and indexes mail as it is found.
func (b *Mailbox) load(ctx context.Context) (err error) {
	o := &b.opts
	b.found, err = input.Discover(ctx, b.paths, input.Options{
		As: input.As(o.Kind), Exclude: o.Files.Exclude, Folder: o.Files.Folder, ConfigExclude: o.Files.ConfigExclude, GitIgnore: o.Files.GitIgnore,
		Stdin: o.Stdin.Reader, StdinName: o.Stdin.Name,
		Contents: o.Contents, SkipUnrecognized: o.SkipUnrecognized, MaxFileSize: o.Limits.FileSize, Workers: o.Workers,
	}, func(found *input.Input) {
		if found.Kind.IsMail() && found.Kind != input.SQLite {
			b.mail.add(ctx, found, allThreads)
		}
	})
	otherMail := false
	var databases []*input.Input
	for _, found := range b.found.Inputs {
		b.byPath[found.Path()] = found
		if found.Kind == input.SQLite {
			databases = append(databases, found)
		} else if found.Kind.IsMail() && !errors.Is(b.mail.errs[found], export.ErrNoMail) {
			otherMail = true
		}
	}
	allMail := len(databases) == 1 && !otherMail
	if b.previous != nil {
		if b.previous.begin(b, databases, allMail) {
			databases = nil
		}
	} else if allMail {
		b.lone, databases = databases[0], nil
	}
	parallel.Do(o.Workers, len(databases), func(i int) { b.mail.add(ctx, databases[i], allThreads) })
	return errors.Join(err, b.mail.finish())
}

// allThreads asks for all threads.
var allThreads []string

// read is index, and reads the artifact files, too.
func (b *Mailbox) read(ctx context.Context, threads []string) (*mailIndex, error) {
	x, err := b.index(ctx, threads)
	if err != nil {
		return nil, err
	}
	b.artifactFiles(ctx, nil)
	return x, ctx.Err()
}

// index returns an index that has some threads, for a caller that asks for these by their ids, or
// for allThreads.
func (b *Mailbox) index(ctx context.Context, threads []string) (*mailIndex, error) {
	b.loading.Lock()
	defer b.loading.Unlock()
	key := strings.Join(threads, "\x00")
	switch {
	case b.lone == nil:
		return b.mail, nil
	case threads != nil && b.parts[key] != nil:
		return b.parts[key], nil
	}
	x := b.newIndex()
	x.add(ctx, b.lone, threads)
	if err := x.finish(); err != nil {
		x.store.Close()
		return nil, err
	}
	if threads == nil {
		b.mail, b.lone = x, nil
	} else {
		b.parts[key] = x
	}
	return x, nil
}

func (b *Mailbox) newIndex() *mailIndex {
	store := export.NewStore(export.Options{
		Scope: export.Scope(b.opts.Mail), Grows: b.previous != nil,
		Bundle: bundle.Limits{Entries: b.opts.Limits.Entries, Expanded: b.opts.Limits.ExpandedSize},
	})
	return &mailIndex{Mailbox: b, store: store, errs: map[*input.Input]error{}}
}

// add adds some threads of an input, or allThreads. It is safe for concurrent use.
func (x *mailIndex) add(ctx context.Context, found *input.Input, threads []string) {
	defer x.progress(0)
	defer x.opts.Trace.time(readStage)()
	var err error
	var broke failures
	broke.guard(inputStage, found.Path(), "", func() { err = x.store.Add(ctx, found, threads) })
	x.mu.Lock()
	defer x.mu.Unlock()
	x.errs[found], x.failures = err, append(x.failures, broke...)
}

// finish returns the errors of the inputs that were added, in the order of the inputs. One without
// mail is left out, unless it was named: that is an error of use.
func (x *mailIndex) finish() error {
	slices.SortFunc(x.failures, func(a, b lint.Failure) int { return strings.Compare(a.Path, b.Path) })
	var errs []error
	for _, found := range x.found.Inputs {
		switch err := x.errs[found]; {
		case !errors.Is(err, export.ErrNoMail):
			errs = append(errs, err)
		case found.Named && !x.opts.SkipUnrecognized:
			errs = append(errs, &input.UsageError{Path: found.Path(), Reason: err.Error()})
		}
	}
	return errors.Join(errs...)
}

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

// cachedResult returns the kept result of a thread, or nil if it must be checked again.
func (c *check) cachedResult(info export.ThreadInfo) *result {
	if c.previous == nil || len(c.index.artifacts.byThread[info.ID]) > 0 {
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
		out.session = c.index.reopening(known.session, info, nil) // its references name it
	}
	return out
}

// keep returns what Previous may keep of a thread that was checked; nil if a later check could find
// something else although no message is added.
func (t *threadCheck) keep(summary *session.Session) *keptThread {
	s := t.task
	others := len(s.failures) + len(s.notices) + len(s.findings.omitted) + s.findings.suppressed + s.findings.hidden + len(s.findings.lonePaths) + len(t.reader.Facts.Faults)
	if t.index.previous == nil || t.asksOthers || others > 0 || len(t.index.artifacts.byThread[t.info.ID]) > 0 {
		return nil
	}
	out := &keptThread{session: summary}
	for _, f := range sortFindings(slices.Clone(s.findings.list)) {
		out.findings = append(out.findings, *f)
	}
	return out
}
