package engine

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/parallel"
	"github.com/brennerlint/brennerlint/lint"
)

// Check checks the mailbox by the rules that it was opened with. Faults of the inputs are
// findings; the error is a cancelled context, or a named database without mail.
func (b *Mailbox) Check(ctx context.Context) (*lint.Report, error) {
	x, err := b.index(ctx, allThreads)
	if err != nil {
		return nil, err
	}
	c := b.newCheck(x)
	if err := c.run(ctx); err != nil {
		return nil, err
	}
	return c.report(ctx)
}

// check is one run over the inputs, or over a draft. Its tasks run side by side, and each is
// taken over when it ends.
type check struct {
	*Mailbox
	index     *mailIndex
	files     int             // that are checked
	artifacts []*artifactFile // as files
	facts     export.Facts    // of the inputs, but not of single threads

	drafts  int  // checked
	inScope bool // the draft is a message of the protocol
	// draftOnly reports that one draft is all that is reported.
	draftOnly    bool
	preview      []lint.DeltaView // of the merge with the draft
	extraNotices []string         // notices about inputs that are not checked
	quoted       []string         // as in a lint.Report

	entries    []*suppression            // of the configuration
	directives map[string][]*suppression // by the path of the artifact

	// What the tasks leave, in the order of the inputs.
	failures failures
	notices  []string
	sessions []*session.Session

	mu         sync.Mutex // guards what follows while tasks run
	findings   findings
	unreadable bool // a part of a thread could not be read
	agents     agentTally
}

func (b *Mailbox) newCheck(x *mailIndex) *check {
	return &check{
		Mailbox: b, index: x, entries: entrySuppressions(b.opts.Suppressions, b.rules, b.folder), directives: map[string][]*suppression{},
		findings: b.newFindings(), agents: agentTally{},
	}
}

func (c *check) newTask(path string) *task {
	t := &task{check: c, findings: c.newFindings(), suppressible: true}
	t.runner = c.newRunner(path, t.add)
	return t
}

// result is what a task leaves besides its findings. Nothing of the input is kept in it.
type result struct {
	path       string
	failures   failures
	notices    []string
	directives []*suppression
	session    *session.Session // what rules on the workspace see; perhaps nil
	kept       *keptThread      // what Previous may keep; perhaps nil
}

// mergeTask takes over the findings of a task that has ended. Tasks may end in any order, on several
// goroutines. What has to stay in order is in the result, for add.
func (c *check) mergeTask(t *task) *result {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.findings.merge(&t.findings)
	return &result{path: t.path, failures: t.failures, notices: t.notices, directives: t.directives}
}

// add collects task results in input order; nil results are skipped.
func (c *check) add(results ...*result) {
	for _, r := range results {
		if r == nil {
			continue
		}
		c.failures = append(c.failures, r.failures...)
		c.notices = append(c.notices, r.notices...)
		if len(r.directives) > 0 {
			c.directives[r.path] = r.directives
		}
		if r.session != nil {
			c.sessions = append(c.sessions, r.session)
		}
	}
}

