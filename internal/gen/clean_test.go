package gen

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

func check(t testing.TB, paths ...string) *lint.Report {
	t.Helper()
	report, err := engine.Check(context.Background(), rules.All(), engine.Options{}, paths...)
	must.OK(t, err)
	for _, f := range report.Failures {
		t.Errorf("%s broke: %s", f.Rule, f.Reason)
	}
	return report
}

// Sessions without a defect conform in every form, which has all their mail: no rule has
// anything to say, not even as info, and the published artifact is what the merge gives.
func TestCleanSessionsAreClean(t *testing.T) {
	n := map[bool]int{false: 8, true: 30}[testenv.Nightly()]
	dir := generate(t, Options{Seed: 5, Artifacts: n, Threads: n, Forms: Forms})
	for _, paths := range [][]string{
		{filepath.Join(dir, "artifacts"), filepath.Join(dir, "json")},
		{filepath.Join(dir, "archive")},
		{filepath.Join(dir, "storage.sqlite3")},
		{filepath.Join(dir, "bundle.zip")},
		{dir},
	} {
		report := check(t, paths...)
		for _, f := range report.Findings {
			t.Errorf("%s %s %s: %s", f.Rule, f.Path, f.MessageID, f.Message)
		}
		if report.Summary.Messages != n*perThread || report.Summary.Threads != n {
			t.Errorf("%v: %+v", paths, report.Summary)
		}
	}
}

// Every defect is found: without it a session has no finding.
func TestDefectsAreFound(t *testing.T) {
	for _, d := range defects {
		tried := false
		for index := 0; index < 40 && !tried; index++ {
			s := newSession(1, index, 0, 0)
			dir := filepath.Join(t.TempDir(), "artifacts")
			if tried = d.apply(s); !tried {
				continue
			}
			write := jsonWriter(dir).write
			if d.inFile {
				write = func(s *Thread) error { return writeFile(filepath.Join(dir, s.ID+".md"), s.Artifact) }
			}
			must.OK(t, write(s))
			if len(check(t, dir).Findings) == 0 {
				t.Errorf("nothing is said of the defect %q", d.name)
			}
		}
		if !tried {
			t.Errorf("%s never breaks anything", d.name)
		}
	}
}

// With a finding for every item, each item of the artifacts has one, in the file and in
// the mail that publishes it, and each delta that adds it. Besides, the publisher says
// that there are none.
func TestEveryItemHasAFinding(t *testing.T) {
	const n = 5
	dir := generate(t, Options{Seed: 5, Artifacts: n, Threads: n, Findings: 1, Forms: []string{"json"}})
	items, found := map[string]bool{}, map[string]int{}
	for _, f := range check(t, filepath.Join(dir, "artifacts"), filepath.Join(dir, "json")).Findings {
		if f.Artifact {
			items[f.Path+" "+f.Item] = true
			f.Rule += " in the file"
		}
		found[f.Rule]++
	}
	if found["DL-011"] < len(items) { // of a killed item no citation counts
		t.Errorf("%d deltas lack a rationale", found["DL-011"])
	}
	want := map[string]int{"EP-P01 in the file": len(items), "EP-P01": len(items), "DL-011": found["DL-011"], "AP-019": n}
	if d := cmp.Diff(want, found); d != "" || len(items) < 15*n {
		t.Errorf("%d items (-want +found):\n%s", len(items), d)
	}
}
