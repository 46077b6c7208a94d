package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/compile"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/report"
)

// compileArgs are the arguments of compile_thread.
type compileArgs struct {
	Export   string `json:"export" jsonschema:"path of a mail export or database, or of a folder with some, in the server's folder"`
	Thread   word   `json:"thread_id,omitempty" jsonschema:"the thread; may be left out if the export has only one"`
	Project  word   `json:"project,omitempty" jsonschema:"the slug or path of the project, where several have the thread"`
	Version  int    `json:"version,omitempty" jsonschema:"the version; by default the next. A published one is compiled as it should be"`
	Compiler string `json:"compiler,omitempty" jsonschema:"who publishes; by default who published before, or sent the KICKOFF"`
	At       string `json:"at,omitempty" jsonschema:"time of the compilation in ISO 8601; by default that of the latest message"`
	Force    bool   `json:"force,omitempty" jsonschema:"also compile a version that has conflicts or too few items"`
}

// compiled is what compile_thread gives.
type compiled struct {
	Thread     string          `json:"thread"`
	Version    int             `json:"version,omitempty"`
	Ready      bool            `json:"ready"`
	Obstacles  []string        `json:"obstacles" jsonschema:"why the version is not ready to be published, and whom to ask"`
	NotApplied []string        `json:"not_applied" jsonschema:"the deltas that are left out, and why"`
	Message    json.RawMessage `json:"message,omitempty" jsonschema:"the arguments of send_message; absent if the version is not ready"`
	Artifact   string          `json:"artifact,omitempty" jsonschema:"the artifact file; absent if the version is not ready"`
	Notices    []string        `json:"notices,omitempty"`
}

// compiled compiles a thread of an export.
func (s *server) compiled(ctx context.Context, a compileArgs) (*compiled, error) {
	opts := engine.CompileOptions{Version: a.Version, Compiler: strings.TrimSpace(a.Compiler)}
	switch {
	case a.Export == "":
		return nil, errors.New("there is no export; give the path of a mail export or database")
	case a.Version < 0:
		return nil, fmt.Errorf("version is %d; expected a number >= 1", a.Version)
	}
	if a.At != "" {
		at, ok := brenner.ParseISO(a.At)
		if !ok || !at.HasTime {
			return nil, fmt.Errorf("at is %q; expected an ISO 8601 time such as 2025-12-30T14:00:00Z", a.At)
		}
		opts.At = at.Time
	}
	return do(ctx, s.gate, func(ctx context.Context) (*compiled, error) {
		path, err := s.workspace.export(ctx, a.Export, a.Thread != "")
		if err != nil {
			return nil, err
		}
		box, err := engine.Open(ctx, s.rules, s.opts, path)
		if err != nil {
			return nil, err
		}
		defer box.Close()
		thread, err := box.Thread(ctx, mail.Ref{Project: string(a.Project), Thread: string(a.Thread)})
		if err != nil {
			return nil, err
		}
		notices := box.Notices()
		r, err := thread.Compile(opts)
		var nothing *compile.NothingError
		switch {
		case errors.As(err, &nothing):
			return &compiled{Thread: nothing.Thread, Obstacles: []string{nothing.Error()}, NotApplied: list(report.NotApplied(nothing.NotApplied, nil)), Notices: notices}, nil
		case err != nil:
			return nil, err
		}
		out := &compiled{
			Thread: r.Thread, Version: r.Version, Ready: r.Publishable(), Obstacles: list(r.Obstacles()),
			NotApplied: list(report.NotApplied(r.NotApplied, r.Unread)), Notices: notices,
		}
		if !out.Ready && !a.Force {
			return out, nil
		}
		var message bytes.Buffer
		if err := report.MessageJSON(&message, r.Message()); err != nil {
			return nil, err
		}
		out.Message, out.Artifact = message.Bytes(), string(r.Artifact)
		return out, nil
	})
}

// list returns a list that is never null.
func list(lines []string) []string { return append([]string{}, lines...) }

// text says what a reader should know before the message.
func (c *compiled) text() string {
	var out bytes.Buffer
	writeNotices(&out, c.Notices)
	writeNotices(&out, c.Obstacles)
	writeNotices(&out, c.NotApplied)
	return out.String()
}

func (s *server) compileThread(ctx context.Context, a compileArgs) (*mcp.CallToolResult, *compiled, error) {
	c, err := s.compiled(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	if c.Message == nil {
		return textResult("not ready to be published:\n" + c.text()), c, nil
	}
	// Not all clients show the model what is structured.
	is := "is"
	if !c.Ready {
		is = "is not"
	}
	text := fmt.Sprintf("v%d of thread %s %s ready to be published. The arguments of send_message:\n\n%s\n\n%s", c.Version, report.Message(c.Thread), is, c.Message, c.text())
	return textResult(text), c, nil
}
