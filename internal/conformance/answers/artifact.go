package answers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/source"
)

func artifactState(in conformance.ArtifactInput) (conformance.ArtifactResult, error) {
	a := artifact.ParseMarkdown(source.NewText([]byte(in.Markdown)), artifact.Limits{})
	return conformance.ArtifactResult{State: a.State().CanonicalJSON()}, nil
}

func rendered(in conformance.RenderInput) (conformance.RenderResult, error) {
	s, err := artifact.ReadState(in.State)
	if err != nil {
		return conformance.RenderResult{}, err
	}
	text := artifact.Render(s, artifact.RenderMeta{SessionID: in.SessionID, Version: 1, Status: "draft"})
	return conformance.RenderResult{Markdown: string(text)}, nil
}

// draftFile is the name of a file that holds a draft in Markdown, which would not be
// recognised.
const draftFile = "draft.md"

// linted writes the files of a case into a folder and checks them.
func (a *Answerer) linted(in conformance.LintInput) (out conformance.LintResult, err error) {
	dir, err := os.MkdirTemp("", "brennerlint-conformance-")
	if err != nil {
		return out, err
	}
	defer os.RemoveAll(dir)
	var paths []string
	for _, f := range in.Files {
		if !filepath.IsLocal(filepath.FromSlash(f.Path)) {
			return out, fmt.Errorf("the path %q leads out of the case", f.Path)
		}
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return out, err
		}
		data := f.Base64
		if data == nil {
			data = []byte(f.Text)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return out, err
		}
		paths = append(paths, path)
	}
	selected := in.Select
	if len(selected) == 0 {
		selected = []string{"ALL"}
	}
	rules, err := a.rules.Select(selected...)
	if err != nil {
		return out, err
	}
	opts := engine.Options{Workers: 1}
	opts.RuleConfig.Roster = in.Roster
	if len(in.Files) == 1 && in.Files[0].Path == draftFile {
		opts.Kind = engine.AsDraft
	}
	return a.check(opts, rules, dir, paths)
}

// check names those of the rules that the files break. All rules run: what one
// reports may keep another from saying the same.
func (a *Answerer) check(opts engine.Options, rules map[string]bool, dir string, paths []string) (out conformance.LintResult, err error) {
	report, err := engine.Check(context.Background(), a.rules, opts, paths...)
	if err != nil {
		return out, err
	}
	for i := range report.Failures {
		return out, &report.Failures[i]
	}
	out.Rules, out.Findings = []string{}, []conformance.Finding{}
	prefix := filepath.ToSlash(dir) + "/"
	for _, f := range report.Findings {
		if !rules[f.Rule] {
			continue
		}
		out.Rules = append(out.Rules, f.Rule)
		at := conformance.Finding{Rule: f.Rule, Path: strings.TrimPrefix(f.Path, prefix)}
		if f.Range != nil {
			at.Line, at.Column = f.Range.Start.Line, f.Range.Start.Column
		}
		out.Findings = append(out.Findings, at)
	}
	slices.Sort(out.Rules)
	out.Rules = slices.Compact(out.Rules)
	return out, nil
}
