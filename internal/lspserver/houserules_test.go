package lspserver

import (
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/config"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/rules"
)

// TestHouseRules: rules of the configuration give diagnostics, and hovering explains
// them.
func TestHouseRules(t *testing.T) {
	cfg, err := config.Parse("x.yaml", []byte("rules:\n- {id: GRP-001, name: a, scope: item, when: item.id == \"H1\", report: \"{item.id} is seen\", docs: Sees H1.}\n"), rules.All())
	if err != nil {
		t.Fatal(err)
	}
	opts := testOptions()
	opts.Load = func(string) (Settings, error) {
		o := engine.Options{}
		all := cfg.AllRules(opts.Rules)
		cfg.Apply(&o, all)
		return Settings{Options: o, Rules: all}, nil
	}
	c := start(t, opts)
	c.request(1, "initialize", map[string]any{})
	text := "# Brenner Protocol Artifact: x\n\n## 2. Hypothesis Slate\n\n### H1: Lineage\n**Claim**: x\n"
	c.notify("textDocument/didOpen", open(artifactURI, 1, text))
	found := false
	for _, d := range c.published(1) {
		if d := d.(map[string]any); d["code"] == "GRP-001" {
			found = d["message"] == "H1 is seen" || strings.HasPrefix(d["message"].(string), "H1 is seen")
		}
	}
	if !found {
		t.Error("there is no diagnostic of GRP-001")
	}
	result := c.request(2, "textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": artifactURI}, "position": map[string]any{"line": 4, "character": 5}})
	if got := result["result"]; got == nil || !strings.Contains(got.(map[string]any)["contents"].(map[string]any)["value"].(string), "GRP-001 a") {
		t.Errorf("hovering shows %v", got)
	}
	c.finish()
}
