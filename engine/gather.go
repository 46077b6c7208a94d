package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/internal/bundle"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/wording"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/replay"
	"github.com/brennerlint/brennerlint/session"
	"github.com/brennerlint/brennerlint/workspace"
)

// largeThread is mail.LargeThread, but in tests.
var largeThread int64 = export.LargeThread

// artifactTask is the check of one artifact file. The tree is not kept: of
// thousands of artifacts few belong to a thread among the inputs, and those are
// read again.
type artifactTask struct {
	in      *input.Input
	sink    *sink
	sups    []*suppressor
	problem *export.Problem
	thread  string // the session id, else as the file is named
	session *workspace.Session
	text    string // for reports that show it whole
}

// name is the thread that the file is named after: its path is
// artifacts/{thread_id}.md.
func (t *artifactTask) name() string {
	p := t.in.Path()
	return strings.TrimSuffix(path.Base(p), path.Ext(p))
}

// gather finds the inputs. Artifacts are checked as they are found, while the
// file is at hand; mail goes into the store.
func (c *check) gather(ctx context.Context, paths []string) error {
	c.store = export.NewStore(export.Options{ // drafts look at it too
		Scope: c.opts.Mail, LargeThread: largeThread, Bundle: bundle.Limits{Entries: c.opts.Limits.Entries, Expanded: c.opts.Limits.ExpandedSize},
	})
	g := gathered{failed: map[int]error{}, broken: map[int]*sink{}}
	set, err := input.Discover(ctx, paths, input.Options{
		As: c.opts.Kind, Exclude: c.opts.Exclude, Stdin: c.opts.Stdin, StdinName: c.opts.StdinName,
		SkipUnrecognized: c.opts.SkipUnrecognized, MaxFileSize: c.opts.Limits.FileSize, Workers: c.opts.Workers,
	}, func(in *input.Input) {
		defer c.progress(0)
		var t *artifactTask
		var err error
		s := c.newSink(in.Path())
		switch {
		case in.Kind.IsArtifact():
			t = c.artifact(in, s)
		case in.Kind != input.Draft:
			s.guard(inputStage, func() { err = c.addMail(ctx, in) })
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		switch {
		case t != nil:
			c.artifacts = append(c.artifacts, t)
		case len(s.failures) > 0:
			g.broken[in.Order] = s
		case errors.Is(err, export.ErrNoMail):
			g.addForeign(in, err, c.opts.SkipUnrecognized)
		case err != nil:
			g.failed[in.Order] = err
		case in.Kind == input.Draft:
			g.drafts = append(g.drafts, in)
		}
	})
	for _, order := range slices.Sorted(maps.Keys(g.failed)) {
		err = errors.Join(err, g.failed[order])
	}
	if err != nil {
		return err
	}
	for _, order := range slices.Sorted(maps.Keys(g.broken)) {
		c.sinks = append(c.sinks, g.broken[order])
	}
	c.files = len(set.Inputs) - g.foreign
	c.noticeSkipped(append(g.skipped, set.Skipped...))
	c.problems = append(c.problems, set.Problems...)
	c.readDrafts(g.drafts)
	c.takeArtifacts()
	return nil
}

// gathered is what the workers of gather come upon.
type gathered struct {
	mu      sync.Mutex
	failed  map[int]error // by the order of the inputs
	broken  map[int]*sink // likewise
	drafts  []*input.Input
	foreign int      // inputs that only looked like mail
	skipped []string // those of them that are named
}

// addForeign adds an input that holds no mail: in a folder nobody asks for it,
// named it is an error of use, or skipped.
func (g *gathered) addForeign(in *input.Input, err error, skip bool) {
	g.foreign++
	switch {
	case !in.Named:
	case skip:
		g.skipped = append(g.skipped, in.Path())
	default:
		g.failed[in.Order] = &input.UsageError{Path: in.Path(), Reason: err.Error()}
	}
}

// takeArtifacts takes over what the checks of artifact files found, in the order
// of the inputs.
func (c *check) takeArtifacts() {
	slices.SortFunc(c.artifacts, func(a, b *artifactTask) int { return cmp.Compare(a.in.Order, b.in.Order) })
	c.byThread = make(map[string][]*artifactTask)
	for _, t := range c.artifacts {
		c.sinks = append(c.sinks, t.sink)
		c.sups = append(c.sups, t.sups...)
		c.byThread[t.thread] = append(c.byThread[t.thread], t)
		if name := t.name(); name != t.thread {
			c.byThread[name] = append(c.byThread[name], t)
		}
		if t.session != nil {
			c.sessions = append(c.sessions, t.session)
		}
		if c.opts.Threads && t.text != "" {
			c.artifactViews = append(c.artifactViews, lint.ArtifactView{Path: t.in.Path(), Thread: t.thread, Text: t.text})
		}
		if t.problem != nil {
			c.problems = append(c.problems, *t.problem)
		}
	}
}

// readDrafts checks drafts that were named.
func (c *check) readDrafts(drafts []*input.Input) {
	slices.SortFunc(drafts, func(a, b *input.Input) int { return cmp.Compare(a.Order, b.Order) })
	for _, in := range drafts {
		f, problem := in.File()
		if problem != nil {
			problem.Private = true
			c.problems = append(c.problems, *problem)
			continue
		}
		c.draft(f)
	}
}

// maxSkipped is how many skipped files a notice names.
const maxSkipped = 5

// noticeSkipped says which named files were not recognised.
func (c *check) noticeSkipped(paths []string) {
	if len(paths) == 0 {
		return
	}
	slices.Sort(paths)
	shown := paths[:min(len(paths), maxSkipped)]
	if more := len(paths) - len(shown); more > 0 {
		shown = append(slices.Clone(shown), fmt.Sprintf("%d more", more))
	}
	c.notices = append(c.notices, fmt.Sprintf("skipped %s, not recognised as an artifact, a mail export or a draft: %s",
		wording.Count(len(paths), "file", "files"), strings.Join(shown, ", ")))
}

// addMail puts a mail export into the store.
func (c *check) addMail(ctx context.Context, in *input.Input) error {
	defer c.opts.Profile.add(readStage, c.opts.Profile.start())
	return c.store.Add(ctx, in)
}

// artifact reads and checks one artifact file.
func (c *check) artifact(in *input.Input, s *sink) *artifactTask {
	t := &artifactTask{in: in, sink: s}
	t.thread = t.name()
	s.guard(inputStage, func() { c.artifactFile(t) })
	return t
}

func (c *check) artifactFile(t *artifactTask) {
	in, p := t.in, t.in.Path()
	a, problem := c.readArtifact(in, c.opts.Profile)
	t.problem = problem
	if a == nil {
		return
	}
	if id := a.Meta.Get("session_id"); id != nil && id.Text != "" {
		t.thread = strings.Clone(id.Text) // a part of the file otherwise
	}
	if len(c.plan.workspace) > 0 {
		start := c.opts.Profile.start()
		t.session = replay.SummarizeFile(replay.File{Path: p, Artifact: a}, t.thread)
		t.session.Open = func() (*session.Thread, *artifact.Artifact) {
			a, _ := c.readArtifact(in, nil)
			return nil, a
		}
		c.opts.Profile.add(replayStage, start)
	}
	if c.opts.Threads {
		t.text = string(a.Text.Data)
	}
	t.sups = directives(a, p, t.thread, c.all)
	t.sink.artifact = true
	c.checkArtifact(t.sink, &lint.ArtifactPass{Pass: t.sink.pass, Artifact: a, Path: p})
}

// readArtifact parses an artifact file; nil with the problem if it is none.
func (c *check) readArtifact(in *input.Input, profile *Profile) (*artifact.Artifact, *export.Problem) {
	start := profile.start()
	f, problem := in.File()
	profile.add(readStage, start)
	if problem != nil || f == nil {
		return nil, problem
	}
	defer profile.add(parseStage, profile.start())
	if in.Kind == input.ArtifactMarkdown {
		return artifact.ParseMarkdown(f.Text(), c.opts.Limits.ofArtifacts()), nil
	}
	text := f.Text()
	a, fault := artifact.ParseJSON(text, c.opts.Limits.ofArtifacts())
	if fault != nil {
		private := input.NamesCredential(text.Data) // a draft that is taken for an artifact
		if private {
			fault = fault.Discreet()
		}
		return nil, &export.Problem{Rule: "IN-002", Path: f.Path, Place: text.Place(fault.Span), Message: "is not valid JSON: " + fault.Message, Hint: fault.Hint, Fatal: true, Private: private}
	}
	return a, nil
}

func (c *check) checkArtifact(s *sink, p *lint.ArtifactPass) {
	for _, r := range c.plan.artifact {
		p.Rule = r
		s.try(r.ID, func() { r.Check.(lint.ArtifactCheck)(p) })
	}
}
