package mcpserver

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/rules"
)

const (
	examples = "examples" // below the root of the repository
	thread   = "RS-20251230-cell-fate"
)

var testOptions = Options{Rules: rules.All(), Version: "1.2.3"}

// inMemory connects a client to a server in this process.
func inMemory(t *testing.T) *mcp.ClientSession {
	t.Helper()
	s, err := newServer(testOptions, defaultBounds)
	if err != nil {
		t.Fatal(err)
	}
	server, client := mcp.NewInMemoryTransports()
	if _, err := s.Connect(t.Context(), server, nil); err != nil {
		t.Fatal(err)
	}
	return connect(t, client)
}

func connect(t *testing.T, transport mcp.Transport) *mcp.ClientSession {
	t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// call calls a tool and returns its text.
func call(t *testing.T, session *mcp.ClientSession, tool string, args map[string]any) (text string, failed bool) {
	t.Helper()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, c := range res.Content {
		b.WriteString(c.(*mcp.TextContent).Text)
	}
	return b.String(), res.IsError
}

// TestTools holds what a client is told of the tools.
func TestTools(t *testing.T) {
	list, err := inMemory(t).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if tool.Description == "" || tool.InputSchema == nil || !tool.Annotations.ReadOnlyHint {
			t.Errorf("tool %s is described as %+v", tool.Name, tool)
		}
	}
	if got := strings.Join(names, " "); got != "check_artifact check_message explain_rule replay_thread" {
		t.Errorf("the tools are %s", got)
	}
}

// TestCalls calls every tool with good and bad arguments.
func TestCalls(t *testing.T) {
	t.Chdir("../..")
	session := inMemory(t)
	artifact, err := os.ReadFile(filepath.Join(examples, "artifacts", thread+".md"))
	if err != nil {
		t.Fatal(err)
	}
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
		{name: "a reply", tool: "check_message",
			args: map[string]any{"message_id": 7, "body_md": "Seen.", "sender_name": "BlueLake"}, want: []string{"no findings"}},
		{name: "a reply with a delta in a wrong fence", tool: "check_message",
			args: map[string]any{"message_id": 7, "sender_name": "BlueLake", "body_md": "```json\n{\"operation\": \"ADD\", \"section\": \"hypothesis_slate\", \"payload\": {}}\n```\n"},
			want: []string{"DL-013"}},
		{name: "a message against its thread", tool: "check_message",
			args: map[string]any{"subject": "DELTA[gpt]: kill", "thread_id": thread, "sender_name": "BlueLake", "export": filepath.Join(examples, "mail"),
				"body_md": "# Delta\n\n**Base Version**: v1\n\n## Deltas\n\n```delta\n{\"operation\": \"KILL\", \"section\": \"hypothesis_slate\", \"target_id\": \"H9\", \"payload\": {\"reason\": \"r\"}, \"rationale\": \"r\"}\n```\n"},
			want: []string{"- MR-001", "delta 1: would be rejected (MR-001)"}},
		{name: "an export that is not there", tool: "check_message",
			args: map[string]any{"subject": "INFO: x", "body_md": "x", "export": "nothing.json"}, want: []string{"nothing.json"}, failed: true},
		{name: "no body", tool: "check_message", args: map[string]any{"subject": "INFO: x"}, want: []string{"body_md"}, failed: true},
		{name: "a faulty artifact", tool: "check_artifact",
			args: map[string]any{"content": "# Brenner Protocol Artifact: x\n", "name": "artifacts/x.md"}, want: []string{"artifacts/x.md:1:1: error EM-001"}},
		{name: "a published artifact", tool: "check_artifact",
			args: map[string]any{"content": string(artifact), "name": "artifacts/" + thread + ".md"}, not: " error "},
		{name: "a replay", tool: "replay_thread",
			args: map[string]any{"export": filepath.Join(examples, "mail"), "thread_id": thread}, want: []string{thread, "rejected message 17, delta 2: MB-005"}},
		{name: "a replay of another thread", tool: "replay_thread",
			args: map[string]any{"export": filepath.Join(examples, "mail"), "thread_id": "RS-nothing"}, want: []string{`"RS-nothing"`}, failed: true},
		{name: "a rule by name", tool: "explain_rule", args: map[string]any{"rule": "subject-prefix"}, want: []string{"MB-001 subject-prefix"}},
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

// program builds brennerlint.
func program(t *testing.T) string {
	t.Helper()
	testenv.SkipUnderRace(t)
	path := filepath.Join(t.TempDir(), "brennerlint.exe")
	build := exec.Command("go", "build", "-o", path, "./cmd/brennerlint")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// TestStdio runs the program as an agent's program does, with nothing on the PATH.
func TestStdio(t *testing.T) {
	command := exec.Command(program(t), "mcp")
	command.Dir, command.Env = t.TempDir(), []string{"PATH="}
	session := connect(t, &mcp.CommandTransport{Command: command})
	if got := session.InitializeResult().ServerInfo; got.Name != "brennerlint" || got.Version == "" {
		t.Errorf("the server is %+v", got)
	}
	got, _ := call(t, session, "explain_rule", map[string]any{"rule": "MB-005"})
	if !strings.Contains(got, "MB-005 delta-json") {
		t.Errorf("the answer is\n%s", got)
	}
	if err := session.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// TestSilentEnd holds that a server whose client goes away ends in peace.
func TestSilentEnd(t *testing.T) {
	s, err := newServer(testOptions, defaultBounds)
	if err != nil {
		t.Fatal(err)
	}
	server, client := mcp.NewInMemoryTransports()
	ended := make(chan error, 1)
	go func() { ended <- s.Run(context.Background(), server) }()
	if err := connect(t, client).Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}
