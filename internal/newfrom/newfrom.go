// Package newfrom chooses the findings that are new since a git revision. It writes files of the
// revision to a temporary folder and checks them there, so that what is old is what that check finds.
package newfrom

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
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/revision"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// Options are what the check of the revision needs to know of the check of today.
type Options struct {
	Check      engine.Options
	Rules      lint.Catalogue
	Catalogue  lint.Catalogue // that a configuration of the revision may name rules of
	ConfigFile string         // the configuration that was read, "" without one
	Paths      []string
	Logf       func(format string, args ...any) // writes a notice
}

// since is a revision of which files are written to a temporary folder.
type since struct {
	*revision.Revision
	Options

	tree  string          // where the files are written
	tried map[string]bool // their names, and those that could not be written
}

// Choose returns the findings of a mailbox that are new since a revision.
func Choose(ctx context.Context, rev *revision.Revision, opts Options, box *engine.Mailbox, findings []*lint.Finding) ([]*lint.Finding, error) {
	s := &since{Revision: rev, Options: opts, tried: map[string]bool{}}
	return s.choose(ctx, box, findings)
}

// choose returns the findings that are new: one of a message or a thread if the revision does
// not have that, another if a check of the revision does not have it. What is outside of the
// repository is new.
func (s *since) choose(ctx context.Context, box *engine.Mailbox, findings []*lint.Finding) (fresh []*lint.Finding, err error) {
	if len(findings) == 0 {
		return nil, nil
	}
	folder, err := os.MkdirTemp("", "brennerlint-")
	if err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, os.RemoveAll(folder)) }()
	up, top := filepath.Split(s.Root()) // rules look at names of folders
	s.tree = filepath.Join(folder, filepath.Base(up), top)
	if err := os.MkdirAll(s.tree, 0o700); err != nil {
		return nil, err
	}
	isNew := map[*lint.Finding]bool{}
	var ofMail, others []*lint.Finding
	for _, f := range findings {
		isOld := s.Has(s.Name(f.Path))
		isOfMessage := f.Mail != nil && f.MessageID != "" && (!isOld || !f.Mail.Time.IsZero()) // a draft has no time
		isOfThread := f.Mail == nil && f.MessageID == "" && f.Thread != "" && (!isOld || f.Range == nil)
		switch {
		case s.Name(f.Path) == "":
			isNew[f] = true
		case (isOfMessage || isOfThread) && box.File(f.Path) == nil:
			ofMail = append(ofMail, f)
		default:
			others = append(others, f)
		}
	}
	if err := s.write(ctx, findings, s.checked()); err != nil {
		return nil, err
	}
	if err := s.compare(ctx, box, others, isNew); err != nil {
		return nil, err
	}
	lost, err := s.withoutOld(ctx, ofMail)
	if err == nil && len(lost) > 0 { // it may be elsewhere
		if err = s.write(ctx, findings, func(string) bool { return true }); err == nil {
			lost, err = s.withoutOld(ctx, lost)
		}
	}
	for _, f := range lost {
		isNew[f] = true
	}
	return slices.DeleteFunc(slices.Clone(findings), func(f *lint.Finding) bool { return !isNew[f] }), err
}

// write writes those files of the revision that may be inputs, or parts of one, and those of findings. A
// partial clone lacks some, and the file system may refuse a name.
func (s *since) write(ctx context.Context, findings []*lint.Finding, wants func(name string) bool) error {
	wanted := map[string]bool{}
	for _, f := range findings {
		wanted[s.Name(f.Path)] = true
	}
	names, lacking, err := s.Stored(ctx, func(name string) bool {
		isPart := slices.Contains([]string{".bin", ".sqlite3-wal", ".sqlite-wal"}, path.Ext(name))
		return !s.tried[name] && (wanted[name] || (isPart || input.NameIsOurs(name)) && wants(name))
	})
	if err != nil {
		return err
	}
	for _, name := range lacking {
		if wanted[name] {
			return fmt.Errorf("the clone is partial and lacks %s of the revision; fetch it without --filter", name)
		}
	}
	refused, err := s.Write(ctx, names, s.tree)
	for _, name := range append(names, lacking...) {
		s.tried[name] = true
	}
	if n := len(lacking) + len(refused); n > 0 {
		s.Logf("%s of the revision cannot be read (is the clone partial?): what was there counts as new", text.Count(n, "file", "files"))
	}
	return err
}

