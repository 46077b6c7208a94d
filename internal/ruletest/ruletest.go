// Package ruletest runs rules over the examples of their pages: for tests in Go
// (linttest) and for `brennerlint rules test`.
package ruletest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/fix"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/rulepage"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Check checks files by rules, as if they were in one folder. It returns an error if a rule
// fails or is stopped.
func Check(files []txtar.File, rules ...*lint.Rule) ([]*lint.Finding, error) {
	opts := engine.Options{Workers: 1, Contents: map[string][]byte{}}
	var paths []string
	for _, f := range files {
		if config.IsFileName(f.Name) {
			cfg, err := config.Parse(f.Name, f.Data, rules)
			if err != nil {
				return nil, err
			}
			rules = cfg.AllRules(rules)
			cfg.Apply(&opts, rules)
			continue
		}
		opts.Contents[f.Name], paths = f.Data, append(paths, f.Name)
	}
	if len(paths) == 1 && paths[0] == "draft.md" {
		opts.Kind = engine.AsDraft // otherwise it would not be recognised
	}
	rep, err := engine.Check(context.Background(), rules, opts, paths...)
	if unknown, ok := errors.AsType[*input.UsageError](err); ok { // the flags of a check are not the writer's
		return nil, &input.UsageError{Path: unknown.Path, Reason: unknown.Reason}
	}
	if err != nil {
		return nil, err
	}
	if len(rep.Failures) > 0 {
		return nil, &rep.Failures[0]
	}
	return rep.Findings, nil
}

// Findings formats findings as pages show them.
func Findings(findings []*lint.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&b, "%s: %s\n", place(f.Path, f.Range), f.Message)
		if about := subject(f); about != "" {
			fmt.Fprintf(&b, "  in: %s\n", about)
		}
		if f.Suggestion != "" {
			fmt.Fprintf(&b, "  suggestion: %s\n", f.Suggestion)
		}
		if f.Fix != nil {
			fmt.Fprintf(&b, "  fix: %s%s\n", f.Fix.Description, map[bool]string{true: " (unsafe)"}[f.Fix.Unsafe])
		}
		for _, r := range f.Related {
			fmt.Fprintf(&b, "  related: %s: %s\n", place(r.Path, r.Range), r.Message)
		}
	}
	return b.String()
}

// place returns where a finding begins and ends.
func place(path string, r *source.Range) string {
	if r == nil {
		return path
	}
	return fmt.Sprintf("%s:%d:%d-%d:%d", path, r.Start.Line, r.Start.Column, r.End.Line, r.End.Column)
}

// subject names what a finding is in, from the thread to the field.
func subject(f *lint.Finding) string {
	var parts []string
	add := func(what, name string) {
		if name != "" {
			parts = append(parts, what+" "+name)
		}
	}
	add("thread", f.Thread)
	add("message", f.MessageID)
	if f.Delta != 0 {
		add("delta", strconv.Itoa(f.Delta))
	}
	add("item", f.Item)
	add("field", f.Field)
	return strings.Join(parts, ", ")
}

// Run runs a rule, one of those given, over the examples of its page. It returns what is wrong.
// With update it writes the findings into the examples instead of comparing, and reports
// whether that changed one.
func Run(page *rulepage.Page, rule *lint.Rule, rules lint.Catalogue, update bool) (problems []string, changed bool) {
	t := &tester{rule: rule, rules: rules}
	for _, ex := range page.Examples {
		changed = t.run(ex, update) || changed
	}
	return t.problems, changed
}

type tester struct {
	rule     *lint.Rule
	rules    lint.Catalogue // all that run
	problems []string
}

func (t *tester) report(format string, args ...any) {
	t.problems = append(t.problems, fmt.Sprintf(format, args...))
}

// run runs the rule over an example, and reports whether it was updated.
func (t *tester) run(ex *rulepage.Example, update bool) (changed bool) {
	findings, err := t.check(ex.Files)
	got := Findings(findings)
	switch {
	case err != nil:
		t.report("%s: %v", ex.Title, err)
	case ex.Kind == rulepage.Good && got != "":
		t.report("%s: the rule finds\n%s", ex.Title, got)
	case ex.Kind == rulepage.Good:
	case got == "":
		t.report("%s: the rule finds nothing", ex.Title)
	default:
		fixed := t.applyFixes(ex.Files, findings)
		changed = got != ex.Findings || !maps.Equal(fixed, ex.Fixed)
		if update {
			ex.Findings, ex.Fixed = got, fixed
			return changed
		}
		t.compare(ex, got, fixed)
	}
	return false
}

// compare compares a bad example with what was found and fixed.
func (t *tester) compare(ex *rulepage.Example, got string, fixed map[string]string) {
	if got != ex.Findings {
		t.report("%s:\n got:\n%s\nwant:\n%s", ex.Title, got, ex.Findings)
	}
	all := maps.Clone(ex.Fixed)
	maps.Copy(all, fixed)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		switch want, shown := ex.Fixed[name]; {
		case !shown:
			t.report("%s: the rule offers a fix of %s that the page does not show", ex.Title, name)
		case fixed[name] != want:
			t.report("%s: %s, fixed:\n got:\n%s\nwant:\n%s", ex.Title, name, fixed[name], want)
		}
	}
}

// check checks files and returns the findings of the rule.
func (t *tester) check(files []txtar.File) ([]*lint.Finding, error) {
	findings, err := Check(files, t.rules...)
	return slices.DeleteFunc(findings, func(f *lint.Finding) bool { return f.Rule != t.rule.ID }), err
}

// applyFixes applies the fixes of the findings and returns the files that they
// change. Afterwards the rule must not find what it would fix.
func (t *tester) applyFixes(files []txtar.File, findings []*lint.Finding) map[string]string {
	out := map[string]string{}
	after := slices.Clone(files)
	var whole []string // files in which every fix was applied
	for i, file := range files {
		var fixes []*lint.Fix
		for _, f := range findings {
			if f.Fix != nil && f.Path == file.Name {
				fixes = append(fixes, f.Fix)
			}
		}
		if len(fixes) == 0 {
			continue
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
	left, err := t.check(after)
	if err != nil {
		t.report("%v", err)
	}
	for _, f := range left {
		if f.Fix != nil && slices.Contains(whole, f.Path) {
			t.report("the fix of %s leaves a fault that it would fix: %s", f.Path, f.Message)
		}
	}
	return out
}

// Missing returns what a page lacks to test its rule: prose, bad or good examples.
func Missing(page *rulepage.Page) []string {
	var out []string
	if page.Prose == "" {
		out = append(out, "it does not say what the rule is for")
	}
	for _, s := range rulepage.Sections {
		if !slices.ContainsFunc(page.Examples, func(ex *rulepage.Example) bool { return ex.Kind == s.Kind }) {
			out = append(out, "it has no "+s.Kind+" example below ## "+s.Title)
		}
	}
	return out
}
