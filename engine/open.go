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
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Mailbox is the inputs at some paths: mail, artifact files and drafts. Its methods check and
// replay it. A mailbox does not change: to see later changes, open it again. It is safe for
// concurrent use until it is closed.
type Mailbox struct {
	opts     Options
	rules    lint.Catalogue
	plan     *plan
	paths    []string
	streams  map[string][]byte // what standard input and pipes gave, by their paths
	previous *Previous         // or nil
	found    *input.Set
	progress progress

	loading   sync.Mutex            // guards what follows, which is read when it is asked for
	lone      *input.Input          // the database that is all the mail, until all of it is indexed
	mail      *mailIndex            // of all inputs but lone
	parts     map[string]*mailIndex // partial indexes of lone, by the thread ids that they hold
	artifacts *artifactSet          // nil until they are read
}

// mailIndex is an index of mail.
type mailIndex struct {
	store    *export.Store
	mu       sync.Mutex            // guards what follows while inputs are added
	mailless map[*input.Input]bool // inputs that look like mail and hold none
	skipped  []string              // those of them that were named
	added    int                   // inputs with mail
	faults   []loadFault
	failures failures // of the inputs in faults, once all are added

	countIDs  sync.Once
	threadIDs map[string]int // how many threads have an id
}

// Open finds the inputs at the paths, recognises them, and indexes the mail. Faults of the
// inputs are findings of a check. The error is for a path that does not exist or is not
// recognised, rules that cannot be used together ([lint.Catalogue.Validate]), or a cancelled
// context.
//
// If the only mail is one database, indexing waits for the first question, and covers one
// thread if that question is about one. Without paths the mailbox is empty.
func Open(ctx context.Context, rules lint.Catalogue, opts Options, paths ...string) (*Mailbox, error) {
	if err := rules.Validate(); err != nil {
		return nil, err
	}
	return open(ctx, rules, opts, &Mailbox{paths: paths, streams: map[string][]byte{}})
}

