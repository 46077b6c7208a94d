package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/report"
)

// replayArgs are the arguments of replay_thread.
type replayArgs struct {
	Export string `json:"export"`
	Thread word   `json:"thread_id"`
}

// replayed replays the threads of an export.
func (s *server) replayed(ctx context.Context, a replayArgs, artifact bool) (*replay.Results, error) {
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
		return box.Replay(ctx, engine.ReplayOptions{Thread: string(a.Thread), Artifact: artifact})
	})
}

func (s *server) replayThread(ctx context.Context, raw json.RawMessage) (*mcp.CallToolResult, error) {
	a, err := arguments[replayArgs](raw)
	if err != nil {
		return nil, err
	}
	r, err := s.replayed(ctx, a, false)
	if err != nil {
		return nil, err
	}
	text, err := replayText(r)
	if err != nil {
		return nil, err
	}
	var data bytes.Buffer
	if err := report.ReplayJSON(&data, r); err != nil {
		return nil, err
	}
	var more []member
	if notices := noticesOf(r); len(notices) > 0 {
		more = append(more, member{"notices", notices})
	}
	out, err := withMembers(data.Bytes(), more)
	if err != nil {
		return nil, err
	}
	res := toolResult(text, out)
	res.IsError = r.Unreadable && len(r.Threads) == 0 // the text says why
	return res, nil
}

// replayText returns a replay as people read it, after its notices.
func replayText(r *replay.Results) (string, error) {
	var out bytes.Buffer
	writeNotices(&out, noticesOf(r))
	err := report.ReplayText(&out, r, report.Options{})
	return out.String(), err
}

// noticesOf returns the notices of a replay, and where it is incomplete.
func noticesOf(r *replay.Results) []string {
	notices := slices.Clone(r.Notices)
	for _, failure := range r.Failures {
		notices = append(notices, failure.Error())
	}
	return notices
}

// word is a string, or a number that a client wrote for one.
type word string

// UnmarshalJSON implements json.Unmarshaler.
func (w *word) UnmarshalJSON(data []byte) error {
	var text string
	var number json.Number
	switch {
	case json.Unmarshal(data, &text) == nil: // null too
		*w = word(text)
	case json.Unmarshal(data, &number) == nil:
		*w = word(number)
	default:
		return fmt.Errorf("%.40s is neither a string nor a number", data)
	}
	return nil
}

// reasonOfJSON says what is wrong with arguments, in the writer's words.
func reasonOfJSON(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field != "" {
		return fmt.Sprintf("%s is of the type %s; expected %s", wrong.Field, wrong.Value, wrong.Type.Kind())
	}
	return err.Error()
}
