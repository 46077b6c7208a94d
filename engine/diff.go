package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/internal/text"
)

// DiffSide is one side of a comparison.
type DiffSide struct {
	Name    string // as given
	Thread  string // "" if an artifact does not say
	Version int    // 0 if an artifact gives none, and for a thread as it is now
	// Pending counts the deltas after the last version, of a thread as it is now.
	Pending int
	// MessageID is that of the COMPILED, of a version of a thread; Merged reports that
	// it holds no artifact, and the merged state is compared.
	MessageID string
	Merged    bool

	state    *state.State
	artifact bool
	rendered bool // it is what Markdown shows
}

// IsArtifact reports whether the side is an artifact file.
func (s *DiffSide) IsArtifact() bool { return s.artifact }

// DiffResult is in what two artifacts differ, item by item.
type DiffResult struct {
	A, B    DiffSide
	Changes []diff.Change // from A to B
}

// DiffOptions say what Diff compares.
type DiffOptions struct {
	A, B    string
	Project string // "" where one project only has the threads
}

// Diff compares two artifacts: each is the path of an artifact file, a thread
// (`THREAD`, as it is now), a version of a thread (`THREAD@v1`, as it was published),
// or the path of mail that has the thread of the other side. Threads are looked for in
// the mail at the paths.
func (l *Linter) Diff(ctx context.Context, opts DiffOptions, paths ...string) (*DiffResult, error) {
	sides := [2]*DiffSide{{Name: opts.A}, {Name: opts.B}}
	var mailPath [2]string
	for i, s := range sides {
		isMail, err := l.openSide(ctx, s)
		if err != nil {
			return nil, err
		}
		if isMail {
			mailPath[i] = s.Name
		}
	}
	for i, s := range sides {
		if s.state != nil {
			continue
		}
		from, other := paths, sides[1-i]
		if mailPath[i] != "" {
			if s.Thread = other.Thread; s.Thread == "" {
				return nil, fmt.Errorf("%s is mail; the other side must be an artifact or a thread of it", s.Name)
			}
			from = []string{mailPath[i]}
		} else if mailPath[1-i] != "" {
			from = []string{mailPath[1-i]}
		}
		if err := l.threadSide(ctx, s, opts.Project, from); err != nil {
			return nil, err
		}
	}
	extent := diff.Stored
	if sides[0].rendered || sides[1].rendered {
		extent = diff.Rendered
	}
	return &DiffResult{A: *sides[0], B: *sides[1], Changes: diff.States(sides[0].state, sides[1].state, extent)}, nil
}

// openSide reads a side that is an artifact file, or the name of a thread. It reports
// whether the side is the path of something else: mail.
func (l *Linter) openSide(ctx context.Context, s *DiffSide) (isMail bool, _ error) {
	if _, err := os.Lstat(s.Name); err != nil {
		if ext := filepath.Ext(s.Name); ext == ".md" || ext == ".json" || strings.ContainsAny(s.Name, `/\`) {
			return false, fmt.Errorf("no file named %s", text.Quote(s.Name))
		}
		thread, version, ok := strings.Cut(s.Name, "@")
		if s.Thread = thread; !ok {
			return false, nil
		}
		n, digits := session.ParseVersion(strings.TrimPrefix(strings.ToLower(version), "v"))
		if s.Version = n; thread == "" || digits == 0 || digits < len(strings.TrimPrefix(strings.ToLower(version), "v")) {
			return false, fmt.Errorf("%s is neither a file nor a version of a thread such as RS-20251230-cell-fate@v1", text.Quote(s.Name))
		}
		return false, nil
	}
	in := newInputs(l)
	defer in.close()
	if err := in.load(ctx, []string{s.Name}, nil); err != nil {
		return false, err
	}
	switch {
	case len(in.failures) > 0:
		return false, &in.failures[0]
	case len(in.artifacts) == 0:
		return true, nil
	case len(in.artifacts) > 1 || len(in.store.Threads()) > 0:
		return true, nil // a folder
	}
	f := in.artifacts[0]
	a, fault := in.readArtifact(f.in, nil)
	if a == nil {
		return false, fault
	}
	s.set(a, f.thread)
	return false, nil
}

// set makes a side an artifact.
func (s *DiffSide) set(a *artifact.Artifact, thread string) {
	s.Thread, s.state, s.artifact, s.rendered = thread, a.State(), true, !a.IsJSON()
	if v := a.Meta.Get("version"); v != nil && brenner.IsNumber(v.Text) {
		s.Version, _ = session.ParseNumber(v.Text)
	}
}

// threadSide reads a side that is a thread.
func (l *Linter) threadSide(ctx context.Context, s *DiffSide, project string, paths []string) error {
	in := newInputs(l)
	defer in.close()
	in.only(s.Thread)
	if err := in.load(ctx, paths, nil); err != nil {
		return err
	}
	r, err := in.wholeThread(s.Thread, project)
	if err != nil {
		return err
	}
	if s.Version == 0 {
		s.state, s.Pending = r.Pending.State, len(r.Pending.Deltas)
		if r.Pending.Unread {
			return fmt.Errorf("thread %s cannot be replayed whole: the export lacks the bodies of DELTA messages", s.Thread)
		}
		return nil
	}
	w := windowOf(r, s.Version)
	switch {
	case w == nil && len(r.Windows) == 0:
		return fmt.Errorf("thread %s has no version %d: none is published", s.Thread, s.Version)
	case w == nil:
		return fmt.Errorf("thread %s has no version %d: the latest is v%d", s.Thread, s.Version, latestVersion(r))
	case w.Published == nil && w.Unread:
		return errors.New("what v" + fmt.Sprint(s.Version) + " of thread " + s.Thread + " holds is not known: bodies are missing")
	}
	s.state, s.MessageID = w.Published, w.Compiled.ID
	if s.state == nil {
		s.state, s.Merged = w.State, true
	}
	return nil
}

// windowOf returns the window that published a version, nil if none did; of one published
// twice the last.
func windowOf(r *replay.Thread, version int) (w *replay.Window) {
	for _, each := range r.Windows {
		if each.Compiled.Version.Number == version {
			w = each
		}
	}
	return w
}