// nameOf returns the name in the revision of a file of the temporary folder, "" for another file.
func (s *since) nameOf(file string) string {
	name, err := filepath.Rel(s.tree, filepath.FromSlash(file))
	if err != nil || !filepath.IsLocal(name) {
		return ""
	}
	return filepath.ToSlash(name)
}

// withoutOld returns the findings about mail that the revision does not have, in whatever export of what was
// written: the message or one before it that explains the fault, such as a delta that was not published,
// or for one about a thread any of that. Many exports do not name their project: they may be of any
// project. Numbers alone also name unrelated messages: of file, subject and time two must be the same.
func (s *since) withoutOld(ctx context.Context, findings []*lint.Finding) ([]*lint.Finding, error) {
	if len(findings) == 0 {
		return nil, nil
	}
	paths := slices.DeleteFunc(s.oldPaths(ctx, true), func(p string) bool { return s.nameOf(p) == "" })
	box, err := engine.Open(ctx, nil, engine.Options{Mail: engine.AllMail, Limits: s.Check.Limits, SkipUnrecognized: true}, append(paths, s.tree)...)
	if err != nil {
		return nil, err
	}
	defer box.Close()
	messages, err := box.Messages(ctx)
	known := map[mail.Ref][]engine.MessageHead{} // by thread and id
	for _, m := range messages {
		m.Path, m.Subject = s.nameOf(m.Path), brenner.FoldSpace(m.Subject)
		thread := mail.Ref{Thread: cmp.Or(m.Thread, m.ID)} // a reply, perhaps in another file, gives it that id
		known[thread] = append(known[thread], m)
		thread.ID = m.ID
		known[thread] = append(known[thread], m)
	}
	has := func(ref mail.Ref, path string, info *lint.MailInfo) bool {
		name, project, subject, at := s.Name(path), "", "", time.Time{}
		if info != nil {
			project, subject, at = info.Project, brenner.FoldSpace(info.Subject), info.Time.Truncate(time.Second)
		}
		return slices.ContainsFunc(known[ref], func(m engine.MessageHead) bool {
			switch {
			case m.Project != project && m.Project != "" && project != "":
				return false
			case ref.ID == "":
				return true
			}
			sameTime := m.Time.IsZero() || at.IsZero() || m.Time.Truncate(time.Second).Equal(at)
			return m.Subject == subject && sameTime || m.Path == name && (m.Subject == subject || sameTime)
		})
	}
	return slices.DeleteFunc(slices.Clone(findings), func(f *lint.Finding) bool {
		return has(mail.Ref{Thread: cmp.Or(f.Thread, f.MessageID), ID: f.MessageID}, f.Path, f.Mail) &&
			!slices.ContainsFunc(f.Related, func(r lint.Related) bool {
				return f.Mail != nil && r.Mail != nil && r.Mail.ID != "" && !r.Mail.Time.After(f.Mail.Time) && !has(mail.Ref{Thread: cmp.Or(r.Mail.Thread, r.Mail.ID), ID: r.Mail.ID}, r.Path, r.Mail)
			})
	}), err
}

// compare adds the findings that a check of the revision does not have. Those in files that are new are
// compared with those in files that are gone and may have moved: of the same session, or else of the
// same name.
func (s *since) compare(ctx context.Context, box *engine.Mailbox, findings []*lint.Finding, isNew map[*lint.Finding]bool) error {
	if len(findings) == 0 {
		return nil
	}
	mayHaveMoved := slices.ContainsFunc(findings, func(f *lint.Finding) bool { return !s.Has(s.Name(f.Path)) })
	rep, err := engine.Check(ctx, s.Rules, s.oldOptions(), s.oldPaths(ctx, mayHaveMoved)...)
	if err != nil {
		return err
	}
	var now []*lint.Finding
	is := map[*lint.Finding]*lint.Finding{} // by what stands for them
	gone, added := map[string]bool{}, map[string]bool{}
	for _, f := range rep.Findings {
		if name := s.nameOf(f.Path); s.Gone(name) {
			gone[f.Session] = true
		}
	}
	for _, f := range findings {
		as := *f
		if as.Path = s.Name(f.Path); !s.Has(as.Path) {
			added[f.Session] = gone[f.Session]
			as.Path = movedAs(f, as.Path, added[f.Session])
		}
		is[&as] = f
		now = append(now, &as)
	}
	for _, f := range rep.Findings {
		name := s.nameOf(f.Path)
		switch {
		case name == "": // an entry of the configuration
			name = s.Name(f.Path)
		case s.Gone(name):
			name = movedAs(f, name, added[f.Session])
		}
		f.Path = name
	}
	for _, f := range engine.Since(rep.Findings, now) {
		p := is[f].Path // only naming it makes some files mail
		isNew[is[f]] = box.File(p) != nil || rep.Summary.Files > 0 && s.Name(p) == s.Name(s.ConfigFile) || !s.isUnchanged(p)
	}
	return nil
}

