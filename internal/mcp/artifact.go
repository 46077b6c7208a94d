package mcp

import (
	"bytes"
	"cmp"
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
	Content *string `json:"content,omitempty" jsonschema:"the artifact, Markdown or JSON"`
	Path    string  `json:"path,omitempty" jsonschema:"path of the artifact, in the server's folder; beside content only its name, such as artifacts/RS-20251230-cell-fate.md"`
	Name    string  `json:"name,omitempty" jsonschema:"the same as path, where content is given"`
}

func (s *server) checkArtifact(ctx context.Context, a artifactArgs) (*mcp.CallToolResult, json.RawMessage, error) {
	if a.Content == nil && a.Path == "" {
		return nil, nil, errors.New("neither content nor path is given; expected one of them")
	}
	rep, err := do(ctx, s.gate, func(ctx context.Context) (*lint.Report, error) {
		opts, path := s.opts, cmp.Or(a.Path, a.Name, "content")
		opts.Kind = engine.AsArtifact
		if a.Content == nil {
			var err error // that of the caller may be set meanwhile
			if path, err = s.workspace.artifact(ctx, a.Path); err != nil {
				return nil, err
			}
		} else {
			opts.Contents = map[string][]byte{path: []byte(*a.Content)}
		}
		return engine.Check(ctx, s.rules, opts, path)
	})
	if err != nil {
		return nil, nil, err
	}
	rep = bounded(rep)
	var out bytes.Buffer
	writeNotices(&out, rep.Notices)
	if err := report.Write(&out, "agent", rep, report.Options{}); err != nil {
		return nil, nil, err
	}
	data, err := s.reportJSON(rep, nil)
	return textResult(out.String()), data, err
}
