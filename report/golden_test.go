package report

import (
	"bytes"
	"flag"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares with testdata/golden/NAME.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if strings.HasPrefix(name, "html") {
		got = withoutOurCode(string(got))
	}
	if *update {
		must.Write(t, path, got)
	}
	want := must.Read(t, path)
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got); if it should, run with -update and read it:\n%s", path, diff)
	}
}

// write returns the report in a format.
func write(t testing.TB, format string, r *lint.Report, o Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, r, o); err != nil {
		t.Fatalf("write %s: %v", format, err)
	}
	return b.Bytes()
}

// clear returns the report of a run without findings.
func clear() *lint.Report {
	return &lint.Report{Summary: lint.Summary{Files: 2, Artifacts: 1, Threads: 1, Messages: 40, SkippedMessages: 1, Valid: true}, Rules: sampleRules}
}

// broken returns the report of a run in which rules broke, and nothing was found.
func broken() *lint.Report {
	r := clear()
	r.Summary.Valid = false
	r.Failures = []lint.Failure{
		{Rule: "MB-001", Path: "mail/x.json", Thread: "RS-20251230-cell-fate", Reason: "runtime error: index out of range [3] with length 3", Stack: "goroutine 7"},
		{Rule: "replay", Path: "mail/" + hostile, Reason: hostile},
	}
	for i := range 10 {
		r.Failures = append(r.Failures, lint.Failure{Rule: "MB-005", Path: "mail/" + string(rune('a'+i)) + ".json", Reason: "broken"})
	}
	return r
}

func TestGolden(t *testing.T) {
	for _, f := range Formats {
		golden(t, f.Name+".broken", write(t, f.Name, broken(), Options{Version: "1.2.3", Quiet: true}))
		golden(t, f.Name, write(t, f.Name, sample(), Options{Version: "1.2.3"}))
		golden(t, f.Name+".clear", write(t, f.Name, clear(), Options{Version: "1.2.3"}))
	}
}

func TestGoldenText(t *testing.T) {
	for name, o := range map[string]Options{
		"80":         {Width: 80},
		"200":        {Width: 200},
		"40":         {Width: 40},
		"color":      {Width: 100, Color: true, Elapsed: 18 * time.Millisecond},
		"statistics": {Statistics: "rule"},
		"agents":     {Statistics: "agent", Exit: "exit 1: 5 errors"},
		"max":        {MaxFindings: 2},
		"links":      {Width: 100, Color: true, Hyperlinks: true, Host: "lab", Dir: "/home/ada/lab", Exit: "exit 1: 5 errors"},
	} {
		golden(t, "text."+name, write(t, "text", sample(), o))
	}
}
