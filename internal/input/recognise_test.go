package input_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/brennerlint/brennerlint/internal/input"
)

// utf16LE encodes a text, without a byte order mark of its own.
func utf16LE(s string) string {
	var out []byte
	for _, unit := range utf16.Encode([]rune(s)) {
		out = append(out, byte(unit), byte(unit>>8))
	}
	return string(out)
}

// TestRecognise checks how a file is recognised when named and when found on a walk.
func TestRecognise(t *testing.T) {
	const (
		none     = `is not recognised as an artifact, a mail export or a draft (--kind artifact, mail or draft checks it anyway)`
		perhaps  = `is not recognised as an artifact, a mail export or a draft (check a draft with brennerlint presend, or with --kind draft)`
		bySender = "---json\n{\"subject\": \"x\"}\n---\n"
	)
	pad := strings.Repeat("x", 40<<10)
	tests := []struct{ name, file, content, named, walked string }{
		{"artifact", "x.md", artifactMD, "artifact", "artifact"},
		{"artifact with byte order mark and CRLF", "x.md", "\xef\xbb\xbf" + strings.ReplaceAll(artifactMD, "\n", "\r\n"), "artifact", "artifact"},
		{"artifact by another name", "x.txt", artifactMD, none, ""},
		{"artifact in a source file", "page.tsx", "# Brenner Protocol Artifact: x\n" + freeForm, none, ""},
		{"artifact, .markdown", "X.Markdown", artifactMD, "artifact", "artifact"},
		{"artifact by its title", "x.md", "# Brenner Protocol Artifact: x\n", "artifact", "artifact"},
		{"artifact by its title, underlined", "x.md", "brenner protocol artifact: x\n===\n", "artifact", "artifact"},
		{"specification of artifacts", "x.md", "# Brenner Protocol Artifact Schema\n\n## 1. Research Thread\n\n## 2. Hypothesis Slate\n", none, ""},
		{"title at a lower level", "x.md", "## Brenner Protocol Artifact: x\n", none, ""},
		{"title in a fence", "x.md", "```\n# Brenner Protocol Artifact: x\n```\n", none, ""},
		{"title in a list", "x.md", "* # Brenner Protocol Artifact: x\n", none, ""},
		{"artifact without front matter", "x.md", freeForm, "artifact", "artifact"},
		{"sections far down", "x.md", "## 1. Research Thread\n" + pad + "\n## Hypothesis Slate\n\n## Anomaly Register\n", "artifact", "artifact"},
		{"two sections are not enough", "x.md", "## Research Thread\n\n## Hypothesis Slate\n\n## Research Thread\n\n### Anomaly Register\n", none, ""},
		{"sections in a fence", "x.md", "```\n" + freeForm + "```\n", none, ""},
		{"sections in an indented block", "x.md", "a\n\n    # Research Thread\n    # Hypothesis Slate\n    # Anomaly Register\n", none, ""},
		{"session_id in front matter", "x.md", "---\ntitle: t\nsession_id : x\n---\n", "artifact", "artifact"},
		{"session_id in long front matter", "x.md", "---\nsession_id: x\nnote: " + pad + "\n---\n", "artifact", "artifact"},
		{"session_id far down in front matter", "x.md", "---\nnote: " + pad + "\nsession_id: x\n---\n", "artifact", "artifact"},
		{"session_id far behind front matter", "x.md", "---\nnote: " + pad + "\n---\nsession_id: x\n", none, ""},
		{"session_id elsewhere", "x.md", "---\ntitle: t\n---\nsession_id: x\n", none, ""},
		{"encrypted share", "share.zip.age", "age-encryption.org/v1\n-> X25519 x\n", `is encrypted (decrypt it with age --decrypt, and name the zip file)`, ""},
		{"encrypted share as text", "share.zip.age", "-----BEGIN AGE ENCRYPTED FILE-----\n", `is encrypted (decrypt it with age --decrypt, and name the zip file)`, ""},
		{"text about age", "x.md", "# age-encryption.org/\n", none, ""},
		{"companion of an artifact", "artifacts/kickoff-pack.md", "# Kickoff pack\n\n## 1. Research Thread\n", none, ""},
		{"README of artifacts", "artifacts/README.md", "# Artifacts\n", none, ""},
		{"prose named as a thread's artifact", "artifacts/RS-20251230-x.md", "# Notes\n", "artifact", "artifact"},
		{"the same in a folder below", "artifacts/old/RS-20251230-x.md", "# Notes\n", none, ""},
		{"the same beside artifacts", "my-artifacts/RS-20251230-x.md", "# Notes\n", none, ""},
		{"artifacts of no thread", "artifacts/RS-notes.md", "# Notes\n", none, ""},
		{"prose", "x.md", "# Notes\n", none, ""},
		{"artifact JSON", "x.json", `{"metadata": {"session_id": "x"}, "sections": {}}`, "JSON artifact", "JSON artifact"},
		{"artifact JSON by a section", "x.json", `{"metadata": {}, "sections": {"anomaly_register": []}}`, "JSON artifact", "JSON artifact"},
		{"artifact JSON, sections far down", "x.json", `{"metadata": {"session_id": "x", "note": "` + pad + `"}, "sections": {}}`, "JSON artifact", "JSON artifact"},
		{"what may be artifact JSON", "x.json", `{"metadata": {"title": "Manual"}, "sections": [{"title": "Start"}]}`, "JSON artifact", ""},
		{"artifact JSON by another name", "x.ts", `{"metadata": {"session_id": "x"}, "sections": {}}`, none, ""},
		{"broken artifact JSON", "x.json", `{"metadata": {"session_id": "x", "contributors": ["A",]}, "sections": {}}`, "JSON artifact", "JSON artifact"},
		{"artifact JSON, broken far down", "x.json", `{"metadata": {"session_id": "x", "note": "` + pad + `",}, "sections": {}}`, "JSON artifact", "JSON artifact"},
		{"archive message", "x.md", letter, "archive message", "archive message"},
		{"archive message, CRLF", "x.eml", strings.ReplaceAll(letter, "\n", "\r\n"), "archive message", "archive message"},
		{"digest", "messages/threads/T.md", "# Thread T\n\n### x\n", `is the digest of a thread, not its mail (name the folder messages, or the message files)`, ""},
		{"profile", "agents/A/profile.json", `{"name":"A","program":"p","inception_ts":"x"}`, "agent profile", "agent profile"},
		{"thread", "x.json", threadJSON, "mail JSON", "mail JSON"},
		{"thread by another name", "export", threadJSON, "mail JSON", "mail JSON"},
		{"inbox", "x.json", `[{"id": 1, "subject": "x"}]`, "mail JSON", "mail JSON"},
		{"message", "x.json", `{"id": 1, "subject": "x", "body_md": "b", "from": "A"}`, "mail JSON", "mail JSON"},
		{"JSON Lines", "x.jsonl", `{"id": 1, "subject": "x"}` + "\n", "mail JSON", "mail JSON"},
		{"JSON-RPC", "x.json", `{"jsonrpc": "2.0", "id": 1, "result": {}}`, "mail JSON", "mail JSON"},
		{"events", "x.txt", "event: message\ndata: {\"a\": 1}\n\n", "mail JSON", "mail JSON"},
		{"events after a comment", "x.txt", ": ping\n\nretry: 3000\n\nevent: endpoint\ndata: /messages?x=1\n\nevent: message\ndata: {\"a\": 1}\n\n", "mail JSON", "mail JSON"},
		{"events, CR", "x.txt", "\revent: message\rdata: {\"a\": 1}\r\r", "mail JSON", "mail JSON"},
		{"events without data", "x.txt", ": ping\n\n: ping\n\n", none, ""},
		{"package.json", "package.json", `{"name": "x", "version": "1"}`, none, ""},
		{"notebook", "x.ipynb", `{"cells": [], "metadata": {}}`, none, ""},
		{"evidence", "evidence.json", `{"thread_id": "RS-20251230-x", "id": 1, "created": "2025-12-30", "records": []}`, none, ""},
		{"translations", "en.json", `{"messages": {"subject": "Subject"}}`, none, ""},
		{"text without members", "x.json", `["a", "b"]`, none, ""},
		{"broken JSON", "x.json", `{"a": `, "mail JSON", ""},
		{"broken thread", "x.json", `{"thread_id": "T", "messages": [`, "mail JSON", "mail JSON"},
		{"thread, broken before its messages", "x.json", `{"thread_id": "T", "project" "/p", "messages": []}`, "mail JSON", "mail JSON"},
		{"broken message", "x.json", `{"body_md": "b",}`, "mail JSON", "mail JSON"},
		{"broken source", "x.ts", `{"thread_id": id,}`, "mail JSON", ""},
		{"empty listing", "x.json", "[]", "mail JSON", ""},
		{"arguments", "x.json", `{"subject": "x", "body_md": "b"}`, "draft", ""},
		{"arguments of a reply", "x.json", `{"message_id": 1, "body_md": "b"}`, "draft", ""},
		{"a body alone", "x.json", `{"body_md": "b"}`, none, ""},
		{"a body that is no text", "x.json", `{"subject": "x", "body_md": null}`, none, ""},
		{"a body by another name", "x.json", `{"subject": "x", "to": ["A"], "body": "b"}`, none, ""},
		{"call", "x.json", `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "send_message", "arguments": {"subject": "x", "body_md": "b"}}}`, "draft", ""},
		{"call of another tool", "x.json", `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "send_message", "arguments": {"subject": "x"}}}`, none, ""},
		{"hook", "x.json", `{"tool_name": "t", "tool_input": {"body_md": "b"}}`, "draft", ""},
		{"hook of another tool", "x.json", `{"tool_name": "t", "tool_input": {"command": "ls"}}`, none, ""},
		{"header", "x.md", "Subject: x\n\nbody\n", perhaps, ""},
		{"front matter of a page", "x.md", "---json\n{\"title\": \"x\", \"tags\": [\"a\"]}\n---\n", none, ""},
		{"front matter with a subject", "x.md", bySender, "archive message", ""},
		{"the same in an archive", "messages/2025/12/1.md", bySender, "archive message", "archive message"},
		{"broken front matter", "x.md", "---json\n{\"title\": \n---\n", "archive message", ""},
		{"broken front matter of a message", "x.md", "---json\n{\"ack_required\": false, \"bcc\": [],, \n---\n", "archive message", "archive message"},
		{"message without members", "2025-12-30T12-00-00Z__x__1.md", "---json\n{}\n---\n", "archive message", "archive message"},
		{"message with NUL", "x.md", strings.TrimSuffix(letter, "\n") + "\x00\n", "archive message", "archive message"},
		{"database", "x.bin", "SQLite format 3\x00rest", "SQLite database", "SQLite database"},
		{"log of a database", "x.sqlite3-wal", "7\x7f\x06\x82rest", `is the log of a database (name the database itself)`, ""},
		{"zip", "x.bin", "PK\x03\x04rest", "zip file", "zip file"},
		{"binary", "x.bin", "a\x00b", none, ""},
		{"UTF-16 artifact", "artifacts/RS-20251230-x.md", "\xff\xfe#\x00", "artifact", "artifact"},
		{"UTF-16 JSON", "x.json", "\xff\xfe{\x00", "mail JSON", ""},
		{"UTF-16 thread", "x.json", utf16LE("\ufeff" + threadJSON), "mail JSON", "mail JSON"},
		{"UTF-16 thread without byte order mark", "x.json", utf16LE(threadJSON), "mail JSON", "mail JSON"},
		{"UTF-16 of another program", "x.json", utf16LE("\ufeff{\"compilerOptions\": {}}"), "mail JSON", ""},
		{"UTF-16 artifact JSON", "x.json", utf16LE("\ufeff{\"metadata\": {\"session_id\": \"x\"}, \"sections\": {}}"), "JSON artifact", "JSON artifact"},
		{"thread below a log line", "x.json", "Warning: using cached token\n" + threadJSON, "mail JSON", "mail JSON"},
		{"thread below a log line in brackets", "x.json", "[INFO] done\n" + threadJSON, "mail JSON", "mail JSON"},
		{"thread below a conflict marker", "x.json", "<<<<<<< HEAD\n" + threadJSON + "=======\n" + threadJSON + ">>>>>>> theirs\n", "mail JSON", "mail JSON"},
		{"message of JSON Lines below a log line", "x.jsonl", "started\n{\"thread_id\": \"T\", \"body_md\": \"b\"}\n", "mail JSON", "mail JSON"},
		{"artifact JSON below a log line", "x.json", "log\n{\"metadata\": {\"session_id\": \"x\"}, \"sections\": {}}", "JSON artifact", "JSON artifact"},
		{"log line before other JSON", "x.json", "log\n{\"compilerOptions\": {}}", none, ""},
		{"log of another program", "x.jsonl", "started\n{\"thread_id\": 7, \"level\": \"info\"}\n", none, ""},
		{"thread below a log line in a source file", "x.ts", "// x\n" + threadJSON, none, ""},
		{"JSON-RPC error", "x.json", `{"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "m"}}`, "mail JSON", "mail JSON"},
		{"messages null", "x.json", `{"project": "/p", "messages": null}`, "mail JSON", "mail JSON"},
		{"messages null of a thread", "x.json", `{"messages": null, "thread_id": "T"}`, "mail JSON", "mail JSON"},
		{"messages null of nobody", "x.json", `{"model": "m", "messages": null}`, "mail JSON", ""},
		{"empty", "x.md", "", "is empty", ""},
		{"empty artifact", "artifacts/RS-20251230-x.md", "", "artifact", "artifact"},
		{"empty JSON", "x.json", " ", "mail JSON", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree(t, tt.file, tt.content)
			want := fmt.Sprintf("%q %s", tt.file, tt.named)
			if !strings.HasPrefix(tt.named, "is ") {
				want = tt.file + ": " + tt.named + ", named"
			}
			same(t, want, find(input.Options{}, tt.file))
			want = ""
			if tt.walked != "" {
				want = tt.file + ": " + tt.walked
			}
			same(t, want, find(input.Options{}, "."))
		})
	}
}