// run checks the artifact files, the drafts and the threads one by one, then what all of them
// hold together.
func (c *check) run(ctx context.Context) error {
	artifacts := c.artifactFiles(ctx, func(f *artifactFile, a *artifact.Artifact) { f.result = c.artifactFile(f, a) })
	if err := ctx.Err(); err != nil {
		return err
	}
	c.files, c.artifacts = len(c.inputs()), artifacts.list
	c.failures, c.facts.Faults = c.index.broken(), c.index.faults()
	for _, found := range c.found.Inputs {
		if found.Kind == input.Draft {
			c.draftFile(found)
		}
	}
	for _, f := range c.artifacts {
		c.add(f.result)
		f.result = nil
	}
	c.threads(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	all := c.newTask("")
	all.workspace(c.sessions)
	c.add(c.mergeTask(all))
	c.checkInputs(c.facts, nil)
	return nil
}

// checkInputs checks what the readers found, or else the suppressions without effect. Findings
// about suppressions cannot be suppressed.
func (c *check) checkInputs(read export.Facts, unused []lint.UnusedSuppression) {
	t := c.newTask("")
	t.suppressible = len(unused) == 0
	t.input(read, unused)
	for _, f := range t.findings.list { // --fix changes artifact files only
		in := c.byPath[f.Path]
		f.Artifact = !c.draftOnly && in != nil && in.Kind.IsArtifact()
	}
	c.add(c.mergeTask(t))
}

// artifactFile checks an artifact file, and summarises it for the rules on the workspace.
func (c *check) artifactFile(f *artifactFile, a *artifact.Artifact) *result {
	p := f.in.Path()
	t := c.newTask(p)
	if id := a.Meta.Get("session_id"); id != nil {
		t.session = strings.Clone(id.Text) // findings keep it, and not the artifact
	}
	t.directives = directives(a, f.thread, c.rules)
	t.text, t.private = a.Text, sync.OnceValue(func() bool { return input.NamesCredential(a.Text.Data) })
	t.isArtifact, t.garbled = true, f.fault != nil
	t.artifact(c.plan.rules, &lint.ArtifactPass{Artifact: a, Path: p, RealPath: f.in.RealPath(), HasThread: len(c.index.threadsNamed(f.thread)) > 0}, t.add)
	out := c.mergeTask(t)
	if c.plan.references {
		defer c.opts.Trace.time(replayStage)()
		out.session = replay.SummarizeFile(replay.File{Path: p, Artifact: a}, f.thread)
		box := c.Mailbox
		out.session.Open = func() (*session.Thread, *artifact.Artifact) {
			a, _ := box.readArtifact(f.in)
			return nil, a
		}
	}
	return out
}

// threads checks the threads, each as a whole on one worker and the largest
// first, so that no worker is left with a large one at the end.
func (c *check) threads(ctx context.Context) {
	infos := c.index.store.Threads()
	results := make([]*result, len(infos))
	var order []int
	for i := range infos {
		if results[i] = c.cachedResult(infos[i]); results[i] == nil {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(infos[b].Size, infos[a].Size) })
	c.done.Store(0)
	parallel.Do(c.opts.Workers, len(order), func(n int) {
		defer c.progress(len(order))
		if i := order[n]; ctx.Err() == nil {
			results[i] = c.thread(ctx, infos[i])
		}
	})
	c.add(results...)
	if c.previous != nil {
		c.previous.keep(infos, results)
	}
}

// threadCheck is the check of one thread: of each message as it is read, then of
// the whole.
type threadCheck struct {
	*Thread
	task       *task
	asksOthers bool // what it finds depends on other threads
}

func (c *check) newThreadCheck(info export.ThreadInfo) *threadCheck {
	t := &threadCheck{Thread: c.index.openThread(info), task: c.newTask("")}
	t.task.project, t.task.thread = info.Project, info.ID
	return t
}

// thread checks a thread. The result is nil if the check was cancelled.
func (c *check) thread(ctx context.Context, info export.ThreadInfo) *result {
	t := c.newThreadCheck(info)
	t.task.guard(threadStage, func() { t.run(ctx, nil, true) })
	if ctx.Err() != nil {
		return nil
	}
	var summary *session.Session
	if t.replay != nil && c.plan.references {
		t.guard(replayStage, func() { summary = c.index.reopening(t.replay.Summary(), info, nil) })
	}
	t.task.failures = slices.Concat(t.failures, t.task.failures)
	t.task.path, t.task.project, t.task.thread = "", "", "" // faults of the mail, not of the thread
	t.task.input(t.reader.Facts, nil)
	kept := t.keep(summary)
	out := c.mergeTask(t.task)
	out.session, out.kept = summary, kept
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unreadable = c.unreadable || len(t.reader.Facts.Faults) > 0
	if c.previous == nil { // else known threads are not read, and cannot be counted
		c.agents.count(t.Thread)
	}
	return out
}

// reopening makes a summary of a thread able to read the thread again; with a draft, if one is
// given.
func (x *mailIndex) reopening(s *session.Session, info export.ThreadInfo, draft *mail.Message) *session.Session {
	s.Open = func() (*session.Thread, *artifact.Artifact) {
		t := x.openMail(info)
		t.read(context.Background(), draft)
		return t.session, nil
	}
	return s
}

// run reads the thread, with a draft, if one is given, as its last message. It runs the rules that go
// through its messages, on the draft and with all on each message also those on single messages, then
// the rules that look at the whole. If it is cancelled it ends before the next message.
func (t *threadCheck) run(ctx context.Context, draft *mail.Message, all bool) {
	t.read(ctx, draft)
	messages := t.session.Messages
	if len(messages) == 0 {
		return
	}
	if t.replay != nil && t.replay.Notice() != "" {
		t.task.notices = append(t.task.notices, t.replay.Notice())
	}
	first := messages[0].ExportInfo
	t.task.path = first.Path
	visit := t.task.visitor(t.pass())
	for i, m := range messages {
		if ctx.Err() != nil {
			return
		}
		if all || t.joined && i == len(messages)-1 {
			t.task.message(m, t.session, t.session.Roster, t.replay)
		}
		visit(m)
		if follow := t.index.opts.Trace.Message; follow != nil {
			follow(mail.Ref{Project: t.info.Project, Thread: t.info.ID, ID: m.ID})
		}
	}
	if !t.session.Complete && isAlone(first) {
		t.task.findings.lonePaths = []string{first.Path}
	}
	t.task.wholeThread(t.pass())
}

// pass shows a rule the thread.
func (t *threadCheck) pass() *lint.ThreadPass {
	return t.task.threadPass(t.session, t.replay, func(id string) bool {
		if t.reader.Has(id) {
			return true
		}
		t.asksOthers = true
		return t.index.store.Has(t.info.Project, id)
	})
}

// isAlone reports whether a message is the only line of a file which could hold its
// thread: its writer may think that it is a whole one.
func isAlone(f *mail.ExportInfo) bool {
	ext := strings.ToLower(path.Ext(f.Path))
	return f.Standalone && (ext == ".jsonl" || ext == ".ndjson")
}
