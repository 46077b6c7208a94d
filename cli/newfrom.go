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
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/revision"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// sinceRevision chooses the findings that are new since a git revision. It writes the files of the
// revision to a temporary folder and checks them there, so that what is old is what that check finds.
type sinceRevision struct {
	*revision.Revision
	rules lint.Catalogue
	opts  engine.Options // of the check
	paths []string
	logf  func(format string, args ...any)
	tree  string            // the temporary folder
	names []string          // of the files in it
	known map[string]string // what name has returned
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
	c.opts.OnlyNew = func(ctx context.Context, box *engine.Mailbox, findings []*lint.Finding) ([]*lint.Finding, error) {
		since := &sinceRevision{Revision: rev, rules: c.rules, opts: c.opts, paths: paths, logf: c.std.logf, known: map[string]string{}}
		findings, err := since.choose(ctx, box, findings)
		if err != nil {
			return nil, fmt.Errorf("--new-from: %w", err)
		}
		return findings, nil
	}
	return nil
}

// choose returns the findings that are new: one of a message or a thread if the revision does
// not have that, another if a check of the revision does not have it. What is outside of the
// repository is new.
func (s *sinceRevision) choose(ctx context.Context, box *engine.Mailbox, findings []*lint.Finding) (fresh []*lint.Finding, err error) {
	if len(findings) == 0 {
		return nil, nil
	}
	if s.tree, err = os.MkdirTemp("", "brennerlint-"); err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, os.RemoveAll(s.tree)) }()
	if err := s.writeTree(ctx, findings); err != nil {
		return nil, err
	}
	had, err := s.oldMail(ctx)
	if err != nil {
		return nil, err
	}
	isNew, others := map[*lint.Finding]bool{}, []*lint.Finding{}
	for _, f := range findings {
		name := s.name(f.Path)
		isOfMail := f.Mail != nil && f.MessageID != "" || f.Mail == nil && f.MessageID == "" && f.Thread != "" && (f.Range == nil || !s.Has(name))
		switch {
		case name == "":
			isNew[f] = true
		case isOfMail && box.File(f.Path) == nil:
			isNew[f] = !had(f, name)
		default:
			others = append(others, f)
		}
	}
	if err := s.compare(ctx, others, isNew); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(findings), func(f *lint.Finding) bool { return !isNew[f] }), nil
}

// writeTree writes the files of the revision that may be inputs, or parts of one, and those of findings. A
// partial clone lacks some.
func (s *sinceRevision) writeTree(ctx context.Context, findings []*lint.Finding) error {
	wanted := map[string]bool{}
	for _, f := range findings {
		wanted[s.name(f.Path)] = true
	}
	names, lacking, err := s.Stored(ctx, func(name string) bool {
		return wanted[name] || input.NameIsOurs(name) || slices.Contains([]string{".bin", ".sqlite3-wal", ".sqlite-wal"}, path.Ext(name))
	})
	if err != nil {
		return err
	}
	for _, name := range lacking {
		if wanted[name] {
			return fmt.Errorf("the clone is partial and lacks %s of the revision; fetch it without --filter", name)
		}
	}
	if len(lacking) > 0 {
		s.logf("--new-from: the clone is partial and lacks %s of the revision: what was there counts as new", text.Count(len(lacking), "file", "files"))
	}
	s.names = names
	return s.Write(ctx, names, s.tree)
}

// name is Name, which looks at links, for the many findings of a file.
func (s *sinceRevision) name(file string) string {
	name, ok := s.known[file]
	if !ok {
		name = s.Name(file)
		s.known[file] = name
	}
	return name
}

// nameOf returns the name in the revision of a file of the temporary folder.
func (s *sinceRevision) nameOf(file string) string {
	name, _ := filepath.Rel(s.tree, filepath.FromSlash(file))
	return filepath.ToSlash(name)
}

