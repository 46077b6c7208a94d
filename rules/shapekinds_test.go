package rules_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/rules"
)

// kindShapes returns inputs of each kind of mail and artifacts other than thread JSON and
// Markdown, and of drafts, configurations and baselines.
func kindShapes(t *testing.T) []shape {
	t.Helper()
	var out []shape
	out = append(out, mailShapes(t)...)
	out = append(out, shareShapes(t)...)
	out = append(out, artifactShapes(t)...)
	out = append(out, draftShapes()...)
	out = append(out, configShapes()...)
	return append(out, baselineShapes()...)
}

// generated returns the files of a mailbox in a form that package gen makes, with n sessions.
func generated(t *testing.T, form string, n int) (files []txtar.File) {
	t.Helper()
	dir := t.TempDir()
	must.OK(t, gen.Generate(gen.Options{Out: dir, Seed: 5, Threads: n, Forms: []string{form}}))
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		data, err := os.ReadFile(path)
		files = append(files, txtar.File{Name: filepath.ToSlash(name), Data: data})
		return err
	})
	must.OK(t, err)
	return files
}

// mailShapes returns mailboxes in all forms.
func mailShapes(t *testing.T) []shape {
	t.Helper()
	var out []shape
	for _, form := range gen.Forms {
		out = append(out, shape{form + ": sessions", 8, func(n int) []txtar.File { return generated(t, form, n) }, nil})
	}
	return out
}

// shareShapes returns shares of a database: folders, chunks and zips.
func shareShapes(t *testing.T) []shape {
	t.Helper()
	var out []shape
	small := generated(t, "sqlite", 1)[0].Data
	share := func(more ...txtar.File) []txtar.File {
		return append([]txtar.File{{Name: "share/mailbox.sqlite3", Data: small}, {Name: "share/manifest.json", Data: []byte(`{"database": {}}`)}}, more...)
	}
	manifest := func(head, unit, tail string) func(n int) []txtar.File {
		return func(n int) []txtar.File {
			files := share()
			files[1].Data = []byte(repeated(`{"database": {}, `+head, unit, tail+"}", n))
			return files
		}
	}
	out = append(out,
		shape{"manifest: repeat", 2000, manifest(`"attachments": [`, `{"path": "%d"}, `, "0]"), nil},
		shape{"manifest: widen", 2000, manifest("", `"k%d": 1, `, `"x": 1`), nil},
		shape{"manifest: twice", 2000, manifest("", `"scrub": {"preset": "x"}, `, `"x": 1`), nil},
		shape{"manifest: nest", 2000, manifest(`"x": `, "[", ""), nil},
		shape{"chunks: repeat", 100, func(n int) []txtar.File { return chunked(small, n, "") }, nil},
		shape{"chunks: checksums", 500, func(n int) []txtar.File {
			return chunked(small, 2, repeated("", strings.Repeat("0", 64)+"  chunks/%d\n", "", n))
		}, nil},
		shape{"chunks: malformed checksums", 2000, func(n int) []txtar.File { return chunked(small, 2, strings.Repeat("x\n", n)) }, nil},
		shape{"zip: repeat", 200, func(n int) []txtar.File { return zippedShare(t, share(), n, "f%d") }, nil},
		shape{"zip: nest", 200, func(n int) []txtar.File {
			return zippedShare(t, share(), 10, strings.Repeat("a/", min(n, longestName/2))+"%d")
		}, nil},
		shape{"zip: widen", 200, func(n int) []txtar.File {
			return zippedShare(t, share(), 10, strings.Repeat("a", min(n, longestName))+"%d")
		}, nil},
		shape{"zip: twice", 200, func(n int) []txtar.File { return zippedShare(t, share(), n, "f%.0d") }, nil},
		shape{"zip: out", 200, func(n int) []txtar.File { return zippedShare(t, share(), n, "../f%d") }, nil},
	)
	return out
}

// chunked returns a share whose database is in pieces.
func chunked(data []byte, n int, checksums string) []txtar.File {
	size := (len(data) + n - 1) / n
	files := []txtar.File{
		{Name: "share/manifest.json", Data: []byte(`{"database": {}}`)},
		{Name: "share/mailbox.sqlite3.config.json", Data: fmt.Appendf(nil, `{"chunk_count": %d, "pattern": "chunks/{index}"}`, (len(data)+size-1)/size)},
		{Name: "share/chunks.sha256", Data: []byte(checksums)},
	}
	for i := 0; i*size < len(data); i++ {
		files = append(files, txtar.File{Name: fmt.Sprint("share/chunks/", i), Data: data[i*size : min(len(data), (i+1)*size)]})
	}
	return files
}

