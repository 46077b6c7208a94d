package engine

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/export"
)

// Blame finds for every item and field of an artifact file which delta, message
// and agent set it. The paths hold the mail of the artifact's thread.
func (l *Linter) Blame(ctx context.Context, file string, paths ...string) (*replay.BlameResult, error) {
	return l.blame(ctx, (*replay.Thread).Blame, file, paths)
}

// BlameHistory is Blame with the history of each field.
func (l *Linter) BlameHistory(ctx context.Context, file string, paths ...string) (*replay.BlameResult, error) {
	return l.blame(ctx, (*replay.Thread).BlameHistory, file, paths)
}

func (l *Linter) blame(ctx context.Context, find func(*replay.Thread, *artifact.Artifact) []replay.FieldBlame, file string, paths []string) (*replay.BlameResult, error) {
	a, f, err := l.artifactAt(ctx, file)
	if err != nil {
		return nil, err
	}
	in := newInputs(l)
	defer in.close()
	in.only(f.thread, f.name())
	if err := in.load(ctx, paths, nil); err != nil {
		return nil, err
	}
	if err := in.unreadableMail(); err != nil {
		return nil, err
	}
	out := &replay.BlameResult{Path: file}
	var infos []export.ThreadInfo
	if out.Thread, infos = in.threadsOf(f.thread, f.name()); len(infos) == 0 {
		return nil, fmt.Errorf("find thread %q: the inputs have no mail of it", f.thread)
	}
	t := in.openThread(in.threadOf(a, infos))
	t.run()
	r := t.replay
	if len(t.failures) > 0 {
		return nil, &t.failures[0]
	}
	if r == nil {
		return nil, fmt.Errorf("replay thread %q: the inputs have only part of it", out.Thread)
	}
	out.Fields = l.blamed(r, a, find)
	return out, nil
}

// blamed returns the blame of an artifact, with the rules for which deltas were to be
// rejected.
func (l *Linter) blamed(r *replay.Thread, a *artifact.Artifact, find func(*replay.Thread, *artifact.Artifact) []replay.FieldBlame) []replay.FieldBlame {
	out := find(r, a)
	name := func(by *replay.Blame) {
		if by != nil {
			by.RejectedBy, _ = l.rules.rejectedBy(by.Rejection)
		}
	}
	for i := range out {
		name(out[i].By)
		for j := range out[i].History {
			name(out[i].History[j].By)
		}
	}
	return out
}

// threadsOf returns the threads of an artifact: of its session, else those that its file
// is named after.
func (in *inputs) threadsOf(session, name string) (id string, infos []export.ThreadInfo) {
	if infos = in.threadsNamed(session); len(infos) == 0 && name != session {
		return name, in.threadsNamed(name)
	}
	return session, infos
}

// nameOfFile returns the thread that an artifact file is named after: its path is
// artifacts/{thread_id}.md.
func nameOfFile(p string) string { return strings.TrimSuffix(path.Base(p), path.Ext(p)) }

// threadOfFile returns the session of an artifact at a path, and the thread that the file
// is named after.
func threadOfFile(file string, a *artifact.Artifact) (session, name string) {
	name = nameOfFile(file)
	if id := a.Meta.Get("session_id"); id != nil && id.Text != "" {
		return strings.Clone(id.Text), name // a part of the file otherwise
	}
	return name, name
}

// artifactAt reads the artifact file at a path.
func (l *Linter) artifactAt(ctx context.Context, path string) (*artifact.Artifact, *artifactFile, error) {
	in := newInputs(l)
	defer in.close()
	if err := in.load(ctx, []string{path}, nil); err != nil {
		return nil, nil, err
	}
	switch {
	case len(in.failures) > 0:
		return nil, nil, &in.failures[0]
	case len(in.artifacts) != 1:
		return nil, nil, fmt.Errorf("%s is not an artifact", path)
	}
	f := in.artifacts[0]
	a, fault := in.readArtifact(f.in, nil)
	if a == nil {
		return nil, nil, fault
	}
	return a, f, nil
}

// threadOf returns the thread that an artifact names a message of, where threads of
// several projects have its id; else the first.
func (in *inputs) threadOf(a *artifact.Artifact, infos []export.ThreadInfo) export.ThreadInfo {
	for _, info := range infos {
		if namesMessageOf(a, in.store.Open(info)) {
			return info
		}
	}
	return infos[0]
}