// oldMail reads all mail of the revision, in whatever export. had reports whether the revision has the
// message of a finding, or the thread of one about a thread. Many exports do not name their
// project: they may be of any project. Numbers alone also name unrelated messages: of file, subject
// and time two must be the same.
func (s *sinceRevision) oldMail(ctx context.Context) (had func(f *lint.Finding, name string) bool, err error) {
	box, err := engine.Open(ctx, nil, engine.Options{Mail: engine.AllMail, Limits: s.opts.Limits, SkipUnrecognized: true}, s.tree)
	if err != nil {
		return nil, err
	}
	defer box.Close()
	messages, err := box.Messages(ctx)
	known := map[mail.Ref][]engine.MessageHead{} // by thread and id
	for _, m := range messages {
		m.Path = s.nameOf(m.Path)
		thread := mail.Ref{Thread: cmp.Or(m.Thread, m.ID)} // a reply, perhaps in another file, gives it that id
		known[thread] = append(known[thread], m)
		thread.ID = m.ID
		known[thread] = append(known[thread], m)
	}
	return func(f *lint.Finding, name string) bool {
		return slices.ContainsFunc(known[mail.Ref{Thread: cmp.Or(f.Thread, f.MessageID), ID: f.MessageID}], func(m engine.MessageHead) bool {
			switch {
			case m.Project != f.Project() && m.Project != "" && f.Project() != "":
				return false
			case f.MessageID == "":
				return true
			}
			sameFile := m.Path == name
			sameSubject := slices.Equal(strings.Fields(m.Subject), strings.Fields(f.Mail.Subject))
			sameTime := m.Time.IsZero() || f.Mail.Time.IsZero() || m.Time.Truncate(time.Second).Equal(f.Mail.Time.Truncate(time.Second))
			return sameSubject && sameTime || sameFile && (sameSubject || sameTime)
		})
	}, err
}

// compare adds the findings that a check of the revision does not have. Those in files that are new are
// compared with those of the same session in files that are gone, which may have moved.
func (s *sinceRevision) compare(ctx context.Context, findings []*lint.Finding, isNew map[*lint.Finding]bool) error {
	if len(findings) == 0 {
		return nil
	}
	is := map[*lint.Finding]*lint.Finding{} // by what stands for them
	var named, before []*lint.Finding
	sessions := map[string]bool{} // of new files
	for _, f := range findings {
		as := *f
		if as.Path = s.name(f.Path); !s.Has(as.Path) {
			as.Path, sessions[f.Session] = f.Session, true
		}
		is[&as] = f
		named = append(named, &as)
	}
	opts := s.opts
	opts.Baseline, opts.OnlyNew, opts.Trace, opts.SkipUnrecognized, opts.Limits.Findings = nil, nil, nil, true, engine.MaxFindings
	opts.Files.GitIgnore = false
	if folder := s.Name(cmp.Or(opts.Files.Folder, ".")); folder != "" {
		opts.Files.Folder = filepath.Join(s.tree, folder)
	}
	rep, err := engine.Check(ctx, s.rules, opts, s.oldPaths(len(sessions) > 0)...)
	if err != nil {
		return err
	}
	for _, f := range rep.Findings {
		name := s.nameOf(f.Path)
		switch {
		case name == "": // an entry of the configuration as it is now
			name = s.name(f.Path)
			was, _ := os.ReadFile(filepath.Join(s.tree, name))
			if f.Frame == nil || !strings.Contains(string(was), f.Frame.Lines[len(f.Frame.Lines)-1]) {
				continue
			}
		case s.Gone(name):
			if name = f.Session; !sessions[name] {
				name = "" // it may have lost its session
			}
		}
		f.Path = name
		before = append(before, f)
	}
	for _, f := range engine.Since(before, named) {
		isNew[is[f]] = true
	}
	return nil
}

// oldPaths returns the paths of the check in the temporary folder, as far as the revision has them: of a
// pattern the folder where it begins. Where files may have moved, those that are gone belong to it.
func (s *sinceRevision) oldPaths(moved bool) (paths []string) {
	for _, p := range s.paths {
		if p == "-" {
			p = s.opts.Stdin.Name
		}
		name := s.Name(strings.TrimSuffix(p, "..."))
		if base, _ := doublestar.SplitPattern(name); !s.Has(name) && strings.ContainsAny(name, "*?[{") {
			name = base
		}
		at := filepath.Join(s.tree, name)
		if _, err := os.Stat(at); err == nil && name != "" {
			paths = append(paths, at)
		}
	}
	for _, name := range s.names {
		if moved && s.Gone(name) {
			paths = append(paths, filepath.Join(s.tree, name))
		}
	}
	return paths
}
