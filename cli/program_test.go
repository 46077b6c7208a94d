package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/report"
	"github.com/brennerlint/brennerlint/rules"
)

// runHere runs the program in this process.
func runHere(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(context.Background(), args, streams{strings.NewReader(""), &out, &errs}, rules.All())
	if err := validate(out.Bytes()); err != nil {
		t.Errorf("%q prints JSON that docs/schema refuses: %v", args, err)
	}
	return out.String(), errs.String(), status
}

// writeFiles writes files of a folder.
func writeFiles(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		must.Write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	return string(must.Read(t, path))
}

// inputsOf returns all files below folders.
func inputsOf(t *testing.T, dirs ...string) []string {
	t.Helper()
	var files []string
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				files = append(files, path)
			}
			return err
		})
		must.OK(t, err)
	}
	return files
}

// allFormats asks for a report of every format in a folder, and reads them.
func allFormats(t *testing.T, args ...string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	all := []string{"--no-config", "--fail-on", "never"}
	for _, f := range report.Formats {
		all = append(all, "--output", f.Name+"="+filepath.Join(dir, f.Name))
	}
	_, stderr, _ := runHere(t, append(all, args...)...)
	got := map[string]string{"standard error": stderr}
	for _, f := range report.Formats {
		data, _ := os.ReadFile(filepath.Join(dir, f.Name)) // there is none of what is no input
		got[f.Name] = string(data)
	}
	return got
}

// TestSameBytes checks that neither the number of workers nor the order of the
// arguments changes one byte of any report, or of a replay.
func TestSameBytes(t *testing.T) {
	roots := []string{"../testdata/corpus/artifacts", "../testdata/corpus/realmail", "../examples"}
	var named []string // files that are inputs: others may not be named
	for _, path := range inputsOf(t, roots...) {
		if _, _, status := runHere(t, "--no-config", "--fail-on", "never", "--select", "SU-001", path); status == 0 {
			named = append(named, path)
		}
	}
	if len(named) < 60 {
		t.Fatalf("the corpus has %d inputs", len(named))
	}
	all := func(jobs string, args []string) map[string]string {
		out := allFormats(t, append([]string{"--jobs", jobs}, args...)...)
		if len(args) == len(roots) {
			out["replay"], _, _ = runHere(t, append([]string{"replay"}, args...)...)
			out["replay as JSON"], _, _ = runHere(t, append([]string{"replay", "--format", "json", "--jobs", jobs}, args...)...)
		}
		return out
	}
	for _, args := range [][]string{roots, named} {
		want := all("1", args)
		if n := strings.Count(want["json"], `"rule"`); n < 100 {
			t.Errorf("only %d findings", n)
		}
		shuffled := slices.Clone(args)
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		for format, got := range all("16", shuffled) {
			if got != want[format] {
				t.Errorf("%d arguments: %s differs (-want +got):\n%s", len(args), format, cmp.Diff(want[format], got))
			}
		}
	}
}

// tokens are what a script of FuzzProgram writes into files: parts of the protocol, of its
// formats and of their escapes.
var tokens = []string{
	"```delta\n", "```", "```json\n", "~~~", ":::delta\n", ":::\n", "{\"operation\": \"ADD\", \"section\":", "{\"operation\": \"KILL\",", "\"section\": \"hypothesis_slate\"}",
	"## ", "### H1: ", "#### T1", "\n---\n", "---json\n", "| | |\n", "|---|\n", "**Claim**: ", "~~", "§161", "§§9-", "[inference]", "Score: 99", "N/A", "CONFLICT: \"a\" | \"b\"",
	"KICKOFF: ", "DELTA[gpt]: ", "COMPILED: v2 ", "COMPILED: v-1", "ACK: ", "CRITIQUE: ", "RS-20251230-x", "COORD-", "<!-- brennerlint:ignore ALL -- x -->", "<!--", "-->",
	"{", "}", "[", "]", ",", ":", "\"", "\\", "\\u0000", "\\ud800", "null", "1e999", "-0", "\x00", "\xff", "\xed\xa0\x80", "\u202e", "\ufeff", "🙂", "\r", "\r\n", "\n\n", "\t", "    ", "> ", "- ", "1. ",
	"2025-12-30T10:00:00Z", "0000-00-00", "9999-12-31T23:59:60+99:99", "body_md", "thread_id", "sender_token", "operation", "target_id", "delta\": ",
}

// mutate changes files as a script says. The same script changes them the same.
func mutate(t *testing.T, paths []string, script []byte) {
	t.Helper()
	const step = 6 // bytes: file, what, offset (2), length, token
	for ; len(script) >= step; script = script[step:] {
		path := paths[int(script[0])%len(paths)]
		data := readFile(t, path)
		at := (int(script[2])<<8 | int(script[3])) * (len(data) + 1) / (1 << 16)
		end := min(len(data), at+int(script[4]))
		token := tokens[int(script[5])%len(tokens)]
		switch script[1] % 6 {
		case 0, 1: // insert
			token += data[at:end]
		case 2: // replace
		case 3: // cut out
			token = ""
		case 4: // double
			token = strings.Repeat(data[at:end], 2)
		case 5: // cut off
			token, end = "", len(data)
		}
		must.Write(t, path, data[:at]+token+data[end:])
	}
}

