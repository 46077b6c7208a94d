package rules_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/rulepage"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// aboutRun are the rules that are about the run itself: IN-005 reports suppressions
// that match nothing although their rules ran.
var aboutRun = []string{"IN-005"}

// selection checks an input with some of the rules: select, if not nil, are those
// that run, ignore those that do not. It returns the findings of each rule as JSON.
type selection func(t *testing.T, selected, ignored map[string]bool) map[string][]string

// TestRulesAlone checks that a rule finds the same alone as among all others, and that
// the others find the same without it: which fault follows from which (decisions.md 1
// and 25) depends on facts, not on what another rule reported.
func TestRulesAlone(t *testing.T) {
	testenv.SkipUnderRace(t)
	for i, r := range rules.All() {
		if !testenv.Sampled(i, 20) {
			continue
		}
		t.Run(r.ID, func(t *testing.T) {
			t.Parallel()
			for _, ex := range examplesOf(t, r) {
				checkIndependent(t, ex.Kind+" "+ex.Name(), selecting(t, ex.Files, &engine.Options{}), r.ID)
			}
		})
	}
}

// examplesOf returns the examples of a rule: of its page, and of its edges.
func examplesOf(t *testing.T, r *lint.Rule) (out []*rulepage.Example) {
	t.Helper()
	for _, folder := range []string{"doc", "testdata/edges"} {
		data, err := os.ReadFile(filepath.Join(folder, r.ID+".md"))
		if err != nil {
			continue // no edges; TestPages reports a missing page
		}
		out = append(out, examplesIn(t, data)...)
	}
	return out
}

// examplesIn returns the examples of a page.
func examplesIn(t *testing.T, data []byte) []*rulepage.Example {
	t.Helper()
	page, problems := rulepage.Parse(data)
	for _, p := range problems {
		t.Error(p)
	}
	return page.Examples
}

// TestRulesAloneOnCorpus runs every rule alone over the real mail and artifacts.
func TestRulesAloneOnCorpus(t *testing.T) {
	testenv.SkipUnderRace(t)
	t.Parallel()
	check := func(t *testing.T, selected, ignored map[string]bool) map[string][]string {
		return findingsWith(t, engine.Options{}, selected, ignored, realmail+"json", "../testdata/corpus/artifacts")
	}
	var ids []string
	for _, r := range rules.All() {
		ids = append(ids, r.ID)
	}
	all := check(t, nil, nil)
	for i, id := range ids {
		if !testenv.Sampled(i, 60) {
			continue
		}
		checkAlone(t, "corpus", all, check(t, map[string]bool{id: true}, nil), id)
	}
}

// checkIndependent runs each rule that finds something, and the given one, alone, and
// all others without it.
func checkIndependent(t *testing.T, name string, check selection, id string) {
	t.Helper()
	all := check(t, nil, nil)
	ids := []string{id}
	for found := range all {
		if found != id {
			ids = append(ids, found)
		}
	}
	for _, id := range ids {
		checkAlone(t, name, all, check(t, map[string]bool{id: true}, nil), id)
		if all[id] == nil {
			continue // a rule without findings cannot affect others
		}
		without := check(t, nil, map[string]bool{id: true})
		want := map[string][]string{}
		for other, findings := range all {
			if other != id && !slices.Contains(aboutRun, other) {
				want[other] = findings
			}
		}
		for _, about := range aboutRun {
			delete(without, about)
		}
		if d := cmp.Diff(want, without); d != "" {
			t.Errorf("%s: without %s the other rules find something else (-with +without):\n%s", name, id, d)
		}
	}
}

func checkAlone(t *testing.T, name string, all, alone map[string][]string, id string) {
	t.Helper()
	if d := cmp.Diff(all[id], alone[id]); d != "" && !slices.Contains(aboutRun, id) {
		t.Errorf("%s: alone %s finds something else (-all +alone):\n%s", name, id, d)
	}
}

// selecting writes the files of an example, and returns a function that checks them
// with their configuration.
func selecting(t *testing.T, files []txtar.File, opts *engine.Options) selection {
	t.Helper()
	if len(files) == 1 && files[0].Name == "draft.md" {
		opts.Kind = engine.AsDraft
	}
	paths := written(t, files, opts)
	return func(t *testing.T, selected, ignored map[string]bool) map[string][]string {
		return findingsWith(t, *opts, selected, ignored, paths...)
	}
}

func findingsWith(t *testing.T, opts engine.Options, selected, ignored map[string]bool, paths ...string) map[string][]string {
	t.Helper()
	opts.Severities.Select, opts.Severities.Ignore = selected, ignored
	out := map[string][]string{}
	for _, f := range checked(t, opts, paths...).Findings {
		out[f.Rule] = append(out[f.Rule], string(asJSON(t, f)))
	}
	return out
}