// OpenContent opens a content as if it were the file at a path: an editor has text that is not
// saved. If the path is excluded, or the content is not recognised, it is left out.
func OpenContent(ctx context.Context, rules lint.Catalogue, opts Options, path string, data []byte) (*Mailbox, error) {
	if input.Excluded(opts.Exclude, path) {
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
	return open(ctx, b.rules, b.opts, &Mailbox{paths: b.paths, streams: b.streams, previous: b.previous})
}

func open(ctx context.Context, rules lint.Catalogue, opts Options, b *Mailbox) (*Mailbox, error) {
	opts.setDefaults()
	b.opts, b.rules, b.plan = opts, rules, newPlan(rules, &opts.Severities)
	b.progress.report = opts.Trace.Progress
	b.found, b.mail, b.parts = &input.Set{}, b.newIndex(), map[string]*mailIndex{}
	if len(b.paths) == 0 {
		return b, nil
	}
	if err := b.load(ctx); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

func (b *Mailbox) newIndex() *mailIndex {
	return &mailIndex{store: export.NewStore(b.opts.store(b.previous != nil)), mailless: map[*input.Input]bool{}}
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
	add := func(found *input.Input) {
		b.add(b.mail, found, func() error { return b.mail.store.Add(ctx, found) })
	}
	b.found, err = input.Discover(ctx, b.paths, b.opts.discovery(b.streams), func(found *input.Input) {
		if found.Kind.IsMail() && found.Kind != input.SQLite {
			add(found)
		}
	})
	var databases []*input.Input
	for _, found := range b.found.Inputs {
		if found.Kind == input.SQLite {
			databases = append(databases, found)
		}
	}
	allMail := len(databases) == 1 && b.mail.added == 0
	if b.previous != nil {
		if b.previous.begin(b, databases, allMail) {
			databases = nil
		}
	} else if allMail {
		b.lone, databases = databases[0], nil
	}
	parallel(b.opts.Workers, len(databases), func(i int) { add(databases[i]) })
	return errors.Join(err, b.mail.end())
}

// loadFault is why an input could not be indexed.
type loadFault struct {
	in    *input.Input
	err   error
	broke failures
}

// add adds an input to an index. One without mail is left out: if it was named that is an error
// of use, or it is skipped. It is safe for concurrent use.
func (b *Mailbox) add(x *mailIndex, found *input.Input, add func() error) {
	defer b.progress.add(0)
	defer b.opts.Trace.end(readStage, b.opts.Trace.start())
	fault := loadFault{in: found}
	fault.broke.guard(inputStage, found.Path(), "", func() { fault.err = add() })
	x.mu.Lock()
	defer x.mu.Unlock()
	mailless := errors.Is(fault.err, export.ErrNoMail)
	if mailless {
		x.mailless[found] = true
		fault.err = &input.UsageError{Path: found.Path(), Reason: fault.err.Error()}
	}
	switch {
	case mailless && !found.Named:
	case mailless && b.opts.SkipUnrecognized:
		x.skipped = append(x.skipped, found.Path())
	case fault.err != nil || len(fault.broke) > 0:
		x.faults = append(x.faults, fault)
	default:
		x.added++
	}
}

// end returns the errors of the inputs that were added, in the order of the inputs.
func (x *mailIndex) end() (err error) {
	slices.SortFunc(x.faults, func(a, b loadFault) int { return cmp.Compare(a.in.Order, b.in.Order) })
	for _, f := range x.faults {
		err = errors.Join(err, f.err)
		x.failures = append(x.failures, f.broke...)
	}
	return err
}

// inputs are what is read of a mailbox: an index of its mail, or of the only threads that are
// asked for, and its artifact files.
type inputs struct {
	*Mailbox
	*mailIndex
	artifacts *artifactSet
}

// allThreads asks for all threads.
var allThreads []string

// of returns the inputs for a caller that asks for some threads by their ids, or for allThreads.
func (b *Mailbox) of(ctx context.Context, threads []string) (*inputs, error) {
	x, err := b.index(ctx, threads)
	if err != nil {
		return nil, err
	}
	return &inputs{b, x, b.artifactFiles(ctx, nil)}, ctx.Err()
}

// index returns an index that has some threads.
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
	b.add(x, b.lone, func() error {
		if threads == nil {
			return x.store.Add(ctx, b.lone)
		}
		return x.store.AddThreads(ctx, b.lone, threads...)
	})
	if err := x.end(); err != nil {
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

// Input is a file, or a stream, that was recognised.
type Input struct {
	Path string
	Kind Kind   // AsArtifact, AsMail or AsDraft
	Form string // in words, such as "thread JSON"
}

// Inputs lists the inputs in order, and the faults of files that could not be read.
func (b *Mailbox) Inputs() (out []Input, unreadable []source.Fault) {
	x := b.known()
	for _, found := range b.found.Inputs {
		if x.mailless[found] {
			continue
		}
		kind := AsDraft
		switch {
		case found.Kind.IsArtifact():
			kind = AsArtifact
		case found.Kind.IsMail():
			kind = AsMail
		}
		out = append(out, Input{found.Path(), kind, found.Kind.String()})
	}
	return out, b.found.Faults
}

// known returns the index of all mail as far as it was asked for.
func (b *Mailbox) known() *mailIndex {
	b.loading.Lock()
	defer b.loading.Unlock()
	return b.mail
}

// Overwrites returns an error if a file that a caller writes is one of the inputs.
func (b *Mailbox) Overwrites(names ...string) error {
	outputs, x := input.NewOutputs(names), b.known()
	var errs []error
	for _, found := range b.found.Inputs {
		if !x.mailless[found] {
			errs = append(errs, outputs.Check(found))
		}
	}
	return errors.Join(errs...)
}

// Files returns the artifact files by their paths, without streams.
func (b *Mailbox) Files() map[string]*File {
	out := map[string]*File{}
	for _, found := range b.found.Inputs {
		if found.Kind.IsArtifact() && !found.InMemory() {
			out[found.Path()] = &File{found.Ref()}
		}
	}
	return out
}

// File is an artifact file at the place where it was found: if its path leads elsewhere by now,
// it is not read or replaced. Files of one mailbox are replaced one by one.
type File struct {
	ref files.Ref
}

// Read returns the content.
func (f *File) Read() ([]byte, error) { return f.ref.Read() }

// Replace replaces the content that was read. It keeps the owner and the permissions, and fails if
// the file has changed since.
func (f *File) Replace(old, data []byte) error { return files.Replace(f.ref, old, data) }

// Notices are facts for the reader: which inputs were not read.
func (b *Mailbox) Notices() []string {
	var out []string
	if skipped := slices.Concat(b.known().skipped, b.found.Skipped); len(skipped) > 0 {
		out = append(out, skippedNotice(skipped))
	}
	return append(out, b.found.Notices...)
}

// broken returns what panicked while the inputs were read.
func (in *inputs) broken() failures { return slices.Concat(in.failures, in.artifacts.failures) }

// faults returns what keeps inputs from being read whole.
func (in *inputs) faults() []source.Fault {
	return slices.Concat(in.found.Faults, in.artifacts.faults, in.store.Faults())
}

// unreadable says which exports could not be read whole, and why: what is looked
// for may be in them. It also returns what the reasons repeat of the inputs.
func unreadable(faults []source.Fault) (reasons, quoted []string) {
	const most = 5
	for i := range faults[:min(len(faults), most)] {
		reasons, quoted = append(reasons, faults[i].Error()), append(quoted, jsontree.Quoted(faults[i].Err)...)
	}
	if n := len(faults) - most; n > 0 {
		reasons = append(reasons, text.Count(n, "further fault", "further faults")+" of the exports")
	}
	return reasons, quoted
}

// unreadableMail is why not all mail among the inputs could be read; nil if it could.
func (in *inputs) unreadableMail() error {
	broke := in.broken()
	switch reasons, _ := unreadable(in.faults()); {
	case len(broke) > 0:
		return &broke[0]
	case len(reasons) > 0:
		return fmt.Errorf("the mail cannot be read whole:\n%s", strings.Join(reasons, "\n"))
	}
	return nil
}

// ThreadInfo is a thread as the index knows it.
type ThreadInfo struct {
	mail.Ref       // without a message
	Messages int   // copies of one message count once
	Size     int64 // in bytes, roughly
}

func infoOf(t export.ThreadInfo) ThreadInfo {
	return ThreadInfo{mail.Ref{Project: t.Project, Thread: t.ID}, t.Messages, t.Size}
}

// Threads lists the threads by thread id, then project.
func (b *Mailbox) Threads(ctx context.Context) (out []ThreadInfo, _ error) {
	x, err := b.index(ctx, allThreads)
	if err != nil {
		return nil, err
	}
	for _, info := range x.store.Threads() {
		out = append(out, infoOf(info))
	}
	return out, nil
}

// Messages returns the messages of all threads. No rule runs.
func (b *Mailbox) Messages(ctx context.Context) (map[mail.Ref]bool, error) {
	x, err := b.index(ctx, allThreads)
	if err != nil {
		return nil, err
	}
	out := map[mail.Ref]bool{}
	for _, info := range x.store.Threads() {
		thread := x.store.Open(info)
		for _, m := range thread.Read() {
			out[mail.Ref{Project: info.Project, Thread: cmp.Or(info.ID, m.Thread.String()), ID: m.ID}] = true
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// threadsNamed returns the threads of an id, one of each project.
func (x *mailIndex) threadsNamed(id string) []export.ThreadInfo {
	return slices.DeleteFunc(slices.Clone(x.store.Threads()), func(t export.ThreadInfo) bool { return t.ID != id })
}

// notFound returns the error that no input has a thread. It repeats nothing of the
// inputs, because errors are not redacted.
func (in *inputs) notFound(thread string) error {
	reasons, quoted := unreadable(in.faults())
	for i := range reasons {
		reasons[i] = text.Hide(reasons[i], quoted, "…")
	}
	return errors.New(strings.Join(append([]string{fmt.Sprintf("find thread %q: not in the inputs", thread)}, reasons...), "\n"))
}

// oneThread returns the thread of an id and a project, "" for the only one of the inputs.
func (in *inputs) oneThread(id, project string) (export.ThreadInfo, error) {
	infos, err := in.threadsOfProject(id, project)
	if err != nil {
		return export.ThreadInfo{}, err
	}
	var ids, projects []string
	for _, info := range infos {
		ids, projects = append(ids, cmp.Or(info.ID, "(no id)")), append(projects, info.Project)
	}
	ids = slices.Compact(ids)
	switch {
	case len(infos) == 1:
		return infos[0], nil
	case len(infos) == 0:
		return export.ThreadInfo{}, errors.New("the inputs have no protocol thread")
	case len(ids) == 1:
		return export.ThreadInfo{}, fmt.Errorf("thread %s is in several projects; choose one with --project: %s", ids[0], strings.Join(projects, ", "))
	}
	const most = 6
	if n := len(ids) - most; n > 1 {
		ids = append(ids[:most:most], fmt.Sprintf("%d more", n))
	}
	return export.ThreadInfo{}, fmt.Errorf("the inputs have %d threads; choose one with --thread: %s", len(infos), strings.Join(ids, ", "))
}

// threadsOfProject returns the threads of an id, "" for all, and of a project, "" for all: an id
// is unique in its project alone (decisions.md 16: identity).
func (in *inputs) threadsOfProject(id, project string) ([]export.ThreadInfo, error) {
	infos := in.store.Threads()
	if id != "" {
		if infos = in.threadsNamed(id); len(infos) == 0 {
			return nil, in.notFound(id)
		}
	}
	if project == "" {
		return infos, nil
	}
	var found []export.ThreadInfo
	var projects []string
	for _, info := range infos {
		if info.InProject(project) {
			found = append(found, info)
		}
		projects = append(projects, cmp.Or(info.Project, "(none)"))
	}
	switch {
	case len(found) > 0:
		return found, nil
	case id != "":
		return nil, fmt.Errorf("thread %s is not in project %q; it is in %s", id, project, text.And(projects))
	}
	slices.Sort(projects)
	return nil, fmt.Errorf("the inputs have no thread of project %q; they have threads of %s", project, cmp.Or(text.And(slices.Compact(projects)), "none"))
}
