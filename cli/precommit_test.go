package cli

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/brennerlint/brennerlint/internal/must"
)

// TestPreCommitHook runs the hook of .pre-commit-hooks.yaml as pre-commit does:
// on the files of a commit that it matches, by their names.
func TestPreCommitHook(t *testing.T) {
	data := readFile(t, "../.pre-commit-hooks.yaml")
	var hooks []struct{ Entry, Files string }
	if err := yaml.Unmarshal([]byte(data), &hooks); err != nil || len(hooks) != 1 {
		t.Fatal(err, len(hooks))
	}
	matches := regexp.MustCompile(hooks[0].Files)
	companions := map[string]string{
		"artifacts/README.md":             "# Artifacts\n\n## 1. Research Thread\n\nThe question.\n",
		"artifacts/kickoff-pack.md":       "# Kickoff pack\n",
		"artifacts/RS-1/evidence.json":    `{"thread_id": "RS-20251230-cell-fate", "version": 1, "records": []}`,
		"artifacts/RS-1/evidence.md":      "# Evidence Pack: RS-1\n",
		"mail/package.json":               `{"name": "mail", "subject": "x"}`,
		"mail/tsconfig.json":              "{\n  // comments are allowed here\n  \"strict\": true,\n}\n",
		"mail/empty.json":                 "",
		"mail/list.json":                  "[]",
		"mail/page.md":                    "---json\n{\"title\": \"x\"}\n---\n",
		"mail/template.md":                "Subject: hello\n\nDear NAME\n",
		"mail/chat.json":                  `{"messages": [{"role": "user", "content": "hi"}]}`,
		"docs/artifacts/thread.md":        "# Thread RS-1\n\n[View canonical](x)\n",
		"mail/contacts/with a space.json": `{"to": ["A"]}`,
		"mail/messages/threads/RS-1.md":   "# Thread RS-1\n\n## 2025-12-30T10:00:00Z — BlueLake → RedCreek\n\n[View canonical](messages/2025/12/1.md)\n\n### DELTA[gpt]: x\n\nbody\n\n---\n",
		"mail/agents/A/profile.json":      `{"name": "BlueLake", "program": "codex", "model": "gpt-5", "task_description": "x", "inception_ts": "2025-12-30T10:00:00Z"}`,
	}
	for _, tt := range []struct {
		name   string
		files  map[string]string
		status int
		stderr string
	}{
		{"companions", nil, 0, "skipped 14 files, not recognised"},
		{"good mail", map[string]string{"mail/m.md": precommitMail("RS-20251230-gradient-vs-lineage")}, 0, ""},
		{"bad mail", map[string]string{"mail/m.md": precommitMail("RS-gradient")}, 1, ""},
		{"bad artifact", map[string]string{"artifacts/RS-20251230-cell-fate.md": "# Artifact\n"}, 1, ""},
		{"broken artifact", map[string]string{"artifacts/RS-20251230-cell-fate.json": `{"metadata": {"session_id": "RS-20251230-cell-fate",}}`}, 2, ""},
		{"broken mail", map[string]string{"mail/thread.json": `{"thread_id": "RS-20251230-cell-fate", "messages": [}`}, 2, ""},
		{"bad draft", map[string]string{"mail/draft.json": `{"subject": "KICKOFF x", "body_md": "x"}`}, 1, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			args := strings.Fields(hooks[0].Entry)[1:]
			for _, files := range []map[string]string{companions, tt.files} {
				for name, content := range files {
					if !matches.MatchString(name) {
						t.Errorf("the hook does not see %s", name)
					}
					must.Write(t, filepath.Join(dir, filepath.FromSlash(name)), content)
					args = append(args, name)
				}
			}
			out, errs, status := runProgram(t, program(dir, args...))
			if status != tt.status || !strings.Contains(errs, tt.stderr) {
				t.Errorf("status %d, want %d:\n%s%s", status, tt.status, out, errs)
			}
		})
	}
}

func precommitMail(thread string) string {
	return `---json
{"id": 1, "thread_id": "` + thread + `", "from": "BlueLake", "to": ["RedCreek"], "ack_required": false,
 "subject": "INFO: transcript uploaded", "created": "2025-12-30T10:00:00Z"}
---

# Information

The transcript is in the shared folder.
`
}
