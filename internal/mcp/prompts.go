package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/brennerlint/brennerlint/internal/text"
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

// user returns a prompt of one message.
func user(prompt string) *mcp.GetPromptResult {
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: prompt}}}}
}

// repairPrompt shows a draft with what is wrong with it.
func (s *server) repairPrompt(ctx context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	args := r.Params.Arguments
	if args["draft"] == "" {
		return nil, invalid(errors.New("there is no draft; give the arguments of send_message as JSON"))
	}
	found, err := s.checkMessage(ctx, json.RawMessage(args["draft"]), args["export"])
	if err != nil {
		return nil, invalid(err)
	}
	var b strings.Builder
	b.WriteString("Repair this draft of a message of the Brenner Protocol. Fix every error, keep what it says, and invent no content: " +
		"where a fact is missing, ask. What is listed after these fixes (after_fixes) is hidden by the errors before it: fix it in the same round. " +
		"Write something of your own for each placeholder such as <one sentence>. " +
		"Call check_message with the result until it has no errors; explain_rule says why a rule exists.\n")
	fmt.Fprintf(&b, "\nThe draft:\n\n%s", text.Fence("json", strings.TrimRight(args["draft"], "\n")))
	fmt.Fprintf(&b, "\nWhat check_message finds:\n\n%s", text.Fence("text", found.text))
	if found.repaired != nil {
		data, _ := json.Marshal(found.repaired) // it is JSON
		fmt.Fprintf(&b, "\nThe draft with fixes applied, from which to go on:\n\n%s", text.Fence("json", string(data)))
	}
	return user(b.String()), nil
}

// compilePrompt shows the next version of a thread, or why it is not ready.
func (s *server) compilePrompt(ctx context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	a := compileArgs{replayArgs: replayArgs{Export: r.Params.Arguments["export"], Thread: r.Params.Arguments["thread_id"]}}
	if a.Thread == "" {
		return nil, invalid(errors.New("there is no thread_id; name the thread to compile"))
	}
	c, err := s.compiled(ctx, a)
	if err != nil {
		return nil, invalid(err)
	}
	var b strings.Builder
	if !c.Ready {
		fmt.Fprintf(&b, "The next version of thread %s is not ready to be published. Say so to its agents, ask those who are named below for what is missing, "+
			"and call compile_thread again when they have answered. Do not write the version by hand.\n", a.Thread)
		fmt.Fprintf(&b, "\nWhat compile_thread says:\n\n%s", text.Fence("text", c.text()))
		return user(b.String()), nil
	}
	message, _ := json.MarshalIndent(c.Message, "", "  ") // it is JSON
	fmt.Fprintf(&b, "Publish v%d of thread %s. Below is its COMPILED as compile_thread makes it from the deltas: send it with send_message and these arguments, "+
		"and change no item. You may write a better description after the version in the subject, and a better Summary. "+
		"Call compile_thread again if mail has come in since, and check_message if you changed anything.\n", c.Version, a.Thread)
	if more := c.text(); more != "" {
		fmt.Fprintf(&b, "\nWhat compile_thread says besides:\n\n%s", text.Fence("text", more))
	}
	fmt.Fprintf(&b, "\nThe arguments of send_message:\n\n%s", text.Fence("json", string(message)))
	return user(b.String()), nil
}
