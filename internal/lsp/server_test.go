package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
	"github.com/brennerlint/brennerlint/source"
)

const artifactURI = "file:///w/artifacts/RS-20251230-cell-fate.md"

func exampleArtifact(t testing.TB) string {
	t.Helper()
	data := must.Read(t, filepath.Join("..", "..", "examples", "artifacts", "RS-20251230-cell-fate.md"))
	return string(data)
}

// lineCounter returns a rule that reports how many lines an artifact has: a finding shows
// which content it is of.
func lineCounter(before func()) *lint.Rule {
	return &lint.Rule{
		ID: "XX-001", Name: "line-counter", Severity: lint.Error, SpecRef: "none", Summary: "Counts lines.", Help: "Nothing.",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			before()
			text := string(p.Artifact.Text.Data)
			p.Report(lint.Diagnostic{At: p.Artifact.Text.WholePlace(), Message: fmt.Sprintf("%d lines", strings.Count(text, "\n"))})
		}),
	}
}

func withRule(r *lint.Rule) Options {
	return Options{Rules: lint.Catalogue{r}, Load: func(string) (Settings, error) { return Settings{}, nil }}
}

// TestNeverStale changes a document while it is checked: of the versions that were
// overtaken nothing is published, and what is published is of the version that it names.
func TestNeverStale(t *testing.T) {
	started, proceed := make(chan struct{}, 100), make(chan struct{})
	c := start(t, withRule(lineCounter(func() { started <- struct{}{}; <-proceed })))
	c.request(1, "initialize", map[string]any{})
	text := exampleArtifact(t)
	lines := strings.Count(text, "\n")
	c.notify("textDocument/didOpen", open(artifactURI, 1, text))
	<-started
	const last = 9
	for v := 2; v <= last; v++ {
		c.notify("textDocument/didChange", change(artifactURI, v, map[string]any{"range": at(0, 0, 0, 0), "text": ""}, map[string]any{"range": at(lines, 0, lines, 0), "text": strings.Repeat("\n", v)}))
		lines += v
	}
	c.request(2, "textDocument/unheardOf", nil) // all changes have arrived
	var published []any
	c.log = func(m map[string]any) {
		if m["method"] == "textDocument/publishDiagnostics" {
			published = append(published, m["params"].(map[string]any)["version"])
		}
	}
	close(proceed)
	got := c.published(last)
	want := fmt.Sprintf("%d lines", lines)
	if len(got) != 1 || got[0].(map[string]any)["message"] != want {
		t.Errorf("version %d has the diagnostics %v, expected %q", last, got, want)
	}
	if len(published) != 1 {
		t.Errorf("published: versions %v, expected only %d", published, last)
	}
	c.finish()
}

// TestPullWhileTyping checks that the answer to a request is of the content that the
// document has when it is given.
func TestPullWhileTyping(t *testing.T) {
	started, proceed := make(chan struct{}, 100), make(chan struct{}, 100)
	c := start(t, withRule(lineCounter(func() { started <- struct{}{}; <-proceed })))
	c.request(1, "initialize", pulling)
	c.notify("textDocument/didOpen", open(artifactURI, 1, exampleArtifact(t)))
	c.send(map[string]any{"jsonrpc": "2.0", "id": 2, "method": "textDocument/diagnostic", "params": map[string]any{"textDocument": map[string]any{"uri": artifactURI}}})
	<-started
	changed := strings.Repeat("\n", 7) + exampleArtifact(t)
	c.notify("textDocument/didChange", change(artifactURI, 2, map[string]any{"text": changed}))
	c.request(3, "textDocument/unheardOf", nil)
	proceed <- struct{}{}
	proceed <- struct{}{}
	items := c.response(2)["result"].(map[string]any)["items"].([]any)
	want := fmt.Sprintf("%d lines", strings.Count(changed, "\n"))
	if len(items) != 1 || items[0].(map[string]any)["message"] != want {
		t.Errorf("the diagnostics are %v, expected %q", items, want)
	}
	c.finish()
}

var pulling = map[string]any{"capabilities": map[string]any{"textDocument": map[string]any{"diagnostic": map[string]any{}}}}

