// Package gen makes research sessions of the Brenner Protocol by chance, for
// benchmarks and tests: artifacts, and mailboxes in every form that Agent Mail
// writes. The same seed gives the same bytes, and a session is the same however
// many others are made.
//
// Sessions conform to the protocol: the published artifact is the merge
// of the deltas, which is worked out here and not by the packages that check
// it. Then about one session in ten is given a defect.
package gen

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
)

// Options say what to make.
type Options struct {
	Out       string // the folder, made if need be
	Seed      uint64
	Artifacts int // files artifacts/ID.md of the first sessions
	Threads   int // sessions as mail
	// Defects is the share of sessions with a defect, 0 to 1.
	Defects float64
	// Findings is the share of items with a finding, 0 to 1: one in the artifact and one
	// in the delta that adds it.
	Findings float64
	// Forms are those of the mail, as in [Forms].
	Forms []string
}

// Forms are the forms that mail can be made in: the folder or file of each.
var Forms = []string{"json", "archive", "sqlite", "bundle", "chunked", "zip"}

// writer writes the mail of sessions in one form. Sessions come in order.
type writer interface {
	write(s *Thread) error
	close() error
}

// Generate makes what the options ask for.
func Generate(o Options) (err error) {
	writers, err := openWriters(o)
	defer func() {
		for _, w := range writers {
			err = cmp.Or(err, w.close())
		}
	}()
	if err != nil {
		return err
	}
	artifacts := filepath.Join(o.Out, "artifacts")
	if o.Artifacts > 0 {
		if err := os.MkdirAll(artifacts, 0o755); err != nil {
			return err
		}
	}
	for i := range max(o.Artifacts, o.Threads) {
		s := newSession(o.Seed, i, o.Defects, o.Findings)
		if i < o.Artifacts {
			if err := os.WriteFile(filepath.Join(artifacts, s.ID+".md"), []byte(s.Artifact), 0o644); err != nil {
				return err
			}
		}
		if i >= o.Threads {
			continue
		}
		for _, w := range writers {
			if err := w.write(s); err != nil {
				return err
			}
		}
	}
	return nil
}

func openWriters(o Options) ([]writer, error) {
	if err := os.MkdirAll(o.Out, 0o755); err != nil || o.Threads == 0 {
		return nil, err
	}
	var out []writer
	for _, form := range o.Forms {
		var w writer
		var err error
		switch form {
		case "json":
			w, err = newJSONWriter(filepath.Join(o.Out, "json"))
		case "archive":
			w, err = newArchiveWriter(filepath.Join(o.Out, "archive"))
		case "sqlite":
			w, err = newDatabaseWriter(filepath.Join(o.Out, "storage.sqlite3"))
		case "bundle", "chunked", "zip":
			w, err = newBundleWriter(o.Out, form)
		default:
			err = fmt.Errorf("make mail: no form %q, want one of %q", form, Forms)
		}
		if err != nil {
			return out, err
		}
		out = append(out, w)
	}
	return out, nil
}
