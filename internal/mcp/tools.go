package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/deadline"
	"github.com/brennerlint/brennerlint/internal/docgen"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

// replayArgs are the arguments of replay_thread.
type replayArgs struct {
	Export string `json:"export" jsonschema:"path of a mail export or database, or of a folder with some, in the server's folder"`
	Thread word   `json:"thread_id,omitempty" jsonschema:"only this thread; to compile one, it must be named where the export has several"`
}

// replayReport is what replay_thread gives: what replay --format json prints, with notices.
type replayReport struct {
	Schema  string                `json:"schema"`
	Threads []replay.ThreadResult `json:"threads"`
	Notices []string              `json:"notices,omitempty"`
}

func (s *server) replayThread(ctx context.Context, _ *mcp.CallToolRequest, a replayArgs) (*mcp.CallToolResult, *replayReport, error) {
	if a.Export == "" {
		return nil, nil, errNoExport
	}
	r, err := inExport(ctx, s, a.Export, func(ctx context.Context, box *engine.Mailbox) (*replay.Results, error) {
		return box.Replay(ctx, engine.ReplayOptions{Thread: brenner.Plain(a.Thread)})
	})
	if err != nil {
		return nil, nil, err
	}
	notices := slices.Clone(r.Notices)
	for _, failure := range r.Failures {
		notices = append(notices, failure.Error())
	}
	var text bytes.Buffer
	writeLines(&text, notices)
	text.WriteString(report.ReplayText(r, report.Options{}))
	res := textResult(text.String())
	res.IsError = r.Unreadable && len(r.Threads) == 0 // the text says why
	return res, &replayReport{report.ReplaySchema, r.Threads, notices}, nil
}

// artifactArgs are the arguments of check_artifact: a content, or the path of a file
// that has it.
type artifactArgs struct {
	Content *string `json:"content,omitempty" jsonschema:"the artifact, Markdown or JSON"`
	Path    string  `json:"path,omitempty" jsonschema:"path of the artifact, in the server's folder; beside content only its name, such as artifacts/RS-20251230-cell-fate.md"`
	Name    string  `json:"name,omitempty" jsonschema:"the same as path, where content is given"`
}

func (s *server) checkArtifact(ctx context.Context, _ *mcp.CallToolRequest, a artifactArgs) (*mcp.CallToolResult, json.RawMessage, error) {
	if a.Content == nil && a.Path == "" {
		return nil, nil, errors.New("neither content nor path is given; expected one of them")
	}
	rep, err := within(ctx, func(ctx context.Context) (*lint.Report, error) {
		opts, path := s.Checks, cmp.Or(a.Path, a.Name, "content")
		opts.Kind = engine.AsArtifact
		if a.Content == nil {
			var err error // not the err outside: this may run on after the call was answered
			if path, err = below("artifact", a.Path); err != nil {
				return nil, err
			}
		} else {
			opts.Contents = map[string][]byte{path: []byte(*a.Content)}
		}
		return engine.Check(ctx, s.Rules, opts, path)
	})
	if err != nil {
		return nil, nil, err
	}
	bound(rep)
	var out bytes.Buffer
	writeLines(&out, rep.Notices)
	_ = report.Write(&out, "agent", rep, report.Options{}) // a buffer takes all
	return textResult(out.String()), s.reportJSON(rep, map[string]any{}), nil
}

// compileArgs are the arguments of compile_thread.
type compileArgs struct {
	replayArgs
	Project  word   `json:"project,omitempty" jsonschema:"the slug or path of the project, where several have the thread"`
	Version  *int   `json:"version,omitempty" jsonschema:"the version; by default the next. A published one is compiled as it should be"`
	Compiler string `json:"compiler,omitempty" jsonschema:"who publishes; by default who published before, or sent the KICKOFF"`
	At       string `json:"at,omitempty" jsonschema:"time of the compilation in ISO 8601; by default that of the latest message"`
	Force    bool   `json:"force,omitempty" jsonschema:"also compile a version that has conflicts or too few items"`
}

// compiled is what compile_thread gives.
type compiled struct {
	Thread     string          `json:"thread"`
	Version    int             `json:"version,omitempty"`
	Ready      bool            `json:"ready"`
	Published  string          `json:"published,omitempty" jsonschema:"the message that published the version already"`
	Obstacles  []string        `json:"obstacles" jsonschema:"why the version is not ready to be published, and whom to ask"`
	NotApplied []string        `json:"not_applied" jsonschema:"the deltas that are left out, and why"`
	Message    json.RawMessage `json:"message,omitempty" jsonschema:"the arguments of send_message; absent if the version is not ready, unless it is published or force is set"`
	Artifact   string          `json:"artifact,omitempty" jsonschema:"the artifact file; absent if the version is not ready, unless it is published or force is set"`
	Notices    []string        `json:"notices,omitempty"`
}

