package playground

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/report"
)

// mergedName is the path of a merged artifact that is blamed. No dropped file has it,
// for names of files have no slash.
const mergedName = "merged/artifact.md"

var errNoMail = errors.New("only mail is replayed: paste a thread, or what an inbox tool returns")

// replayAnswer is the replay of the threads of mail. The replay is that of the command
// in JSON; Threads are, in its order, what else the page shows.
type replayAnswer struct {
	Replay  json.RawMessage `json:"replay"`
	Threads []merged        `json:"threads"`
	Notices []string        `json:"notices,omitempty"`
}

// merged is a thread's last state.
type merged struct {
	Project  string `json:"project,omitempty"`
	Artifact string `json:"artifact"`
}

func (w *work) replayed(ctx context.Context, opts engine.ReplayOptions) (*replay.Results, error) {
	if w.kind != engine.AsMail {
		return nil, errNoMail
	}
	box, err := engine.Open(ctx, w.rules, w.options(), w.name)
	if err != nil {
		return nil, err
	}
	defer box.Close()
	r, err := box.Replay(ctx, opts)
	if err == nil && len(r.Failures) > 0 {
		err = r.Failures[0]
	}
	return r, err
}

func (w *work) replay(ctx context.Context) (any, error) {
	r, err := w.replayed(ctx, engine.ReplayOptions{Artifact: true})
	if err != nil {
		return nil, err
	}
	out := &replayAnswer{Replay: json.RawMessage(report.ReplayJSON(r)), Threads: make([]merged, len(r.Threads)), Notices: r.Notices}
	for i := range r.Threads {
		out.Threads[i] = merged{r.Threads[i].Project, string(r.Threads[i].Artifact)}
	}
	return out, nil
}

// blame says who set each field of a thread's last state, merged from its mail.
func (w *work) blame(ctx context.Context) (any, error) {
	r, err := w.replayed(ctx, engine.ReplayOptions{Thread: w.Thread, Project: w.Project, Artifact: true})
	if err != nil {
		return nil, err
	}
	if len(r.Threads) != 1 {
		return nil, fmt.Errorf("blame shows one thread; the text has %d with this id", len(r.Threads))
	}
	opts := w.options()
	opts.Kind, opts.Contents[mergedName] = engine.Auto, r.Threads[0].Artifact
	box, err := engine.Open(ctx, w.rules, opts, w.name)
	if err != nil {
		return nil, err
	}
	defer box.Close()
	found, err := box.Blame(ctx, mergedName, w.Project, true)
	if err != nil {
		return nil, err
	}
	return map[string]json.RawMessage{"blame": json.RawMessage(report.BlameJSON(found))}, nil
}
