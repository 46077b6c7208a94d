// Package linttest runs rules over the examples of their archives, as
// analysistest does for analyzers.
//
// An archive (txtar) is a rule's documentation, its examples and its test. Its
// comment says what the rule is for; its files are examples:
//
//	bad/NAME/FILE   an input with the fault
//	bad/NAME/want   the findings of this rule: FILE:LINE:COL: message, then, if
//	                there is a suggestion, a line "    = suggestion"
//	good/NAME/FILE  an input in which the rule finds nothing
//	fixed/NAME/FILE a file of bad/NAME after the rule's fixes, unsafe ones included
//
// A file .brennerlint.yaml of an example is its configuration.
package linttest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/config"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/fix"
	"github.com/brennerlint/brennerlint/lint"
)

// ArchiveDir is the folder of the archives, below that of the test. They are
// written there, as ID.txtar, by a test that has a flag -update and is given it:
//
//	var _ = flag.Bool("update", false, "write the archives")
const ArchiveDir = "doc"

// Run runs each rule over the examples of its own archive (Rule.Archive), as a
// subtest: it finds what the bad ones say, exactly, and nothing in the good ones.
// There must be at least one of each. All rules run; of each example only the
// findings of the archive's rule count.
func Run(t *testing.T, rules ...*lint.Rule) {
	t.Helper()
	for _, r := range rules {
		t.Run(r.ID, func(t *testing.T) {
			t.Parallel()
			if r.Archive == nil {
				t.Fatalf("rule %s has no archive", r.ID)
			}
			a := txtar.Parse(r.Archive())
			if len(bytes.TrimSpace(a.Comment)) == 0 {
				t.Errorf("the archive of %s does not say what the rule is for", r.ID)
			}
			examples := Examples(t, a)
			for _, kind := range []string{"bad", "good"} {
				if !slices.ContainsFunc(examples, func(ex *Example) bool { return ex.Kind == kind }) {
					t.Errorf("the archive of %s has no %s example", r.ID, kind)
				}
			}
			checkExamples(t, filepath.Join(ArchiveDir, r.ID+".txtar"), a, examples, r, rules)
		})
	}
}

// RunFile runs a rule over the examples of a file in the form of an archive.
func RunFile(t *testing.T, path string, rule *lint.Rule, rules ...*lint.Rule) {
	t.Helper()
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	checkExamples(t, path, a, Examples(t, a), rule, rules)
}

// Example is one example of an archive: a small tree of files.
type Example struct {
	Kind, Name string // Kind is bad or good
	Files      []txtar.File
	Want       string            // what is found
	Fixed      map[string]string // the files that fixes change, as they are afterwards
}

// Examples are those of an archive, in order.
func Examples(t *testing.T, a *txtar.Archive) []*Example {
	t.Helper()
	var out []*Example
	find := func(kind, name string) *Example {
		for _, ex := range out {
			if ex.Kind == kind && ex.Name == name {
				return ex
			}
		}
		ex := &Example{Kind: kind, Name: name, Fixed: map[string]string{}}
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
			find("bad", parts[1]).Fixed[parts[2]] = string(f.Data)
		case parts[2] == "want":
			find(parts[0], parts[1]).Want = string(f.Data)
		default:
			ex := find(parts[0], parts[1])
			ex.Files = append(ex.Files, txtar.File{Name: parts[2], Data: f.Data})
		}
	}
	return out
}