// options returns what the arguments say of the compilation.
func (a *compileArgs) options() (opts replay.CompileOptions, _ error) {
	opts.Compiler = strings.TrimSpace(a.Compiler)
	if a.Version != nil {
		if opts.Version = *a.Version; opts.Version < 1 {
			return opts, fmt.Errorf("version is %d; expected a number >= 1", opts.Version)
		}
	}
	if a.At != "" {
		at, ok := brenner.ParseISO(a.At)
		if !ok || !at.HasTime {
			return opts, fmt.Errorf("at is %q; expected an ISO 8601 time such as 2025-12-30T14:00:00Z", a.At)
		}
		opts.At = at.Time
	}
	return opts, nil
}

// compiled compiles a thread of an export.
func (s *server) compiled(ctx context.Context, a compileArgs) (*compiled, error) {
	opts, err := a.options()
	switch {
	case err != nil:
		return nil, err
	case a.Export == "":
		return nil, errNoExport
	}
	return inExport(ctx, s, a.Export, func(ctx context.Context, box *engine.Mailbox) (*compiled, error) {
		thread, err := box.Thread(ctx, mail.Ref{Project: brenner.Plain(a.Project), Thread: brenner.Plain(a.Thread)})
		if err != nil {
			return nil, err
		}
		r, err := thread.Compile(opts)
		if nothing, ok := errors.AsType[*replay.NothingError](err); ok {
			return &compiled{
				Thread: nothing.Thread, Obstacles: []string{nothing.Error()},
				NotApplied: report.NotApplied(nothing.NotApplied), Notices: box.Notices(),
			}, nil
		}
		if err != nil {
			return nil, err
		}
		out := &compiled{
			Thread: r.Thread, Version: r.Version, Ready: r.Publishable(), Obstacles: r.Obstacles(),
			NotApplied: report.NotApplied(r.NotApplied), Notices: box.Notices(),
		}
		if !out.Ready && !a.Force {
			return out, nil
		}
		if r.Published != nil {
			out.Ready, out.Published = false, r.Published.ID
		}
		out.Message, out.Artifact = json.RawMessage(report.MessageJSON(r.CompiledMessage)), string(r.Artifact)
		return out, nil
	})
}

// text says what a reader should know before the message.
func (c *compiled) text() string {
	var out bytes.Buffer
	writeLines(&out, c.Notices)
	writeLines(&out, c.Obstacles)
	writeLines(&out, c.NotApplied)
	return out.String()
}

func (s *server) compileThread(ctx context.Context, _ *mcp.CallToolRequest, a compileArgs) (*mcp.CallToolResult, *compiled, error) {
	c, err := s.compiled(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	if c.Message == nil {
		return textResult("not ready to be published:\n" + c.text()), c, nil
	}
	// Not all clients show the model what is structured.
	is := "is ready to be published"
	switch {
	case c.Published != "":
		is = "was published by message " + report.Message(c.Published) + "; do not send it again: this is what it should have been"
	case !c.Ready:
		is = "is not ready to be published"
	}
	text := fmt.Sprintf("v%d of thread %s %s. The arguments of send_message:\n\n%s\n\n%s", c.Version, report.Message(c.Thread), is, c.Message, c.text())
	return textResult(text), c, nil
}

// ruleArgs are the arguments of explain_rule.
type ruleArgs struct {
	Rule string `json:"rule" jsonschema:"id, name or specification code of the rule, such as MB-005, or a family such as MB"`
}

// ruleList is what explain_rule gives.
type ruleList struct {
	Rules []ruleEntry `json:"rules"`
}

// ruleEntry is a rule in a list: enough to choose whose page to read.
type ruleEntry struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Severity string `json:"severity"`
	Summary  string `json:"summary"`
}

