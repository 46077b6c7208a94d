package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

// artifactArgs are the arguments of check_artifact: a content, or the path of a file
// that has it.
type artifactArgs struct {
	Content *string `json:"content"`
	Path    string  `json:"path"`
	Name    string  `json:"name"` // path, where content is given, too
}

func (s *server) checkArtifact(ctx context.Context, raw json.RawMessage) (*mcp.CallToolResult, error) {
	a, err := arguments[artifactArgs](raw)
	if err != nil {
		return nil, err
	}
	if a.Content == nil && a.Path == "" {
		return nil, errors.New("neither content nor path is given; expected one of them")
	}
	rep, err := do(ctx, s.gate, func(ctx context.Context) (*lint.Report, error) {
		opts, path := s.opts, artifactName(a)
		opts.Kind = engine.AsArtifact
		if a.Content == nil {
			var err error // that of the caller may be set meanwhile
			if path, err = s.workspace.file(ctx, a.Path); err != nil {
				return nil, err
			}
		} else {
			opts.Contents = map[string][]byte{path: []byte(*a.Content)}
		}
		return engine.Check(ctx, s.rules, opts, path)
	})
	if err != nil {
		return nil, err
	}
	data, err := s.reportJSON(rep)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	writeNotices(&out, rep.Notices)
	if err := report.Write(&out, "agent", rep, report.Options{}); err != nil {
		return nil, err
	}
	return toolResult(out.String(), data), nil
}

// artifactName returns how a content is named.
func artifactName(a artifactArgs) string {
	switch {
	case a.Path != "":
		return a.Path
	case a.Name != "":
		return a.Name
	}
	return "content"
}
