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
	"strconv"
	"strings"
	"time"

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
	rev, err := revision.Open(ctx, ".", c.newFrom)
	if err != nil {
		return fmt.Errorf("--new-from: %w", err)
	}
	since := &sinceRevision{rev, c.rules, c.opts, paths}
	since.opts.Limits.SetDefaults()
	c.opts.OnlyNew = func(ctx context.Context, box *engine.Mailbox, findings []*lint.Finding) ([]*lint.Finding, error) {
		findings, err := since.choose(ctx, box, findings)
		if err != nil {
			return nil, fmt.Errorf("--new-from: %w", err)
		}
		return findings, nil
	}
	return nil
}

// choose returns the findings that are new: one of a message or a thread if the revision does
// not have that, another if a check of the old files does not have it. What is outside of the
// repository is new.
func (s *sinceRevision) choose(ctx context.Context, box *engine.Mailbox, findings []*lint.Finding) ([]*lint.Finding, error) {
	files, old, err := s.compare(ctx, box, findings)
	if err != nil {
		return nil, err
	}
	had, err := s.oldMail(ctx, old, findings, files)
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
		case c.isOfMail(f):
			return had(f)
		}
		return !fresh[f]
	}), nil
}

// change is how a file differs from that of the revision.
type change struct {
	artifact bool
	outside  bool   // it is not in the repository
	name     string // of the file in the revision, "" if it has none
	was      string // the path at which that is checked
	old      []byte // what it was
	same     bool   // it is the same
}

// isOfMail reports whether a finding is about a message that has an id, or about a thread as a
// whole, which the revision may have.
func (c *change) isOfMail(f *lint.Finding) bool {
	return !c.artifact && !c.outside && (f.MessageID != "" || f.Thread != "" && f.Mail == nil && (f.Range == nil || c.name == ""))
}

