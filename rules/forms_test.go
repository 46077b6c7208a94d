package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
)

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

// chunksAlone returns the chunked bundle without the database.
func chunksAlone(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "share")
	must.OK(t, os.CopyFS(dir, os.DirFS(realmail+"bundle-chunked")))
	must.OK(t, os.Remove(filepath.Join(dir, "mailbox.sqlite3")))
	return dir
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
		"chunked":      {[]string{realmail + "bundle-chunked"}, nothing},
		"chunks alone": {[]string{chunksAlone(t)}, nothing},
		"all at once":  {[]string{realmail + "bundle-chunked", realmail + "archive", realmail + "storage.sqlite3"}, nothing},
		"archive":      {[]string{realmail + "archive"}, acks},
		"json":         {jsonThreads(t), recipients},
		"bundle":       {[]string{realmail + "bundle"}, flags},
		"zip":          {[]string{realmail + "bundle.zip"}, flags},
	} {
		want := findings(t, c.drop, realmail+"storage.sqlite3")
		if d := cmp.Diff(want, findings(t, c.drop, c.paths...)); d != "" {
			t.Errorf("%s (-live +%s):\n%s", name, name, d)
		}
	}
}