// TestCancel cancels a request that is under way: it is answered at once, and the
// next one gets what it asks for.
func TestCancel(t *testing.T) {
	var first atomic.Bool
	first.Store(true)
	started, proceed := make(chan struct{}, 1), make(chan struct{})
	c := start(t, withRule(lineCounter(func() {
		if first.Swap(false) {
			started <- struct{}{}
			<-proceed
		}
	})))
	c.request(1, "initialize", pulling)
	c.notify("textDocument/didOpen", open(artifactURI, 1, exampleArtifact(t)))
	pull := map[string]any{"textDocument": map[string]any{"uri": artifactURI}}
	for _, id := range []string{"holds", "waits"} {
		c.send(map[string]any{"jsonrpc": "2.0", "id": id, "method": "textDocument/diagnostic", "params": pull})
		if id == "holds" {
			<-started
		}
	}
	for _, id := range []string{"waits", "holds"} {
		c.notify("$/cancelRequest", map[string]any{"id": id})
		if id == "holds" {
			c.request(3, "textDocument/unheardOf", nil) // the cancellation has arrived
			close(proceed)                              // a rule that runs is not broken off
		}
		if code := c.response(id)["error"].(map[string]any)["code"]; code != float64(codeCancelled) {
			t.Errorf("the request %q is answered with the error %v, expected %d", id, code, codeCancelled)
		}
	}
	if items := c.request(4, "textDocument/diagnostic", pull)["result"].(map[string]any)["items"].([]any); len(items) != 1 {
		t.Errorf("after the cancelled ones the diagnostics are %v", items)
	}
	c.finish()
}

// handle makes servers answer a request of a test.
func handle(t *testing.T, name string, do func() any) {
	requests[name] = func(*server, context.Context, *request) (any, error) { return do(), nil }
	t.Cleanup(func() { delete(requests, name) })
}

// TestPanics checks that what panics is answered as an internal error, and ends nothing.
func TestPanics(t *testing.T) {
	opts := withRule(lineCounter(func() { panic("the rule") }))
	handle(t, "test/panic", func() any { panic("on purpose") })
	c := start(t, opts)
	logged := 0
	c.log = func(m map[string]any) {
		if m["method"] == "window/logMessage" {
			logged++
		}
	}
	c.request(1, "initialize", map[string]any{})
	answer := c.request(2, "test/panic", nil)
	if code := answer["error"].(map[string]any)["code"]; code != float64(-32603) {
		t.Errorf("the answer is %v, expected an internal error", answer)
	}
	c.notify("textDocument/didOpen", open(artifactURI, 1, exampleArtifact(t)))
	if got := c.published(1); len(got) != 0 {
		t.Errorf("a rule that panics has the diagnostics %v", got)
	}
	if logged != 2 {
		t.Errorf("%d messages in the log, expected one for each panic", logged)
	}
	c.finish()
}

// TestPanicInNotification checks the same of a notification.
func TestPanicInNotification(t *testing.T) {
	opts := testOptions()
	loads := 0
	opts.Load = func(string) (Settings, error) {
		if loads++; loads == 2 {
			panic("on purpose")
		}
		return Settings{}, nil
	}
	c := start(t, opts)
	c.request(1, "initialize", map[string]any{})
	c.notify("workspace/didChangeConfiguration", map[string]any{})
	c.await("a message in the log", func(m map[string]any) bool { return m["method"] == "window/logMessage" })
	c.finish()
}

// TestClientGone checks that the server ends when the client closes its end, though a
// check is under way.
func TestClientGone(t *testing.T) {
	started, proceed := make(chan struct{}, 1), make(chan struct{})
	c := start(t, withRule(lineCounter(func() { started <- struct{}{}; <-proceed })))
	c.request(1, "initialize", map[string]any{})
	c.notify("textDocument/didOpen", open(artifactURI, 1, exampleArtifact(t)))
	<-started
	c.in.Close()
	close(proceed)
	c.wantEnd(nil)
}

