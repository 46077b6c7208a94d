package engine

import (
	"cmp"
	"slices"
	"time"

	"github.com/brennerlint/brennerlint/brenner/compile"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// CompileOptions say how a thread is compiled.
type CompileOptions struct {
	Version  int       // 0 for the next
	Compiler string    // "" for the thread's own
	At       time.Time // zero for the time of the latest message
}

// Compile makes the COMPILED that publishes the next version of the thread, or an
// earlier one as it should have been published. A thread that cannot be replayed whole
// is not compiled: the error is that of Err. It is a [*compile.NothingError] if there is
// nothing to publish.
func (t *Thread) Compile(opts CompileOptions) (out *compile.Result, _ error) {
	err := t.use(func() (err error) {
		if t.fault != nil {
			return t.fault
		}
		out, err = t.inputs.compile(t.replay, opts)
		return err
	})
	return out, err
}

// compile makes the COMPILED of a thread that was replayed.
func (b *Mailbox) compile(r *replay.Thread, opts CompileOptions) (*compile.Result, error) {
	var broke failures
	out, err := compile.New(r, compile.Options{
		Version: opts.Version, Compiler: opts.Compiler, At: opts.At, Roster: b.opts.RuleConfig.Roster,
		ArtifactsDir: b.opts.RuleConfig.ArtifactsDir, RejectedBy: b.rules.RejectedBy,
		Validate: func(body string) compile.Validation { return b.validate(r, body, &broke) },
	})
	if len(broke) > 0 {
		return nil, &broke[0]
	}
	return out, err
}

// validate checks the artifact in the body of a COMPILED by all rules on artifacts,
// whatever the configuration lets run (decisions.md 27).
func (b *Mailbox) validate(r *replay.Thread, body string, broke *failures) compile.Validation {
	t := session.Begin(&mail.Thread{ID: r.Thread.ID, Project: r.Thread.Project, Roster: r.Thread.Roster}, b.opts.Limits.ofArtifacts())
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
	b.runInline(b.plan.counted, p, broke, r.Thread.ID)
	slices.SortStableFunc(found, func(a, b place) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.Rule, b.Rule)) })
	for _, f := range found {
		out.Findings = append(out.Findings, f.Finding)
	}
	return out
}
