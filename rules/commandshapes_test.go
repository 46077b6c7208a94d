package rules_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/cli"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/rules"
)

// command is a command line without the files that it is about: those of a shape, or
// named here.
type command struct {
	name string
	args []string
}

// Commands for shapes, by what they take.
var (
	checks = []command{
		{"check", []string{"--fail-on", "never", "thread.json"}},
		{"html", []string{"--fail-on", "never", "--format", "html", "thread.json"}},
		{"sarif", []string{"--fail-on", "never", "--format", "sarif", "thread.json"}},
	}
	checksOfArtifacts = []command{
		{"check", []string{"--fail-on", "never", "artifacts"}},
		{"html", []string{"--fail-on", "never", "--format", "html", "artifacts"}},
		{"sarif", []string{"--fail-on", "never", "--format", "sarif", "artifacts"}},
		{"diff", []string{"--diff", "--unsafe-fixes", "artifacts"}},
	}
	replays = []command{
		{"replay", []string{"replay", "thread.json"}},
		{"replay json", []string{"replay", "--format", "json", "thread.json"}},
		{"blame", []string{"blame", "artifacts/RS-20251230-x.md", "thread.json"}},
		{"history", []string{"blame", "--history", "artifacts/RS-20251230-x.md", "thread.json"}},
	}
	presends = []command{
		{"presend", []string{"presend", "draft.json"}},
		{"presend json", []string{"presend", "--format", "json", "draft.json"}},
		{"presend fix", []string{"presend", "--fix", "draft.json"}},
		{"presend unsafe", []string{"presend", "--unsafe-fixes", "draft.json"}},
	}
)

// commandShapes returns inputs of whole commands.
func commandShapes() []shape {
	var out []shape
	add := func(name string, start int, commands []command, files func(n int) []txtar.File) {
		for _, c := range commands {
			out = append(out, shape{c.name + ": " + name, start, files, running(c.args)})
		}
	}
	for name, make := range map[string]func(n int) string{
		"keys repeated":         func(n int) string { return draftOf(repeated("{", `"operation": "ADD", `, `"section": "x"}`, n)) },
		"payload keys repeated": func(n int) string { return draftOf(payloadOf(repeated("", `"claim": "c", `, `"name": "n"`, n))) },
		"keys unknown":          func(n int) string { return draftOf(payloadOf(repeated("", `"k%d": 1, `, `"name": "n"`, n))) },
		"edits of one fix": func(n int) string {
			return draftOf(payloadOf(`"claim": "c` + strings.Repeat("\n", n) + `", "name": "n"`))
		},
		"edits of one fix, commas": func(n int) string {
			return draftOf(payloadOf(`"anchors": [` + strings.Repeat("[1,], ", n) + `1], "name": "n"`))
		},
		"edits of many fixes": func(n int) string { return draftOf(slices.Repeat([]string{payloadOf("\"claim\": \"c\n\"")}, 1+n/8)...) },
		"blocks":              func(n int) string { return draftOf(slices.Repeat([]string{payloadOf(`"name": "n"`)}, 1+n/8)...) },
	} {
		add(name, 400, presends, oneFile("draft.json", make))
		add(name, 400, checks, oneFile("thread.json", make))
	}
	add("windows", 80, slices.Concat(checks, replays), func(n int) []txtar.File {
		return []txtar.File{{Name: "thread.json", Data: []byte(inbox(n, false, versionEach))}, persisted(n)}
	})
	add("windows without deltas", 80, slices.Concat(checks, replays), func(n int) []txtar.File {
		return []txtar.File{{Name: "thread.json", Data: []byte(inbox(n, false, func(i int) (string, string) {
			return fmt.Sprintf("COMPILED: v%d x", i+1), "# Compiled Artifact\n"
		}))}, persisted(n)}
	})
	add("EDITs", 80, slices.Concat(checks, replays), func(n int) []txtar.File {
		return []txtar.File{{Name: "thread.json", Data: []byte(inbox(n, false, func(i int) (string, string) {
			if i == 0 {
				return versionEach(0)
			}
			return "DELTA[gpt]: x", strings.ReplaceAll(deltaBlock("EDIT", `"A1"`, fmt.Sprintf(`{"load": "l%d"}`, i)), "hypothesis_slate", "assumption_ledger")
		}))}, persisted(1)}
	})
	artifact := func(make func(n int) string) func(n int) []txtar.File {
		return oneFile("artifacts/RS-20251230-x.md", make)
	}
	add("findings on one line", 200, checksOfArtifacts, artifact(func(n int) string { return anchorField + strings.Repeat("§999, ", n) + "\n" }))
	add("findings on many lines", 200, checksOfArtifacts, artifact(func(n int) string { return repeated(slate, "### H%d: x\n", "", n) }))
	add("suppressions", 200, checksOfArtifacts, artifact(func(n int) string {
		return repeated(slate, "<!-- brennerlint:ignore WH-001 -- x -->\n### H%d: x\n", "", n)
	}))
	few := inbox(5, false, func(int) (string, string) { return "KICKOFF: x", "x" })
	all := []command{{"check", []string{"--fail-on", "never", "."}}}
	files := func(first string, data string) func(n int) []txtar.File {
		return func(n int) []txtar.File {
			out := []txtar.File{{Name: first, Data: []byte(data)}}
			for i := range n {
				out = append(out, txtar.File{Name: fmt.Sprintf("artifacts/RS-20251230-x%d.md", i), Data: []byte(slate + "### H1: x\n")})
			}
			return out
		}
	}
	add("files and suppressions", 50, all, files(config.FileName, repeated("suppress:\n", "- {rule: MB-001, path: 'a%d/**', reason: x}\n", "", 50)))
	add("files and patterns", 50, all, files(".gitignore", repeated("", "a%d/**/b\n", "", 50)))
	add("patterns", 200, all, func(n int) []txtar.File {
		return append(files(".gitignore", repeated("", "a%d/**/b\n", "", n))(10), txtar.File{Name: "thread.json", Data: []byte(few)})
	})
	slices.SortFunc(out, func(a, b shape) int { return strings.Compare(a.name, b.name) })
	return out
}

