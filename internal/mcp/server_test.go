package mcp

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
	"github.com/brennerlint/brennerlint/source"
)

const (
	examples = "examples" // below the root of the repository
	thread   = "RS-20251230-cell-fate"
)

var testOptions = Options{Rules: rules.All(), Version: "1.2.3"}

// inMemory connects a client to a server in this process.
func inMemory(t *testing.T) *mcp.ClientSession {
	t.Helper()
	s := newServer(testOptions)
	server, client := mcp.NewInMemoryTransports()
	if _, err := s.Connect(t.Context(), server, nil); err != nil {
		t.Fatal(err)
	}
	return connect(t, client)
}

func connect(t *testing.T, transport mcp.Transport) *mcp.ClientSession {
	t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), transport, nil)
	must.OK(t, err)
	t.Cleanup(func() { session.Close() })
	return session
}

// call calls a tool and returns its text.
func call(t *testing.T, session *mcp.ClientSession, tool string, args map[string]any) (text string, failed bool) {
	t.Helper()
	text, _, failed = callFull(t, session, tool, args)
	return text, failed
}

// textOf returns the text of a result.
func textOf(r *mcp.CallToolResult) string {
	var b strings.Builder
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// answer is what the tests read of the structured content.
type answer struct {
	Schema   string
	Version  string
	Summary  lint.Summary
	Findings []*struct {
		Rule, Path, Message string
		Range               *source.Range
		Fix                 *lint.Fix
	}
	Notices  []string
	Preview  []string       `json:"merge_preview"`
	Repaired map[string]any `json:"repaired_draft"`
	Rules    []ruleEntry
}

// callFull calls a tool and checks that the structured content is as the tool's
// schema says.
func callFull(t *testing.T, session *mcp.ClientSession, tool string, args any) (text string, a answer, failed bool) {
	t.Helper()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	must.OK(t, err)
	if res.StructuredContent == nil {
		if !res.IsError {
			t.Errorf("%s gives no structured content", tool)
		}
		return textOf(res), a, res.IsError
	}
	if err := outputSchema(t, session, tool).Validate(res.StructuredContent); err != nil {
		t.Errorf("the structured content of %s: %v", tool, err)
	}
	data, err := json.Marshal(res.StructuredContent)
	must.OK(t, err)
	if tool != "replay_thread" && tool != "compile_thread" {
		must.OK(t, json.Unmarshal(data, &a))
	}
	return textOf(res), a, res.IsError
}

// outputSchema returns the schema that a tool announces for its results.
func outputSchema(t *testing.T, session *mcp.ClientSession, name string) *jsonschema.Schema {
	t.Helper()
	for tool, err := range session.Tools(t.Context(), nil) {
		must.OK(t, err)
		if tool.Name != name {
			continue
		}
		c := jsonschema.NewCompiler()
		must.OK(t, c.AddResource("output.json", tool.OutputSchema))
		return c.MustCompile("output.json")
	}
	t.Fatalf("there is no tool %s", name)
	return nil
}

// TestTools checks how the tools are described to a client. Clients refuse lists without the
// type of the items. What check_message takes is mail by the names of its members, except for
// export, and never looks like the call of a tool.
func TestTools(t *testing.T) {
	var names []string
	for tool, err := range inMemory(t).Tools(t.Context(), nil) {
		must.OK(t, err)
		names = append(names, tool.Name)
		if tool.Description == "" || tool.OutputSchema == nil || !tool.Annotations.ReadOnlyHint {
			t.Errorf("tool %s is described as %+v", tool.Name, tool)
		}
		properties := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
		for name, p := range properties {
			p := p.(map[string]any)
			types, _ := p["type"].([]any)
			if p["type"] == nil || slices.Contains(types, "array") && p["items"].(map[string]any)["type"] != "string" {
				t.Errorf("%s: %s is described as %v", tool.Name, name, p)
			}
			if tool.Name == "check_message" && name != "export" && (!mail.IsMember(name) || !isOfMessage(name)) {
				t.Errorf("%s is no member of a message", name)
			}
		}
		for _, m := range []string{"subject", "body_md", "thread_id", "message_id", "sender_name"} {
			if tool.Name == "check_message" && properties[m] == nil {
				t.Errorf("check_message does not take %s", m)
			}
		}
	}
	if got := strings.Join(names, " "); got != "check_artifact check_message compile_thread explain_rule replay_thread" {
		t.Errorf("the tools are %s", got)
	}
}

// TestCalls calls every tool with good and bad arguments.
func TestCalls(t *testing.T) {
	t.Chdir("../..")
	session := inMemory(t)
	artifact := must.Read(t, filepath.Join(examples, "artifacts", thread+".md"))
	good := map[string]any{"subject": "INFO: the transcript is here", "body_md": "# Information\n\nDone.", "thread_id": "RS-20251230-gradient-vs-lineage", "sender_name": "BlueLake", "to": []string{"RedCreek"}}
	for _, c := range []struct {
		name, tool string
		args       map[string]any
		want       []string
		not        string
		failed     bool
	}{
		{name: "a message with errors", tool: "check_message",
			args: map[string]any{"subject": "delta[opus]: H4", "body_md": "# Delta", "thread_id": thread},
			want: []string{"# Validation Error\n", "- MB-001 subject-prefix", "- MB-004 delta-block-present", "## Suggestion\n- MB-001: "}},
		{name: "a good message", tool: "check_message", args: good, want: []string{"no findings"}, not: "Validation Error"},
		{name: "a warning", tool: "check_message",
			args: map[string]any{"subject": "QUESTION: which rubric?", "body_md": "## Question\nWhich?\n", "thread_id": thread, "sender_name": "BlueLake"},
			want: []string{"warning MB-011"}, not: "Validation Error"},
		{name: "a message against its thread", tool: "check_message",
			args: map[string]any{"subject": "DELTA[gpt]: kill", "thread_id": thread, "sender_name": "BlueLake", "export": filepath.Join(examples, "mail"),
				"body_md": "# Delta\n\n**Base Version**: v1\n\n## Deltas\n\n```delta\n{\"operation\": \"KILL\", \"section\": \"hypothesis_slate\", \"target_id\": \"H9\", \"payload\": {\"reason\": \"r\"}, \"rationale\": \"r\"}\n```\n"},
			want: []string{"- MR-001", "delta 1: would be rejected (MR-001)"}},
		{name: "an export that is not there", tool: "check_message",
			args: map[string]any{"subject": "INFO: x", "body_md": "x", "export": "nothing.json"}, want: []string{"nothing.json"}, failed: true},
		{name: "an export that is no path", tool: "check_message", args: map[string]any{"body_md": "x", "export": 5}, want: []string{"export"}, failed: true},
		{name: "a faulty artifact", tool: "check_artifact",
			args: map[string]any{"content": "# Brenner Protocol Artifact: x\n", "name": "artifacts/x.md"}, want: []string{"artifacts/x.md:1:1: error EM-001"}},
		{name: "a published artifact", tool: "check_artifact",
			args: map[string]any{"content": string(artifact), "name": "artifacts/" + thread + ".md"}, not: " error "},
		{name: "an artifact by its path", tool: "check_artifact",
			args: map[string]any{"path": filepath.Join(examples, "artifacts", thread+".md")}, want: []string{"no findings in 1 artifact"}},
		{name: "findings by a path", tool: "check_artifact",
			args: map[string]any{"path": filepath.Join(examples, "draft.json")}, want: []string{"examples/draft.json:1:1: error"}, not: "./examples"},
		{name: "a content under a path", tool: "check_artifact",
			args: map[string]any{"content": "# Brenner Protocol Artifact: x\n", "path": "artifacts/y.md"}, want: []string{"artifacts/y.md:1:1: error EM-001"}},
		{name: "an artifact that is not there", tool: "check_artifact", args: map[string]any{"path": "nothing.md"}, want: []string{`there is no artifact "nothing.md" in`}, failed: true},
		{name: "a folder for an artifact", tool: "check_artifact", args: map[string]any{"path": examples}, want: []string{"not a file"}, failed: true},
		{name: "no artifact", tool: "check_artifact", want: []string{"neither content nor path"}, failed: true},
		{name: "a content that is no text", tool: "check_artifact", args: map[string]any{"content": 5}, want: []string{`/properties/content: type: 5 has type "integer"`}, failed: true},
		{name: "no export", tool: "replay_thread", want: []string{`missing properties: ["export"]`}, failed: true},
		{name: "a replay", tool: "replay_thread",
			args: map[string]any{"export": filepath.Join(examples, "mail"), "thread_id": thread}, want: []string{thread, "rejected message 17, delta 2: MB-005"}},
		{name: "a replay of another thread", tool: "replay_thread",
			args: map[string]any{"export": filepath.Join(examples, "mail"), "thread_id": "RS-nothing"}, want: []string{`"RS-nothing"`}, failed: true},
		{name: "nothing to compile", tool: "compile_thread", args: map[string]any{"export": filepath.Join(examples, "mail"), "thread_id": thread, "version": nil},
			want: []string{"not ready to be published", "nothing to compile: thread " + thread + " has no deltas since v1 (message 18)"}},
		{name: "a version as it should be", tool: "compile_thread",
			args: map[string]any{"export": filepath.Join(examples, "mail"), "version": 1, "compiler": "GreenDog", "at": "2025-12-31T00:00:00Z"},
			want: []string{"v1 of thread " + thread + " was published by message 18; do not send it again", `"sender_name": "GreenDog"`, `"ack_required": false`, "AND viability by vital dye", "not applied: message 17, delta 2 of BlueLake"}},
		{name: "a version that is not there", tool: "compile_thread", args: map[string]any{"export": filepath.Join(examples, "mail"), "version": 9}, want: []string{"has no version 9"}, failed: true},
		{name: "version 0", tool: "compile_thread", args: map[string]any{"export": filepath.Join(examples, "mail"), "version": 0}, want: []string{"expected a number >= 1"}, failed: true},
		{name: "a time that is none", tool: "compile_thread", args: map[string]any{"export": filepath.Join(examples, "mail"), "at": "soon"}, want: []string{"expected an ISO 8601 time"}, failed: true},
		{name: "no export to compile", tool: "compile_thread", want: []string{`missing properties: ["export"]`}, failed: true},
		{name: "a rule by name", tool: "explain_rule", args: map[string]any{"rule": "subject-prefix"}, want: []string{"MB-001 subject-prefix"}},
		{name: "a rule that is misspelt", tool: "explain_rule", args: map[string]any{"rule": "subject-prefx"}, want: []string{"did you mean subject-prefix?"}, failed: true},
		{name: "a rule that is a number", tool: "explain_rule", args: map[string]any{"rule": 5}, want: []string{`/properties/rule: type: 5 has type "integer"`}, failed: true},
		{name: "no rule", tool: "explain_rule", args: map[string]any{"rule": "nonsense"}, want: []string{`unknown rule "nonsense"`}, failed: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, failed := call(t, session, c.tool, c.args)
			if failed != c.failed {
				t.Errorf("failed is %t", failed)
			}
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("the answer lacks %q:\n%s", want, got)
				}
			}
			if c.not != "" && strings.Contains(got, c.not) {
				t.Errorf("the answer holds %q:\n%s", c.not, got)
			}
		})
	}
}

