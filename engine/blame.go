package engine

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/source"
)

// Blame finds for every item and field of the artifact file at a path which delta, message and
// agent set it; with history also what it was set to before. The mailbox has the mail of the
// artifact's thread.
func (b *Mailbox) Blame(ctx context.Context, file string, history bool) (*replay.BlameResult, error) {
	a, thread, err := b.artifactAt(ctx, file)
	if err != nil {
		return nil, err
	}
	out := &replay.BlameResult{Path: file}
	err = b.use(func() error {
		in, err := b.only(ctx, thread, nameOfFile(file))
		if err != nil {
			return err
		}
		if err := in.unreadableMail(); err != nil {
			return err
		}
		id, infos := in.threadsOf(thread, nameOfFile(file))
		if len(infos) == 0 {
			return fmt.Errorf("find thread %q: the inputs have no mail of it", thread)
		}
		r := in.openThread(in.threadOf(a, infos))
		r.run()
		switch {
		case len(r.failures) > 0:
			return &r.failures[0]
		case r.replay == nil:
			return fmt.Errorf("replay thread %q: the inputs have only part of it", id)
		}
		out.Thread, out.Fields = id, b.blamed(r.replay, a, history)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// artifactAt reads the artifact file at a path, and finds the thread that it is of.
func (b *Mailbox) artifactAt(ctx context.Context, path string) (*artifact.Artifact, string, error) {
	opts := b.opts
	opts.Trace = nil
	at, err := open(ctx, b.rules, opts, &Mailbox{paths: []string{path}, streams: b.streams})
	if err != nil {
		return nil, "", err
	}
	defer at.Close()
	return at.artifact(ctx, path)
}

// artifact reads the only artifact file.
func (b *Mailbox) artifact(ctx context.Context, path string) (*artifact.Artifact, string, error) {
	files := b.artifactFiles(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case len(files.failures) > 0:
		return nil, "", &files.failures[0]
	case len(files.list) != 1:
		return nil, "", fmt.Errorf("%s is not an artifact", path)
	}
	a, fault := b.readArtifact(files.list[0].in)
	if a == nil {
		return nil, "", fault
	}
	return a, files.list[0].thread, nil
}

// Blame finds for every item and field of an artifact which delta, message and agent
// set it; nothing if only a part of the thread is there.
func (t *Thread) Blame(a *artifact.Artifact) (out []replay.FieldBlame, _ error) {
	err := t.use(func() error {
		if t.replay != nil {
			out = t.inputs.blamed(t.replay, a, false)
		}
		return nil
	})
	return out, err
}

// blamed returns the blame of an artifact, with the rules for which deltas were to be
// rejected.
func (b *Mailbox) blamed(r *replay.Thread, a *artifact.Artifact, history bool) []replay.FieldBlame {
	find := (*replay.Thread).Blame
	if history {
		find = (*replay.Thread).BlameHistory
	}
	out := find(r, a)
	name := func(by *replay.Blame) {
		if by != nil {
			by.RejectedBy, _ = b.rules.RejectedBy(by.Rejection)
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

// VersionOf returns the version that published a delta, or will; 0 if it is not known.
func (t *Thread) VersionOf(by *replay.Blame) int {
	for _, w := range t.Windows() {
		if w.Holds(by) {
			return max(0, w.Compiled.Version.Number)
		}
	}
	if t.replay != nil && t.replay.Pending.Holds(by) {
		return t.LatestVersion() + 1
	}
	return 0
}

// DeltaPlace returns where a delta sets a field: the path and the place in the file. Where
// it sets no such field it is the delta. It is false where no file holds it as text.
func (t *Thread) DeltaPlace(ctx context.Context, by *replay.Blame, field string) (path string, at source.Range, ok bool, _ error) {
	err := t.use(func() error {
		reading, index := t.inputs.store.Open(t.info), 0
		for _, m := range reading.Read() {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if by.IsOf(m.ID, index) {
				path, at, ok = deltaPlace(m, by.Delta, field, t.inputs.opts.Limits.ofArtifacts())
				return nil
			}
			index++
		}
		return nil
	})
	return path, at, ok, err
}

// deltaPlace returns the place of a delta of a message, or of a field that it sets.
func deltaPlace(m *mail.Message, index int, field string, limits artifact.Limits) (string, source.Range, bool) {
	for _, d := range session.Begin(&mail.Thread{}, limits).Add(m).Deltas {
		if d.Index != index {
			continue
		}
		place := fieldPlace(d, field)
		if r := rangeOf(place); r != nil {
			return filepath.ToSlash(place.Text.File.Path), *r, true
		}
	}
	return "", source.Range{}, false
}

func fieldPlace(d *delta.Delta, field string) source.Place {
	switch n := d.Payload.Get(field); {
	case d.Root == nil:
		return d.Fence
	case field != "" && n != nil:
		return d.Pos(n)
	}
	return d.ObjectStart()
}
