package lsp

import (
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/rules"
)

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
	result := c.request(2, "textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": artifactURI}, "position": map[string]any{"line": 4, "character": 5}})
	if got := result["result"]; got == nil || !strings.Contains(got.(map[string]any)["contents"].(map[string]any)["value"].(string), "GRP-001 a") {
		t.Errorf("hovering shows %v", got)
	}
	// A change of an included file counts.
	word = "watched"
	c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": "file:///w/house-rules/GRP-001.yaml", "type": 2}}})
	reports(c.published(1), "H1 is watched")
	c.finish()
}