// TestFamily checks that a family is a list of its rules, a line each, without their
// pages.
func TestFamily(t *testing.T) {
	text, a, _ := callFull(t, inMemory(t), "explain_rule", map[string]any{"rule": "MB"})
	if n := strings.Count(text, "\n"); n != len(a.Rules) || n != len(rules.All().Match("MB")) || len(text) > 200*n {
		t.Errorf("%d lines in %d bytes for %d rules", n, len(text), len(a.Rules))
	}
	if !strings.HasPrefix(text, "MB-001 subject-prefix (error): ") || a.Rules[0].ID != "MB-001" {
		t.Errorf("the list begins %.80q", text)
	}
}

// pendingMail writes the example's mail before it was published to a folder, and works
// there.
func pendingMail(t *testing.T) {
	t.Helper()
	example := must.Read(t, filepath.Join("..", "..", examples, "mail", thread+".json"))
	var mail struct {
		Project  string           `json:"project"`
		Thread   string           `json:"thread_id"`
		Messages []map[string]any `json:"messages"`
	}
	must.OK(t, json.Unmarshal(example, &mail))
	mail.Messages = mail.Messages[:len(mail.Messages)-1] // the COMPILED
	data, err := json.Marshal(mail)
	must.OK(t, err)
	t.Chdir(t.TempDir())
	must.Write(t, "mail.json", data)
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
	must.OK(t, err)
	var got struct {
		Ready    bool           `json:"ready"`
		Version  int            `json:"version"`
		Message  map[string]any `json:"message"`
		Artifact string         `json:"artifact"`
	}
	must.OK(t, json.Unmarshal(data, &got))
	if body, _ := got.Message["body_md"].(string); !got.Ready || got.Version != 1 || !strings.Contains(textOf(res), "is ready to be published") || !strings.HasSuffix(body, got.Artifact) || got.Artifact == "" {
		t.Errorf("compile_thread gives %s", data)
	}
	got.Message["export"] = "mail.json"
	text, checked, failed := callFull(t, session, "check_message", got.Message)
	if failed || checked.Summary.Errors+checked.Summary.Warnings > 0 || checked.Summary.Messages != 1 {
		t.Errorf("check_message says %s", text)
	}
	prompt, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "compile_thread", Arguments: map[string]string{"export": "mail.json", "thread_id": thread}})
	must.OK(t, err)
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
	must.OK(t, err)
	must.Write(t, "mail.json", data)
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
