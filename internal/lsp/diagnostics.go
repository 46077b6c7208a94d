package lsp

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path"
	"slices"

	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// checked is the outcome of a check.
type checked struct {
	findings    []*lint.Finding // in the document
	diagnostics []*Diagnostic   // of the same, one for each
}

// check checks a document, once for each content. The error is a cancelled context.
func (s *server) check(ctx context.Context, snap *snapshot) (*checked, error) {
	var known *checked
	select {
	case known = <-snap.checked:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { snap.checked <- known }()
	if known != nil {
		return known, nil
	}
	select {
	case s.checks <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-s.checks }()
	fresh, err := s.checkNow(ctx, snap)
	if err == nil {
		known = fresh
	}
	return fresh, err
}

func (s *server) checkNow(ctx context.Context, snap *snapshot) (*checked, error) {
	out := &checked{diagnostics: []*Diagnostic{}}
	if snap.isConfig() {
		_, err := config.Parse(snap.path, snap.text, s.opts.Rules)
		var faults *config.Error
		if errors.As(err, &faults) {
			for _, f := range faults.Faults() {
				out.diagnostics = append(out.diagnostics, &Diagnostic{Range: snap.rangeOf(f.Span), Severity: errorSeverity, Source: diagnosticSource, Message: f.Message})
			}
		}
		return out, nil
	}
	rep, err := snap.check(ctx, snap.text)
	if err != nil {
		return nil, err
	}
	for i := range rep.Failures {
		s.log(errorMessage, "%v", &rep.Failures[i])
	}
	for _, f := range rep.Findings {
		if f.Path == snap.path {
			out.findings = append(out.findings, f)
			out.diagnostics = append(out.diagnostics, s.diagnostic(snap.uri, f, s.client.unit.rangeOf))
		}
	}
	return out, nil
}

const diagnosticSource = "brennerlint"

var severities = map[lint.Severity]int{lint.Error: errorSeverity, lint.Warning: warningSeverity, lint.Info: infoSeverity}

// diagnostic returns a finding in a document, with its place as the client counts.
func (s *server) diagnostic(uri string, f *lint.Finding, place func(*source.Range) Range) *Diagnostic {
	d := &Diagnostic{Range: place(f.Range), Severity: severities[f.Severity], Code: f.Rule, Source: diagnosticSource, Message: f.Message}
	if f.Suggestion != "" {
		d.Message += "\n" + f.Suggestion
	}
	can := &s.client.can.TextDocument.PublishDiagnostics
	if r := s.settings.Load().rule(f.Rule); can.CodeDescriptionSupport && r != nil && r.URL != "" {
		d.CodeDescription = map[string]string{"href": r.URL}
	}
	if slices.Contains(can.TagSupport.ValueSet, unnecessaryTag) && onlyDeletes(f.Fix) {
		d.Tags = []int{unnecessaryTag}
	}
	if can.RelatedInformation {
		for i := range f.Related {
			r := &f.Related[i]
			info := relatedInfo{Location: Location{uri, s.client.unit.rangeOf(r.Range)}, Message: r.Message}
			if r.Path == f.Path {
				info.Location.Range = place(r.Range)
			} else {
				info.Location.URI = s.client.uriOf(r.Path)
			}
			d.RelatedInformation = append(d.RelatedInformation, info)
		}
	}
	if can.DataSupport {
		d.Data = &diagnosticData{Fingerprint: f.Fingerprint, Name: f.Name, Suggestion: f.Suggestion}
		if f.Fix != nil {
			d.Data.Fix = map[bool]string{true: "unsafe", false: "safe"}[f.Fix.Unsafe]
		}
	}
	return d
}

// onlyDeletes reports whether a fix only deletes: then the text is not needed.
func onlyDeletes(x *lint.Fix) bool {
	return x != nil && len(x.Edits) > 0 && !slices.ContainsFunc(x.Edits, func(e lint.Edit) bool { return e.Text != "" })
}

// pullDiagnostics answers textDocument/diagnostic. An answer names no version: if the
// document has changed meanwhile, it is checked again.
func pullDiagnostics(s *server, ctx context.Context, r *request) (any, error) {
	var p pullParams
	if err := parse(r.params, &p); err != nil {
		return nil, err
	}
	s.refreshing.Store(false)
	for {
		snap := s.documents.current(p.TextDocument.URI)
		if snap == nil {
			return pullResult{Kind: "full", Items: []*Diagnostic{}}, nil
		}
		checked, err := s.check(ctx, snap)
		if err != nil {
			return nil, err
		}
		if s.documents.current(p.TextDocument.URI) == snap {
			items := s.diagnosticsOf(ctx, snap, checked)
			id := resultID(items)
			if id == p.PreviousResultID {
				return pullResult{Kind: "unchanged", ResultID: id}, nil
			}
			return pullResult{Kind: "full", ResultID: id, Items: items}, nil
		}
	}
}

// mailFindings are the findings of the last check of the workspace, by path, that need mail or other
// files: a check of the document alone does not have them. They stay while the document is open.
type mailFindings map[string][]*lint.Finding

// keepMailFindings keeps the findings that need mail, unless the settings have changed since. If
// they change for an open document, the client is told to ask for its diagnostics again.
func (s *server) keepMailFindings(settings *Settings, findings []*lint.Finding) {
	if settings != s.settings.Load() {
		return
	}
	needMail := map[string]bool{}
	for _, r := range settings.Rules {
		needMail[r.ID] = r.Scope() == lint.ThreadScope || r.Scope() == lint.WorkspaceScope
	}
	now := mailFindings{}
	for _, f := range findings {
		isElsewhere := func(r lint.Related) bool { return r.Path != f.Path } // as a copy of a message
		isOfMany := slices.ContainsFunc(f.Related, isElsewhere) || config.IsFileName(path.Base(f.Path))
		if (needMail[f.Rule] || isOfMany) && f.Path != "" {
			name := s.client.pathOf(s.client.uriOf(f.Path)) // as documents are named
			now[name] = append(now[name], f)
		}
	}
	before := s.fromMail.Swap(&now)
	for _, d := range s.documents.all() {
		if !slices.EqualFunc(now.of(d), before.of(d), isSame) {
			s.refresh()
			return
		}
	}
}

func isSame(a, b *lint.Finding) bool { return a.Fingerprint == b.Fingerprint }

// of returns the findings in a document.
func (m *mailFindings) of(d *snapshot) []*lint.Finding {
	if m == nil {
		return nil
	}
	return (*m)[d.path]
}

// diagnosticsOf returns what an editor shows: what the check of the document found, and the
// findings that need mail.
func (s *server) diagnosticsOf(ctx context.Context, snap *snapshot, c *checked) []*Diagnostic {
	missing := notIn(c.findings, s.fromMail.Load().of(snap))
	if len(missing) == 0 {
		return c.diagnostics
	}
	file, err := os.ReadFile(filePath(snap.uri))
	if err != nil {
		file = snap.text // its places are the best that there are
	}
	// What the file shows without other mail was mended in the text.
	if !bytes.Equal(file, snap.text) {
		if saved, err := snap.check(ctx, file); err == nil {
			missing = notIn(saved.Findings, missing)
		}
	}
	place := func(r *source.Range) Range {
		if r == nil {
			return Range{}
		}
		return snap.rangeOf(moved(file, snap.text, source.Span{Start: r.Start.Offset, End: r.End.Offset}))
	}
	out := slices.Clone(c.diagnostics)
	for _, f := range missing {
		out = append(out, s.diagnostic(snap.uri, f, place))
	}
	return out
}

// notIn returns the findings that are not among the found ones.
func notIn(found, findings []*lint.Finding) []*lint.Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(f *lint.Finding) bool {
		return slices.ContainsFunc(found, func(o *lint.Finding) bool { return o.Rule == f.Rule && o.Message == f.Message })
	})
}

// moved returns where a place is after a text was changed in its middle: what both texts begin
// and end with stays.
func moved(before, after []byte, at source.Span) source.Span {
	start, most := 0, min(len(before), len(after))
	for start < most && before[start] == after[start] {
		start++
	}
	end := 0
	for end < most-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	move := func(offset int) int {
		switch {
		case offset <= start:
			return offset
		case offset >= len(before)-end:
			return offset + len(after) - len(before)
		}
		return start
	}
	return source.Span{Start: move(at.Start), End: move(at.End)}
}
