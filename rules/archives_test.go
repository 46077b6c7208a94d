package rules_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	udiff "github.com/aymanbagabas/go-udiff"
	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/config"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/fix"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

var update = flag.Bool("update", false, "write what the archives and goldens should hold")

// example is one example of an archive: a small tree of files.
type example struct {
	kind, name string // bad or good
	files      []txtar.File
	want       string
	fixed      map[string]string
}

// TestArchives runs every rule over the examples of its own archive: loud on the
// bad ones, exactly as they say, and silent on the good ones.
func TestArchives(t *testing.T) {
	for _, r := range rules.All() {
		t.Run(r.ID, func(t *testing.T) {
			t.Parallel()
			a := txtar.Parse(r.Doc())
			if len(bytes.TrimSpace(a.Comment)) == 0 {
				t.Errorf("doc/%s.txtar does not say what the rule wants", r.ID)
			}
			examples := split(t, a)
			count := map[string]int{}
			for _, ex := range examples {
				count[ex.kind]++
			}
			for _, kind := range []string{"bad", "good"} {
				if count[kind] < 2 {
					t.Errorf("doc/%s.txtar has %d %s examples, needs 2", r.ID, count[kind], kind)
				}
			}
			checkExamples(t, r, filepath.Join("doc", r.ID+".txtar"), a.Comment, examples)
		})
	}
}

// TestEdges runs rules over the examples of testdata/edges, which have the form of
// the archives. They pin the conditions of a rule down, each side of a boundary and
// each operand, where that would make its page long.
func TestEdges(t *testing.T) {
	paths, err := filepath.Glob("testdata/edges/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("there are no edges", err)
	}
	for _, path := range paths {
		id := strings.TrimSuffix(filepath.Base(path), ".txtar")
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(rules.All(), func(r *lint.Rule) bool { return r.ID == id })
			if at < 0 {
				t.Fatalf("%s is the id of no rule", id)
			}
			checkExamples(t, rules.All()[at], path, a.Comment, split(t, a))
		})
	}
}

// holdGolden holds what was found against a golden file, and writes it on
// -update.
func holdGolden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := udiff.Unified("want", "got", string(want), got); diff != "" {
		t.Errorf("read this, then go test ./rules -run %s -update:\n%s", t.Name(), diff)
	}
}

// checkExamples checks the examples of an archive, and writes it on -update.
func checkExamples(t *testing.T, r *lint.Rule, path string, comment []byte, examples []*example) {
	t.Helper()
	changed := false
	for _, ex := range examples {
		changed = checkExample(t, r, ex) || changed
	}
	if *update && changed {
		writeArchive(t, path, comment, examples)
	}
}

func split(t *testing.T, a *txtar.Archive) []*example {
	var out []*example
	find := func(kind, name string) *example {
		for _, ex := range out {
			if ex.kind == kind && ex.name == name {
				return ex
			}
		}
		ex := &example{kind: kind, name: name, fixed: map[string]string{}}
		out = append(out, ex)
		return ex
	}
	for _, f := range a.Files {
		parts := strings.SplitN(f.Name, "/", 3)
		if len(parts) != 3 || !slices.Contains([]string{"bad", "good", "fixed"}, parts[0]) {
			t.Errorf("file %q is not bad/NAME/FILE, good/NAME/FILE or fixed/NAME/FILE", f.Name)
			continue
		}
		switch {
		case parts[0] == "fixed":
			find("bad", parts[1]).fixed[parts[2]] = string(f.Data)
		case parts[2] == "want":
			find(parts[0], parts[1]).want = string(f.Data)
		default:
			ex := find(parts[0], parts[1])
			ex.files = append(ex.files, txtar.File{Name: parts[2], Data: f.Data})
		}
	}
	return out
}

