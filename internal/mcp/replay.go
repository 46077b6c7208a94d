package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/report"
)

// replayArgs are the arguments of replay_thread.
type replayArgs struct {
	Export string `json:"export" jsonschema:"path of a mail export or database, or of a folder with some, in the server's folder"`
	Thread word   `json:"thread_id,omitempty" jsonschema:"only this thread"`
}

// replayReport is the part of the report of a replay that the schema describes.
type replayReport struct {
	Schema  string            `json:"schema"`
	Threads []json.RawMessage `json:"threads"`
	Notices []string          `json:"notices,omitempty"`
}

// replayed replays the threads of an export.
func (s *server) replayed(ctx context.Context, a replayArgs) (*replay.Results, error) {
	if a.Export == "" {
		return nil, errors.New("there is no export; give the path of a mail export or database")
	}
	return do(ctx, s.gate, func(ctx context.Context) (*replay.Results, error) {
		path, err := s.workspace.export(ctx, a.Export, a.Thread != "")
		if err != nil {
			return nil, err
		}
		box, err := engine.Open(ctx, s.rules, s.opts, path)
		if err != nil {
			return nil, err
		}
		defer box.Close()
		return box.Replay(ctx, engine.ReplayOptions{Thread: string(a.Thread)})
	})
}

func (s *server) replayThread(ctx context.Context, a replayArgs) (*mcp.CallToolResult, json.RawMessage, error) {
	r, err := s.replayed(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	notices := slices.Clone(r.Notices)
	for _, failure := range r.Failures {
		notices = append(notices, failure.Error())
	}
	var text, data bytes.Buffer
	writeNotices(&text, notices)
	if err := report.ReplayText(&text, r, report.Options{}); err != nil {
		return nil, nil, err
	}
	if err := report.ReplayJSON(&data, r); err != nil {
		return nil, nil, err
	}
	out, err := withMembers(data.Bytes(), notices, nil)
	res := textResult(text.String())
	res.IsError = r.Unreadable && len(r.Threads) == 0 // the text says why
	return res, out, err
}
