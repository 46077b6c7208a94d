package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/brenner/compile"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// CompileOptions say what Compile compiles.
type CompileOptions struct {
	Thread   string    // "" where the inputs have one thread only
	Project  string    // "" where one project only has the thread
	Version  int       // 0 for the next
	Compiler string    // "" for the thread's own
	At       time.Time // zero for the time of the latest message
}

// Compile makes the COMPILED that publishes the next version of a thread, or an
// earlier one as it should have been published. A thread that cannot be replayed whole
// is not compiled. The error is a [*compile.NothingError] if there is nothing to
// publish. Notices are further facts for the reader.
func (l *Linter) Compile(ctx context.Context, opts CompileOptions, paths ...string) (_ *compile.Result, notices []string, _ error) {
	in := newInputs(l)
	defer in.close()
	if opts.Thread != "" {
		in.only(opts.Thread)
	}
	if err := in.load(ctx, paths, nil); err != nil {
		return nil, nil, err
	}
	r, err := in.wholeThread(opts.Thread, opts.Project)
	if err != nil {
		return nil, nil, err
	}
	out, err := l.compile(r, opts)
	return out, in.notices, errors.Join(err, ctx.Err())
}

// compile makes the COMPILED of a thread that was replayed.
func (l *Linter) compile(r *replay.Thread, opts CompileOptions) (*compile.Result, error) {
	var broke failures
	out, err := compile.New(r, compile.Options{
		Version: opts.Version, Compiler: opts.Compiler, At: opts.At, Roster: l.opts.RuleConfig.Roster,
		ArtifactsDir: l.opts.RuleConfig.ArtifactsDir, RejectedBy: l.rules.rejectedBy,
		Validate: func(body string) compile.Validation { return l.validate(r, body, &broke) },
	})
	if len(broke) > 0 {
		return nil, &broke[0]
	}
	return out, err
}

// wholeThread replays the thread of an id, or the only one. It is an error if the
// inputs do not hold it, hold it twice, or hold only part of it.
func (in *inputs) wholeThread(id, project string) (*replay.Thread, error) {
	if err := in.unreadableMail(); err != nil {
		return nil, err
	}
	info, err := in.oneThread(id, project)
	if err != nil {
		return nil, err
	}
	t := in.openThread(info)
	t.run()
	return t.whole()
}

// whole returns the replay of a thread that was read; an error if it is of a part only.
func (t *threadRunner) whole() (*replay.Thread, error) {
	facts := t.facts()
	switch {
	case len(t.failures) > 0:
		return nil, &t.failures[0]
	case len(facts.Faults) > 0:
		return nil, fmt.Errorf("thread %s cannot be replayed whole: %w", t.ID, &facts.Faults[0])
	case t.replay == nil:
		return nil, fmt.Errorf("thread %s cannot be replayed whole: the inputs have only part of it (a listing, or single messages)%s", t.ID, t.hint())
	}
	return t.replay, nil
}

// hint says where the rest of the thread may be.
func (t *threadRunner) hint() string {
	if notices := t.inputs.store.Notices(); len(notices) > 0 {
		return ": " + strings.Join(notices, "; ")
	}
	return ""
}

// unreadableMail is why not all mail among the inputs could be read; nil if it could.
func (in *inputs) unreadableMail() error {
	switch reasons, _ := in.unreadable(); {
	case len(in.failures) > 0:
		return &in.failures[0]
	case len(reasons) > 0:
		return fmt.Errorf("the mail cannot be read whole:\n%s", strings.Join(reasons, "\n"))
	}
	return nil
}

// oneThread returns the thread of an id and a project, "" for the only one of the inputs.
func (in *inputs) oneThread(id, project string) (export.ThreadInfo, error) {
	infos := in.store.Threads()
	if id != "" {
		if infos = in.threadsNamed(id); len(infos) == 0 {
			return export.ThreadInfo{}, in.notFound(id)
		}
	}
	infos, err := ofProject(infos, id, project)
	if err != nil {
		return export.ThreadInfo{}, err
	}
	var ids, projects []string
	for _, info := range infos {
		ids, projects = append(ids, cmp.Or(info.ID, "(no id)")), append(projects, info.Project)
	}
	ids = slices.Compact(ids)
	switch {
	case len(infos) == 1:
		return infos[0], nil
	case len(infos) == 0:
		return export.ThreadInfo{}, errors.New("the inputs have no protocol thread")
	case len(ids) == 1:
		return export.ThreadInfo{}, fmt.Errorf("thread %s is in several projects; choose one with --project: %s", ids[0], strings.Join(projects, ", "))
	}
	const most = 6
	if n := len(ids) - most; n > 1 {
		ids = append(ids[:most:most], fmt.Sprintf("%d more", n))
	}
	return export.ThreadInfo{}, fmt.Errorf("the inputs have %d threads; choose one with --thread: %s", len(infos), strings.Join(ids, ", "))
}

// ofProject returns the threads of a project, "" for those of all: an id is unique in its
// project alone (decisions.md 16).
func ofProject(infos []export.ThreadInfo, id, project string) ([]export.ThreadInfo, error) {
	if project == "" {
		return infos, nil
	}
	var found []export.ThreadInfo
	var projects []string
	for _, info := range infos {
		if info.InProject(project) {
			found = append(found, info)
		}
		projects = append(projects, cmp.Or(info.Project, "(none)"))
	}
	switch {
	case len(found) > 0:
		return found, nil
	case id != "":
		return nil, fmt.Errorf("thread %s is not in project %q; it is in %s", id, project, text.And(projects))
	}
	slices.Sort(projects)
	return nil, fmt.Errorf("the inputs have no thread of project %q; they have threads of %s", project, cmp.Or(text.And(slices.Compact(projects)), "none"))
}

// validate checks the artifact in the body of a COMPILED by all rules on artifacts,
// whatever the configuration lets run (decisions.md 27).
func (l *Linter) validate(r *replay.Thread, body string, broke *failures) compile.Validation {
	t := session.Begin(&mail.Thread{ID: r.Thread.ID, Project: r.Thread.Project, Roster: r.Thread.Roster}, l.opts.Limits.ofArtifacts())
	m := t.Add(&mail.Message{
		Subject: source.NewText([]byte("COMPILED: v1")), Body: source.NewText([]byte(body)), BodyState: mail.BodyPresent,
		Thread: source.NewText([]byte(r.Thread.ID)),
	})
	var out compile.Validation
	if m.Artifact == nil {
		return out
	}
	type place struct {
		compile.Finding
		at int
	}
	var found []place
	p := &lint.ArtifactPass{Artifact: m.Artifact, Message: m}
	p.Record = func(r *lint.Rule, d lint.Diagnostic) {
		switch r.Severity {
		case lint.Error:
			out.Errors++
		case lint.Warning:
			out.Warnings++
		default:
			return
		}
		found = append(found, place{compile.Finding{Rule: r.ID, Severity: r.Severity.String(), Item: d.Item, Message: d.Message}, d.At.Span.Start})
	}
	l.runInline(l.plan.counted, p, broke, r.Thread.ID)
	slices.SortStableFunc(found, func(a, b place) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.Rule, b.Rule)) })
	for _, f := range found {
		out.Findings = append(out.Findings, f.Finding)
	}
	return out
}