// longestName is as long as the name of an entry of a zip may be, and its number.
const longestName = 1<<16 - 10

// zippedShare returns a zip of a share and of n more entries.
func zippedShare(t *testing.T, files []txtar.File, n int, name string) []txtar.File {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	add := func(name string, data []byte) {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write(data)
		}
		must.OK(t, err)
	}
	for _, f := range files {
		add(strings.TrimPrefix(f.Name, "share/"), f.Data)
	}
	for i := range n {
		add(fmt.Sprintf(name, i), nil)
	}
	must.OK(t, w.Close())
	return []txtar.File{{Name: "share.zip", Data: b.Bytes()}}
}

// artifactShapes returns artifacts as JSON.
func artifactShapes(t *testing.T) []shape {
	t.Helper()
	data := must.Read(t, "../testdata/corpus/artifacts/warning-artifact.json")
	var out []shape
	for way, grow := range grownJSON {
		out = append(out, shape{"JSON artifact: " + way, 10, oneFile("artifacts/RS-20251230-x.json", func(n int) string { return grow(string(data), n) }), checkStdin(engine.AsArtifact)})
	}
	return out
}

// draftShapes returns drafts, and tool calls as passed to a hook.
func draftShapes() []shape {
	check := func(tb testing.TB, _ string, files []txtar.File) {
		box, err := engine.Open(context.Background(), rules.All(), everything())
		must.OK(tb, err)
		d, err := box.CheckDraft(context.Background(), files[0].Name, files[0].Data)
		must.OK(tb, err)
		for _, failure := range d.Failures {
			tb.Errorf("rule %s: %s", failure.Rule, failure.Reason)
		}
	}
	var out []shape
	for _, form := range []struct{ name, head, tail string }{
		{"draft", "", ""},
		{"request", `{"method": "tools/call", "params": {"name": "send_message", "arguments": `, "}}"},
		{"hook", `{"tool_name": "send_message", "tool_input": `, "}"},
		{"hook of another tool", `{"tool_name": "Bash", "tool_input": `, "}"},
	} {
		body := "text " + deltaBlock("ADD", "null", `{"name": "n"}`)
		if strings.Contains(form.name, "other") {
			body = "text"
		}
		draft, _ := json.Marshal(map[string]any{"project_key": "p", "sender_name": "BlueLake", "to": []string{"A", "B"}, "subject": "DELTA[gpt]: x", "body_md": body})
		text := string(draft)
		if strings.Contains(form.name, "other") {
			text = strings.Replace(text, "body_md", "command", 1)
		}
		for way, grow := range grownJSON {
			out = append(out, shape{form.name + ": " + way, 20, oneFile("draft.json", func(n int) string { return form.head + grow(text, n) + form.tail }), check})
		}
	}
	for way, grow := range grown {
		out = append(out, shape{"Markdown draft: " + way, 20, oneFile("draft.md", func(n int) string {
			return "Subject: DELTA[gpt]: x\nThread: RS-20251230-x\n\n" + grow("## Deltas\n\n"+deltaBlock("EDIT", `"H1"`, `{"claim": "c"}`), n)
		}), check})
	}
	return append(out, shape{"Markdown draft: header", 500, oneFile("draft.md", func(n int) string {
		return "Subject: INFO: x\n" + repeated("", "To: A%d, B\n", "\nx\n", n)
	}), check})
}

// ofAgents returns mail of one instant, each message from a different agent: all edit one
// field, so that their order matters.
func ofAgents(n int) string {
	list := []any{post(1, "DELTA[gpt]: x", deltaBlock("ADD", "null", `{"name": "n", "claim": "c", "mechanism": "m", "anchors": ["§1"]}`))}
	for i := range n / 4 {
		m := post(i+2, "DELTA[gpt]: x", deltaBlock("EDIT", `"H1"`, fmt.Sprintf(`{"claim": "c%d"}`, i)))
		m["from"], m["created_ts"] = fmt.Sprint("A", i), "2025-12-30T11:00:00Z"
		list = append(list, m)
	}
	return mailbox(list)
}

