package engine

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/bundle"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// inputs are what lies at the paths of a run: mail in a store, artifact files,
// drafts. Loading them runs no rule: a check visits artifacts while they are at
// hand; replay and blame do not.
type inputs struct {
	opts      *Options
	rules     *ruleList
	store     *export.Store
	found     *input.Set
	files     int
	artifacts []*artifactFile // in the order of the inputs
	byThread  map[string][]*artifactFile
	drafts    []*input.Input // in the order of the inputs
	facts     export.Facts
	notices   []string
	failures  failures
	progress  progress

	previous *Previous // or nil

	// threads are the ids of the only threads that are asked for, if some is set.
	threads []string
	some    bool

	countIDs  sync.Once
	threadIDs map[string]int // how many threads have an id
}

// artifactFile is an artifact file among the inputs. The tree is not kept: of
// thousands of artifacts few belong to a thread among the inputs, and those are
// read again.
type artifactFile struct {
	in     *input.Input
	thread string // the session id, else as the file is named
	size   int64  // of its text
	fault  *source.Fault
	task   *artifactTask // its check, if it could be read
}

// name returns the thread that the file is named after.
func (f *artifactFile) name() string { return nameOfFile(f.in.Path()) }

// newInputs are inputs that hold nothing.
func newInputs(l *Linter) *inputs {
	opts := &l.opts
	in := &inputs{opts: opts, rules: l.rules, previous: opts.Previous, progress: progress{report: opts.Progress}}
	in.store = export.NewStore(in.storeOptions())
	return in
}

// storeOptions returns the options of the store of the mail.
func (in *inputs) storeOptions() export.Options {
	o := in.opts
	return export.Options{
		Scope: o.Mail, Grows: in.previous != nil,
		Bundle: bundle.Limits{Entries: o.Limits.Entries, Expanded: o.Limits.ExpandedSize},
	}
}

// only says which threads will be asked for: what is of no use to them need not be
// read.
func (in *inputs) only(threads ...string) { in.threads, in.some = threads, true }

// load finds and reads what lies at the paths. Several goroutines call visit, if
// it is given, with artifacts that could be read. The error is a path that names
// nothing of ours, or a cancelled context.
func (in *inputs) load(ctx context.Context, paths []string, visit func(*artifactFile, *artifact.Artifact)) error {
	l := &loading{inputs: in, visit: visit, outputs: input.NewOutputs(in.opts.Outputs), failed: map[int]error{}, broken: map[int]failures{}}
	err := l.discover(ctx, paths)
	set := in.found
	l.addDatabases(ctx)
	for _, order := range slices.Sorted(maps.Keys(l.failed)) {
		err = errors.Join(err, l.failed[order])
	}
	if err != nil {
		return err
	}
	for _, order := range slices.Sorted(maps.Keys(l.broken)) {
		in.failures = append(in.failures, l.broken[order]...)
	}
	in.files = len(set.Inputs) - len(l.foreign.inputs)
	if in.opts.Input != nil {
		for _, found := range set.Inputs {
			if !l.foreign.inputs[found] {
				in.opts.Input(found.Path())
			}
		}
	}
	if skipped := slices.Concat(l.foreign.skipped, set.Skipped); len(skipped) > 0 {
		in.notices = append(in.notices, skippedNotice(skipped))
	}
	in.notices = append(in.notices, set.Notices...)
	in.facts.Faults = append(in.facts.Faults, set.Faults...)
	in.order()
	in.opts.Origins.add(in.artifacts)
	return nil
}

// discovery says how inputs are found.
func (in *inputs) discovery() input.Options {
	o := in.opts
	return input.Options{
		As: o.Kind, Exclude: o.Exclude, GitIgnore: o.GitIgnore, Stdin: o.Stdin, StdinName: o.StdinName, Streams: o.Streams, Contents: o.Contents,
		SkipUnrecognized: o.SkipUnrecognized, MaxFileSize: o.Limits.FileSize, Workers: o.Workers,
	}
}

// foreignFiles are inputs that look like mail and hold none.
type foreignFiles struct {
	inputs  map[*input.Input]bool
	skipped []string // those that were named
}

// add adds an input. It is ignored in a folder; if it was named, it is an error of use
// or skipped.
func (f *foreignFiles) add(found *input.Input, err error, skip bool) error {
	if f.inputs == nil {
		f.inputs = map[*input.Input]bool{}
	}
	f.inputs[found] = true
	switch {
	case !found.Named:
		return nil
	case skip:
		f.skipped = append(f.skipped, found.Path())
		return nil
	}
	return &input.UsageError{Path: found.Path(), Reason: err.Error()}
}

