package rules_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/ledger"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/rules"
)

// foundIn checks a single message in the form of the git archive, and lists the rules that
// find something.
func foundIn(t *testing.T, sender, subject, thread, body string) string {
	t.Helper()
	asksForAck := func(t string) bool { return strings.HasPrefix(subject, t) }
	head, err := json.Marshal(map[string]any{
		"id": 17, "from": sender, "to": []string{"RedLake"}, "created": "2025-12-30T10:00:00+00:00", "subject": subject, "thread_id": thread,
		"ack_required": slices.ContainsFunc([]string{"KICKOFF", "CRITIQUE", "HANDOFF", "BLOCKED", "QUESTION"}, asksForAck),
	})
	must.OK(t, err)
	file := filepath.Join(t.TempDir(), "message.md")
	must.Write(t, file, "---json\n"+string(head)+"\n---\n\n"+body)
	var out []string
	for _, f := range checked(t, engine.Options{Workers: 1}, file).Findings {
		out = append(out, f.Rule)
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), " ")
}

// specified returns what the specifications show: lists of bodies, subjects and threads, and
// the bodies.
func specified(t *testing.T) map[string]string {
	t.Helper()
	a, err := txtar.ParseFile("testdata/spec-examples.txtar")
	must.OK(t, err)
	out := map[string]string{"bodies": string(a.Comment)}
	for _, f := range a.Files {
		out[f.Name] = string(f.Data)
	}
	return out
}

// TestSpecificationExamples checks the bodies and deltas that the specifications show. The
// comment of the archive has the sender and the subject of each, and what is found: unfilled
// templates are reported, the same with every placeholder filled in have no findings.
func TestSpecificationExamples(t *testing.T) {
	bodies := specified(t)
	for line := range strings.Lines(bodies["bodies"]) {
		columns := strings.Split(strings.TrimSpace(line), " | ")
		if len(columns) < 4 {
			continue
		}
		name, want := columns[0], strings.Trim(columns[3], "-")
		body, ok := bodies[name]
		if got := foundIn(t, columns[1], columns[2], "RS-20251230-gradient-vs-lineage", body); !ok || got != want {
			t.Errorf("%s: found [%s], want [%s]", name, got, want)
		}
		delete(bodies, name)
	}
	for name := range bodies {
		if !slices.Contains([]string{"bodies", "subjects", "threads"}, name) {
			t.Errorf("the body %q is not checked", name)
		}
	}
}

// TestSpecificationSubjects checks every subject that thread_subject_conventions
// and artifact_publish_spec show.
func TestSpecificationSubjects(t *testing.T) {
	for subject := range strings.Lines(specified(t)["subjects"]) {
		subject = strings.TrimSpace(subject)
		found := foundIn(t, "RedCreek", subject, "RS-20251230-cell-fate", "x")
		for _, rule := range []string{"MB-001", "SU-001", "SU-002", "SU-003", "SU-004", "AP-001", "TH-007", "TH-008"} {
			if strings.Contains(found, rule) {
				t.Errorf("%q breaks %s", subject, rule)
			}
		}
	}
}

// TestSpecificationThreads checks every thread id that the specifications show.
func TestSpecificationThreads(t *testing.T) {
	for line := range strings.Lines(specified(t)["threads"]) {
		id, want, _ := strings.Cut(strings.TrimSpace(line), " | ")
		if got := foundIn(t, "RedCreek", "INFO: x", id, "# Information"); got != want {
			t.Errorf("%q: found [%s], want [%s]", id, got, want)
		}
	}
}

func readLedger(t *testing.T) []ledger.Line {
	t.Helper()
	lines, err := ledger.Read("..")
	must.OK(t, err)
	return lines
}

// TestLedger compares the ledger with the catalogue, the headings of the specifications and the
// tests: what its lines name exists. It has a line for each of the 399 lines of the specifications
// that require something. That each rule cites a passage that exists is TestPassages.
func TestLedger(t *testing.T) {
	known, tests := map[string]bool{}, testNames(t)
	for _, r := range rules.All() {
		known[r.ID] = true
	}
	testNamed := regexp.MustCompile("`(Test[A-Z]\\w*)`")
	seen, headings := map[string]bool{}, readHeadings(t)
	for _, l := range readLedger(t) {
		if !slices.Contains(headings[l.Document], l.Heading) {
			t.Errorf("%s is below %q, which is no heading", l.Key(), l.Heading)
		}
		if seen[l.Key()] {
			t.Errorf("the ledger has two lines for %s", l.Key())
		}
		seen[l.Key()] = true
		if l.Fact == "" || len(l.Rules) == 0 && l.Held == "" {
			t.Errorf("%s has no fact, or neither rules nor why there are none", l.Key())
		}
		for _, id := range l.Rules {
			if !known[id] {
				t.Errorf("%s names %s, which is no rule", l.Key(), id)
			}
		}
		for _, m := range testNamed.FindAllStringSubmatch(l.Held, -1) {
			if !tests[m[1]] {
				t.Errorf("%s names %s, which is no test", l.Key(), m[1])
			}
		}
	}
	if len(seen) != 399 {
		t.Errorf("the ledger has %d lines", len(seen))
	}
}

// testNames returns the names of all tests of the module.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)
	out := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		for _, m := range declared.FindAllStringSubmatch(string(data), -1) {
			out[m[1]] = true
		}
		return err
	})
	must.OK(t, err)
	return out
}

const headingsPath = "testdata/headings.txt"

// readHeadings reads the headings of the specifications by document.
func readHeadings(t *testing.T) map[string][]string {
	t.Helper()
	data := must.Read(t, filepath.FromSlash(headingsPath))
	out := map[string][]string{}
	for line := range strings.Lines(string(data)) {
		document, heading, _ := strings.Cut(strings.TrimSpace(line), "#")
		out[document] = append(out[document], heading)
	}
	return out
}

// TestPassages checks that the passage that each rule cites is in its document: a heading,
// perhaps without the remark at its end, or the rule's own row in a table of rules.
func TestPassages(t *testing.T) {
	headings := readHeadings(t)
	format := must.Read(t, filepath.Join("..", "docs", "artifact_format.md"))
	for line := range strings.Lines(string(format)) {
		if title := strings.TrimLeft(line, "#"); title != line {
			headings["artifact_format"] = append(headings["artifact_format"], strings.TrimSpace(title))
		}
	}
	for _, r := range rules.All() {
		for passage := range strings.SplitSeq(r.SpecRef, "; ") {
			document, heading, ok := strings.Cut(passage, "#")
			if passage == "input contract" || ok && heading == r.ID && len(headings[document]) > 0 {
				continue
			}
			cited := func(h string) bool {
				rest, found := strings.CutPrefix(h, heading)
				return found && (rest == "" || strings.HasPrefix(rest, " (") || strings.HasPrefix(rest, ":"))
			}
			if heading == "" || !slices.ContainsFunc(headings[document], cited) {
				t.Errorf("%s cites %s, which has no such heading", r.ID, passage)
			}
		}
	}
}
