package engine_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// TestBadByteInArtifact checks that one bad byte in an artifact file hides nothing
// (decisions.md 40): in place of a letter it gives one finding more, at the byte, and
// all others stay what they are and where they are.
func TestBadByteInArtifact(t *testing.T) {
	for _, tt := range []struct {
		file   string
		bad    byte
		want   string
		status bool
	}{
		{"mixed-citations.json", 0xff, "IN-001", true},
		{"mixed-citations.json", 0, "IN-002", true},
		{"mixed-citations.json", 0xc3, "IN-001", true},
		{"RS-20251230-role-prompting.md", 0xa7, "IN-001", true},
		{"golden-example-cell-fate.md", 0x80, "IN-001", true},
		{"golden-example-cell-fate.md", 0, "", false}, // CommonMark allows it
	} {
		t.Run(fmt.Sprintf("%s/%02x", tt.file, tt.bad), func(t *testing.T) {
			data := must.Read(t, filepath.Join("..", "testdata", "corpus", "artifacts", tt.file))
			at := prose(t, string(data))
			garbled := slices.Clone(data)
			garbled[at] = tt.bad
			clean, plain := checkAt(t, tt.file, data)
			got, report := checkAt(t, tt.file, garbled)
			var rest []string
			var extra []*lint.Finding
			for i, f := range report.Findings {
				if strings.HasPrefix(f.Rule, "IN-00") {
					extra = append(extra, f)
				} else {
					rest = append(rest, got[i])
				}
			}
			if len(plain.Findings) == 0 || !slices.Equal(rest, clean) {
				t.Errorf("%d findings become %d:\n%s\n\n%s", len(clean), len(rest), strings.Join(clean, "\n"), strings.Join(rest, "\n"))
			}
			if tt.want == "" != (len(extra) == 0) || len(extra) > 1 || report.Unreadable != tt.status {
				t.Fatalf("%d findings of the byte, unreadable %v", len(extra), report.Unreadable)
			}
			if len(extra) > 0 && (extra[0].Rule != tt.want || extra[0].Range.Start.Offset != at) {
				t.Errorf("%s is at %d, want %s at %d", extra[0].Rule, extra[0].Range.Start.Offset, tt.want, at)
			}
		})
	}
}

// prose returns the offset of a letter in prose, in a word that no rule looks for.
func prose(t *testing.T, text string) int {
	t.Helper()
	for _, word := range []string{"because", "which", "would", "that ", "with"} {
		if at := strings.Index(text, " "+word); at > 0 {
			return at + 2
		}
	}
	t.Fatal("no prose")
	return 0
}

// checkAt checks a file: each finding with its whole place and whether it has a fix.
func checkAt(t *testing.T, name string, data []byte) ([]string, *lint.Report) {
	t.Helper()
	t.Chdir(write(t, map[string]string{name: string(data)}))
	rep, err := engine.Check(context.Background(), rules.All(), engine.Options{}, name)
	must.OK(t, err)
	var out []string
	for _, f := range rep.Findings {
		out = append(out, fmt.Sprint(f.Rule, " ", f.Item, " ", f.Field, " ", *f.Range))
	}
	return out, rep
}

// TestGarbledName checks that what a bad byte makes of a name, an id, an anchor or a text is not
// reported again, that what is beside it is (decisions.md 90), and that the file is not fixed.
func TestGarbledName(t *testing.T) {
	for name, tt := range map[string]struct {
		old, garbled string
		silent, told []string
	}{
		"a label":   {"**Mechanism**: m\n", "**Mech\xffanism**: m\n", []string{"IH-001"}, []string{"IN-001", "ES-001"}},
		"a heading": {"### H1: Lineage\n", "### H1\xff: Lineage\n", []string{"ES-003"}, []string{"IN-001", "ES-001"}},
		"a text":    {"**Claim**: c\n", "**Claim**: c\xff\n", []string{"EH-004"}, []string{"IN-001", "ES-001"}},
		"an anchor": {"**Claim**: c\n", "**Claim**: c\n**Anchors**: \xa7161\n", []string{"WH-002"}, []string{"IN-001", "ES-001"}},
		"none":      {"**Mechanism**: m\n", "", nil, []string{"IH-001", "ES-001"}},
	} {
		t.Run(name, func(t *testing.T) {
			whole := strings.Replace(shortArtifact, "**Claim**: c\n", "**Claim**: c\n**Mechanism**: m\n", 1) + "\n## 1 Research Thread\n"
			if !strings.Contains(whole, tt.old) {
				t.Fatalf("the artifact has no %q", tt.old)
			}
			_, rep := checkAt(t, "RS-20251230-cell-fate.md", []byte(strings.Replace(whole, tt.old, tt.garbled, 1)))
			found := map[string]int{}
			for _, f := range rep.Findings {
				found[f.Rule]++
				if f.Fix != nil && tt.garbled != "" {
					t.Errorf("%s has a fix", f.Rule)
				}
			}
			for _, rule := range tt.silent {
				if found[rule] > 0 {
					t.Errorf("%s is reported", rule)
				}
			}
			for _, rule := range tt.told {
				if found[rule] == 0 {
					t.Errorf("%s is not reported: %v", rule, found)
				}
			}
			if found["IN-001"] > 1 {
				t.Errorf("the byte is reported %d times", found["IN-001"])
			}
		})
	}
}