// checkExample checks one example; it reports whether -update changed it.
func checkExample(t *testing.T, r *lint.Rule, ex *example) bool {
	t.Helper()
	dir := t.TempDir()
	findings := run(t, r, dir, ex.files)
	got := show(dir, findings)
	switch {
	case ex.kind == "good" && got != "":
		t.Errorf("good/%s is not silent:\n%s", ex.name, got)
		return false
	case ex.kind == "good":
		return false
	case got == "":
		t.Errorf("bad/%s: the rule finds nothing", ex.name)
		return false
	case got != ex.want && !*update:
		t.Errorf("bad/%s:\n got:\n%s\nwant:\n%s", ex.name, got, ex.want)
	}
	fixed := applyFixes(t, r, dir, ex.files, findings)
	if !*update {
		for name, want := range ex.fixed {
			if fixed[name] != want {
				t.Errorf("fixed/%s/%s:\n got:\n%s\nwant:\n%s", ex.name, name, fixed[name], want)
			}
		}
		for name := range fixed {
			if _, ok := ex.fixed[name]; !ok {
				t.Errorf("bad/%s: the rule offers a fix of %s that fixed/ does not show", ex.name, name)
			}
		}
	}
	changed := got != ex.want || fmt.Sprint(fixed) != fmt.Sprint(ex.fixed)
	ex.want, ex.fixed = got, fixed
	return changed
}

// run checks the files of an example and returns the rule's own findings.
func run(t *testing.T, r *lint.Rule, dir string, files []txtar.File) []*lint.Finding {
	t.Helper()
	return slices.DeleteFunc(runAll(t, dir, files), func(f *lint.Finding) bool { return f.Rule != r.ID })
}

// runAll checks the files of an example by all rules.
func runAll(t *testing.T, dir string, files []txtar.File) []*lint.Finding {
	t.Helper()
	all := rules.All()
	opts := engine.Options{Workers: 1}
	var paths []string
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if f.Name == config.FileName {
			cfg, err := config.Parse(path, f.Data, all)
			if err != nil {
				t.Fatal(err)
			}
			cfg.Apply(&opts, all)
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	rep, err := engine.New(all, opts).Check(context.Background(), paths...)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range rep.Failures {
		t.Errorf("rule %s failed on %s: %s", f.Rule, f.Path, f.Reason)
	}
	return rep.Findings
}

func show(dir string, findings []*lint.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		path := strings.TrimPrefix(f.Path, filepath.ToSlash(dir)+"/")
		message := strings.ReplaceAll(f.Message, filepath.ToSlash(dir)+"/", "")
		if f.Range == nil {
			fmt.Fprintf(&b, "%s: %s\n", path, message)
		} else {
			fmt.Fprintf(&b, "%s:%d:%d: %s\n", path, f.Range.Start.Line, f.Range.Start.Column, message)
		}
		if f.Suggestion != "" {
			fmt.Fprintf(&b, "    = %s\n", f.Suggestion)
		}
	}
	return b.String()
}

// applyFixes applies the fixes of the findings; the rule must then find nothing
// that it would fix, and a second run must change nothing.
func applyFixes(t *testing.T, r *lint.Rule, dir string, files []txtar.File, findings []*lint.Finding) map[string]string {
	t.Helper()
	out := map[string]string{}
	after := slices.Clone(files)
	for i, file := range files {
		var fixes []*lint.Fix
		for _, f := range findings {
			if f.Fix != nil && strings.TrimPrefix(f.Path, filepath.ToSlash(dir)+"/") == file.Name {
				fixes = append(fixes, f.Fix)
			}
		}
		if len(fixes) == 0 {
			continue
		}
		if !r.Fixable {
			t.Errorf("rule %s offers a fix but is not Fixable", r.ID)
		}
		data, applied := fix.Apply(file.Data, fixes)
		if slices.Contains(applied, true) {
			out[file.Name] = string(data)
			after[i].Data = data
		}
		if !slices.Contains(applied, false) {
			defer func() {
				for _, f := range run(t, r, t.TempDir(), after) {
					if f.Fix != nil {
						t.Errorf("the fix of %s leaves a fault that it would fix: %s", file.Name, f.Message)
					}
				}
			}()
		}
	}
	return out
}

func writeArchive(t *testing.T, path string, comment []byte, examples []*example) {
	t.Helper()
	a := &txtar.Archive{Comment: comment}
	for _, ex := range examples {
		for _, f := range ex.files {
			a.Files = append(a.Files, txtar.File{Name: ex.kind + "/" + ex.name + "/" + f.Name, Data: f.Data})
		}
		if ex.want != "" {
			a.Files = append(a.Files, txtar.File{Name: ex.kind + "/" + ex.name + "/want", Data: []byte(ex.want)})
		}
		for _, f := range ex.files {
			if data, ok := ex.fixed[f.Name]; ok {
				a.Files = append(a.Files, txtar.File{Name: "fixed/" + ex.name + "/" + f.Name, Data: []byte(data)})
			}
		}
	}
	if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}
