package rules_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// corpus is the copy of the real artifacts and recorded calls.
const corpus = "../testdata/corpus"

// cleanArtifact has everything the protocol requires, killed items included, and no finding
// (TestOneFaultOneFinding).
var cleanArtifact = filepath.Join("testdata", "artifacts", "RS-20251230-cell-fate.md")

// checked checks paths by all rules, which must not fail.
func checked(t testing.TB, opts engine.Options, paths ...string) *lint.Report {
	t.Helper()
	rep, err := engine.Check(context.Background(), rules.All(), opts, paths...)
	must.OK(t, err)
	for _, f := range rep.Failures {
		t.Errorf("rule %s failed on %s: %s", f.Rule, f.Path, f.Reason)
	}
	return rep
}

// lintFile runs all rules on a file and returns its findings, each as "RULE" or
// "RULE item", sorted; only those of the given severities.
func lintFile(t testing.TB, path string, severities ...lint.Severity) []string {
	t.Helper()
	var out []string
	for _, f := range checked(t, engine.Options{Kind: engine.AsArtifact, Workers: 1}, path).Findings {
		if len(severities) == 0 || slices.Contains(severities, f.Severity) {
			out = append(out, strings.TrimSpace(f.Rule+" "+f.Item))
		}
	}
	slices.Sort(out)
	return out
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

// TestJSONArtifacts checks the errors and warnings of the corpus's JSON artifacts against
// those of the reference. Ours adds AP-014, as none of them is persisted
// (artifact_publish_spec, Artifact File Front Matter; decisions.md 31).
func TestJSONArtifacts(t *testing.T) {
	for file, want := range map[string][2][]string{
		"valid-artifact.json":   {nil, {"AP-014"}},
		"warning-artifact.json": {nil, {"AP-014", "WC-001", "WH-001 H3"}},
		// WT-002 is the reference's own warning (vectors, record 20).
		"mixed-citations.json": {nil, {"AP-014", "WT-002 T2"}},
		"invalid-artifact.json": {
			{"EA-001", "EA-002", "EC-001", "EH-001", "EH-003", "EM-002", "EM-003", "EM-004", "EM-005", "EP-001", "ER-001 RT", "ER-002 RT", "ET-001"},
			{"AP-014", "WC-001", "WH-001 H1", "WM-001", "WR-001 RT"},
		},
	} {
		path := filepath.Join(corpus, "artifacts", file)
		same(t, file+" errors", lintFile(t, path, lint.Error), want[0])
		same(t, file+" warnings", lintFile(t, path, lint.Warning), want[1])
	}
}

// TestMarkdownArtifacts checks what a maintainer reads about the real artifacts.
func TestMarkdownArtifacts(t *testing.T) {
	for file, want := range map[string][]string{
		"golden-example-cell-fate.md": {
			"AP-014", "AP-015", // never persisted, and the id is the name in capitals
			"WP-P02 H4",              // [inference] from nothing
			"IA-001 A4", "IA-001 A5", // no status
			"IP-P02 T1", "IP-P02 T2", "IP-P02 T3", "IP-P02 T4",
		},
		"RS-20251230-role-prompting.md": {
			"AP-014",
			"WH-003 H2", "WP-P02 H2", // rests on a bare inference
			"WP-001 P1", "WP-001 P2", "WP-001 P3", "WP-001 P4", // a table of dashes
			"WT-002 T3", // 9, 7, 10
			"IP-P02 T1", "IP-P02 T2", "IP-P02 T3",
			"WA-002 A1", "WA-002 A3", // A2 is the scale check
			"IA-001 A1", "IA-001 A2", "IA-001 A3", // needs-test
		},
		"RS-20260101-cell-fate/artifact.md": {
			"EM-001",
			"ER-001 RT", "ER-002 RT", "IR-001 RT",
			"EH-004 H1", "EH-004 H2", "EH-004 H3", // Statement for Claim
			"EP-003", // one column for all hypotheses: not also WP-001 or IP-001
			"ET-001", "ET-002 T1", "ET-003 T1", "WT-003 T1", "IT-002 T1", "IP-P02 T1",
			"EA-001",           // a table: not also EA-002
			"ES-003", "ES-003", // Critique 1 and 2 do count as critiques: not also EC-001
			"WC-001",
		},
	} {
		same(t, file, lintFile(t, filepath.Join(corpus, "artifacts", filepath.FromSlash(file))), want)
	}
}

// TestArtifactForms checks that line ends, a byte order mark and headings without
// numbers do not change the findings.
func TestArtifactForms(t *testing.T) {
	numbers := regexp.MustCompile(`(?m)^## \d\. `)
	for _, file := range []string{"golden-example-cell-fate.md", "RS-20251230-role-prompting.md", "RS-20260101-cell-fate/artifact.md"} {
		path := filepath.Join(corpus, "artifacts", filepath.FromSlash(file))
		data := must.Read(t, path)
		want := lintFile(t, path)
		for form, change := range map[string]func(string) string{
			"CRLF":             func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
			"byte order mark":  func(s string) string { return "\ufeff" + s },
			"no numbers":       func(s string) string { return numbers.ReplaceAllString(s, "## ") },
			"H1":               func(s string) string { return numbers.ReplaceAllString(s, "# ") },
			"no last line end": func(s string) string { return strings.TrimRight(s, "\n") },
		} {
			changed := filepath.Join(t.TempDir(), "artifacts", filepath.Base(file))
			must.OK(t, os.Mkdir(filepath.Dir(changed), 0o755))
			must.Write(t, changed, change(string(data)))
			same(t, file+" with "+form, lintFile(t, changed), want)
		}
	}
}

// ourOwn are the rules that the reference linter does not have, and the passage that
// each is based on.
var ourOwn = map[string]string{
	"AP-014": "artifact_publish_spec, Artifact File Front Matter; decisions.md 31: every artifact file, Markdown or JSON",
	"IM-001": "L1: the form of session_id is not checked; thread_subject_conventions, Thread ID Validation",
	"IA-001": "L1: the status of assumptions is not checked; delta_output_format, assumption_ledger",
	"IR-001": "artifact_format, Items: Research Thread has Why it matters",
	"IP-001": "artifact_format, IP-001: no prediction of the third alternative is indeterminate",
	"IT-001": "artifact_format, Items: Discriminates names hypotheses",
	"IT-002": "artifact_format, Items: Feasibility",
	"RD-001": "decisions.md 70: killed_by and kill_reason in JSON",
	"WX-002": "artifact_format, Items: Conflicts with; delta_output_format requires it",
	"WA-101": "WA-101: a calculation without a number",
	"WH-002": "artifact_format, Anchors: `domain` is no anchor; the reference looks at those of hypotheses at most (L2)",
	"WT-003": "L1: the range of scores is not checked; delta_output_format, discriminative_tests: 0-3",
}

// renamed are rules of the reference that have another id in the catalogue.
var renamed = map[string]string{
	"EM-003b":    "EM-005",
	"ER-REF-001": "RD-003", "ER-REF-002": "RD-003", "ER-REF-003": "RD-003", "ER-REF-004": "RD-003", "ER-REF-005": "RD-003",
}

// departures are findings of the reference that the specification does not require, by
// record.
var departures = map[int]map[string]string{
	3: {"WT-002": "decisions.md 47: T1 has no score, which is no score of 0"},
}

// TestLintVectors runs every recorded call of the reference linter: it must report the
// same rules as often, and nothing more except from our own rules.
func TestLintVectors(t *testing.T) {
	f, err := os.Open(filepath.Join(corpus, "vectors", "lint.jsonl"))
	must.OK(t, err)
	defer f.Close()
	dir := t.TempDir()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	used := map[string]bool{}
	n := 0
	for ; lines.Scan(); n++ {
		var rec struct {
			Input  json.RawMessage
			Output struct{ Violations []struct{ ID string } }
			Test   string
		}
		must.OK(t, json.Unmarshal(lines.Bytes(), &rec))
		path := filepath.Join(dir, fmt.Sprintf("%02d.json", n))
		must.Write(t, path, rec.Input)
		var want []string
		for _, v := range rec.Output.Violations {
			if id, ok := renamed[v.ID]; ok {
				v.ID = id
			}
			if departures[n][v.ID] == "" {
				want = append(want, v.ID)
			}
		}
		got := lintFile(t, path)
		for i := range got {
			got[i], _, _ = strings.Cut(got[i], " ")
		}
		got = slices.DeleteFunc(got, func(id string) bool {
			own := ourOwn[id] != "" && !slices.Contains(want, id)
			used[id] = used[id] || own
			return own
		})
		same(t, fmt.Sprintf("record %d, %s", n, rec.Test), got, want)
	}
	if n != 26 {
		t.Errorf("read %d records, expected 26", n)
	}
	for id := range ourOwn {
		if !used[id] {
			t.Errorf("%s is listed as our own and never reported", id)
		}
	}
}

// TestMailCorpus checks what the rules find in the real mail, message by message.
func TestMailCorpus(t *testing.T) {
	rep := checked(t, engine.Options{}, realmail+"archive")
	slices.SortStableFunc(rep.Findings, func(a, b *lint.Finding) int {
		m, _ := strconv.Atoi(a.MessageID)
		n, _ := strconv.Atoi(b.MessageID)
		return cmp.Or(cmp.Compare(m, n), strings.Compare(a.Rule, b.Rule))
	})
	var out strings.Builder
	last := ""
	for _, f := range rep.Findings {
		if f.MessageID != last {
			fmt.Fprintf(&out, "%s %s\n", f.MessageID, f.Mail.Subject)
			last = f.MessageID
		}
		fmt.Fprintf(&out, "  %s %d:%d %s\n", f.Rule, f.Range.Start.Line, f.Range.Start.Column, f.Message)
		if f.Suggestion != "" {
			fmt.Fprintf(&out, "    = %s\n", f.Suggestion)
		}
	}
	compareGolden(t, "testdata/corpus-mail.txt", out.String())
}

const realmail = "../testdata/corpus/realmail/"

// jsonThreads returns the threads of the corpus as plain JSON.
func jsonThreads(t testing.TB) []string {
	t.Helper()
	all, err := filepath.Glob(realmail + "json/thread-*.json")
	must.OK(t, err)
	return slices.DeleteFunc(all, func(name string) bool {
		for _, other := range []string{".rpc.json", ".nobodies.json", ".result.json"} {
			if strings.HasSuffix(name, other) {
				return true
			}
		}
		return false
	})
}

// findings checks paths and lists the findings with fingerprints, without paths and ranges, except those
// that drop selects: of rules that need what a form lacks.
func findings(t testing.TB, drop func(*lint.Finding) bool, paths ...string) []string {
	t.Helper()
	var out []string
	for _, f := range checked(t, engine.Options{}, paths...).Findings {
		if !drop(f) {
			out = append(out, fmt.Sprintf("%s %s %s delta %d %s %s: %s = %s %s", f.Rule, f.Thread, f.MessageID, f.Delta, f.Item, f.Field, f.Message, f.Suggestion, f.Fingerprint))
		}
	}
	slices.Sort(out)
	if len(out) < 100 {
		t.Errorf("%v: only %d findings", paths, len(out))
	}
	return out
}

// The same threads have the same findings in every form, except for what a form lacks:
// the archive and JSON have no acknowledgement times, JSON no recipients, a scrubbed
// share no acknowledgement flags.
func TestFormsGiveTheSameFindings(t *testing.T) {
	nothing := func(*lint.Finding) bool { return false }
	acks := func(f *lint.Finding) bool { return f.Rule == "MB-030" }
	recipients := func(f *lint.Finding) bool { return acks(f) || f.Rule == "MB-032" }
	flags := func(f *lint.Finding) bool {
		return acks(f) || f.Rule >= "MB-009" && f.Rule <= "MB-015"
	}
	for name, c := range map[string]struct {
		paths []string
		drop  func(*lint.Finding) bool
	}{
		"all at once": {[]string{realmail + "bundle-chunked", realmail + "archive", realmail + "storage.sqlite3"}, nothing},
		"archive":     {[]string{realmail + "archive"}, acks},
		"json":        {jsonThreads(t), recipients},
		"bundle":      {[]string{realmail + "bundle"}, flags},
	} {
		want := findings(t, c.drop, realmail+"storage.sqlite3")
		if d := gocmp.Diff(want, findings(t, c.drop, c.paths...)); d != "" {
			t.Errorf("%s (-live +%s):\n%s", name, name, d)
		}
	}
}