// order puts what was found side by side into the order of the inputs.
func (in *inputs) order() {
	slices.SortFunc(in.drafts, func(a, b *input.Input) int { return cmp.Compare(a.Order, b.Order) })
	slices.SortFunc(in.artifacts, func(a, b *artifactFile) int { return cmp.Compare(a.in.Order, b.in.Order) })
	in.byThread = make(map[string][]*artifactFile)
	for _, f := range in.artifacts {
		in.byThread[f.thread] = append(in.byThread[f.thread], f)
		if name := f.name(); name != f.thread {
			in.byThread[name] = append(in.byThread[name], f)
		}
		if f.fault != nil {
			in.facts.Faults = append(in.facts.Faults, *f.fault)
		}
	}
}

// faults returns what keeps inputs from being read whole.
func (in *inputs) faults() []source.Fault { return slices.Concat(in.facts.Faults, in.store.Faults()) }

// unreadable says which exports could not be read whole, and why: what is looked
// for may be in them. It also returns what the reasons repeat of the inputs.
func (in *inputs) unreadable() (reasons, quoted []string) {
	const most = 5
	faults := in.faults()
	for i := range faults[:min(len(faults), most)] {
		reasons, quoted = append(reasons, faults[i].Error()), append(quoted, jsontree.Quoted(faults[i].Err)...)
	}
	if n := len(faults) - most; n > 0 {
		reasons = append(reasons, text.Count(n, "further fault", "further faults")+" of the exports")
	}
	return reasons, quoted
}

// notFound returns the error that no input has a thread. It repeats nothing of the
// inputs, because errors are not redacted.
func (in *inputs) notFound(thread string) error {
	reasons, quoted := in.unreadable()
	for i := range reasons {
		reasons[i] = text.Hide(reasons[i], quoted, "…")
	}
	return errors.New(strings.Join(append([]string{fmt.Sprintf("find thread %q: not in the inputs", thread)}, reasons...), "\n"))
}

func (in *inputs) loadArtifact(found *input.Input, visit func(*artifactFile, *artifact.Artifact)) *artifactFile {
	f := &artifactFile{in: found}
	f.thread = f.name()
	var a *artifact.Artifact
	if a, f.fault = in.readArtifact(found, in.opts.Profile); a == nil {
		return f
	}
	f.size = int64(len(a.Text.Data))
	f.thread, _ = threadOfFile(found.Path(), a)
	if visit != nil {
		visit(f, a)
	}
	return f
}

// readArtifact parses an artifact file; nil with the fault if that is not
// possible. Both are returned where some bytes cannot be what was written: the rest
// is checked all the same (decisions.md 40).
func (in *inputs) readArtifact(found *input.Input, profile *Profile) (*artifact.Artifact, *source.Fault) {
	start := profile.start()
	f, bad := found.File()
	profile.add(readStage, start)
	if f == nil || bad != nil && input.IsUTF16(f.Data) {
		return nil, bad
	}
	defer profile.add(parseStage, profile.start())
	if found.Kind == input.ArtifactMarkdown {
		return artifact.ParseMarkdown(f.Text(), in.opts.Limits.ofArtifacts()), bad
	}
	return in.readJSONArtifact(f, bad)
}

// readJSONArtifact parses an artifact in JSON. If there are bytes in it that JSON
// does not allow it is read without them.
func (in *inputs) readJSONArtifact(f *source.File, bad *source.Fault) (*artifact.Artifact, *source.Fault) {
	if bad == nil {
		text := f.Text()
		a, fault := artifact.ParseJSON(text, in.opts.Limits.ofArtifacts())
		if fault == nil {
			return a, nil
		}
		private := input.NamesCredential(text.Data) // a draft that is taken for an artifact
		if private {
			fault = fault.Discreet()
		}
		bad = &source.Fault{Kind: source.Malformed, Path: f.Path, At: text.Place(fault.Span), Err: fmt.Errorf("is not valid JSON: %w", fault), Hint: fault.Hint, Sensitive: private}
	}
	data := bytes.Clone(f.Data)
	if !jsontree.Mask(data, false) && utf8.Valid(data) {
		return nil, bad // that is not the fault
	}
	a, fault := artifact.ParseJSON(source.NewFile(f.Path, data).Text().Normalize(), in.opts.Limits.ofArtifacts())
	if fault != nil {
		return nil, bad
	}
	return a, bad
}

// sharesID reports whether threads of several projects have one id: then a file
// alone does not show whose artifact it is.
func (in *inputs) sharesID(id string) bool {
	in.countIDs.Do(func() {
		in.threadIDs = map[string]int{}
		for _, info := range in.store.Threads() {
			in.threadIDs[info.ID]++
		}
	})
	return in.threadIDs[id] > 1
}

// threadsNamed returns the threads of an id, one of each project.
func (in *inputs) threadsNamed(id string) []export.ThreadInfo {
	return slices.DeleteFunc(slices.Clone(in.store.Threads()), func(t export.ThreadInfo) bool { return t.ID != id })
}

func (in *inputs) close() {
	if in.previous == nil || in.previous.store != in.store {
		in.store.Close()
	}
	if in.found != nil {
		in.found.Close()
	}
}