// running returns the check of a shape that runs a command in its folder.
func running(args []string) func(testing.TB, string, []txtar.File) {
	return func(tb testing.TB, dir string, files []txtar.File) {
		tb.Helper()
		args := slices.Clone(args)
		for i, a := range args {
			if a == "." || a == "artifacts" || strings.HasSuffix(a, ".json") || strings.HasSuffix(a, ".md") {
				args[i] = filepath.Join(dir, a)
			}
		}
		if files[0].Name == config.FileName {
			args = append(args, "--config", filepath.Join(dir, config.FileName))
		} else {
			args = append(args, "--no-config")
		}
		var complaint strings.Builder
		if status := cli.Run(context.Background(), args, strings.NewReader(""), io.Discard, &complaint, rules.All()...); status > 1 {
			tb.Errorf("%v ends with status %d: %.500s", args, status, complaint.String())
		}
	}
}

// draftOf returns a draft, and a message, with blocks of deltas.
func draftOf(deltas ...string) string {
	data, _ := json.Marshal(map[string]any{
		"id": 1, "subject": "DELTA[gpt]: x", "thread_id": "RS-20251230-x", "from": "BlueLake", "to": []string{"RedLake"}, "created_ts": "2025-12-30T10:00:00Z",
		"body_md": "## Deltas\n\n```delta\n" + strings.Join(deltas, "\n```\n\n```delta\n") + "\n```\n",
	})
	return string(data)
}

func payloadOf(members string) string {
	return `{"operation": "ADD", "section": "hypothesis_slate", "target_id": null, "payload": {` + members + `}, "rationale": "r"}`
}

// versionEach alternates an ADD that is applied, and the version that has it.
func versionEach(i int) (subject, body string) {
	if i%2 == 0 {
		add := deltaBlock("ADD", "null", fmt.Sprintf(`{"name": "n%d", "statement": "s", "load": "l", "test": "t", "status": "unchecked"}`, i))
		return "DELTA[gpt]: x", strings.ReplaceAll(add, "hypothesis_slate", "assumption_ledger")
	}
	return fmt.Sprintf("COMPILED: v%d x", i/2+1), "# Compiled Artifact\n"
}

// persisted returns an artifact of n assumptions.
func persisted(n int) txtar.File {
	head := "---\nsession_id: RS-20251230-x\nversion: 100000\n---\n# Brenner Protocol Artifact: RS-20251230-x\n\n## 5. Assumption Ledger\n\n"
	return txtar.File{Name: "artifacts/RS-20251230-x.md", Data: []byte(repeated(head, "### A%[1]d: n%[1]d\n**Statement**: s\n\n", "", n))}
}
