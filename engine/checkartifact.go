package engine

import (
	"path/filepath"
	"strings"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/brenner/workspace"
	"github.com/brennerlint/brennerlint/lint"
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
		start := c.opts.Trace.start()
		t.session = replay.SummarizeFile(replay.File{Path: p, Artifact: a}, f.thread)
		box := c.Mailbox
		t.session.Open = func() (*session.Thread, *artifact.Artifact) {
			a, _ := box.readArtifact(f.in)
			return nil, a
		}
		c.opts.Trace.end(replayStage, start)
	}
	t.sups = directives(a, f.thread, c.rules)
	t.index = newDirectiveIndex(t.sups)
	t.collector.artifact, t.collector.directives, t.collector.garbled = true, t.index, f.fault != nil
	c.checkArtifact(t.collector, &lint.ArtifactPass{Pass: t.collector.pass, Artifact: a, Path: p, RealPath: f.in.RealPath()})
	return t
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