// isUnchanged reports whether a file has the bytes that it has in the revision.
func (s *since) isUnchanged(file string) bool {
	was, err := os.ReadFile(filepath.Join(s.tree, s.Name(file)))
	is, isErr := os.ReadFile(file)
	return cmp.Or(err, isErr) == nil && bytes.Equal(was, is)
}

// movedAs names a file that may have moved by what it keeps: an artifact by its session, if that is among the
// others too, or else by its name without folders. What is in mail is told apart by its thread.
func movedAs(f *lint.Finding, name string, bySession bool) string {
	switch {
	case !f.Artifact:
		return ""
	case bySession && f.Session != "":
		return f.Session
	}
	return path.Base(name)
}

// oldOptions returns the options of the check for the temporary folder.
func (s *since) oldOptions() engine.Options {
	opts := s.Check
	opts.Baseline, opts.OnlyNew, opts.Trace, opts.SkipUnrecognized, opts.Limits.Findings = nil, nil, nil, true, engine.MaxFindings
	opts.Files.GitIgnore = false
	if folder := s.Name(cmp.Or(opts.Files.Folder, ".")); folder != "" {
		opts.Files.Folder = filepath.Join(s.tree, folder)
	}
	was, _ := config.Load(filepath.Join(s.tree, s.Name(s.ConfigFile)), s.Catalogue) // nil without one
	opts.Suppressions = slices.DeleteFunc(slices.Clone(opts.Suppressions), func(e engine.Suppression) bool {
		return was == nil || !slices.ContainsFunc(was.Suppress, func(old engine.Suppression) bool {
			old.At = e.At
			return old == e
		})
	})
	opts.Files.Exclude = slices.Clone(opts.Files.Exclude)
	for _, glob := range s.Check.Files.Exclude { // they begin in the working folder
		glob, isBack := strings.CutPrefix(glob, "!")
		if in := input.GlobIn(filepath.Join(s.tree, s.Name(".")), strings.TrimPrefix(glob, "./")); isBack {
			opts.Files.Exclude = append(opts.Files.Exclude, "!"+in)
		} else if strings.Contains(glob, "/") && !strings.HasPrefix(glob, "**/") {
			opts.Files.Exclude = append(opts.Files.Exclude, in)
		}
	}
	return opts
}

// begins returns where a path of the check begins, and the pattern below that.
func (s *since) begins(p string) (file, pattern string) {
	if p == "-" {
		return s.Check.Stdin.Name, ""
	}
	return input.SplitPath(filepath.ToSlash(p))
}

// checked returns a function that reports whether a file of the revision belongs to the check, or may have
// moved there.
func (s *since) checked() func(name string) bool {
	roots := map[string]bool{}
	for _, p := range s.Paths {
		file, _ := s.begins(p)
		roots[s.Name(file)] = true
	}
	return func(name string) bool {
		at := name
		for at != "." && !roots[at] {
			at = path.Dir(at)
		}
		return roots[at] || s.Gone(name)
	}
}

// oldPaths returns the paths of the check in the temporary folder, as far as the revision has them. Where
// files may have moved, those that are gone belong to it. What is outside of the repository, or ignored in
// it, is the same then and now.
func (s *since) oldPaths(ctx context.Context, moved bool) (paths []string) {
	for _, p := range s.Paths {
		file, pattern := s.begins(p)
		if file == "" {
			continue
		}
		name := s.Name(file)
		at := filepath.Join(s.tree, name)
		if _, err := os.Stat(at); name == "" || err != nil && s.Ignores(ctx, name) {
			at = file
		}
		info, err := os.Stat(at)
		switch {
		case err != nil || !info.IsDir() && !info.Mode().IsRegular(): // a pipe can be read only once
		case pattern == "":
			paths = append(paths, at)
		default:
			matches, _ := doublestar.FilepathGlob(input.GlobIn(at, pattern))
			paths = append(paths, matches...)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.tried)) {
		at := filepath.Join(s.tree, name)
		if _, err := os.Stat(at); err == nil && moved && s.Gone(name) {
			paths = append(paths, at)
		}
	}
	return paths
}
