package mcp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// pendingMail writes the example's mail before it was published to a folder, and works
// there.
func pendingMail(t *testing.T) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", examples, "mail", thread+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var mail struct {
		Project  string           `json:"project"`
		Thread   string           `json:"thread_id"`
		Messages []map[string]any `json:"messages"`
	}
	if err := json.Unmarshal(data, &mail); err != nil {
		t.Fatal(err)
	}
	mail.Messages = mail.Messages[:len(mail.Messages)-1] // the COMPILED
	if data, err = json.Marshal(mail); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("mail.json", data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestCompile checks that what compile_thread gives is a message that check_message has
// nothing against, and that the prompt shows it.
func TestCompile(t *testing.T) {
	pendingMail(t)
	session := inMemory(t)
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "compile_thread", Arguments: map[string]any{"export": "mail.json"}})
	if err != nil || res.IsError {
		t.Fatal(err, textOf(res))
	}
	data, err := json.Marshal(res.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Ready    bool           `json:"ready"`
		Version  int            `json:"version"`
		Message  map[string]any `json:"message"`
		Artifact string         `json:"artifact"`
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if body, _ := got.Message["body_md"].(string); !got.Ready || got.Version != 1 || !strings.HasSuffix(body, got.Artifact) || got.Artifact == "" {
		t.Errorf("compile_thread gives %s", data)
	}
	got.Message["export"] = "mail.json"
	text, checked, failed := callFull(t, session, "check_message", got.Message)
	if failed || checked.Summary.Errors+checked.Summary.Warnings > 0 || checked.Summary.Messages != 1 {
		t.Errorf("check_message says %s", text)
	}
	prompt, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "compile_thread", Arguments: map[string]string{"export": "mail.json", "thread_id": thread}})
	if err != nil {
		t.Fatal(err)
	}
	text = prompt.Messages[0].Content.(*mcp.TextContent).Text
	for _, want := range []string{"Publish v1 of thread " + thread, "not applied: message 17, delta 2 of BlueLake", `"subject": "COMPILED: v1 initial artifact`, `"sender_name": "Operator"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the prompt lacks %q:\n%s", want, text)
		}
	}
}

// TestForced checks that a version which lacks items is given when it is forced, and is
// not called ready.
func TestForced(t *testing.T) {
	t.Chdir(t.TempDir())
	block := "```delta\n" + `{"operation": "ADD", "section": "hypothesis_slate", "payload": {"name": "n", "claim": "c", "mechanism": "m", "anchors": ["§1"]}}` + "\n```\n"
	data, err := json.Marshal(map[string]any{"project": "/lab", "thread_id": "RS-20251230-few-items", "messages": []any{map[string]any{
		"id": 1, "thread_id": "RS-20251230-few-items", "from": "BlueLake", "subject": "DELTA[opus]: one", "created_ts": "2025-12-30T10:00:00Z", "body_md": block,
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("mail.json", data, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, force := range []bool{false, true} {
		res, err := inMemory(t).CallTool(t.Context(), &mcp.CallToolParams{Name: "compile_thread", Arguments: map[string]any{"export": "mail.json", "project": "/lab", "force": force}})
		if err != nil || res.IsError {
			t.Fatal(err, textOf(res))
		}
		given, _ := res.StructuredContent.(map[string]any)
		if text := textOf(res); given["ready"] != false || (given["message"] != nil) != force || !strings.Contains(text, "not ready to be published") || !strings.Contains(text, "below the minimum") {
			t.Errorf("force %v: %v\n%s", force, given, text)
		}
	}
}
