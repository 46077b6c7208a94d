package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func (s *server) addPrompts(m *mcp.Server) {
	m.AddPrompt(&mcp.Prompt{
		Name: "repair_draft", Title: "Repair this draft", Description: "Fix what check_message finds in a message that is not sent yet.",
		Arguments: []*mcp.PromptArgument{
			{Name: "draft", Description: "the arguments of send_message or reply_message, as JSON", Required: true},
			{Name: "export", Description: "path of a mail export or database that has the thread, in the server's folder"},
		},
	}, s.repairPrompt)
	m.AddPrompt(&mcp.Prompt{
		Name: "compile_thread", Title: "Compile this thread", Description: "Write the next COMPILED of a thread from what its deltas produce.",
		Arguments: []*mcp.PromptArgument{
			{Name: "export", Description: "path of a mail export or database that has the thread, in the server's folder", Required: true},
			{Name: "thread_id", Description: "the thread, such as RS-20251230-cell-fate", Required: true},
		},
	}, s.compilePrompt)
}

// user is a prompt of one message.
func user(text string) *mcp.GetPromptResult {
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}}
}

// repairPrompt shows a draft with what is wrong with it.
func (s *server) repairPrompt(ctx context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	args := r.Params.Arguments
	raw := json.RawMessage(args["draft"])
	if len(raw) == 0 {
		return nil, errors.New("there is no draft; give the arguments of send_message as JSON")
	}
	if export := args["export"]; export != "" {
		name, err := json.Marshal(export)
		if err != nil {
			return nil, err
		}
		if raw, err = withMembers(raw, []member{{"export", json.RawMessage(name)}}); err != nil {
			return nil, err
		}
	}
	found, err := s.checkMessage(ctx, raw)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteString("Repair this draft of a message of the Brenner Protocol. Fix every error, keep what it says, and invent no content: " +
		"where a fact is missing, ask. What is listed after these fixes (after_fixes) is hidden by the errors before it: fix it in the same round. " +
		"Write something of your own for each placeholder such as <one sentence>. " +
		"Call check_message with the result until it has no errors; explain_rule says why a rule exists.\n")
	fmt.Fprintf(&b, "\nThe draft:\n\n%s\n", fenced("json", args["draft"]))
	fmt.Fprintf(&b, "\nWhat check_message finds:\n\n%s\n", fenced("text", textOf(found)))
	var data struct {
		Repaired json.RawMessage `json:"repaired_draft"`
	}
	structured, _ := found.StructuredContent.(json.RawMessage)
	if json.Unmarshal(structured, &data) == nil && data.Repaired != nil {
		fmt.Fprintf(&b, "\nThe draft with fixes applied, from which to go on:\n\n%s\n", fenced("json", string(data.Repaired)))
	}
	return user(b.String()), nil
}

// compilePrompt shows what the deltas of a thread produce.
func (s *server) compilePrompt(ctx context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	a := replayArgs{Export: r.Params.Arguments["export"], Thread: word(r.Params.Arguments["thread_id"])}
	if a.Thread == "" {
		return nil, errors.New("there is no thread_id; name the thread to compile")
	}
	rep, err := s.replayed(ctx, a, true)
	switch {
	case err != nil:
		return nil, err
	case len(rep.Threads) != 1:
		return nil, fmt.Errorf("thread %q is in %d projects of the export; name the mail of one of them", a.Thread, len(rep.Threads))
	}
	text, err := replayText(rep)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Write the next COMPILED of thread %s. ", a.Thread)
	b.WriteString("Below is what its deltas produce, and which of them were rejected. Publish this artifact with the next version, " +
		"change no item, and say in the message which deltas were rejected and why. " +
		"Check the artifact with check_artifact and the message with check_message, and send it when neither has errors.\n")
	fmt.Fprintf(&b, "\nThe replay:\n\n%s\n", fenced("text", text))
	fmt.Fprintf(&b, "\nThe artifact:\n\n%s\n", fenced("markdown", string(rep.Threads[0].Artifact)))
	return user(b.String()), nil
}

// textOf is the text of a result.
func textOf(r *mcp.CallToolResult) string {
	var b strings.Builder
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// fenced is a text in a fence that it cannot close.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + strings.TrimRight(text, "\n") + "\n" + fence
}
