package engine

import (
	"cmp"
	"context"

	"github.com/brennerlint/brennerlint/brenner/artifact"
)

// MessageID names a message among all: by its thread and its id, which are unique in their
// project alone. The project is "" where the export does not name it.
type MessageID struct{ Project, Thread, ID string }

// MessageIDs returns the messages of the mail that lies at the paths. No rule runs.
func (l *Linter) MessageIDs(ctx context.Context, paths ...string) (map[MessageID]bool, error) {
	in := newInputs(l)
	defer in.close()
	if err := in.load(ctx, paths, func(*artifactFile, *artifact.Artifact) {}); err != nil {
		return nil, err
	}
	out := map[MessageID]bool{}
	for _, info := range in.store.Threads() {
		thread := in.store.Open(info)
		for _, m := range thread.Read() {
			out[MessageID{info.Project, cmp.Or(info.ID, m.Thread.String()), m.ID}] = true
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return out, nil
}
