package engine

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

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
	parallel(b.opts.Workers, len(inputs), func(i int) {
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
			a.Text, _ = b.restoreArtifact(&lint.ArtifactPass{Artifact: a}, b.plan.artifact)
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
	if id := a.Meta.Get("session_id"); id != nil && id.Text != "" {
		return strings.Clone(id.Text) // a part of the file otherwise
	}
	return nameOfFile(file)
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
