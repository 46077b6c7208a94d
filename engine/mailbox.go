package engine

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/parallel"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Input is a file, or a stream, that was recognised.
type Input struct {
	Path string
	Kind Kind   // AsArtifact, AsMail or AsDraft
	Form string // in words, such as "thread JSON"
}

// Inputs lists the inputs in order, and the faults of files that could not be read.
func (b *Mailbox) Inputs() (out []Input, unreadable []source.Fault) {
	for _, found := range b.inputs() {
		out = append(out, Input{found.Path(), Kind(found.Kind.As()), found.Kind.String()})
	}
	return out, b.found.Faults
}

// inputs returns the inputs, without those that are known to look like mail and hold none.
func (b *Mailbox) inputs() []*input.Input {
	return slices.DeleteFunc(slices.Clone(b.found.Inputs), b.isMailless)
}

// isMailless reports whether an input looks like mail and holds none, as far as that is known.
func (b *Mailbox) isMailless(found *input.Input) bool {
	b.loading.Lock()
	defer b.loading.Unlock()
	return errors.Is(b.mail.errs[found], export.ErrNoMail)
}

// Overwrites returns an error if a file that a caller writes is one of the inputs.
func (b *Mailbox) Overwrites(names ...string) error { return input.CheckOutputs(b.inputs(), names...) }

// File returns the artifact file, or the stream, at a path; nil if there is none.
func (b *Mailbox) File(path string) *File {
	found := b.byPath[path]
	if found == nil || !found.Kind.IsArtifact() {
		return nil
	}
	return &File{found}
}

// File is an artifact file at the place where it was found: if its path leads elsewhere by now,
// it is not read or replaced. Files of one mailbox are replaced one by one.
type File struct {
	in *input.Input
}

// IsStream reports whether it is standard input or a pipe.
func (f *File) IsStream() bool { return f.in.InMemory() }

// Read returns the content.
func (f *File) Read() ([]byte, error) {
	if f.IsStream() {
		return f.in.Bytes()
	}
	return f.in.Ref().Read()
}

// Replace replaces the content that was read, unless it is that of a stream. It keeps the owner and
// the permissions, and fails if the file has changed since.
func (f *File) Replace(old, data []byte) error { return files.Replace(f.in.Ref(), old, data) }

// Notices are facts for the reader: which inputs were not read.
func (b *Mailbox) Notices() (out []string) {
	skipped := slices.Clone(b.found.Skipped)
	for _, found := range b.found.Inputs {
		if found.Named && b.isMailless(found) {
			skipped = append(skipped, found.Path())
		}
	}
	if len(skipped) > 0 {
		out = append(out, fmt.Sprintf("skipped %s, not recognised as an artifact, a mail export or a draft: %s",
			text.Count(len(skipped), "file", "files"), listed(skipped)))
	}
	return append(out, b.found.Notices...)
}

// broken returns what panicked while the inputs were read.
func (x *mailIndex) broken() failures { return slices.Concat(x.failures, x.artifacts.failures) }

