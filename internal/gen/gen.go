// Package gen makes research sessions of the Brenner Protocol by chance, for
// benchmarks and tests: artifacts, and mailboxes as Agent Mail writes them.
// The same seed gives the same bytes, and a session is the same however
// many others are made. What sessions say is in session.tmpl and phrases.yaml.
//
// Sessions conform to the protocol: the published artifact is the merge
// of the deltas, as the plain merge (internal/oracle) has it and not the packages that
// check it. Then about one session in ten is given a defect.
package gen

import (
	"cmp"
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

// Generate makes what the options ask for.
func Generate(o Options) (err error) {
	if err := os.MkdirAll(o.Out, 0o755); err != nil {
		return err
	}
	var writers []writer
	defer func() {
		for _, w := range writers {
			err = cmp.Or(err, w.close())
		}
	}()
	for _, form := range o.Forms {
		if o.Threads == 0 {
			break
		}
		w, err := newWriter(o.Out, form)
		if err != nil {
			return err
		}
		writers = append(writers, w)
	}
	for i := range max(o.Artifacts, o.Threads) {
		s := newSession(o.Seed, i, o.Defects, o.Findings)
		if i < o.Artifacts {
			if err := writeFile(filepath.Join(o.Out, "artifacts", s.ID+".md"), s.Artifact); err != nil {
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
