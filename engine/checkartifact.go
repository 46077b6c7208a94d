package engine

import (
	"crypto/sha256"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/replay"
	"github.com/brennerlint/brennerlint/session"
	"github.com/brennerlint/brennerlint/workspace"
)

// artifactTask is the check of one artifact file.
type artifactTask struct {
	collector *collector
	sups      []*suppression
	index     *directiveIndex
	session   *workspace.Session
}

func (c *check) artifactFile(f *artifactFile, a *artifact.Artifact) *artifactTask {
	p := f.in.Path()
	t := &artifactTask{collector: c.newCollector(p)}
	if id := a.Meta.Get("session_id"); id != nil {
		t.collector.session = strings.Clone(id.Text) // findings keep it, and not the artifact
	}
	if len(c.plan.workspace) > 0 {
		start := c.opts.Profile.start()
		t.session = replay.SummarizeFile(replay.File{Path: p, Artifact: a}, f.thread)
		c.reopenFile(t.session, f.in)
		c.opts.Profile.add(replayStage, start)
	}
	t.sups = directives(a, f.thread, c.rules)
	t.index = newDirectiveIndex(t.sups)
	t.collector.artifact, t.collector.directives, t.collector.garbled = true, t.index, f.fault != nil
	c.checkArtifact(t.collector, &lint.ArtifactPass{Pass: t.collector.pass, Artifact: a, Path: p, RealPath: f.in.RealPath()})
	return t
}

// reopenFile lets the summary of an artifact file find it again. One that is kept holds on
// to no check.
func (c *check) reopenFile(s *workspace.Session, in *input.Input) {
	if k, name := c.in.kept, in.Path(); k != nil {
		s.Open = func() (*session.Thread, *artifact.Artifact) { return nil, k.inputs.artifactAt(name) }
		return
	}
	all := c.in
	s.Open = func() (*session.Thread, *artifact.Artifact) {
		a, _ := all.readArtifact(in, nil)
		return nil, a
	}
}

// artifactAt reads the artifact file of a path again; nil if there is none.
func (in *inputs) artifactAt(name string) *artifact.Artifact {
	at := slices.IndexFunc(in.artifacts, func(f *artifactFile) bool { return f.in.Path() == name })
	if at < 0 {
		return nil
	}
	a, _ := in.readArtifact(in.artifacts[at].in, nil)
	return a
}

// unit returns what the check of an artifact file has found; nil if it may not be kept. A
// file with suppressions is checked each time: whether they are used depends on its
// thread, too.
func (t *artifactTask) unit(f *artifactFile) *unit {
	if !t.collector.remember || len(t.sups) > 0 || f.fault != nil {
		return nil
	}
	u := t.collector.unit()
	if u != nil {
		u.Session, u.Thread, u.Size = t.session, f.thread, f.size
	}
	return u
}

// knownArtifact looks for what is known of an artifact file, by its bytes.
func (c *check) knownArtifact(f *artifactFile) bool {
	if k := c.opts.Kept; k != nil {
		if sum, ok := k.fileDigest(f.in); ok {
			f.digest = sum
		} else {
			return false
		}
	} else if data, err := f.in.Bytes(); err == nil {
		f.digest = sha256.Sum256(data)
	} else {
		return false
	}
	u := c.results.get(c.artifactKey(f))
	if u == nil || (u.Session == nil) != (len(c.plan.workspace) == 0) {
		return false
	}
	f.thread, f.size = u.Thread, u.Size
	t := &artifactTask{collector: c.newCollector(f.in.Path()), index: newDirectiveIndex(nil)}
	t.collector.reuse(u)
	if t.session = u.Session; u.Session != nil && c.in.kept == nil {
		again := *u.Session
		t.session = &again
		c.reopenFile(t.session, f.in)
	}
	f.task = t
	c.finish(t.collector)
	return true
}

// add takes over what the check of an artifact file found.
func (c *check) add(f *artifactFile, t *artifactTask) {
	c.collectors = append(c.collectors, t.collector)
	if len(t.sups) > 0 {
		c.sups = append(c.sups, t.sups...)
		c.scope.directives[filepath.ToSlash(f.in.Path())] = t.index
	}
	if len(t.collector.yielding) > 0 && len(c.in.threadsNamed(f.thread)) == 0 {
		for _, y := range t.collector.yielding {
			t.collector.add(y.rule, y.Diagnostic)
		}
	}
	if t.session != nil {
		c.sessions = append(c.sessions, t.session)
	}
}
