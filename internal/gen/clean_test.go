package gen

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	limits "github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	reading "github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/must"
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

// Sessions without a defect conform: no rule has anything to say, not
// even as info, and the published artifact is what the merge gives.
func TestCleanSessionsAreClean(t *testing.T) {
	const n = 30
	dir := generate(t, Options{Seed: 5, Artifacts: n, Threads: n, Forms: []string{"json", "archive", "sqlite"}})
	for _, paths := range [][]string{
		{filepath.Join(dir, "artifacts"), filepath.Join(dir, "json")},
		{filepath.Join(dir, "archive")},
		{filepath.Join(dir, "storage.sqlite3")},
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

// The merge of the program and the few lines of this package come to the same
// state, by different ways.
func TestMergeAgrees(t *testing.T) {
	const n = 200
	dir := generate(t, Options{Seed: 6, Threads: n, Forms: []string{"sqlite"}})
	store := export.NewStore(export.Options{})
	defer store.Close()
	must.OK(t, store.Add(context.Background(), input.New(input.SQLite, filepath.Join(dir, "storage.sqlite3")), nil))
	windows := 0
	for _, info := range store.Threads() {
		thread, _ := store.Load(info)
		r := replay.New(reading.NewThread(thread, limits.Limits{}), replay.Options{})
		if len(r.Facts) > 0 {
			t.Errorf("%s: %+v", thread.ID, r.Facts)
		}
		for _, w := range r.Windows {
			windows++
			if w.Matches == nil || !*w.Matches || len(w.Rejected) > 0 {
				t.Errorf("%s: what was published is not what was merged, %s", thread.ID, w.State.CanonicalJSON())
			}
		}
	}
	if windows != n {
		t.Errorf("%d windows, want %d", windows, n)
	}
}

// foundBy are the rules that have to find the defects, by their names. Other rules may
// find them too.
var foundBy = map[string]string{
	"trailing comma":          "MB-005",
	"operation in other case": "DL-001",
	"short section id":        "DL-002",
	"statement for claim":     "DL-006",
	"json fence":              "DL-013",
	"mojibake anchor":         "DL-018",
	"no context":              "MB-003",
	"status OK":               "MB-016",
	"artifact path elsewhere": "AP-005",
	"other status":            "MR-013",
	"wrong count":             "MR-019",
	"no target":               "MB-006",
	"no ack asked for":        "MB-010",
	"role as tag":             "SU-004",
	"no role":                 "MB-001",
	"other section title":     "ES-001",
	"no third alternative":    "EH-003",
	"anchor out of range":     "EP-P01",
	"no potency check":        "WT-001",
	"item without id":         "ES-003",
	"no version":              "AP-014",
	"one critique":            "EC-001",
}

// Every defect is found by the rule that it is meant for.
func TestDefectsAreFound(t *testing.T) {
	for _, d := range defects {
		rule, ok := foundBy[d.name]
		if !ok {
			t.Errorf("nothing is said of the defect %q", d.name)
		}
		found, tried := false, false
		for index := 0; index < 40 && !tried; index++ {
			s := newSession(1, index, 0, 0)
			dir := filepath.Join(t.TempDir(), "artifacts")
			if !d.apply(s) {
				continue
			}
			write := jsonWriter(dir).write
			if d.inFile {
				write = func(s *Thread) error { return writeFile(filepath.Join(dir, s.ID+".md"), s.Artifact) }
			}
			must.OK(t, write(s))
			tried = true
			var said []string
			for _, f := range check(t, dir).Findings {
				said = append(said, fmt.Sprintf("%s: %s", f.Rule, f.Message))
				found = found || f.Rule == rule
			}
			slices.Sort(said)
			if !found {
				t.Errorf("%s should break %s; said was %q", d.name, rule, said)
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
