package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
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
// messages that it does not have, those of other files on lines that it does not have.
type sinceRevision struct {
	*revision.Revision
	limits engine.Limits
	most   int64 // bytes of a file that is compared
}

// onlyNew makes the check report what is new since --new-from.
func (c *checkCommand) onlyNew(ctx context.Context, opts *engine.Options) error {
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
	since := &sinceRevision{rev, opts.Limits, cmp.Or(opts.Limits.FileSize, engine.DefaultLimits.FileSize)}
	opts.OnlyNew = since.choose
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

// changes are how a file differs from that of the revision.
type changes struct {
	known bool         // the revision has it
	same  bool         // it is the same
	lines map[int]bool // those that are new
	old   string       // a copy of that of the revision
}

func (s *sinceRevision) chooseIn(ctx context.Context, dir string, findings []*lint.Finding) ([]*lint.Finding, error) {
	files, wanted := map[string]*changes{}, []string{}
	for _, f := range findings {
		if files[f.Path] != nil {
			continue
		}
		c, name := &changes{}, s.Name(f.Path)
		files[f.Path] = c
		if name != "" && s.Has(name) {
			c.known, c.old = true, filepath.Join(dir, filepath.FromSlash(name))
			wanted = append(wanted, name)
		}
	}
	slices.Sort(wanted)
	if err := s.Extract(ctx, dir, slices.Compact(wanted), s.most); err != nil {
		return nil, err
	}
	byLine := map[string]bool{}
	for _, f := range findings {
		if !isOfMail(f) && f.Range != nil {
			byLine[f.Path] = true
		}
	}
	for path, c := range files {
		if c.known {
			if err := c.compare(path, byLine[path]); err != nil {
				return nil, err
			}
		}
	}
	mail, err := s.mailOf(ctx, dir, findings, files)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(findings), func(f *lint.Finding) bool { return !isNew(f, files[f.Path], mail) }), nil
}

// isNew reports whether a finding is on a new message or line; one of a thread is if
// the whole thread is new.
func isNew(f *lint.Finding, c *changes, mail *revisionMail) bool {
	switch {
	case c.same:
		return false
	case isOfMail(f):
		return !mail.hasMessage(f)
	case f.Range == nil && f.Thread != "":
		return !mail.hasThread(f)
	case !c.known:
		return f.Artifact || f.Thread == "" || !mail.hasThread(f)
	case f.Range == nil:
		return true
	}
	for line := f.Range.Start.Line; line <= max(f.Range.Start.Line, f.Range.End.Line); line++ {
		if c.lines[line] {
			return true
		}
	}
	return false
}

// isOfMail reports whether a finding is about a message.
func isOfMail(f *lint.Finding) bool { return !f.Artifact && f.MessageID != "" }

// compare fills in what is new of a file that the revision has.
func (c *changes) compare(path string, byLine bool) error {
	old, err := os.ReadFile(c.old)
	if os.IsNotExist(err) { // too large
		return nil
	}
	if err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil // what is there now is not such a file: standard input, gone meanwhile
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, int64(2*len(old))+16<<20))
	if err != nil {
		return err
	}
	if c.same = bytes.Equal(old, data); !c.same && byLine {
		c.lines = revision.NewLines(old, data)
	}
	return nil
}

// mailOf reads mail of the revision: of the changed files that have findings, and next to new
// files also of files that were deleted.
func (s *sinceRevision) mailOf(ctx context.Context, dir string, findings []*lint.Finding, files map[string]*changes) (*revisionMail, error) {
	out := &revisionMail{}
	asked, gone := false, map[string]bool{}
	for _, f := range findings {
		c := files[f.Path]
		if f.Artifact || c.same || f.MessageID == "" && f.Thread == "" {
			continue
		}
		asked = true
		if name := s.Name(f.Path); !c.known && name != "" {
			gone[path.Dir(name)] = true
		}
	}
	if !asked {
		return out, nil
	}
	var names []string
	for folder := range gone {
		for _, name := range s.Below(folder) {
			if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name))); s.Gone(name) && err != nil {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	if err := s.Extract(ctx, dir, slices.Compact(names), s.most); err != nil {
		return nil, err
	}
	box, err := engine.Open(ctx, nil, engine.Options{Mail: engine.AllMail, Limits: s.limits}, dir)
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
// threads. Many exports do not name their project: those are also in the set without.
type revisionMail struct {
	ids        map[mail.Ref]bool
	anyProject map[mail.Ref]bool
}

func newRevisionMail(messages map[mail.Ref]bool) *revisionMail {
	m := &revisionMail{ids: map[mail.Ref]bool{}, anyProject: map[mail.Ref]bool{}}
	for id := range messages {
		for _, id.ID = range []string{id.ID, ""} {
			m.ids[id] = true
			m.anyProject[mail.Ref{Thread: id.Thread, ID: id.ID}] = true
		}
	}
	return m
}

// hasMessage reports whether the revision has the message of a finding.
func (m *revisionMail) hasMessage(f *lint.Finding) bool {
	return m.has(mail.Ref{Project: f.Project(), Thread: f.Thread, ID: f.MessageID})
}

// hasThread reports whether the revision has the thread of a finding.
func (m *revisionMail) hasThread(f *lint.Finding) bool {
	return m.has(mail.Ref{Project: f.Project(), Thread: f.Thread})
}

// has reports whether the revision has a message or thread. One whose project is not known
// may be that of any project.
func (m *revisionMail) has(id mail.Ref) bool {
	unknown := mail.Ref{Thread: id.Thread, ID: id.ID}
	if id.Project == "" {
		return m.anyProject[unknown]
	}
	return m.ids[id] || m.ids[unknown]
}
