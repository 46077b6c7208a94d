package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/revision"
	"github.com/brennerlint/brennerlint/lint"
)

// sinceRevision chooses the findings that are new since a git revision: those of
// messages that it does not have, and those of other files that the file of the revision
// does not have.
type sinceRevision struct {
	*revision.Revision
	rules lint.Catalogue
	opts  engine.Options // of the check
	paths []string
	most  int64 // bytes of a file that is compared
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
	since := &sinceRevision{rev, c.rules, c.opts, paths, cmp.Or(c.opts.Limits.FileSize, engine.DefaultLimits.FileSize)}
	c.opts.OnlyNew = since.choose
	return nil
}

// choose returns the findings that are new.
func (s *sinceRevision) choose(ctx context.Context, findings []*lint.Finding) ([]*lint.Finding, error) {
	dir, err := os.MkdirTemp("", "brennerlint-*")
	if err == nil {
		defer os.RemoveAll(dir)
		findings, err = s.chooseIn(ctx, dir, findings)
	}
	if err != nil {
		return nil, fmt.Errorf("--new-from: %w", err)
	}
	return findings, nil
}

// change is how a file differs from that of the revision.
type change struct {
	name string // of the file in the revision, "" if it has none
	old  []byte // what it was
	same bool   // it is the same, perhaps under another name
}

func (s *sinceRevision) chooseIn(ctx context.Context, dir string, findings []*lint.Finding) ([]*lint.Finding, error) {
	files := map[string]*change{}
	added := map[string]bool{} // the extensions of files that the revision does not have
	var names, gone []string
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
	for name := range s.Names() { // a new file may be one of them that moved
		if added[path.Ext(name)] && s.Gone(name) {
			gone = append(gone, name)
		}
	}
	slices.Sort(gone)
	names = append(names, gone...)
	slices.Sort(names)
	if err := s.Extract(ctx, dir, slices.Compact(names), s.most); err != nil {
		return nil, err
	}
	if err := compareFiles(dir, files, gone); err != nil {
		return nil, err
	}
	fresh, err := s.freshOf(ctx, findings, files)
	if err != nil {
		return nil, err
	}
	mail, err := s.mailOf(ctx, dir, findings, files)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(findings), func(f *lint.Finding) bool { return !isNew(f, files[f.Path], fresh, mail) }), nil
}

// isNew reports whether a finding is one of a new message, or was not there before; one of a
// thread is new if the whole thread is.
func isNew(f *lint.Finding, c *change, fresh map[*lint.Finding]bool, mail revisionMail) bool {
	switch {
	case c.same:
		return false
	case isOfMail(f):
		return !mail.has(f, f.MessageID)
	case isOfThread(f), c.name == "" && !f.Artifact && f.Thread != "":
		return !mail.has(f, "")
	}
	return fresh[f]
}

// isOfMail reports whether a finding is about a message.
func isOfMail(f *lint.Finding) bool { return !f.Artifact && f.MessageID != "" }

// isOfThread reports whether a finding is about a thread as a whole.
func isOfThread(f *lint.Finding) bool { return f.Range == nil && f.Thread != "" }

// compareFiles compares the files with those of the revision, which are copied below dir. One
// that the revision does not have is compared with the file that it probably was: with one of
// those that are gone.
func compareFiles(dir string, files map[string]*change, gone []string) error {
	old := func(name string) ([]byte, error) {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if os.IsNotExist(err) { // too large
			return nil, nil
		}
		return data, err
	}
	was, is := map[string][]byte{}, map[string][]byte{}
	var err error
	for _, name := range gone {
		if was[name], err = old(name); err != nil {
			return err
		}
	}
	for p, c := range files {
		data, err := os.ReadFile(p)
		if err != nil {
			continue // what is there now is not such a file: standard input, gone meanwhile
		}
		if c.name == "" {
			is[p] = data
			continue
		}
		if c.old, err = old(c.name); err != nil {
			return err
		}
		c.same = c.old != nil && bytes.Equal(c.old, data)
	}
	for p, name := range revision.Moves(was, is) {
		c := files[p]
		c.name, c.old = name, was[name]
		c.same = bytes.Equal(c.old, is[p])
	}
	return nil
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

// mailOf reads the mail of the revision: that of the files with findings that changed, and of
// files that are gone, which may have moved.
func (s *sinceRevision) mailOf(ctx context.Context, dir string, findings []*lint.Finding, files map[string]*change) (revisionMail, error) {
	asked := slices.ContainsFunc(findings, func(f *lint.Finding) bool {
		return !f.Artifact && !files[f.Path].same && (f.MessageID != "" || f.Thread != "")
	})
	if !asked {
		return nil, nil
	}
	box, err := engine.Open(ctx, nil, engine.Options{Mail: engine.AllMail, Limits: s.opts.Limits}, dir)
	if err != nil {
		return nil, err
	}
	defer box.Close()
	messages, err := box.Messages(ctx)
	if err != nil {
		return nil, err
	}
	return newRevisionMail(messages), nil
}

// revisionMail is the mail of a revision: its messages, and with an empty message id its
// threads. Each is there twice, also as one of anyProject.
type revisionMail map[mail.Ref]bool

// anyProject stands for each project.
const anyProject = "\x00"

func newRevisionMail(messages map[mail.Ref]bool) revisionMail {
	m := revisionMail{}
	for ref := range messages {
		for _, project := range []string{ref.Project, anyProject} {
			m[mail.Ref{Project: project, Thread: ref.Thread, ID: ref.ID}] = true
			m[mail.Ref{Project: project, Thread: ref.Thread}] = true
		}
	}
	return m
}

// has reports whether the revision has a message of a finding's thread, or with an empty id the
// thread. Many exports do not name their project: such a one may be of any project.
func (m revisionMail) has(f *lint.Finding, id string) bool {
	ref := mail.Ref{Project: f.Project(), Thread: f.Thread, ID: id}
	if ref.Project == "" {
		ref.Project = anyProject
		return m[ref]
	}
	return m[ref] || m[mail.Ref{Thread: f.Thread, ID: id}]
}
