package config_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/internal/must"
	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// customRule is a valid rule, as a list of rules has it.
const customRule = "- id: GRP-001\n  name: calm-subject\n  scope: message\n  when: message.subject contains \"!\"\n  report: the subject is loud\n"

// TestRulesForms: rules is a mapping, as it always was, with define; or a list.
func TestRulesForms(t *testing.T) {
	indented := "    " + strings.ReplaceAll(customRule, "\n  ", "\n      ")
	for _, text := range []string{
		"rules:\n" + customRule,
		"rules:\n  ignore: [MB, GRP-001]\n  levels: {calm-subject: error}\n  define:\n" + indented + "suppress: [{rule: GRP-001, reason: x}]\n",
	} {
		c, err := config.Parse("x.yaml", []byte(text), rules.All())
		if err != nil {
			t.Errorf("%s\n%v", text, err)
			continue
		}
		made := c.CustomRules()
		all := c.AllRules(rules.All())
		if len(made) != 1 || made[0].ID != "GRP-001" || made[0].Severity != lint.Warning || all[len(all)-1] != made[0] {
			t.Errorf("%s\n%+v", text, made)
		}
		if err := all.Validate(); err != nil {
			t.Error(err)
		}
	}
}

// TestCustomRuleFaults: each fault has its place, through the form of the scalar.
func TestCustomRuleFaults(t *testing.T) {
	for _, ex := range must.Examples(t, "testdata/rule-faults.txtar") {
		_, err := config.Parse("x.yaml", []byte(ex.In), rules.All())
		if err == nil {
			t.Errorf("%s: no fault", ex.Name)
			continue
		}
		if first, _, _ := strings.Cut(err.Error(), "\n"); first+"\n" != "x.yaml:"+ex.Want {
			t.Errorf("%s:\n got %s\nwant x.yaml:%s", ex.Name, err, ex.Want)
		}
	}
}

// TestScalarPlaces writes an expression with an unknown name in any form of YAML: the
// fault is at that name.
func TestScalarPlaces(t *testing.T) {
	part := rapid.SampledFrom([]string{"item.killed", "item.claim == \"é's\"", "item.name contains \"a\\\\b\"", "item.number > 3"})
	rapid.Check(t, func(t *rapid.T) {
		parts := append(rapid.SliceOfN(part, 0, 4).Draw(t, "before"), "zzz.q")
		sep := rapid.SampledFrom([]string{" and ", "\nand ", "\n\n  and\n", "   or "}).Draw(t, "separator")
		style := rapid.SampledFrom([]yaml.Style{0, yaml.SingleQuotedStyle, yaml.DoubleQuotedStyle, yaml.LiteralStyle, yaml.FoldedStyle}).Draw(t, "style")
		when := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: style, Value: strings.Join(parts, sep)}
		rule := &yaml.Node{Kind: yaml.MappingNode}
		for _, kv := range [][2]string{{"id", "GRP-001"}, {"name", "a"}, {"scope", "item"}, {"report", "x"}} {
			rule.Content = append(rule.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: kv[0]}, &yaml.Node{Kind: yaml.ScalarNode, Value: kv[1]})
		}
		rule.Content = append(rule.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "when"}, when)
		data, err := yaml.Marshal(map[string]any{"rules": []*yaml.Node{rule}})
		must.OK(t, err)
		_, err = config.Parse("x.yaml", data, rules.All())
		var faults *config.Error
		if !errors.As(err, &faults) || len(faults.Faults()) != 1 {
			t.Fatalf("%s\n%v", data, err)
		}
		if at := faults.Faults()[0].Span; string(data[at.Start:at.End]) != "zzz" {
			t.Fatalf("%s\n%v", data, err)
		}
	})
}

