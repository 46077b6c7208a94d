package cli

import (
	"bytes"
	"context"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/must"
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
		data, err := os.ReadFile(filepath.Join(dir, f.Name))
		if err != nil {
			t.Fatalf("%v\n%s", err, stderr)
		}
		got[f.Name] = string(data)
	}
	return got
}

// TestSameBytes checks that neither the number of workers nor the order of the
// arguments changes one byte of any report.
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
	for _, args := range [][]string{roots, named} {
		want := allFormats(t, append([]string{"--jobs", "1"}, args...)...)
		if n := strings.Count(want["json"], `"rule"`); n < 100 {
			t.Errorf("only %d findings", n)
		}
		shuffle := rand.New(rand.NewPCG(1, 2))
		for _, jobs := range []string{"1", "2", "16"} {
			shuffled := slices.Clone(args)
			shuffle.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			for format, got := range allFormats(t, append([]string{"--jobs", jobs}, shuffled...)...) {
				if got != want[format] {
					t.Errorf("%d arguments, --jobs %s: %s differs: %s", len(args), jobs, format, firstDifference(got, want[format]))
				}
			}
		}
	}
}

// TestReplaySameBytes does the same for `replay`.
func TestReplaySameBytes(t *testing.T) {
	args := []string{"../examples/mail", "../testdata/corpus/realmail/storage.sqlite3", "../testdata/corpus/realmail/json/thread-RS-20251230-bio-rrp.json", "../examples/artifacts", "../testdata/corpus/artifacts"}
	for _, format := range []string{"text", "json"} {
		var want string
		for i := range 4 {
			got, stderr, _ := runHere(t, append([]string{"replay", "--format", format}, args...)...)
			got += stderr
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("replay --format %s differs in run %d: %s", format, i, firstDifference(got, want))
			}
			slices.Reverse(args[i%2:])
		}
	}
}

func firstDifference(got, want string) string {
	n := 0
	for n < min(len(got), len(want)) && got[n] == want[n] {
		n++
	}
	around := func(s string) string { return s[max(0, n-200):min(len(s), n+200)] }
	return "\ngot  …" + around(got) + "…\nwant …" + around(want) + "…"
}