// A profile that is damaged is one by its place in an archive.
func TestDamagedProfile(t *testing.T) {
	const cut = `{"attachments_policy": "au`
	tree(t, "p/messages/threads/T.md", "# Thread T\n",
		"p/agents/A/profile.json", cut, "p/agents/B/profile.json", "", "p/agents/C/profile.json", utf16LE("{}"),
		"p/agents/D/profile.json", `{"color": "red"}`, "other/agents/A/profile.json", cut)
	same(t, "p/agents/A/profile.json: agent profile\np/agents/B/profile.json: agent profile\np/agents/C/profile.json: agent profile",
		find(input.Options{}, "."))
}

func TestKind(t *testing.T) {
	tree(t, "x.md", "text\n", "x.json", `{"a": 1}`, "y.json", `[1]`)
	same(t, "x.md: artifact, named\nx.json: JSON artifact, named", find(input.Options{As: input.AsArtifact}, "x.md", "x.json"))
	same(t, "x.md: archive message, named\nx.json: mail JSON, named\ny.json: mail JSON, named", find(input.Options{As: input.AsMail}, "x.md", "x.json", "y.json"))
	same(t, "x.md: draft, named\nx.json: draft, named", find(input.Options{As: input.AsDraft}, "x.md", "x.json"))
}