// faults returns what keeps inputs from being read whole.
func (x *mailIndex) faults() []source.Fault {
	return slices.Concat(x.found.Faults, x.artifacts.faults, x.store.Faults())
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
func (x *mailIndex) unreadableMail() error {
	broke := x.broken()
	switch reasons, _ := unreadable(x.faults()); {
	case len(broke) > 0:
		return &broke[0]
	case len(reasons) > 0:
		return fmt.Errorf("the mail cannot be read whole:\n%s", strings.Join(reasons, "\n"))
	}
	return nil
}

// refOf names a thread.
func refOf(t export.ThreadInfo) mail.Ref { return mail.Ref{Project: t.Project, Thread: t.ID} }

// Threads lists the threads by thread id, then project.
func (b *Mailbox) Threads(ctx context.Context) (out []mail.Ref, _ error) {
	x, err := b.index(ctx, allThreads)
	if err != nil {
		return nil, err
	}
	for _, info := range x.store.Threads() {
		out = append(out, refOf(info))
	}
	return out, nil
}

// MessageHead is what tells messages apart.
type MessageHead struct {
	mail.Ref
	Path    string // of its export
	Subject string
	Time    time.Time // zero if unknown
}

// Messages returns the messages of all threads. No rule runs.
func (b *Mailbox) Messages(ctx context.Context) (out []MessageHead, _ error) {
	x, err := b.index(ctx, allThreads)
	if err != nil {
		return nil, err
	}
	for _, info := range x.store.Threads() {
		for _, m := range x.store.Open(info).Read() {
			ref := mail.Ref{Project: info.Project, Thread: cmp.Or(info.ID, m.Thread.String()), ID: m.ID}
			out = append(out, MessageHead{Ref: ref, Path: m.Path(), Subject: m.Subject.String(), Time: m.Time})
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// threadsNamed returns the threads of an id, one of each project.
func (x *mailIndex) threadsNamed(id string) []export.ThreadInfo {
	all := x.store.Threads()
	start, _ := slices.BinarySearchFunc(all, id, func(t export.ThreadInfo, id string) int { return strings.Compare(t.ID, id) })
	end := start
	for end < len(all) && all[end].ID == id {
		end++
	}
	return all[start:end]
}

// hasThread reports whether there is mail of a thread, "" for any.
func (x *mailIndex) hasThread(id string) bool {
	return id == "" && len(x.store.Threads()) > 0 || len(x.threadsNamed(id)) > 0
}

// notFound returns the error that no input has a thread. Of the inputs it repeats only ids of
// threads, because errors are not redacted.
func (x *mailIndex) notFound(thread string) error {
	reasons, quoted := unreadable(x.faults())
	for i := range reasons {
		reasons[i] = text.Hide(reasons[i], quoted, "…")
	}
	message := fmt.Sprintf("find thread %q: not in the inputs", thread)
	ids := threadIDs(x.store.Threads())
	if meant := text.Nearest(thread, ids); meant != "" {
		message += "; did you mean " + text.Few([]string{meant}) + "?"
	} else if len(ids) > 0 {
		message += "; they have " + text.Few(ids)
	}
	return errors.New(strings.Join(append([]string{message}, reasons...), "\n"))
}

// threadIDs returns the ids of threads, each once.
func threadIDs(infos []export.ThreadInfo) (ids []string) {
	for _, info := range infos {
		if info.ID != "" {
			ids = append(ids, info.ID)
		}
	}
	return slices.Compact(ids)
}

// oneThread returns the thread of an id and a project, "" for the only one of the inputs.
func (x *mailIndex) oneThread(id, project string) (export.ThreadInfo, error) {
	infos, err := x.threadsOfProject(id, project)
	if err != nil {
		return export.ThreadInfo{}, err
	}
	ids := threadIDs(infos)
	if len(ids) > 0 { // messages without an id are of no thread that can be chosen
		infos = slices.DeleteFunc(slices.Clone(infos), func(t export.ThreadInfo) bool { return t.ID == "" })
	}
	switch {
	case len(infos) == 1:
		return infos[0], nil
	case len(infos) == 0:
		return export.ThreadInfo{}, errors.New("the inputs have no protocol thread")
	case len(ids) > 1:
		return export.ThreadInfo{}, fmt.Errorf("the inputs have %d threads; choose one with --thread: %s", len(infos), text.Few(ids))
	}
	var projects []string
	for _, info := range infos {
		projects = append(projects, info.Project)
	}
	return export.ThreadInfo{}, fmt.Errorf("thread %s is in several projects; choose one with --project: %s", cmp.Or(infos[0].ID, "(no id)"), text.Few(projects))
}

// threadsOfProject returns the threads of an id, "" for all, and of a project, "" for all: an id
// is unique in its project alone (decisions.md 16: identity).
func (x *mailIndex) threadsOfProject(id, project string) ([]export.ThreadInfo, error) {
	infos := x.store.Threads()
	if id != "" {
		if infos = x.threadsNamed(id); len(infos) == 0 {
			return nil, x.notFound(id)
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

// artifactSet is the artifact files among the inputs.
type artifactSet struct {
	list     []*artifactFile // in the order of the inputs
	byThread map[string][]*artifactFile
	faults   []source.Fault
	failures failures
}

// artifactFile is an artifact file among the inputs. The tree is not kept: of
// thousands of artifacts few belong to a thread among the inputs, and those are
// read again.
type artifactFile struct {
	in     *input.Input
	thread string // the session id, else as the file is named
	size   int64  // of its text
	fault  *source.Fault
	result *result // of its check, until it is taken over
}

// artifactFiles returns the artifact files. They are read when somebody first asks; with visit, they
// are read in any case, and visit is called with those that can be, from several goroutines.
func (b *Mailbox) artifactFiles(ctx context.Context, visit func(*artifactFile, *artifact.Artifact)) *artifactSet {
	b.loading.Lock()
	defer b.loading.Unlock()
	if b.artifacts != nil && visit == nil {
		return b.artifacts
	}
	inputs := slices.DeleteFunc(slices.Clone(b.found.Inputs), func(found *input.Input) bool { return !found.Kind.IsArtifact() })
	read, broken := make([]*artifactFile, len(inputs)), make([]failures, len(inputs))
	parallel.Do(b.opts.Workers, len(inputs), func(i int) {
		if ctx.Err() != nil {
			return
		}
		defer b.progress(0)
		broken[i].guard(inputStage, inputs[i].Path(), "", func() { read[i] = b.loadArtifact(inputs[i], visit) })
	})
	out := &artifactSet{byThread: map[string][]*artifactFile{}}
	for i, f := range read {
		out.failures = append(out.failures, broken[i]...)
		if f == nil {
			continue
		}
		out.list = append(out.list, f)
		for _, id := range unique([]string{f.thread, nameOfFile(f.in.Path())}) {
			out.byThread[id] = append(out.byThread[id], f)
		}
		if f.fault != nil {
			out.faults = append(out.faults, *f.fault)
		}
	}
	if b.artifacts == nil && ctx.Err() == nil {
		b.artifacts = out
	}
	return out
}

func (b *Mailbox) loadArtifact(found *input.Input, visit func(*artifactFile, *artifact.Artifact)) *artifactFile {
	f := &artifactFile{in: found, thread: nameOfFile(found.Path())}
	var a *artifact.Artifact
	if a, f.fault = b.readArtifact(found); a == nil {
		return f
	}
	f.size = int64(len(a.Text.Data))
	f.thread = threadOfFile(found.Path(), a)
	if visit != nil {
		visit(f, a)
	}
	return f
}

// onlyArtifact reads the only artifact file; nil if there is none, or several.
func (b *Mailbox) onlyArtifact(ctx context.Context) (*artifactFile, *artifact.Artifact, error) {
	files := b.artifactFiles(ctx, nil)
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case len(files.failures) > 0:
		return nil, nil, &files.failures[0]
	case len(files.list) != 1:
		return nil, nil, nil
	}
	a, fault := b.readArtifact(files.list[0].in)
	if a == nil {
		return nil, nil, fault
	}
	return files.list[0], a, nil
}

// readArtifact parses an artifact file; nil with the fault if that is not
// possible. Both are returned where some bytes cannot be what was written: the rest
// is checked all the same (decisions.md 40: invalid UTF-8).
func (b *Mailbox) readArtifact(found *input.Input) (*artifact.Artifact, *source.Fault) {
	end := b.opts.Trace.time(readStage)
	f, bad := found.File()
	end()
	if f == nil || bad != nil && input.IsUTF16(f.Data) {
		return nil, bad
	}
	defer b.opts.Trace.time(parseStage)()
	if found.Kind == input.ArtifactMarkdown {
		a := artifact.ParseMarkdown(f.Text(), b.opts.Limits.ofArtifacts())
		if bad != nil {
			a.Text, _ = b.restoreArtifact(&lint.ArtifactPass{Artifact: a}, b.plan.rules)
			a = artifact.ParseMarkdown(a.Text, b.opts.Limits.ofArtifacts())
		}
		return a, bad
	}
	return readJSONArtifact(f, bad, b.opts.Limits.ofArtifacts())
}

// readJSONArtifact parses an artifact in JSON. If there are bytes in it that JSON
// does not allow it is read without them.
func readJSONArtifact(f *source.File, bad *source.Fault, limits artifact.Limits) (*artifact.Artifact, *source.Fault) {
	if bad == nil {
		text := f.Text()
		a, fault := artifact.ParseJSON(text, limits)
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
	if !jsontree.Mask(data) && utf8.Valid(data) {
		return nil, bad // the cause is no control character
	}
	a, fault := artifact.ParseJSON(source.NewFile(f.Path, data).Text().Normalize(), limits)
	if fault != nil {
		return nil, bad
	}
	return a, bad
}

// nameOfFile returns the thread that an artifact file is named after: its path is
// artifacts/{thread_id}.md.
func nameOfFile(p string) string { return strings.TrimSuffix(path.Base(p), path.Ext(p)) }

// threadOfFile returns the thread that an artifact file says it is of: that of its session, else
// the one that it is named after.
func threadOfFile(file string, a *artifact.Artifact) string {
	name := nameOfFile(file)
	if id := a.Meta.Get("session_id", func(v *artifact.MetaValue) bool { return v.Text == name }); id != nil && id.Text != "" {
		return strings.Clone(id.Text) // a part of the file otherwise
	}
	return name
}

// threadOf returns the thread of an artifact file: that of its session, else the one that it is
// named after; false if there is no mail of either. Where threads of several projects have the id,
// it is the one with the message that the artifact names, else the first.
func (x *mailIndex) threadOf(file string, a *artifact.Artifact) (info export.ThreadInfo, found bool) {
	infos := x.threadsNamed(threadOfFile(file, a))
	if len(infos) == 0 {
		infos = x.threadsNamed(nameOfFile(file))
	}
	for _, info := range infos {
		if namesMessageOf(a, x.store.Open(info)) {
			return info, true
		}
	}
	if len(infos) == 0 {
		return info, false
	}
	return infos[0], true
}

// namesMessageOf reports whether the front matter of an artifact names a message
// of a thread.
func namesMessageOf(a *artifact.Artifact, t *export.ThreadReader) bool {
	id := a.Meta.Get("agent_mail_message_id")
	return id != nil && id.Text != "" && t.Has(id.Text)
}