// TestGarbledAnywhere puts a byte that is not UTF-8 in the place of signs all over a session that
// has no finding: it is IN-001, once, and nothing else. U+FFFD written out, for which no byte was
// lost, is a fault of its own (decisions.md 90).
func TestGarbledAnywhere(t *testing.T) {
	dir := t.TempDir()
	must.OK(t, gen.Generate(gen.Options{Out: dir, Seed: 11, Artifacts: 1, Threads: 1, Forms: []string{"json"}}))
	for _, path := range slices.Concat(glob(t, dir, "json/*.json"), glob(t, dir, "artifacts/*.md")) {
		data := must.Read(t, path)
		check := func(at int, by string) []*lint.Finding {
			bad := slices.Concat(data[:at], []byte(by), data[at+1:])
			rep, err := engine.Check(t.Context(), rules.All(), engine.Options{Contents: map[string][]byte{path: bad}}, path)
			must.OK(t, err)
			return rep.Findings
		}
		words := append(strings.Fields("operation section target_id payload rationale mechanism anchors created_ts hypothesis_slate delta\\n{ DELTA[ Slate Claim"), "--- | --- | ---")
		for i, sign := range append(words, "#", "*", ":", "|", "-", "`", "\\n", "\\\"", "\"", "{", "}", ",", "[", "]", "null", "thread_id\": \"RS", "from\": \"Red",
			"from\": \"Amber", "from\": \"Purple", "from\": \"Green", "\\\"H1", " the ", "ts\": \"20") {
			if !testenv.Sampled(i, 6) {
				continue
			}
			n := strings.Count(string(data), sign)
			for _, nth := range []int{0, 1, n / 2, n - 1} {
				at := nthIndex(string(data), sign, nth)
				if n == 0 || at < 0 {
					continue
				}
				for _, at := range []int{at, at + len(sign) - 1} {
					if found := check(at, "\xff"); len(found) != 1 || found[0].Rule != "IN-001" {
						t.Errorf("%s, byte %d in %q:", filepath.Base(path), at, data[max(0, at-30):min(len(data), at+30)])
						for _, f := range found {
							t.Errorf("  %s %s", f.Rule, f.Message)
						}
					}
				}
			}
			if at := strings.Index(string(data), sign); at >= 0 && slices.Contains(words, sign) {
				if found := check(at+len(sign)/2, "\uFFFD"); len(found) == 0 || found[0].Rule == "IN-001" {
					t.Errorf("%s: U+FFFD in %q gives %v", filepath.Base(path), sign, found)
				}
			}
		}
	}
}

// TestGarbledTime checks that a bad byte in the time of a message hides nothing (decisions.md 40): it is
// still known where the message is in the thread.
func TestGarbledTime(t *testing.T) {
	const name = "thread-demo-experiment-design-003.json"
	data := string(must.Read(t, filepath.Join("..", "testdata", "corpus", "realmail", "json", name)))
	garbled := strings.Replace(data, "2025-12-14T16", "2025-1\xff-14T16", 1)
	want := append(rulesFound(t, name, data), "IN-001")
	slices.Sort(want)
	if found := rulesFound(t, name, garbled); garbled == data || !slices.Equal(found, want) {
		t.Errorf("a bad byte gives %v, want %v", found, want)
	}
}

func glob(t *testing.T, dir, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no file %s: %v", pattern, err)
	}
	return paths
}

// nthIndex returns where a text holds another for the nth time, counted from 0; -1 if it does not.
func nthIndex(text, what string, n int) int {
	at := strings.Index(text, what)
	for ; n > 0 && at >= 0; n-- {
		next := strings.Index(text[at+1:], what)
		if next < 0 {
			return -1
		}
		at += 1 + next
	}
	return at
}

// rulesFound returns the rules of the findings in a file, sorted.
func rulesFound(t *testing.T, name, data string) (found []string) {
	_, rep := checkAt(t, name, []byte(data))
	for _, f := range rep.Findings {
		found = append(found, f.Rule)
	}
	slices.Sort(found)
	return found
}