// compare compares the files that have findings with those of the revision, and returns what it
// read of these. A file that the revision does not have may have moved: it is compared with the
// file that it probably was, among those that are gone.
func (s *sinceRevision) compare(ctx context.Context, box *engine.Mailbox, findings []*lint.Finding) (map[string]*change, map[string][]byte, error) {
	files := map[string]*change{}
	added := map[string]bool{} // the extensions of files that the revision does not have
	var names []string
	for _, f := range findings {
		if files[f.Path] != nil {
			continue
		}
		name := s.Name(f.Path)
		c := &change{artifact: box.File(f.Path) != nil, outside: name == "", was: f.Path}
		files[f.Path] = c
		if s.Has(name) {
			c.name = name
			names = append(names, name)
		} else if !c.outside {
			added[path.Ext(f.Path)] = true
		}
	}
	if len(added) > 0 { // a new file may be one that moved
		stored, err := s.Stored(ctx)
		if err != nil {
			return nil, nil, err
		}
		for _, name := range stored {
			if added[path.Ext(name)] && s.Gone(name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	old := map[string][]byte{}
	err := s.Read(ctx, slices.Compact(names), s.opts.Limits.FileSize, func(name string, data []byte) error {
		old[name] = data
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	gone, moved := maps.Clone(old), map[string][]byte{}
	for p, c := range files {
		c.old = old[c.name]
		delete(gone, c.name)
		info, err := os.Stat(p)
		isFile := err == nil && info.Mode().IsRegular() && p != cmp.Or(s.opts.Stdin.Name, "-")
		if c.outside || !isFile || info.Size() > s.opts.Limits.FileSize {
			continue
		}
		data, err := os.ReadFile(p)
		c.same = err == nil && c.old != nil && bytes.Equal(c.old, data)
		if err == nil && c.name == "" {
			moved[p] = data
		}
	}
	for p, name := range revision.Moves(gone, moved) {
		c := files[p]
		c.name, c.old = name, gone[name]
		if c.artifact { // its rules look at paths; mail would repeat what is at the new one
			c.was = s.Path(name)
		} else { // a part of a share is no mail by itself
			c.same = bytes.Equal(c.old, moved[p])
		}
	}
	return files, old, nil
}

// oldMail reads mail of the revision, in whatever export: that of the files that were read, and
// all other if there are findings about mail that these lack. had reports whether the revision
// has the message of a finding, or the thread of one about a thread. Many exports do not name
// their project: they may be of any project.
func (s *sinceRevision) oldMail(
	ctx context.Context, old map[string][]byte, findings []*lint.Finding, files map[string]*change,
) (had func(*lint.Finding) bool, err error) {
	const anyProject = "\x00"
	type mark struct {
		mail.Ref
		text string // one of the texts by which a message is known; "" for a thread
	}
	asked := map[string]bool{} // the threads that findings are about
	for _, f := range findings {
		asked[cmp.Or(f.Thread, f.MessageID)] = true
	}
	known := map[mark]bool{}
	had = func(f *lint.Finding) bool {
		ref := mail.Ref{Project: cmp.Or(f.Project(), anyProject), Thread: cmp.Or(f.Thread, f.MessageID), ID: f.MessageID}
		return slices.ContainsFunc(marksOf(f, files[f.Path].name), func(text string) bool {
			return known[mark{ref, text}] || known[mark{mail.Ref{Thread: ref.Thread, ID: ref.ID}, text}]
		})
	}
	read := func(name string, data []byte) error {
		box, err := engine.OpenContent(ctx, nil, engine.Options{Mail: engine.AllMail, Limits: s.opts.Limits, Workers: 1}, s.Path(name), data)
		if err != nil {
			return err
		}
		defer box.Close()
		messages, err := box.Messages(ctx)
		for _, m := range messages {
			thread := cmp.Or(m.Thread, m.ID) // a reply, perhaps in another file, gives it that id
			if !asked[thread] {
				continue
			}
			subject := subjectMark(m.Subject)
			for _, project := range []string{m.Project, anyProject} {
				known[mark{Ref: mail.Ref{Project: project, Thread: thread}}] = true
				for _, text := range []string{"", fileMark(name), subject, subject + timeMark(m.Time)} {
					known[mark{mail.Ref{Project: project, Thread: thread, ID: m.ID}, text}] = true
				}
			}
		}
		return err
	}
	for name, data := range old {
		if err := read(name, data); err != nil {
			return nil, err
		}
	}
	lacks := func(f *lint.Finding) bool { return !files[f.Path].same && files[f.Path].isOfMail(f) && !had(f) }
	if !slices.ContainsFunc(findings, lacks) {
		return had, nil
	}
	rest, err := s.Stored(ctx)
	if err != nil {
		return nil, err
	}
	rest = slices.DeleteFunc(rest, func(name string) bool { return old[name] != nil || !input.NameIsOurs(name) })
	return had, s.Read(ctx, rest, s.opts.Limits.FileSize, read)
}

// marksOf returns the texts by which the revision may know the message of a finding: its file there,
// or its subject and its time, where both have one. Numbers alone also name unrelated messages.
func marksOf(f *lint.Finding, file string) []string {
	if f.Mail == nil { // nothing but the number is known, or it is about a thread
		return []string{""}
	}
	subject := subjectMark(f.Mail.Subject)
	marks := []string{fileMark(file), subject + timeMark(f.Mail.Time), subject + timeMark(time.Time{})}
	if f.Mail.Time.IsZero() {
		marks = append(marks, subject)
	}
	return marks
}

func fileMark(name string) string { return "file " + name }

func subjectMark(subject string) string {
	return "subject " + strings.Join(strings.Fields(subject), " ")
}

// timeMark leaves out fractions of a second, which not all exports have.
func timeMark(t time.Time) string { return "\n" + strconv.FormatInt(t.Unix(), 10) }

// freshOf returns the findings that are not there if the files that changed are checked as they
// were and where they were, among the others as these are now.
func (s *sinceRevision) freshOf(ctx context.Context, findings []*lint.Finding, files map[string]*change) (map[*lint.Finding]bool, error) {
	opts := s.opts
	opts.Contents, opts.Baseline, opts.OnlyNew, opts.Trace, opts.SkipUnrecognized = map[string][]byte{}, nil, nil, nil, true
	opts.Limits.Findings = engine.MaxFindings
	paths := slices.DeleteFunc(slices.Clone(s.paths), func(p string) bool { // what can be read only once
		info, err := os.Stat(p)
		return p == "-" || err == nil && !info.IsDir() && !info.Mode().IsRegular()
	})
	is := map[string]string{} // the paths of these files, by what they were
	for _, f := range findings {
		if c := files[f.Path]; !c.isOfMail(f) && !c.same && c.old != nil && is[c.was] == "" {
			opts.Contents[c.was], is[c.was] = c.old, f.Path
			paths = append(paths, c.was)
		}
	}
	var earlier []*lint.Finding
	if len(is) > 0 {
		rep, err := engine.Check(ctx, s.rules, opts, paths...)
		if err != nil {
			return nil, err
		}
		for _, f := range rep.Findings {
			if p := is[f.Path]; p != "" {
				f.Path = p
				earlier = append(earlier, f)
			}
		}
	}
	fresh := map[*lint.Finding]bool{}
	for _, f := range engine.Since(earlier, findings) {
		fresh[f] = true
	}
	return fresh, nil
}