// wholeRun runs the program and holds what is true of every run.
func wholeRun(t *testing.T, args ...string) (stdout string, status int) {
	t.Helper()
	stdout, stderr, status := runHere(t, args...)
	if strings.Contains(stdout+stderr, "internal error") {
		t.Fatalf("%q: %s%s", args, stderr, stdout)
	}
	if status < exitClean || status > exitUsage {
		t.Fatalf("%q ends with %d", args, status)
	}
	return stdout, status
}

// sameOnAnyProcessors runs a command on one and on eight processors.
func sameOnAnyProcessors(t *testing.T, args ...string) string {
	t.Helper()
	one, status := wholeRun(t, append(args, "--jobs", "1")...)
	eight, other := wholeRun(t, append(args, "--jobs", "8")...)
	if one != eight || status != other {
		t.Fatalf("%q: --jobs 1 ends with %d, --jobs 8 with %d:\n%s\n%s", args, status, other, one, eight)
	}
	return one
}

// FuzzProgram runs the whole program on mailboxes and artifacts that were made by
// chance and then changed by a script: check, fix, check, replay. Nothing breaks,
// whatever the number of processors the reports are the same and of the promised
// form, fixes change artifacts only, and a second run has nothing to fix.
func FuzzProgram(f *testing.F) {
	random := rand.New(rand.NewPCG(16, 1))
	most := 3
	if !testenv.Nightly() {
		most = 1
	}
	for form := range gen.Forms {
		for range most {
			script := make([]byte, 6*(1+random.IntN(12)))
			for i := range script {
				script[i] = byte(random.Uint32())
			}
			f.Add(random.Uint64(), byte(form), script)
		}
		if testenv.Nightly() || form == 0 {
			f.Add(uint64(form), byte(form), []byte(nil))
		}
	}
	f.Fuzz(func(t *testing.T, seed uint64, form byte, script []byte) { fuzzProgram(t, seed, form, script) })
}

// fuzzProgram is one run of FuzzProgram.
func fuzzProgram(t *testing.T, seed uint64, form byte, script []byte) {
	t.Helper()
	dir := t.TempDir()
	err := gen.Generate(gen.Options{Out: dir, Seed: seed % 1024, Artifacts: 2, Threads: 2, Defects: 0.5, Forms: []string{gen.Forms[int(form)%len(gen.Forms)]}})
	must.OK(t, err)
	paths := slices.Sorted(maps.Keys(contents(t, dir))) // the same names in any folder
	mutate(t, paths, script[:min(len(script), 6*64)])

	check := []string{"--no-config", "--scope", "all", "--format", "json", dir}
	before := contents(t, dir)
	checkSummary(t, sameOnAnyProcessors(t, check...))
	sameOnAnyProcessors(t, "replay", "--no-config", "--scope", "all", "--format", "json", dir)

	wholeRun(t, append([]string{"--fix", "--unsafe-fixes"}, check...)...)
	fixed := contents(t, dir)
	for path, text := range before {
		if fixed[path] != text && filepath.Dir(path) != filepath.Join(dir, "artifacts") {
			t.Errorf("--fix changes %s", path)
		}
	}
	if len(fixed) != len(before) {
		t.Errorf("--fix leaves %d files of %d", len(fixed), len(before))
	}
	checkSummary(t, sameOnAnyProcessors(t, check...))
	wholeRun(t, append([]string{"--fix", "--unsafe-fixes"}, check...)...)
	for path, text := range contents(t, dir) {
		if fixed[path] != text {
			t.Errorf("a second --fix changes %s:\n%q\n%q", path, fixed[path], text)
		}
	}
}

// checkSummary holds the counts of a report against its findings.
func checkSummary(t *testing.T, text string) {
	t.Helper()
	if text == "" {
		return
	}
	var r struct {
		Summary struct {
			Errors, Warnings, Info int
			Valid                  bool
		}
		Findings []struct{ Severity, Fingerprint string }
	}
	must.OK(t, json.Unmarshal([]byte(text), &r))
	counts, prints := map[string]int{}, map[string]bool{}
	for _, f := range r.Findings {
		counts[f.Severity]++
		if prints[f.Fingerprint] {
			t.Errorf("the fingerprint %s is there twice", f.Fingerprint)
		}
		prints[f.Fingerprint] = true
	}
	s := r.Summary
	if s.Errors != counts["error"] || s.Warnings != counts["warning"] || s.Info != counts["info"] || s.Valid != (s.Errors == 0) {
		t.Errorf("the summary %+v counts otherwise than %v", s, counts)
	}
}
