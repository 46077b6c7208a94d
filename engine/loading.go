package engine

import (
	"context"
	"errors"
	"sync"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/input"
)

// loading is the loading of inputs as they are found, by several goroutines.
type loading struct {
	*inputs
	visit   func(*artifactFile, *artifact.Artifact)
	outputs input.Outputs

	mu        sync.Mutex
	failed    map[int]error    // by the order of the inputs
	broken    map[int]failures // as failed
	foreign   foreignFiles
	mail      int            // exports that were added
	databases []*input.Input // that wait for what else is found
}

// discover finds the inputs, and loads each as it is found; if the index of an earlier check
// may be used, once all are found.
func (l *loading) discover(ctx context.Context, paths []string) (err error) {
	if l.previous == nil {
		l.found, err = input.Discover(ctx, paths, l.discovery(), func(found *input.Input) { l.add(ctx, found) })
		return err
	}
	l.found, err = input.Discover(ctx, paths, l.discovery(), nil)
	indexed := err == nil && l.previous.begin(l.inputs, l.found.Inputs)
	parallel(l.opts.Workers, len(l.found.Inputs), func(i int) {
		if found := l.found.Inputs[i]; indexed && found.Kind.IsMail() {
			l.read(found, func() error { return nil })
		} else {
			l.add(ctx, found)
		}
	})
	return err
}

// add loads an input. Where only some threads are asked for, databases wait.
func (l *loading) add(ctx context.Context, found *input.Input) {
	if l.some && found.Kind == input.SQLite {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.databases = append(l.databases, found)
		return
	}
	l.read(found, func() error { return l.store.Add(ctx, found) })
}

// addDatabases adds the databases that waited: if one is all the mail that there
// is, of it only the threads that are asked for.
func (l *loading) addDatabases(ctx context.Context) {
	alone := len(l.databases) == 1 && l.mail == 0
	for _, found := range l.databases {
		l.read(found, func() error {
			if alone {
				return l.store.AddThreads(ctx, found, l.threads...)
			}
			return l.store.Add(ctx, found)
		})
	}
}

// read loads an input; of mail, by addMail.
func (l *loading) read(found *input.Input, addMail func() error) {
	defer l.progress.add(0)
	var file *artifactFile
	var err error
	var broke failures
	broke.guard(inputStage, found.Path(), "", func() {
		switch {
		case found.Kind.IsArtifact():
			file = l.loadArtifact(found, l.visit)
		case found.Kind != input.Draft:
			start := l.opts.Profile.start()
			err = addMail()
			l.opts.Profile.add(readStage, start)
		}
	})
	if err == nil {
		err = l.outputs.Check(found)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case len(broke) > 0:
		l.broken[found.Order] = broke
	case errors.Is(err, export.ErrNoMail):
		err = l.foreign.add(found, err, l.opts.SkipUnrecognized)
	case found.Kind == input.Draft:
		l.drafts = append(l.drafts, found)
	case file != nil:
		l.artifacts = append(l.artifacts, file)
	case !found.Kind.IsArtifact():
		l.mail++
	}
	if err != nil {
		l.failed[found.Order] = err
	}
}
