package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

// server holds what the tools share.
type server struct {
	rules     lint.Catalogue
	version   string
	opts      engine.Options
	workspace *workspace
	gate      *gate
}

const instructions = "Check a message with check_message before you send it, with the arguments that you would send, " +
	"and an artifact with check_artifact before you publish it. The resources brennerlint://rules/ID document the rules."

// newServer makes a server whose tools read what is in the working folder.
func newServer(opts Options, b bounds) (*mcp.Server, error) {
	w, err := newWorkspace(".", b)
	if err != nil {
		return nil, err
	}
	s := &server{rules: opts.Rules, version: opts.Version, workspace: w, gate: newGate(b)}
	path, err := config.Find(".")
	if err != nil {
		return nil, err
	}
	if path != "" {
		cfg, err := config.Load(path, s.rules)
		if err != nil {
			return nil, err
		}
		s.rules = cfg.AllRules(s.rules)
		cfg.Apply(&s.opts, s.rules)
	}
	m := mcp.NewServer(&mcp.Implementation{Name: "brennerlint", Title: "brennerlint", Version: opts.Version}, &mcp.ServerOptions{Instructions: instructions})
	s.addTools(m)
	s.addResources(m)
	s.addPrompts(m)
	return m, nil
}

// handler does the work of a tool. Its error is one of the call, which the model
// reads, not of the protocol.
type handler func(ctx context.Context, args json.RawMessage) (*mcp.CallToolResult, error)

func (s *server) addTools(m *mcp.Server) {
	outside := false // all tools only read, and only what is in the folder
	for _, t := range []struct {
		name, title, description string
		input, output            string
		handle                   handler
	}{
		{
			"check_message", "Check a message", "Check a message of the Brenner Protocol before it is sent: takes the arguments of send_message or reply_message as they are. " +
				"Reports what is wrong and how to fix it, with the repaired draft where fixes exist, and, with an export, previews the merge of each delta.",
			messageInput, messageOutput, s.checkMessage,
		},
		{
			"check_artifact", "Check an artifact", "Check an artifact of the Brenner Protocol, Markdown or JSON, given as content or by its path.",
			artifactInput, reportOutput, s.checkArtifact,
		},
		{
			"replay_thread", "Replay a thread", "Replay the merges of a thread: which deltas were applied and rejected in each window, and whether the published artifact is what they produce.",
			replayInput, replayOutput, s.replayThread,
		},
		{
			"compile_thread", "Compile a thread", "Compile the next version of a thread: the COMPILED message with the arguments of send_message, checked and ready to be sent, and the artifact file. " +
				"Where the version is not ready, it says why and whom to ask.",
			compileInput, compileOutput, s.compileThread,
		},
		{
			"explain_rule", "Explain a rule", "Document a rule: what it checks, why, bad and good examples. A family such as MB gives a list of its rules.",
			ruleInput, ruleOutput, s.explainRule,
		},
	} {
		m.AddTool(&mcp.Tool{
			Name: t.name, Title: t.title, Description: t.description,
			InputSchema: json.RawMessage(t.input), OutputSchema: json.RawMessage(t.output),
			Annotations: &mcp.ToolAnnotations{Title: t.title, ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &outside},
		}, t.handle.call)
	}
}

// call implements mcp.ToolHandler.
func (h handler) call(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	res, err := h(ctx, r.Params.Arguments)
	if err == nil {
		return res, nil
	}
	res = &mcp.CallToolResult{}
	res.SetError(fmt.Errorf("%s", report.Message(err.Error()))) // it may quote what was read
	return res, nil
}

// arguments reads the arguments of a call.
func arguments[T any](raw json.RawMessage) (args T, err error) {
	if isNone(raw) {
		raw = json.RawMessage("{}")
	}
	if err := json.Unmarshal(raw, &args); err != nil {
		return args, fmt.Errorf("read arguments: %s", reasonOfJSON(err))
	}
	return args, nil
}

// isNone reports whether a call has no arguments.
func isNone(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) == 0 || string(raw) == "null"
}

// toolResult returns a short text, and the same as data.
func toolResult(text string, data []byte) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: text}},
		StructuredContent: json.RawMessage(data),
	}
}

// reportJSON returns a report as --format json writes it, with further members.
func (s *server) reportJSON(rep *lint.Report, more ...member) ([]byte, error) {
	var out bytes.Buffer
	if err := report.Write(&out, "json", rep, report.Options{Version: s.version}); err != nil {
		return nil, err
	}
	if len(rep.Notices) > 0 {
		more = append(more, member{"notices", rep.Notices})
	}
	return withMembers(out.Bytes(), more)
}

// member is a member of a JSON object.
type member struct {
	name  string
	value any
}

// withMembers adds members at the end of an object.
func withMembers(object []byte, more []member) ([]byte, error) {
	out := bytes.TrimSuffix(bytes.TrimSpace(object), []byte("}"))
	out = bytes.TrimSpace(out)
	for i, m := range more {
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", m.name, err)
		}
		if i > 0 || !bytes.HasSuffix(out, []byte("{")) {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, "%q:%s", m.name, value)
	}
	return append(out, '}'), nil
}

// writeNotices writes facts for the reader that are not findings.
func writeNotices(out *bytes.Buffer, notices []string) {
	for _, n := range notices {
		fmt.Fprintf(out, "%s\n", report.Message(n))
	}
}
