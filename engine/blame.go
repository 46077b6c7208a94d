package engine

import (
	"context"
	"fmt"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/replay"
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

func (l *Linter) blame(ctx context.Context, find func(*replay.Thread, *artifact.Artifact) []replay.Blamed, file string, paths []string) (*replay.BlameResult, error) {
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
	out := &replay.BlameResult{Path: file, Thread: f.thread}
	infos := in.threadsNamed(f.thread)
	if len(infos) == 0 && f.name() != f.thread {
		out.Thread = f.name()
		infos = in.threadsNamed(out.Thread)
	}
	if len(infos) == 0 {
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
	out.Fields = find(r, a)
	name := func(by *replay.Blame) {
		if by != nil {
			by.RejectedBy, _ = l.rules.rejectedBy(by.Rejection)
		}
	}
	for i := range out.Fields {
		name(out.Fields[i].By)
		for j := range out.Fields[i].History {
			name(out.Fields[i].History[j].By)
		}
	}
	return out, nil
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

// threadOf is the thread that an artifact names a message of, where threads of
// several projects have its id; else the first.
func (in *inputs) threadOf(a *artifact.Artifact, infos []export.ThreadInfo) export.ThreadInfo {
	for _, info := range infos {
		if namesMessageOf(a, in.store.Open(info)) {
			return info
		}
	}
	return infos[0]
}