// explainRule documents one rule, or lists several.
func (s *server) explainRule(_ context.Context, _ *mcp.CallToolRequest, a ruleArgs) (*mcp.CallToolResult, *ruleList, error) {
	found := s.Rules.Match(a.Rule)
	if len(found) == 0 {
		return nil, nil, s.Rules.Unknown(a.Rule)
	}
	var out bytes.Buffer
	list := &ruleList{}
	for _, r := range found {
		list.Rules = append(list.Rules, ruleEntry{r.ID, r.Name, r.Severity.String(), r.Summary})
		if len(found) > 1 {
			fmt.Fprintf(&out, "%s %s (%s): %s\n", r.ID, r.Name, r.Severity, r.Summary)
		}
	}
	if len(found) == 1 {
		out.WriteString(report.Explain(found[0]))
	}
	return textResult(out.String()), list, nil
}

// rulesURI begins the address of each rule's page.
const rulesURI = "brennerlint://rules/"

// addResources offers the pages of the rules. Each is listed by its id, and found by
// its name and code too.
func (s *server) addResources(m *mcp.Server) {
	for _, r := range s.Rules {
		m.AddResource(&mcp.Resource{
			URI: rulesURI + r.ID, Name: r.ID, Title: r.ID + " " + r.Name, Description: r.Summary, MIMEType: "text/markdown",
		}, s.readRule)
	}
	m.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: rulesURI + "{rule}", Name: "rule", Title: "Page of a rule", MIMEType: "text/markdown",
		Description: "what a rule checks, why, and examples; rule is an id, a name or a specification code",
	}, s.readRule)
}

// readRule implements mcp.ResourceHandler.
func (s *server) readRule(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := r.Params.URI
	word, _ := strings.CutPrefix(uri, rulesURI)
	found := s.Rules.Match(word)
	if len(found) == 0 || len(found) > 1 && !strings.EqualFold(found[0].Code, word) { // a family
		return nil, mcp.ResourceNotFoundError(uri)
	}
	out := &mcp.ReadResourceResult{}
	for _, rule := range found {
		out.Contents = append(out.Contents, &mcp.ResourceContents{URI: uri, MIMEType: "text/markdown", Text: pageOf(rule)})
	}
	return out, nil
}

// pageOf returns the page of a rule, or its explanation if it has none.
func pageOf(r *lint.Rule) string {
	if r.Page == nil {
		return report.Explain(r)
	}
	return docgen.RulePage(r)
}

// maxTime bounds how long a call may take: agents wait for the answer.
const maxTime = 30 * time.Second

// below returns a path that a tool is given, relative to the working folder and without symbolic
// links: the tools read nothing outside of it, and do not tell what is there.
func below(what, path string) (rel string, _ error) {
	info, err := os.Stat(path)
	if err == nil {
		rel, err = filepath.Rel(resolved("."), resolved(path))
	}
	switch {
	case err != nil || !filepath.IsLocal(rel):
		return "", fmt.Errorf("there is no %s %q in the server's working folder", what, path)
	case !info.IsDir() && !info.Mode().IsRegular():
		return "", fmt.Errorf("%s %q is neither a file nor a folder", what, path)
	case what == "artifact" && info.IsDir():
		return "", fmt.Errorf("artifact %q is not a file", path)
	case rel == "-":
		rel = "." + string(filepath.Separator) + rel // "-" would be standard input
	}
	return rel, nil
}

// resolved returns the absolute path without symbolic links.
func resolved(path string) string {
	abs, _ := filepath.Abs(path)
	path, _ = filepath.EvalSymlinks(abs)
	return path
}

// within does the work of a call in the time that a call may take.
func within[T any](ctx context.Context, work func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, maxTime, fmt.Errorf("the call took longer than %s; name a smaller export", maxTime))
	defer cancel()
	out, err := deadline.Run(ctx, work)
	if err != nil {
		err = errors.New(report.Message(err.Error())) // it may quote what was read
	}
	return out, err
}

// errNoExport is the error of a call that has to name an export.
var errNoExport = errors.New("there is no export; give the path of a mail export or database")

// inExport does the work of a call with the mailbox of an export, which is empty if none is named.
func inExport[T any](ctx context.Context, s *server, export string, work func(context.Context, *engine.Mailbox) (T, error)) (none T, _ error) {
	return within(ctx, func(ctx context.Context) (T, error) {
		var paths []string
		if export != "" {
			path, err := below("export", export)
			if err != nil {
				return none, err
			}
			paths = append(paths, path)
		}
		box, err := engine.Open(ctx, s.Rules, s.Checks, paths...)
		if err != nil {
			return none, err
		}
		defer box.Close()
		return work(ctx, box)
	})
}
