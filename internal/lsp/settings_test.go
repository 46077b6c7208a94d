package lsp

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/lint"
)

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
