// Package ruletest runs rules over the examples of their archives: for tests in Go
// (linttest) and for `brennerlint rules test`.
package ruletest

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/config"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/fix"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/result"
)

// Example is one example of an archive: a small tree of files.
type Example struct {
	Kind, Name string // Kind is bad or good
	Files      []txtar.File
	Want       string            // what is found
	Fixed      map[string]string // the files that fixes change, as they are afterwards
}

// Examples returns those of an archive, in order, and what is wrong with its form.
func Examples(a *txtar.Archive) (out []*Example, problems []string) {
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
		if len(parts) != 3 || !slices.Contains([]string{"bad", "good", "fixed"}, parts[0]) || !filepath.IsLocal(filepath.FromSlash(parts[2])) {
			problems = append(problems, fmt.Sprintf("file %q is not bad/NAME/FILE, good/NAME/FILE or fixed/NAME/FILE", f.Name))
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
	return out, problems
}

// Format returns the archive of examples.
func Format(comment []byte, examples []*Example) []byte {
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
	return txtar.Format(a)
}

// Check writes files into a folder and checks them by rules. A rule that breaks or is
// stopped is an error.
func Check(dir string, files []txtar.File, rules ...*lint.Rule) ([]*result.Finding, error) {
	opts := engine.Options{Workers: 1}
	if len(files) == 1 && files[0].Name == "draft.md" {
		opts.Kind = engine.AsDraft // it would not be recognised
	}
	var paths []string
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if config.IsFileName(f.Name) {
			cfg, err := config.Parse(path, f.Data, rules)
			if err != nil {
				return nil, err
			}
			rules = cfg.AllRules(rules)
			cfg.Apply(&opts, rules)
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	linter, err := engine.New(rules, opts)
	if err != nil {
		return nil, err
	}
	rep, err := linter.Check(context.Background(), paths...)
	if err != nil {
		return nil, err
	}
	if len(rep.Failures) > 0 {
		return nil, &rep.Failures[0]
	}
	return rep.Findings, nil
}

// Findings is findings as archives show them; paths are relative to dir.
func Findings(dir string, findings []*result.Finding) string {
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

// Tester runs the examples of one rule.
type Tester struct {
	Rule  *lint.Rule
	Rules []*lint.Rule // all that run
	// Temp makes an empty folder.
	Temp func() (string, error)
	// Update writes what is found into the examples, instead of comparing.
	Update bool
}

// Run runs the rule over an example: what is wrong, and whether Update changed it.
func (t *Tester) Run(ex *Example) (problems []string, changed bool) {
	report := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	dir, err := t.Temp()
	var findings []*result.Finding
	if err == nil {
		findings, err = Check(dir, ex.Files, t.Rules...)
	}
	if err != nil {
		report("%s/%s: %v", ex.Kind, ex.Name, err)
		return problems, false
	}
	findings = t.own(findings)
	got := Findings(dir, findings)
	switch {
	case ex.Kind == "good" && got != "":
		report("good/%s: the rule finds\n%s", ex.Name, got)
		return problems, false
	case ex.Kind == "good":
		return nil, false
	case got == "":
		report("bad/%s: the rule finds nothing", ex.Name)
		return problems, false
	}
	fixed := t.applyFixes(dir, ex.Files, findings, report)
	if !t.Update {
		compare(ex, got, fixed, report)
		return problems, false
	}
	changed = got != ex.Want || !maps.Equal(fixed, ex.Fixed)
	ex.Want, ex.Fixed = got, fixed
	return problems, changed
}

// compare holds that a bad example says what was found and fixed.
func compare(ex *Example, got string, fixed map[string]string, report func(string, ...any)) {
	if got != ex.Want {
		report("bad/%s:\n got:\n%s\nwant:\n%s", ex.Name, got, ex.Want)
	}
	for _, name := range slices.Sorted(maps.Keys(ex.Fixed)) {
		if want := ex.Fixed[name]; fixed[name] != want {
			report("fixed/%s/%s:\n got:\n%s\nwant:\n%s", ex.Name, name, fixed[name], want)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fixed)) {
		if _, ok := ex.Fixed[name]; !ok {
			report("bad/%s: the rule offers a fix of %s that fixed/ does not show", ex.Name, name)
		}
	}
}

// own returns the findings of the rule.
func (t *Tester) own(findings []*result.Finding) []*result.Finding {
	return slices.DeleteFunc(findings, func(f *result.Finding) bool { return f.Rule != t.Rule.ID })
}

// applyFixes applies the fixes of the findings and returns the files that they
// change. Afterwards the rule must not find what it would fix.
func (t *Tester) applyFixes(dir string, files []txtar.File, findings []*result.Finding, report func(string, ...any)) map[string]string {
	out := map[string]string{}
	after := slices.Clone(files)
	var whole []string // files of which every fix was applied
	for i, file := range files {
		var fixes []*result.SuggestedFix
		for _, f := range findings {
			if f.Fix != nil && strings.TrimPrefix(f.Path, filepath.ToSlash(dir)+"/") == file.Name {
				fixes = append(fixes, f.Fix)
			}
		}
		if len(fixes) == 0 {
			continue
		}
		if !t.Rule.Fixable {
			report("rule %s offers a fix but is not Fixable", t.Rule.ID)
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
	again, err := t.Temp()
	var left []*result.Finding
	if err == nil {
		left, err = Check(again, after, t.Rules...)
	}
	if err != nil {
		report("%v", err)
	}
	for _, f := range t.own(left) {
		if name := strings.TrimPrefix(f.Path, filepath.ToSlash(again)+"/"); f.Fix != nil && slices.Contains(whole, name) {
			report("the fix of %s leaves a fault that it would fix: %s", name, f.Message)
		}
	}
	return out
}

// Missing returns what an archive lacks to test its rule: what it is for, bad or good
// examples, or what a fix gives.
func Missing(r *lint.Rule, a *txtar.Archive, examples []*Example) []string {
	var out []string
	if len(bytes.TrimSpace(a.Comment)) == 0 {
		out = append(out, "it does not say what the rule is for")
	}
	for _, kind := range []string{"bad", "good"} {
		if !slices.ContainsFunc(examples, func(ex *Example) bool { return ex.Kind == kind }) {
			out = append(out, "it has no "+kind+" example")
		}
	}
	if r.Fixable && !slices.ContainsFunc(examples, func(ex *Example) bool { return len(ex.Fixed) > 0 }) {
		out = append(out, "it shows no fix, but the rule is Fixable")
	}
	return out
}
