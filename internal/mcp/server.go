// Package mcp serves brennerlint to agents by the Model Context Protocol, so
// that an agent can ask before it sends.
package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/deadline"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
	"github.com/brennerlint/brennerlint/source"
)

// Options are what a server depends on.
type Options struct {
	Rules   lint.Catalogue
	Checks  engine.Options // what the configuration says of checks
	Version string         // of the program
}

// Serve serves until the client closes the connection or the context ends. Its tools
// read what is in the working folder.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opts Options) error {
	err := newServer(opts).Run(ctx, &stdio{in, out})
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// server holds what the tools share.
type server struct{ Options }

const instructions = "Check a message with check_message before you send it, with the arguments that you would send, " +
	"and an artifact with check_artifact before you publish it. The resources brennerlint://rules/ID document the rules."

func newServer(opts Options) *mcp.Server {
	s := &server{opts}
	m := mcp.NewServer(&mcp.Implementation{Name: "brennerlint", Title: "brennerlint", Version: opts.Version}, &mcp.ServerOptions{Instructions: instructions})
	s.addTools(m)
	s.addResources(m)
	s.addPrompts(m)
	return m
}

func (s *server) addTools(m *mcp.Server) {
	// The SDK does not read the arguments of check_message: wrong ones are findings, with places
	// in the text that the client sent.
	check := describe[messageArgs, messageReport]("check_message", "Check a message",
		"Check a message of the Brenner Protocol before it is sent: takes the arguments of send_message or reply_message as they are. "+
			"Reports what is wrong and how to fix it, with the repaired draft where fixes exist, and, with an export, previews the merge of each delta.")
	m.AddTool(check, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		checked, err := s.checkMessage(ctx, r.Params.Arguments, "")
		if err != nil {
			res := &mcp.CallToolResult{}
			res.SetError(err)
			return res, nil
		}
		res := textResult(checked.text)
		res.StructuredContent = checked.data
		return res, nil
	})
	mcp.AddTool(m, describe[artifactArgs, findingReport]("check_artifact", "Check an artifact",
		"Check an artifact of the Brenner Protocol, Markdown or JSON, given as content or by its path."), s.checkArtifact)
	mcp.AddTool(m, describe[replayArgs, replayReport]("replay_thread", "Replay a thread",
		"Replay the merges of a thread: which deltas were applied and rejected in each window, and whether the published artifact is what they produce."), s.replayThread)
	mcp.AddTool(m, describe[compileArgs, compiled]("compile_thread", "Compile a thread",
		"Compile the next version of a thread: the COMPILED message with the arguments of send_message, checked and ready to be sent, and the artifact file. "+
			"Where the version is not ready, it says why and whom to ask."), s.compileThread)
	mcp.AddTool(m, describe[ruleArgs, ruleList]("explain_rule", "Explain a rule",
		"Document a rule: what it checks, why, bad and good examples. A family such as MB gives a list of its rules."), s.explainRule)
}

// describe returns a tool with the schemas of its types. All tools only read.
func describe[In, Out any](name, title, description string) *mcp.Tool {
	input := schemaOf[In]()
	input.AdditionalProperties = nil // the arguments of send_message have some that check_message does not read
	for name, p := range input.Properties {
		if p.Type != "" && !slices.Contains(input.Required, name) { // some clients send null
			p.Type, p.Types = "", []string{p.Type, "null"}
		}
	}
	return &mcp.Tool{
		Name: name, Title: title, Description: description,
		InputSchema: input, OutputSchema: schemaOf[Out](),
		Annotations: &mcp.ToolAnnotations{Title: title, ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(false)},
	}
}

