package rules_test

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/fix"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
	"github.com/brennerlint/brennerlint/source"
)

// fuzzed are the kinds of input that FuzzCheck makes of its bytes: the name decides
// the kind if the content cannot.
var fuzzed = []struct {
	name string
	kind engine.Kind
}{
	{"artifacts/RS-20251230-cell-fate.md", engine.AsArtifact},
	{"artifacts/RS-20251230-cell-fate.json", engine.AsArtifact},
	{"mail.json", engine.AsMail},
	{"messages/2025/12/message.md", engine.AsMail},
	{"draft.json", engine.AsDraft},
	{"input", engine.Auto},
}

// FuzzCheck checks any bytes as any kind of input by all rules: none may panic, point outside the
// input, or say what controls terminals.
func FuzzCheck(f *testing.F) {
	for kind, pattern := range map[int]string{
		0: "artifacts/*.md", 1: "artifacts/*.json", 2: "realmail/json/thread-RS-20251230*.json",
		3: "realmail/archive/projects/data-projects-brenner-bot/messages/20*/*/*.md",
	} {
		paths, err := filepath.Glob(filepath.Join(corpus, filepath.FromSlash(pattern)))
		if err != nil || len(paths) == 0 {
			f.Fatalf("%s: %d files, %v", pattern, len(paths), err)
		}
		for _, path := range paths[:min(3, len(paths))] {
			data := must.Read(f, path)
			f.Add(data, byte(kind))
		}
	}
	f.Add([]byte("# Brenner Protocol Artifact: x\n\n<!-- brennerlint:ignore-file ES -- x -->\n## 2. Hypothesis Slate\n<!-- brennerlint:ignore WH-001 -- x -->\n### H1: x\n**Claim**: x\n<!-- brennerlint:ignore -->"), byte(0))
	f.Add([]byte(`{"tool": "send_message", "arguments": {"subject": "DELTA[gpt]: x", "thread_id": "RS-20251230-x", "to": ["BlueLake"], "body_md": "`+"```delta\\n{\\\"operation\\\": \\\"add\\\",}\\n```"+`"}}`), byte(4))
	f.Add([]byte("data: {\"result\": {\"messages\": [{\"id\": 1, \"subject\": \"\\ud83d KICKOFF: [x] \xff\", \"body_md\": \"\\u0000\"}]}}\n\n"), byte(5))
	for _, m := range [][3]string{
		{"KICKOFF: [RS-20251230-cell-fate] x", "RS-20251230-Cell\x1bFate", "{x}\n# \n## Context\n{a}\n## Excerpt\n"},
		{"COMPILED: v2 x", "a\u202e/..", "# v3\n- **Thread ID**: `\x1b[2J`\n## Contributors\n| Agent |\n|---|\n"},
		{"HANDOFF: x", "", "## From\n\x1b[31m\n## To\nRedLake\n"},
		{"ACK:\u200b", "17", "## Message ID\n#17, 18\n## Status\n\u2066"},
		{"DELTA[\x00]: x", "COORD-", "```delta\n{\"operation\": \"\u202e\"}\n```\nDELTA[x]: y"},
		{"INFO: Artifact v1 persisted", "x", "- **Path**: \x07"},
		{"DELTA:", "0", "```delta\n\x00"},
		{"HANDOFF: x", "\x9bw\x7f\xbe", "0"},
	} {
		one, reply := post(17, m[0], m[2]), post(18, "Re: "+m[0], m[2])
		one["thread_id"], one["from"], one["to"] = m[1], "a\x1bb", []string{"c\u202ed"}
		f.Add([]byte(mailbox([]any{one, reply})), byte(2))
	}
	f.Fuzz(func(t *testing.T, data []byte, kind byte) {
		if len(data) > 1<<16 {
			t.Skip()
		}
		k := fuzzed[int(kind)%len(fuzzed)]
		check := func(data []byte) *lint.Report {
			box, err := engine.Open(context.Background(), rules.All(), engine.Options{
				Workers: 1, Kind: k.kind, Mail: engine.AllMail,
				Stdin: engine.Stdin{Reader: bytes.NewReader(data), Name: k.name},
			}, "-")
			if err != nil {
				t.Skip(err) // not one of our inputs
			}
			defer box.Close()
			rep, err := box.Check(context.Background())
			if err == nil {
				err = box.Show(context.Background(), rep, lint.Data{Threads: true, LineHashes: true})
			}
			must.OK(t, err)
			return rep
		}
		rep := check(data)
		for _, failure := range rep.Failures {
			t.Fatalf("rule %s: %s", failure.Rule, failure.Reason)
		}
		prints := map[string]bool{}
		for i, finding := range rep.Findings {
			for _, r := range places(finding) {
				checkRange(t, finding, *r, data)
			}
			if prints[finding.Fingerprint] {
				t.Errorf("finding %d, %s, has the fingerprint of another", i, finding.Rule)
			}
			prints[finding.Fingerprint] = true
			if said := finding.Message + finding.Suggestion; strings.ContainsFunc(said, func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Errorf("%s says %q", finding.Rule, said)
			}
		}
		shown := func(rep *lint.Report) string {
			return string(asJSON(t, []any{rep.Findings, rep.Summary, rep.Notices, rep.Threads}))
		}
		if first, again := shown(rep), shown(check(data)); first != again {
			t.Errorf("two runs differ:\n%s\n%s", first, again)
		}
		checkFixes(t, data, check)
	})
}

// places returns the ranges of a finding in the file that was checked.
func places(f *lint.Finding) []*source.Range {
	var out []*source.Range
	if f.Range != nil {
		out = append(out, f.Range)
	}
	if f.Fix != nil {
		for i := range f.Fix.Edits {
			out = append(out, &f.Fix.Edits[i].Range)
		}
	}
	for _, r := range f.Related {
		if r.Range != nil && r.Path == f.Path {
			out = append(out, r.Range)
		}
	}
	return out
}

func checkRange(t *testing.T, f *lint.Finding, r source.Range, data []byte) {
	t.Helper()
	start, end := r.Start.Offset, r.End.Offset
	if start < 0 || start > end || end > len(data) {
		t.Fatalf("%s is at %v, the file has %d bytes", f.Rule, r, len(data))
	}
	if r.Start.Line < 1 || r.Start.Column < 1 || r.Start.Line > r.End.Line {
		t.Errorf("%s is at %v", f.Rule, r)
	}
	if !utf8.Valid(data) {
		return // a finding may be about the very bytes
	}
	for _, at := range []int{start, end} {
		if at < len(data) && !utf8.RuneStart(data[at]) {
			t.Errorf("%s: offset %d lies inside a character", f.Rule, at)
		}
	}
}

// checkFixes checks that fixing terminates, after which no fix remains that would help.
func checkFixes(t *testing.T, data []byte, check func([]byte) *lint.Report) {
	t.Helper()
	findings := func(data []byte) ([]*lint.Finding, error) { return check(data).Findings, nil }
	for _, unsafe := range []bool{false, true} {
		once, err := fix.All(data, unsafe, findings)
		must.OK(t, err)
		if once.Fixed < 0 {
			t.Errorf("mending made %d findings more", -once.Fixed)
		}
		twice, err := fix.All(once.Data, unsafe, findings)
		must.OK(t, err)
		if !bytes.Equal(once.Data, twice.Data) {
			t.Errorf("mending twice is not mending once:\n%q\n%q", once.Data, twice.Data)
		}
	}
}

func asJSON(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	must.OK(t, err)
	return data
}
