package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/engine"
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
	rev, err := revision.Open(ctx, ".", c.newFrom)
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
// not have that, another if a check of the old files does not have it.
func (s *sinceRevision) choose(ctx context.Context, findings []*lint.Finding) ([]*lint.Finding, error) {
	dir, err := os.MkdirTemp("", "brennerlint-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	files, err := s.compare(ctx, dir, findings)
	if err != nil {
		return nil, err
	}
	had, err := s.mailBelow(ctx, dir)
	if err != nil {
		return nil, err
	}
	fresh, err := s.freshOf(ctx, findings, files)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(findings), func(f *lint.Finding) bool {
		c := files[f.Path]
		switch {
		case c.same:
			return true
		case isOfMail(f):
			return had(f, f.MessageID)
		case isOfThread(f), c.name == "" && !f.Artifact && f.Thread != "":
			return had(f, "")
		}
		return !fresh[f]
	}), nil
}

// isOfMail reports whether a finding is about a message.
func isOfMail(f *lint.Finding) bool { return !f.Artifact && f.MessageID != "" }

// isOfThread reports whether a finding is about a thread as a whole.
func isOfThread(f *lint.Finding) bool { return f.Range == nil && f.Thread != "" }

// change is how a file differs from that of the revision.
type change struct {
	name string // of the file in the revision, "" if it has none
	old  []byte // what it was
	same bool   // it is the same, perhaps under another name
}

// compare compares the files that have findings with the files of the revision, which it copies
// below dir. A file that the revision does not have may have moved: it is compared with the file
// that it probably was, among those that are gone.
func (s *sinceRevision) compare(ctx context.Context, dir string, findings []*lint.Finding) (map[string]*change, error) {
	files := map[string]*change{}
	added := map[string]bool{} // the extensions of files that the revision does not have
	var names []string
	for _, f := range findings {
		if files[f.Path] != nil {
			continue
		}
		c := &change{}
		files[f.Path] = c
		if name := s.Name(f.Path); s.Has(name) {
			c.name = name
			names = append(names, name)
		} else {
			added[path.Ext(f.Path)] = true
		}
	}
	gone := map[string][]byte{}
	for name := range s.Names() { // a new file may be one of them that moved
		if added[path.Ext(name)] && s.Gone(name) {
			gone[name] = nil
			names = append(names, name)
		}
	}
	slices.Sort(names)
	most := cmp.Or(s.opts.Limits.FileSize, engine.DefaultLimits.FileSize)
	old, err := s.Extract(ctx, dir, slices.Compact(names), most)
	if err != nil {
		return nil, err
	}
	for name := range gone {
		gone[name] = old[name]
	}
	moved := map[string][]byte{}
	for p, c := range files {
		data, err := os.ReadFile(p)
		switch {
		case err != nil: // standard input, or gone meanwhile
		case c.name == "":
			moved[p] = data
		default:
			c.old = old[c.name]
			c.same = c.old != nil && bytes.Equal(c.old, data)
		}
	}
	for p, name := range revision.Moves(gone, moved) {
		*files[p] = change{name, gone[name], bytes.Equal(gone[name], moved[p])}
	}
	return files, nil
}

// freshOf returns the findings that are not there if the files that changed are checked as they
// were, among the others as these are now.
func (s *sinceRevision) freshOf(ctx context.Context, findings []*lint.Finding, files map[string]*change) (map[*lint.Finding]bool, error) {
	opts := s.opts
	opts.Contents, opts.Baseline, opts.OnlyNew, opts.Trace, opts.SkipUnrecognized = map[string][]byte{}, nil, nil, nil, true
	for _, f := range findings {
		if c := files[f.Path]; !isOfMail(f) && !isOfThread(f) && !c.same && c.old != nil {
			opts.Contents[f.Path] = c.old
		}
	}
	var earlier []*lint.Finding
	if len(opts.Contents) > 0 {
		paths := append(slices.Sorted(maps.Keys(opts.Contents)), s.paths...)
		rep, err := engine.Check(ctx, s.rules, opts, slices.DeleteFunc(paths, func(p string) bool { return p == "-" })...)
		if err != nil {
			return nil, err
		}
		earlier = rep.Findings
	}
	fresh := map[*lint.Finding]bool{}
	for _, f := range engine.Since(earlier, findings) {
		fresh[f] = true
	}
	return fresh, nil
}

// mailBelow reads the mail of the revision below dir. had reports whether it has a message of a
// finding's thread, or with an empty id the thread. Many exports do not name their project: they
// may be of any project.
func (s *sinceRevision) mailBelow(ctx context.Context, dir string) (had func(f *lint.Finding, id string) bool, err error) {
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
	return func(f *lint.Finding, id string) bool {
		project := cmp.Or(f.Project(), anyProject)
		return known[mail.Ref{Project: project, Thread: f.Thread, ID: id}] || known[mail.Ref{Thread: f.Thread, ID: id}]
	}, nil
}