// TestIncludeRules reads rules from files. They have to be in the folder of the
// configuration.
func TestIncludeRules(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		must.Write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	write("secret.yaml", "rules:\n- password: hunter2\n")
	write("p/house-rules/GRP-001.yaml", "rules:\n"+customRule)
	write("p/house-rules/GRP-001.md", "What it is for.\n")
	write("p/house-rules/GRP-002.yaml", "rules:\n"+strings.NewReplacer("GRP-001", "GRP-002", "calm-subject", "calm-body").Replace(customRule))
	write("p/bad.yaml", "rules:\n"+strings.Replace(customRule, "message.subject", "mesage.subject", 1))
	if err := os.Symlink("../secret.yaml", filepath.Join(dir, "p", "link.yaml")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("..", filepath.Join(dir, "p", "up")); err != nil {
		t.Skip(err)
	}
	load := func(includes string) (*config.Config, error) {
		write("p/.brennerlint.yaml", "include-rules: ["+includes+"]\n")
		return config.Load(filepath.Join(dir, "p", ".brennerlint.yaml"), rules.All())
	}
	c, err := load("house-rules/GRP-001.yaml, 'house-rules/*.yaml'")
	must.OK(t, err)
	if made := c.CustomRules(); len(made) != 2 || made[0].ID != "GRP-001" || made[1].ID != "GRP-002" {
		t.Fatalf("%v", made)
	} else if got := string(made[0].Page()); got != "What it is for.\n" {
		t.Errorf("the page is %q", got)
	}
	for includes, want := range map[string]string{
		"../secret.yaml":                     "expected a path inside the folder of the configuration",
		"/etc/passwd":                        "expected a path inside the folder of the configuration",
		"link.yaml":                          "link.yaml",
		"up/secret.yaml":                     "expected a path inside the folder of the configuration",
		"'up/*.yaml'":                        "expected a path inside the folder of the configuration",
		"none.yaml":                          "no file \"none.yaml\"",
		"house-rules":                        "cannot be read: ",
		"'[a'":                               "invalid glob",
		"example.com/rules@v1.0.0":           "no file",
		"bad.yaml":                           "p/bad.yaml:5:9: unknown name \"mesage\"",
		"house-rules/GRP-001.yaml, bad.yaml": "p/bad.yaml:2:7: another rule has the id GRP-001",
	} {
		_, err := load(includes)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", includes, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: a file outside is shown: %v", includes, err)
		}
	}
}

// TestCustomRuleTexts: no text of the configuration or of a page can move the cursor of a
// terminal.
func TestCustomRuleTexts(t *testing.T) {
	dir := t.TempDir()
	must.OK(t, os.Mkdir(filepath.Join(dir, config.RulesDir), 0o755))
	must.Write(t, filepath.Join(dir, config.RulesDir, "GRP-001.md"), "Red \x1b[31m\u202e.\n\n## Reported\n")
	text := "rules:\n" + customRule + "  docs: \"Red \\e[31m. More\"\n" + strings.NewReplacer("GRP-001", "GRP-002", "calm-subject", "b").Replace(customRule) + "  docs: \"Red \\e[31m. More\"\n"
	c, err := config.Parse(filepath.ToSlash(filepath.Join(dir, "x.yaml")), []byte(text), rules.All())
	must.OK(t, err)
	for _, r := range c.CustomRules() {
		if shown := string(r.Page()) + r.Summary + r.Help; strings.ContainsAny(shown, "\x1b\u202e") || !strings.Contains(shown, "Red ") {
			t.Errorf("%s: %q", r.ID, shown)
		}
	}
}

