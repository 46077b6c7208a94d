package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Compile makes the COMPILED that publishes the next version of the thread, or an
// earlier one as it should have been published. Of the options only Version, Compiler and At count:
// the mailbox has the others. A thread that cannot be replayed whole
// is not compiled: the error is that of Err. It is a [*replay.NothingError] if there is
// nothing to publish.
func (t *Thread) Compile(opts replay.CompileOptions) (*replay.Compiled, error) {
	if err := t.Err(); err != nil {
		return nil, err
	}
	t.asking.Lock()
	defer t.asking.Unlock()
	var broke failures
	b := t.index.Mailbox
	opts.Roster, opts.ArtifactsDir, opts.RejectedBy = b.opts.RuleConfig.Roster, b.opts.RuleConfig.ArtifactsDir, b.rules.RejectedBy
	opts.Validate = func(body string) replay.Validation { return b.validate(t.session, body, &broke) }
	out, err := replay.Compile(t.replay, opts)
	if len(broke) > 0 {
		return nil, &broke[0]
	}
	return out, err
}

// validate checks the artifact in the body of a COMPILED by all rules on artifacts, also those
// that the configuration ignores (decisions.md 27: published claims).
func (b *Mailbox) validate(thread *session.Thread, body string, broke *failures) replay.Validation {
	t := session.Begin(&mail.Thread{ID: thread.ID, Project: thread.Project, Roster: thread.Roster}, b.opts.Limits.ofArtifacts())
	m := t.Add(&mail.Message{
		Subject: source.NewText([]byte("COMPILED: v1")), Body: source.NewText([]byte(body)), BodyState: mail.BodyPresent,
		Thread: source.NewText([]byte(thread.ID)),
	})
	var out replay.Validation
	if m.Artifact == nil {
		return out
	}
	type placed struct {
		replay.ValidationFinding
		at int
	}
	var found []placed
	record := func(r *lint.Rule, d lint.Diagnostic) {
		switch r.Severity {
		case lint.Error:
			out.Errors++
		case lint.Warning:
			out.Warnings++
		default:
			return
		}
		found = append(found, placed{replay.ValidationFinding{Rule: r.ID, Severity: r.Severity.String(), Item: d.Item, Message: d.Message}, d.At.Span.Start})
	}
	run := b.newRunner("", record)
	run.thread = thread.ID
	run.artifactAsIs(b.plan.counted, &lint.ArtifactPass{Artifact: m.Artifact, Message: m}, record)
	*broke = run.failures
	slices.SortStableFunc(found, func(a, b placed) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.Rule, b.Rule)) })
	for _, f := range found {
		out.Findings = append(out.Findings, f.ValidationFinding)
	}
	return out
}

// Version is one side of a Diff: an artifact file, the present state of a thread, or a
// version that it published.
type Version struct {
	Thread string // "" if an artifact does not say
	Number int    // 0 if an artifact gives none, and for a thread as it is now
	// Pending counts the deltas after the last version, of a thread as it is now.
	Pending int
	// MessageID is that of the COMPILED that published the version. Merged reports that the
	// COMPILED holds no artifact, so that the merged state stands for it.
	MessageID string
	Merged    bool
	// IsFile reports that the version is an artifact file.
	IsFile bool

	state    *brenner.State
	rendered bool // it is what Markdown shows
}

// Diff returns the differences between two versions, item by item.
func Diff(a, b *Version) []diff.Change {
	if a.rendered || b.rendered {
		return slices.Collect(diff.Renderings(a.state, b.state))
	}
	return slices.Collect(diff.States(a.state, b.state))
}

// ArtifactVersion returns the content of the only artifact file. It returns nil if the mailbox
// has mail, or several files.
func (b *Mailbox) ArtifactVersion(ctx context.Context) (*Version, error) {
	x, err := b.read(ctx, allThreads)
	if err != nil {
		return nil, err
	}
	if broke := x.broken(); len(broke) > 0 {
		return nil, &broke[0]
	}
	if len(x.store.Threads()) > 0 {
		return nil, nil
	}
	f, a, err := b.onlyArtifact(ctx)
	if a == nil {
		return nil, err
	}
	out := &Version{Thread: f.thread, IsFile: true, state: a.State(), rendered: !a.IsJSON()}
	if v := a.Meta.Get("version"); v != nil && brenner.IsNumber(v.Text) {
		out.Number, _ = brenner.ParseNumber(v.Text)
	}
	return out, nil
}

// Version returns a published version of the thread; for 0, the thread as it is now.
func (t *Thread) Version(n int) (*Version, error) {
	if err := t.Err(); err != nil {
		return nil, err
	}
	out := &Version{Thread: t.info.ID, Number: n}
	if n == 0 {
		if t.replay.Pending.Unread {
			return nil, fmt.Errorf("thread %s cannot be replayed whole: the export lacks the bodies of DELTA messages", t.info.ID)
		}
		out.state, out.Pending = t.replay.Pending.State, len(t.replay.Pending.Deltas)
		return out, nil
	}
	w := t.replay.Version(n)
	switch {
	case w == nil && len(t.replay.Windows) == 0:
		return nil, fmt.Errorf("thread %s has no version %d: none is published", t.info.ID, n)
	case w == nil:
		return nil, fmt.Errorf("thread %s has no version %d: the latest is v%d", t.info.ID, n, t.LatestVersion())
	case w.Published == nil && w.Unread:
		return nil, fmt.Errorf("what v%d of thread %s holds is not known: bodies are missing", n, t.info.ID)
	}
	out.state, out.MessageID = w.Published, w.Compiled.ID
	if out.state == nil {
		out.state, out.Merged = w.State, true
	}
	return out, nil
}