// schemas are for types that are written in more than one way, or not as Go has them.
var schemas = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[word]():            {Types: []string{"string", "number", "null"}},
	reflect.TypeFor[recipients]():      {Types: []string{"string", "array", "null"}, Items: &jsonschema.Schema{Type: "string"}},
	reflect.TypeFor[json.RawMessage](): {Type: "object"},
	reflect.TypeFor[lint.Severity]():   {Type: "string"},
	reflect.TypeFor[lint.Fix]():        {Type: "object"}, // docs/contract.md says what is in it
	reflect.TypeFor[source.Range]():    {Type: "object"},
}

func schemaOf[T any]() *jsonschema.Schema {
	schema, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: schemas})
	if err != nil {
		panic(fmt.Errorf("the schema of %T: %w", *new(T), err)) // the types are ours
	}
	return schema
}

// word is a string. Some clients write a number for it, or null.
type word = any

// findingReport is the report (docs/contract.md), with notices, for its schema.
type findingReport struct {
	Schema   string          `json:"schema"`
	Version  string          `json:"version"`
	Summary  lint.Summary    `json:"summary"`
	Findings []*lint.Finding `json:"findings"`
	Failures []lint.Failure  `json:"failures,omitempty"`
	Notices  []string        `json:"notices,omitempty"`
}

// textResult returns a short text; the SDK adds the same as data.
func textResult(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// reportJSON returns a report as --format json writes it, with notices and further members.
func (s *server) reportJSON(rep *lint.Report, more map[string]any) json.RawMessage {
	object := report.JSON(rep, report.Options{Version: s.Version})
	if len(rep.Notices) > 0 {
		more["notices"] = rep.Notices
	}
	if len(more) == 0 {
		return json.RawMessage(object)
	}
	data, _ := json.Marshal(more) // they are texts, numbers and JSON
	return json.RawMessage(strings.TrimSuffix(strings.TrimSpace(object), "}") + "," + string(data[1:]))
}

// writeLines writes facts for the reader that are not findings.
func writeLines(out *bytes.Buffer, lines []string) {
	for _, line := range lines {
		fmt.Fprintf(out, "%s\n", report.Message(line))
	}
}

// invalid returns the error for a request with wrong parameters.
func invalid(err error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
}

// stdio is the SDK's transport. It also answers the calls that are under way when the client
// closes its end: the SDK would drop them, and the client may still read.
type stdio struct {
	in  io.Reader
	out io.Writer
}

// Connect implements mcp.Transport.
func (t *stdio) Connect(ctx context.Context) (mcp.Connection, error) {
	in := io.NopCloser(t.in)
	out := struct { // that the transport does not close
		io.Writer
		io.Closer
	}{t.out, in}
	c, err := (&mcp.IOTransport{Reader: in, Writer: out}).Connect(ctx)
	return &answering{Connection: c}, err
}

// answering is a connection that counts the calls under way. It refuses one with the id of
// another: the SDK would not answer it.
type answering struct {
	mcp.Connection
	ids   sync.Map // of the calls under way
	calls sync.WaitGroup
}

// Read implements mcp.Connection.
func (c *answering) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	if call, ok := message.(*jsonrpc.Request); ok && err == nil && call.IsCall() {
		if _, used := c.ids.LoadOrStore(call.ID, true); used {
			refusal := &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "a request with this id is not yet answered"}
			if err := c.Connection.Write(ctx, &jsonrpc.Response{ID: call.ID, Error: refusal}); err != nil {
				return nil, err
			}
			return c.Read(ctx)
		}
		c.calls.Add(1)
	}
	if errors.Is(err, io.EOF) {
		ctx, cancel := context.WithTimeout(ctx, maxTime+10*time.Second)
		defer cancel()
		_, _ = deadline.Run(ctx, func(context.Context) (any, error) { c.calls.Wait(); return nil, nil })
	}
	return message, err
}

// Write implements mcp.Connection.
func (c *answering) Write(ctx context.Context, message jsonrpc.Message) error {
	if answer, ok := message.(*jsonrpc.Response); ok {
		c.ids.Delete(answer.ID)
		defer c.calls.Done()
	}
	return c.Connection.Write(ctx, message)
}