// FuzzCustomRules takes any texts as a rule. The rule is refused with a fault, or evaluated
// within its limit of steps, and reads only its variables.
func FuzzCustomRules(f *testing.F) {
	for _, s := range [][4]string{
		{"message", `message.subject contains "!"`, "{message.subject}", "subject"},
		{"message", `let l = ["a", "b"]; any(l, any(l, # == message.body + #))`, "{{x}} {len(message.body)}", "section:a"},
		{"delta", `delta.operation in ["ADD"] and delta.claim matches "^(a|b)*$"`, "{delta.claim}", "claim"},
		{"thread", `filter(thread.messages, age(#) > 3)`, "{age(message)}", "last"},
		{"artifact", `filter(artifact.items, let i = #; any(artifact.items, # != i and .id == i.id))`, "{item.id}", ""},
		{"item", `killed(item) or item.number % 2 == 0`, "{item.anchors}", "heading"},
		{"workspace", `count(workspace.sessions, len(.items) > 3) > 1`, "{len(workspace.sessions)}", ""},
		{"item", `1 < len([1 < len([1 < len(item.id) < 9]) < 9]) < 9`, "x", ""}, {"message", `let a = message.body + "b"; let b = a + a; b != a`, "{message.body + message.body}", ""},
		{"item", `((((1`, "{", ""}, {"message", `1 .. 9`, "}", ""}, {"message", "# + $env", "{now()}", "x"}, {"item", `[1][0:1] | map(#)`, "{{", ""},
		{"message", `1 % len(message.body) == 0 ? "a" : 'b'`, "x", ""}, {"item", "any(item.labels, any(item.anchors, # == `x`))", "{item.labels[0]}", "labels"},
	} {
		f.Add(s[0], s[1], s[2], s[3])
	}
	artifact := []byte("## 2. Hypothesis Slate\n\n### H1: A\n**Claim**: x\n**Anchors**: §1, §2\n\n## 4. Discriminative Tests\n\n### ~~T1: B~~\n**Procedure**: y\n")
	mail := []byte(`{"messages": [{"id": 1, "thread_id": "RS-20251230-x", "from": "A", "to": ["B"], "created_ts": "2025-12-30T10:00:00Z", "subject": "DELTA[gpt]: x", "body_md": "` +
		"```delta\\n{\\\"operation\\\": \\\"ADD\\\", \\\"section\\\": \\\"hypothesis_slate\\\", \\\"payload\\\": {\\\"name\\\": \\\"a\\\"}}\\n```" + `"}]}`)
	f.Fuzz(func(t *testing.T, scope, when, report, at string) {
		text, err := yaml.Marshal(map[string]any{"rules": []map[string]string{
			{"id": "GRP-001", "name": "a", "scope": scope, "when": when, "report": report, "at": at, "suggestion": report},
		}})
		if err != nil {
			t.Skip()
		}
		c, err := config.Parse("none/x.yaml", text, nil)
		if err != nil {
			var faults *config.Error
			if !errors.As(err, &faults) || err.Error() == "" {
				t.Errorf("the error is %v", err)
			}
			return
		}
		o := engine.Options{Workers: 1}
		c.Apply(&o, c.AllRules(nil))
		for path, data := range map[string][]byte{"a.md": artifact, "m.json": mail} {
			var before string
			for range 2 {
				rep, err := checkContent(c.AllRules(nil), o, path, data)
				must.OK(t, err)
				var got strings.Builder
				for _, f := range rep.Findings {
					fmt.Fprintln(&got, f.Path, f.Message, f.Suggestion)
				}
				for i := range rep.Failures {
					if !rep.Failures[i].Stopped {
						t.Errorf("%s: %v\n%s", text, &rep.Failures[i], rep.Failures[i].Stack)
					}
					fmt.Fprintln(&got, &rep.Failures[i])
				}
				if before != "" && got.String() != before {
					t.Errorf("%s: once\n%s\nthen\n%s", text, before, got.String())
				}
				before = got.String()
			}
		}
	})
}

// checkContent checks a content by the rules of a configuration.
func checkContent(rules lint.Catalogue, opts engine.Options, path string, data []byte) (*lint.Report, error) {
	box, err := engine.OpenContent(context.Background(), rules, opts, path, data)
	if err != nil {
		return nil, err
	}
	defer box.Close()
	return box.Check(context.Background())
}

// BenchmarkCustomRules checks 100 sessions by the rules of examples/houserules alone.
func BenchmarkCustomRules(b *testing.B) {
	dir := b.TempDir()
	err := gen.Generate(gen.Options{Out: dir, Seed: 1, Artifacts: 100, Threads: 100, Defects: 0.1, Forms: []string{"json"}})
	must.OK(b, err)
	c, err := config.Load("../../examples/houserules/.brennerlint.yaml", rules.All())
	must.OK(b, err)
	for _, name := range []string{"artifacts", "json"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				rep, err := engine.Check(b.Context(), c.CustomRules(), engine.Options{Workers: 1}, filepath.Join(dir, name))
				if err != nil || len(rep.Failures) > 0 {
					b.Fatal(err, rep.Failures)
				}
			}
		})
	}
}