// configShapes returns configurations, each with a little mail.
func configShapes() []shape {
	few := inbox(5, false, func(int) (string, string) { return "KICKOFF: x", "x" })
	var out []shape
	for name, c := range map[string]struct {
		head, unit, tail string
		faulty           bool // so that only its errors are reported
	}{
		"faults in a line":     {"{", "k%d: 1, ", "}", true},
		"faults":               {"", "k%d: 1\n", "", true},
		"unknown rules":        {"rules: {ignore: [", "x%d, ", "]}", true},
		"rules":                {"rules: {ignore: [", "MB-001, ", "]}", false},
		"levels":               {"rules: {levels: {MB-001: info, ", "MB-001: info, ", "}}", true},
		"excludes":             {"exclude: [", "'a%d/**', ", "]", false},
		"suppressions":         {"suppress:\n", "- {rule: MB-001, path: 'a%d/**', reason: x}\n", "", false},
		"suppressions, a line": {"suppress: [", "{rule: MB-001, path: 'a%d', reason: x}, ", "]", false},
		"overrides":            {"overrides:\n", "- {paths: ['a%d/**'], ignore: [ALL]}\n", "", false},
		"agents, roster":       {"agents: {roster: [", "A%d, ", "BlueLake]}", false},
		"agents, priority":     {"agents: {priority: {", "A%[1]d: %[1]d, ", "}}", false},
		"agents, one priority": {"agents: {priority: {", "A%d: 1, ", "}}", false},
		"agents, unknown keys": {"agents: {", "A%d: opus, ", "}", true},
		"nested":               {"x: ", "[", "", true},
		"aliases":              {"a: &a [x]\nb: [", "*a, ", "]", true},
	} {
		start, most := 300, 1<<30
		if strings.Contains(c.unit, "'a%d") {
			start, most = 60, 1000 // each glob is tried for every path
		}
		out = append(out, shape{"configuration: " + name, start, func(n int) []txtar.File {
			n, mail := min(n, most), few
			if strings.HasPrefix(name, "agents") {
				mail = ofAgents(n)
			}
			return []txtar.File{{Name: config.FileName, Data: []byte(repeated(c.head, c.unit, c.tail, n))}, {Name: "thread.json", Data: []byte(mail)}}
		}, checkConfig(c.faulty)})
	}
	return out
}

// checkConfig checks mail by a configuration, which comes first. A faulty one must be
// reported.
func checkConfig(faulty bool) func(testing.TB, string, []txtar.File) {
	return func(tb testing.TB, dir string, files []txtar.File) {
		tb.Helper()
		cfg, err := config.Parse(files[0].Name, files[0].Data, rules.All())
		if (err != nil && err.Error() != "") != faulty {
			tb.Errorf("the configuration %.60q has the fault %.200q", files[0].Data, fmt.Sprint(err))
		}
		if err != nil {
			return
		}
		opts := everything()
		cfg.Apply(&opts, rules.All())
		_, err = engine.Check(context.Background(), rules.All(), opts, dir)
		must.OK(tb, err)
	}
}

// baselineShapes returns baselines, together with an artifact with as many findings.
func baselineShapes() []shape {
	var out []shape
	for name, fingerprint := range map[string]string{"series": "sha256:%064d", "twice": "sha256:%.0d"} {
		out = append(out, shape{"baseline: " + name, 200, func(n int) []txtar.File {
			text := `{"schema": "` + engine.BaselineSchema + `", "findings": [` + repeated("", `{"fingerprint": "`+fingerprint+`", "rule": "MB-001", "path": "a", "message": "x"}, `, "", n)
			return []txtar.File{
				{Name: "baseline", Data: []byte(strings.TrimSuffix(text, ", ") + "]}")},
				{Name: "artifacts/RS-20251230-x.md", Data: []byte(repeated(slate, "### H%d: x\n**Claim**: x\n\n", "", n))},
			}
		}, func(tb testing.TB, dir string, files []txtar.File) {
			b, err := engine.ReadBaseline(bytes.NewReader(files[0].Data))
			must.OK(tb, err)
			opts := everything()
			opts.Baseline = b
			_, err = engine.Check(context.Background(), rules.All(), opts, dir)
			must.OK(tb, err)
		}})
	}
	return out
}
