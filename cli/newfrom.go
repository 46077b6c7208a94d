package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/revision"
	"github.com/brennerlint/brennerlint/lint"
)

// sinceRevision chooses the findings that are new since a git revision.
type sinceRevision struct {
	*revision.Revision
	rules lint.Catalogue
	opts  engine.Options // of the check
	paths []string
}

// onlyNew makes the check of paths report what is new since --new-from.
func (c *checkCommand) onlyNew(ctx context.Context, paths []string) error {
	if c.newFrom == "" {
		return nil
	}
	wd, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("--new-from: %w", err)
	}
	rev, err := revision.Open(ctx, wd, c.newFrom)
	if err != nil {
		return fmt.Errorf("--new-from: %w", err)
	}
	since := &sinceRevision{rev, c.rules, c.opts, paths}
	c.opts.OnlyNew = func(ctx context.Context, findings []*lint.Finding) ([]*lint.Finding, error) {
		findings, err := since.choose(ctx, findings)
		if err != nil {
			return nil, fmt.Errorf("--new-from: %w", err)
		}
		return findings, nil
	}
	return nil
}

// choose returns the findings that are new: one of a message or a thread if the revision does
// not have that, another if a check of the revision does not have it.
func (s *sinceRevision) choose(ctx context.Context, findings []*lint.Finding) ([]*lint.Finding, error) {
	if len(findings) == 0 {
		return nil, nil
	}
	dir, err := os.MkdirTemp("", "brennerlint-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := s.extract(ctx, dir, findings); err != nil {
		return nil, err
	}
	had, err := s.mailBelow(ctx, dir)
	if err != nil {
		return nil, err
	}
	moved := s.moved(dir, findings)
	fresh := map[*lint.Finding]bool{}
	var others []*lint.Finding
	for _, f := range findings {
		isNew := !s.Has(s.Name(f.Path)) && moved[f.Path] == "" // the file
		if isOfMail := f.MessageID != "" || f.Thread != "" && (f.Range == nil || isNew); isOfMail && !f.Artifact {
			fresh[f] = !had(f)
		} else {
			others = append(others, f)
		}
	}
	earlier, err := s.earlier(ctx, dir, moved, others)
	if err != nil {
		return nil, err
	}
	for _, f := range engine.Since(earlier, others) {
		fresh[f] = true
	}
	return slices.DeleteFunc(slices.Clone(findings), func(f *lint.Finding) bool { return !fresh[f] }), nil
}

// extract copies the files of the revision below dir: those that are not excluded, and those that
// have findings.
func (s *sinceRevision) extract(ctx context.Context, dir string, findings []*lint.Finding) error {
	named := map[string]bool{}
	for _, f := range findings {
		named[s.Name(f.Path)] = true
	}
	var names []string
	for name := range s.Names() {
		if named[name] || !input.Excluded(s.opts.Exclude, s.Path(name)) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return s.Extract(ctx, dir, names, cmp.Or(s.opts.Limits.FileSize, engine.DefaultLimits.FileSize))
}

// earlier checks the paths as they were in the revision, whose files are below dir. The findings
// in a file are given the path that it has now, for those in question.
func (s *sinceRevision) earlier(ctx context.Context, dir string, moved map[string]string, findings []*lint.Finding) ([]*lint.Finding, error) {
	if len(findings) == 0 {
		return nil, nil
	}
	var paths []string
	now := map[string]string{} // by the path in dir
	for _, f := range findings {
		old := filepath.Join(dir, cmp.Or(moved[f.Path], s.Name(f.Path)))
		if now[old] = f.Path; moved[f.Path] != "" {
			paths = append(paths, old)
		}
	}
	for _, p := range s.paths {
		if p == "-" {
			p = s.opts.Stdin.Name
		}
		if p == "" {
			continue
		}
		old := p // outside of the repository
		if name := s.Name(p); name != "" {
			old = filepath.Join(dir, name)
		}
		if exists(old) {
			paths = append(paths, old)
		}
	}
	opts := s.opts
	opts.Exclude, opts.Baseline, opts.OnlyNew, opts.Trace, opts.SkipUnrecognized = nil, nil, nil, nil, true
	opts.Limits.Findings = engine.MaxFindings
	rep, err := engine.Check(ctx, s.rules, opts, paths...)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(rep.Findings, func(f *lint.Finding) bool {
		f.Path = now[filepath.FromSlash(f.Path)]
		return f.Path == ""
	}), nil
}

// exists reports whether there is what a path names.
func exists(p string) bool {
	if _, err := os.Stat(strings.TrimSuffix(p, "...")); err == nil {
		return true
	}
	found, err := doublestar.FilepathGlob(p)
	return err == nil && len(found) > 0
}

// moved returns the names that the revision has for files with findings that it does not have
// under their present names, by their paths.
func (s *sinceRevision) moved(dir string, findings []*lint.Finding) map[string]string {
	added, gone := map[string][]byte{}, map[string][]byte{}
	extensions := map[string]bool{}
	for _, f := range findings {
		if _, known := added[f.Path]; known || s.Has(s.Name(f.Path)) {
			continue
		}
		if data, err := os.ReadFile(f.Path); err == nil { // else standard input, perhaps
			added[f.Path], extensions[path.Ext(f.Path)] = data, true
		}
	}
	for name := range s.Names() {
		if extensions[path.Ext(name)] && s.Gone(name) {
			gone[name], _ = os.ReadFile(filepath.Join(dir, name)) // nil if it was too large
		}
	}
	return revision.Moves(gone, added)
}

// mailBelow reads the mail of the revision below dir. had reports whether it has the message of a
// finding, or the thread of one that is about no message. Many exports do not name their project:
// they may be of any project.
func (s *sinceRevision) mailBelow(ctx context.Context, dir string) (had func(*lint.Finding) bool, err error) {
	box, err := engine.Open(ctx, nil, engine.Options{Mail: engine.AllMail, Limits: s.opts.Limits}, dir)
	if err != nil {
		return nil, err
	}
	defer box.Close()
	messages, err := box.Messages(ctx)
	if err != nil {
		return nil, err
	}
	const anyProject = "\x00"
	known := map[mail.Ref]bool{}
	for ref := range messages {
		for _, project := range []string{ref.Project, anyProject} {
			known[mail.Ref{Project: project, Thread: ref.Thread, ID: ref.ID}] = true
			known[mail.Ref{Project: project, Thread: ref.Thread}] = true
		}
	}
	return func(f *lint.Finding) bool {
		project := cmp.Or(f.Project(), anyProject)
		return known[mail.Ref{Project: project, Thread: f.Thread, ID: f.MessageID}] || known[mail.Ref{Thread: f.Thread, ID: f.MessageID}]
	}, nil
}