// TestBadMessages sends what is not a message: the session ends, and says why.
func TestBadMessages(t *testing.T) {
	for _, bad := range []string{
		"Content-Length: x\r\n\r\n", "Content-Length: -5\r\n\r\n", "Content-Type: x\r\n\r\n", "no field\r\n\r\n",
		"Content-Length: 99999999999999999999999\r\n\r\n",
		"Content-Length: 2\r\n\r\n[]", "Content-Length: 2\r\n\r\n{}",
		"Content-Length: 46\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"shutdown\"}",
	} {
		err := Serve(t.Context(), strings.NewReader(bad+string(frameOf("{}"))), io.Discard, testOptions())
		if err == nil || !strings.HasPrefix(err.Error(), "read a message of the client: ") {
			t.Errorf("after %q the session ends with %v", bad, err)
		}
	}
}

// TestNoFixAllAfterPanic checks that no fix of all is offered if a rule panics on what it
// gives: what is left is not known.
func TestNoFixAllAfterPanic(t *testing.T) {
	for _, panics := range []bool{false, true} {
		opts := withRule(&lint.Rule{
			ID: "XX-001", Name: "first-letter", Severity: lint.Error, SpecRef: "none", Summary: "x", Help: "Nothing.",
			Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
				switch text := p.Artifact.Text; {
				case text.Data[0] == '-':
					at := text.Place(source.Span{Start: 0, End: 3})
					p.Report(lint.Diagnostic{At: at, Message: "x", Fix: &lint.SuggestedFix{Description: "x", Edits: []lint.TextEdit{{At: at, Text: "+++"}}}})
				case panics:
					panic("on purpose")
				}
			}),
		})
		c := start(t, opts)
		c.request(1, "initialize", map[string]any{})
		c.notify("textDocument/didOpen", open(artifactURI, 1, exampleArtifact(t)))
		all := Range{End: Position{Line: 1000}}
		got := c.request(2, "textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": artifactURI}, "range": all, "context": map[string]any{"diagnostics": []any{}, "only": []string{fixAll}}})
		actions, _ := got["result"].([]any)
		if (len(actions) == 0) != panics || got["error"] != nil {
			t.Errorf("where the rule panics (%v) the answer is %v", panics, got)
		}
		c.finish()
	}
}

// TestFaultyAtStart: under settings that could not be read the workspace is checked all the same.
func TestFaultyAtStart(t *testing.T) {
	dir := t.TempDir()
	must.Write(t, filepath.Join(dir, "RS-20251230-a.md"), "# Brenner Protocol Artifact: RS-20251230-a\n\n## 2. Hypothesis Slate\n\n### H1: a\n")
	c := start(t, Options{Rules: rules.All(), Load: func(string) (Settings, error) { return Settings{Paths: []string{dir}}, errors.New("at fault") }})
	c.request(1, "initialize", map[string]any{"rootUri": (&client{root: dir}).uriOf(dir)})
	if got := fmt.Sprint(c.request("all", "workspace/diagnostic", map[string]any{"previousResultIds": []any{}})); !strings.Contains(got, "EH-") {
		t.Errorf("the workspace has %s", got)
	}
}

// TestFaultyRuleFile: the client reports files with rules as soon as the configuration
// includes them, and a change of one counts, also while they are at fault.
func TestFaultyRuleFile(t *testing.T) {
	counter := lineCounter(func() {})
	loaded, fault := Settings{RuleFiles: []string{"house-rules/first.yaml"}}, errors.New("first.yaml:1:1: at fault")
	c := start(t, Options{Rules: lint.Catalogue{counter}, Load: func(string) (Settings, error) { return loaded, fault }})
	calls := make(chan string, 100)
	c.log = func(m map[string]any) {
		if method, _ := m["method"].(string); strings.HasPrefix(method, "client/") {
			data, _ := json.Marshal(m["params"])
			calls <- method + string(data)
		}
	}
	called := func(want ...string) {
		t.Helper()
		c.request("sync", "textDocument/unheardOf", nil)
		for _, want := range want {
			select {
			case call := <-calls:
				if method, glob, _ := strings.Cut(want, " "); !strings.HasPrefix(call, method) || !strings.Contains(call, glob) {
					t.Errorf("the server calls %s, expected %s", call, want)
				}
			default:
				t.Errorf("the server does not call %s", want)
			}
		}
		if len(calls) > 0 {
			t.Errorf("the server calls %s", <-calls)
		}
	}
	changed := func(name string) {
		c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": "file:///w/" + name, "type": 2}}})
	}
	c.request(1, "initialize", map[string]any{"capabilities": map[string]any{"workspace": map[string]any{"didChangeWatchedFiles": map[string]any{"dynamicRegistration": true}}}})
	c.notify("initialized", map[string]any{})
	called("client/registerCapability **/first.yaml")

	loaded.RuleFiles = append(loaded.RuleFiles, "house-rules/second.yaml")
	changed("house-rules/first.yaml")
	called("client/unregisterCapability settings", "client/registerCapability **/second.yaml")

	c.notify("textDocument/didOpen", open(artifactURI, 1, "# Brenner Protocol Artifact: x\n"))
	c.published(1)
	fault = nil
	changed("house-rules/second.yaml")
	c.published(1)
	called()
	c.finish()
}

