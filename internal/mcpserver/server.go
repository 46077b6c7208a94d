package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/brennerlint/brennerlint/config"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/replay"
	"github.com/brennerlint/brennerlint/report"
)

// The arguments of the tools.
type (
	messageArgs struct {
		Subject     *string  `json:"subject,omitempty" jsonschema:"subject line, such as DELTA[opus]: Added H3; a reply has none"`
		Body        string   `json:"body_md" jsonschema:"body in Markdown"`
		Thread      string   `json:"thread_id,omitempty" jsonschema:"thread id, such as RS-20251230-cell-fate"`
		MessageID   *int64   `json:"message_id,omitempty" jsonschema:"id of the message that a reply answers"`
		Sender      string   `json:"sender_name,omitempty" jsonschema:"name of the sending agent"`
		To          []string `json:"to,omitempty" jsonschema:"recipients"`
		AckRequired bool     `json:"ack_required,omitempty" jsonschema:"whether the message asks for acknowledgement"`
		Export      string   `json:"export,omitempty" jsonschema:"path of a mail export with the thread, below the working folder; thread and merge rules then run too"`
	}
	artifactArgs struct {
		Content string `json:"content" jsonschema:"the artifact, Markdown or JSON"`
		Name    string `json:"name,omitempty" jsonschema:"its path, such as artifacts/RS-20251230-cell-fate.md"`
	}
	replayArgs struct {
		Export string `json:"export" jsonschema:"path of a mail export, or of a folder with exports, below the working folder"`
		Thread string `json:"thread_id,omitempty" jsonschema:"only this thread"`
	}
	ruleArgs struct {
		Rule string `json:"rule" jsonschema:"id, name or specification code of the rule, such as MB-005"`
	}
)

// server holds what the tools share.
type server struct {
	rules     []*lint.Rule
	opts      engine.Options
	workspace *workspace
	gate      *gate
}

// newServer makes a server whose tools read what is in the working folder.
func newServer(opts Options, b bounds) (*mcp.Server, error) {
	w, err := newWorkspace(".", b)
	if err != nil {
		return nil, err
	}
	s := &server{rules: opts.Rules, workspace: w, gate: newGate(b)}
	path, err := config.Find(".")
	if err != nil {
		return nil, err
	}
	if path != "" {
		cfg, err := config.Load(path, s.rules)
		if err != nil {
			return nil, err
		}
		cfg.Apply(&s.opts, s.rules)
	}
	m := mcp.NewServer(&mcp.Implementation{Name: "brennerlint", Title: "brennerlint", Version: opts.Version}, &mcp.ServerOptions{
		Instructions: "Check a message with check_message before you send it, and an artifact with check_artifact before you publish it.",
	})
	mcp.AddTool(m, tool("check_message", "Check a message of the Brenner Protocol before it is sent. Reports what is wrong and how to fix it and, with an export, previews the merge of each delta."), s.checkMessage)
	mcp.AddTool(m, tool("check_artifact", "Check an artifact of the Brenner Protocol, Markdown or JSON."), s.checkArtifact)
	mcp.AddTool(m, tool("replay_thread", "Replay the merges of a thread: which deltas were applied and rejected in each window, and whether the published artifact is what they produce."), s.replayThread)
	mcp.AddTool(m, tool("explain_rule", "Document a rule: what it checks, why, and bad and good examples."), s.explainRule)
	return m, nil
}

// tool describes a tool. All of them only read, and only what lies here.
func tool(name, description string) *mcp.Tool {
	outside := false
	return &mcp.Tool{Name: name, Description: description, Annotations: &mcp.ToolAnnotations{
		ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &outside,
	}}
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

// writeNotices writes what a reader should know that is no finding.
func writeNotices(out *bytes.Buffer, notices []string) {
	for _, n := range notices {
		fmt.Fprintf(out, "%s\n", n)
	}
}

func (s *server) checkMessage(ctx context.Context, _ *mcp.CallToolRequest, a messageArgs) (*mcp.CallToolResult, any, error) {
	draft, err := json.Marshal(a)
	if err != nil {
		return nil, nil, err
	}
	d, err := do(ctx, s.gate, func(ctx context.Context) (*lint.Draft, error) {
		var exports []string
		if a.Export != "" {
			path, err := s.workspace.export(ctx, a.Export)
			if err != nil {
				return nil, err
			}
			exports = append(exports, path)
		}
		return engine.MustNew(s.rules, s.opts).CheckDraft(ctx, "draft", draft, exports...)
	})
	if err != nil {
		return nil, nil, err
	}
	var out bytes.Buffer
	writeNotices(&out, d.Notices)
	if err := report.ValidationError(&out, d, lint.Error); err != nil {
		return nil, nil, err
	}
	if d.Summary.Valid {
		if err := report.Write(&out, "agent", d.Report, report.Options{}); err != nil {
			return nil, nil, err
		}
	}
	for _, line := range report.MergePreview(d.Report) {
		fmt.Fprintf(&out, "%s\n", line)
	}
	return text(out.String()), nil, nil
}

func (s *server) checkArtifact(ctx context.Context, _ *mcp.CallToolRequest, a artifactArgs) (*mcp.CallToolResult, any, error) {
	opts := s.opts
	opts.Kind, opts.Stdin, opts.StdinName = engine.AsArtifact, strings.NewReader(a.Content), a.Name
	rep, err := do(ctx, s.gate, func(ctx context.Context) (*lint.Report, error) {
		return engine.MustNew(s.rules, opts).Check(ctx, "-")
	})
	if err != nil {
		return nil, nil, err
	}
	var out bytes.Buffer
	writeNotices(&out, rep.Notices)
	if err := report.Write(&out, "agent", rep, report.Options{}); err != nil {
		return nil, nil, err
	}
	return text(out.String()), nil, nil
}

func (s *server) explainRule(_ context.Context, _ *mcp.CallToolRequest, a ruleArgs) (*mcp.CallToolResult, any, error) {
	found := lint.Match(s.rules, a.Rule)
	if len(found) == 0 {
		return nil, nil, fmt.Errorf("unknown rule %q; expected an id, name or code, such as MB-005", a.Rule)
	}
	var out bytes.Buffer
	for _, r := range found {
		if err := report.Explain(&out, r); err != nil {
			return nil, nil, err
		}
	}
	return text(out.String()), nil, nil
}

func (s *server) replayThread(ctx context.Context, _ *mcp.CallToolRequest, a replayArgs) (*mcp.CallToolResult, any, error) {
	r, err := do(ctx, s.gate, func(ctx context.Context) (*replay.Report, error) {
		path, err := s.workspace.export(ctx, a.Export)
		if err != nil {
			return nil, err
		}
		return engine.MustNew(s.rules, s.opts).Replay(ctx, engine.ReplayOptions{Thread: a.Thread}, path)
	})
	if err != nil {
		return nil, nil, err
	}
	var out bytes.Buffer
	writeNotices(&out, r.Notices)
	for _, failure := range r.Failures {
		fmt.Fprintf(&out, "%s\n", report.Message(failure.Error()))
	}
	if err := report.ReplayText(&out, r, report.Options{}); err != nil {
		return nil, nil, err
	}
	return text(out.String()), nil, nil
}
