package answers

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/lint"
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

type linter struct{ rules lint.Catalogue }

// lint names those of the selected rules that the files of a case break. All rules run: what one
// reports may keep another from saying the same.
func (l linter) lint(in conformance.LintInput) (out conformance.LintResult, err error) {
	opts := engine.Options{Workers: 1, Contents: map[string][]byte{}}
	opts.RuleConfig.Roster = in.Roster
	var paths []string
	for _, f := range in.Files {
		if !filepath.IsLocal(filepath.FromSlash(f.Path)) {
			return out, fmt.Errorf("the path %q leads out of the case", f.Path)
		}
		data := f.Base64
		if data == nil {
			data = []byte(f.Text)
		}
		opts.Contents[f.Path], paths = data, append(paths, f.Path)
	}
	if len(in.Select) == 0 {
		in.Select = []string{"ALL"}
	}
	selected, err := l.rules.Select(in.Select...)
	if err != nil {
		return out, err
	}
	if len(in.Files) == 1 && in.Files[0].Path == draftFile {
		opts.Kind = engine.AsDraft
	}
	report, err := engine.Check(context.Background(), l.rules, opts, paths...)
	if err != nil {
		return out, err
	}
	for i := range report.Failures {
		return out, &report.Failures[i]
	}
	out.Rules, out.Findings = []string{}, []conformance.Finding{}
	for _, f := range report.Findings {
		if !selected[f.Rule] {
			continue
		}
		out.Rules = append(out.Rules, f.Rule)
		at := conformance.Finding{Rule: f.Rule, Path: f.Path}
		if f.Range != nil {
			at.Line, at.Column = f.Range.Start.Line, f.Range.Start.Column
		}
		out.Findings = append(out.Findings, at)
	}
	slices.Sort(out.Rules)
	out.Rules = slices.Compact(out.Rules)
	return out, nil
}