// TestCustomRules: rules of the configuration give diagnostics, and hovering explains
// them.
func TestCustomRules(t *testing.T) {
	word := "seen"
	opts := testOptions()
	opts.Load = func(string) (Settings, error) {
		cfg, err := config.Parse("x.yaml", []byte("rules:\n- {id: GRP-001, name: a, scope: item, when: item.id == \"H1\", report: \"{item.id} is "+word+"\", docs: Sees H1.}\n"), rules.All())
		if err != nil {
			return Settings{}, err
		}
		o := engine.Options{}
		all := cfg.AllRules(opts.Rules)
		cfg.Apply(&o, all)
		return Settings{Options: o, Rules: all, RuleFiles: []string{"house-rules/*.yaml"}}, nil
	}
	c := start(t, opts)
	c.request(1, "initialize", map[string]any{})
	text := "# Brenner Protocol Artifact: x\n\n## 2. Hypothesis Slate\n\n### H1: Lineage\n**Claim**: x\n"
	c.notify("textDocument/didOpen", open(artifactURI, 1, text))
	reports := func(diagnostics []any, want string) {
		t.Helper()
		for _, d := range diagnostics {
			if d := d.(map[string]any); d["code"] == "GRP-001" && strings.HasPrefix(d["message"].(string), want) {
				return
			}
		}
		t.Errorf("GRP-001 does not report %q: %v", want, diagnostics)
	}
	reports(c.published(1), "H1 is seen")
	if got := hovered(t, c, 2, text, "H1: Lineage"); !strings.Contains(got, "GRP-001 a") {
		t.Errorf("hovering shows %s", got)
	}
	// A change of an included file counts.
	word = "watched"
	c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": "file:///w/house-rules/GRP-001.yaml", "type": 2}}})
	reports(c.published(1), "H1 is watched")
	c.finish()
}

// TestDraftHeader: documents in Markdown are drafts if they begin with a header as
// presend reads it, and notes are none.
func TestDraftHeader(t *testing.T) {
	for _, test := range []struct {
		path, text string
		lines      int
	}{
		{"a.md", "Subject: x\nThread: RS-1\nFrom: A\nTo: B\nAck: yes\n\nText\n", 5},
		{"a.markdown", "subject: x\r\nThread-Id: RS-1\r\nack_required: yes\r\n\r\nText\r\n", 3},
		{"a.md", "Sender: A\nSubject: x\nCc: B\nBcc: C\nImportance: high\n\nText\n", 5},
		{"a.md", "Sender-Name: A\nSubject: x\n", 2},
		{"a.md", "Subject: x\nDate: today\n\nText\n", 0},
		{"a.md", "To: do\n\nSubject: x\n", 0},
		{"a.md", "\nSubject: x\n", 0},
		{"a.json", "Subject: x\n\n", 0},
	} {
		s := &snapshot{path: test.path, text: []byte(test.text)}
		if got := s.header(); len(got) != test.lines || (got == nil) != (test.lines == 0) {
			t.Errorf("%s %q: the header is %q, expected %d lines", test.path, test.text, got, test.lines)
		}
	}
}
