package answers

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/ruletest"
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

type linter struct{ rules lint.Catalogue }

// lint names those of the selected rules that the files of a case break. All rules run: what one
// reports may keep another from saying the same.
func (l linter) lint(in conformance.LintInput) (out conformance.LintResult, err error) {
	var all []txtar.File
	for _, f := range in.Files {
		if !filepath.IsLocal(filepath.FromSlash(f.Path)) {
			return out, fmt.Errorf("the path %q leads out of the case", f.Path)
		}
		all = append(all, txtar.File{Name: f.Path, Data: append(f.Base64, f.Text...)})
	}
	if len(in.Roster) > 0 {
		roster, _ := json.Marshal(in.Roster) // which is YAML too
		all = append(all, txtar.File{Name: config.FileName, Data: fmt.Appendf(nil, "agents: {roster: %s}", roster)})
	}
	if len(in.Select) == 0 {
		in.Select = []string{"ALL"}
	}
	selected, err := l.rules.Select(in.Select...)
	if err != nil {
		return out, err
	}
	findings, err := ruletest.Check(all, l.rules...)
	if err != nil {
		return out, err
	}
	out.Rules, out.Findings = []string{}, []conformance.Finding{}
	for _, f := range findings {
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