// Check writes files into a folder and checks them by rules. A rule that panics
// is an error of the test.
func Check(t *testing.T, dir string, files []txtar.File, rules ...*lint.Rule) []*lint.Finding {
	t.Helper()
	opts := engine.Options{Workers: 1}
	if len(files) == 1 && files[0].Name == "draft.md" {
		opts.Kind = engine.AsDraft // it would not be recognised
	}
	var paths []string
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if f.Name == config.FileName {
			cfg, err := config.Parse(path, f.Data, rules)
			if err != nil {
				t.Fatal(err)
			}
			rules = cfg.AllRules(rules)
			cfg.Apply(&opts, rules)
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
	rep, err := engine.MustNew(rules, opts).Check(context.Background(), paths...)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range rep.Failures {
		t.Errorf("rule %s failed on %s: %s", f.Rule, f.Path, f.Reason)
	}
	return rep.Findings
}

// Format is findings as archives show them; paths are relative to dir.
func Format(dir string, findings []*lint.Finding) string {
	var b strings.Builder
	prefix := filepath.ToSlash(dir) + "/"
	for _, f := range findings {
		path := strings.TrimPrefix(f.Path, prefix)
		message := strings.ReplaceAll(f.Message, prefix, "")
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

// updating reports whether the test has a flag -update and was given it.
func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// checkExamples checks the examples of an archive, and writes it on -update.
func checkExamples(t *testing.T, path string, a *txtar.Archive, examples []*Example, rule *lint.Rule, rules []*lint.Rule) {
	t.Helper()
	changed := false
	for _, ex := range examples {
		changed = checkExample(t, ex, rule, rules) || changed
	}
	if updating() && changed {
		writeArchive(t, path, a.Comment, examples)
	}
}

// checkExample checks one example; it reports whether -update changed it.
func checkExample(t *testing.T, ex *Example, rule *lint.Rule, rules []*lint.Rule) bool {
	t.Helper()
	dir := t.TempDir()
	findings := findingsOf(rule, Check(t, dir, ex.Files, rules...))
	got := Format(dir, findings)
	if ex.Kind == "good" {
		if got != "" {
			t.Errorf("good/%s: the rule finds\n%s", ex.Name, got)
		}
		return false
	}
	if got == "" {
		t.Errorf("bad/%s: the rule finds nothing", ex.Name)
		return false
	}
	fixed := applyFixes(t, dir, ex.Files, findings, rule, rules)
	if !updating() {
		compare(t, ex, got, fixed)
		return false
	}
	changed := got != ex.Want || !maps.Equal(fixed, ex.Fixed)
	ex.Want, ex.Fixed = got, fixed
	return changed
}

// compare holds that a bad example says what was found and fixed.
func compare(t *testing.T, ex *Example, got string, fixed map[string]string) {
	t.Helper()
	if got != ex.Want {
		t.Errorf("bad/%s:\n got:\n%s\nwant:\n%s", ex.Name, got, ex.Want)
	}
	for name, want := range ex.Fixed {
		if fixed[name] != want {
			t.Errorf("fixed/%s/%s:\n got:\n%s\nwant:\n%s", ex.Name, name, fixed[name], want)
		}
	}
	for name := range fixed {
		if _, ok := ex.Fixed[name]; !ok {
			t.Errorf("bad/%s: the rule offers a fix of %s that fixed/ does not show", ex.Name, name)
		}
	}
}

func findingsOf(rule *lint.Rule, findings []*lint.Finding) []*lint.Finding {
	return slices.DeleteFunc(findings, func(f *lint.Finding) bool { return f.Rule != rule.ID })
}

// applyFixes applies the fixes of the findings and returns the files that they
// change. Afterwards the rule must not find what it would fix.
func applyFixes(t *testing.T, dir string, files []txtar.File, findings []*lint.Finding, rule *lint.Rule, rules []*lint.Rule) map[string]string {
	t.Helper()
	out := map[string]string{}
	after := slices.Clone(files)
	var whole []string // files of which every fix was applied
	for i, file := range files {
		var fixes []*lint.SuggestedFix
		for _, f := range findings {
			if f.Fix != nil && strings.TrimPrefix(f.Path, filepath.ToSlash(dir)+"/") == file.Name {
				fixes = append(fixes, f.Fix)
			}
		}
		if len(fixes) == 0 {
			continue
		}
		if !rule.Fixable {
			t.Errorf("rule %s offers a fix but is not Fixable", rule.ID)
		}
		data, applied := fix.Apply(file.Data, fixes)
		if slices.Contains(applied, true) {
			out[file.Name] = string(data)
			after[i].Data = data
		}
		if !slices.Contains(applied, false) {
			whole = append(whole, file.Name)
		}
	}
	if len(whole) == 0 {
		return out
	}
	again := t.TempDir()
	for _, f := range findingsOf(rule, Check(t, again, after, rules...)) {
		if name := strings.TrimPrefix(f.Path, filepath.ToSlash(again)+"/"); f.Fix != nil && slices.Contains(whole, name) {
			t.Errorf("the fix of %s leaves a fault that it would fix: %s", name, f.Message)
		}
	}
	return out
}

func writeArchive(t *testing.T, path string, comment []byte, examples []*Example) {
	t.Helper()
	a := &txtar.Archive{Comment: comment}
	for _, ex := range examples {
		for _, f := range ex.Files {
			a.Files = append(a.Files, txtar.File{Name: ex.Kind + "/" + ex.Name + "/" + f.Name, Data: f.Data})
		}
		if ex.Want != "" {
			a.Files = append(a.Files, txtar.File{Name: ex.Kind + "/" + ex.Name + "/want", Data: []byte(ex.Want)})
		}
		for _, f := range ex.Files {
			if data, ok := ex.Fixed[f.Name]; ok {
				a.Files = append(a.Files, txtar.File{Name: "fixed/" + ex.Name + "/" + f.Name, Data: []byte(data)})
			}
		}
	}
	if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}
