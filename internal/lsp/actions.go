package lsp

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/fix"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// The kinds of code actions.
const (
	quickFix = "quickfix"
	fixAll   = "source.fixAll.brennerlint"
)

// maxOffered is the largest document, in bytes, for which "fix all" is offered to a client
// that asks for any action. To offer it, the document is checked several times.
const maxOffered = 256 << 10

type codeActionParams struct {
	TextDocument textDocument `json:"textDocument"`
	Range        Range        `json:"range"`
	Context      struct {
		Only        []string `json:"only"`
		TriggerKind int      `json:"triggerKind"`
	} `json:"context"`
}

type codeAction struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []*Diagnostic  `json:"diagnostics,omitempty"`
	IsPreferred bool           `json:"isPreferred,omitempty"`
	Disabled    *disabled      `json:"disabled,omitempty"`
	Edit        *workspaceEdit `json:"edit,omitempty"`
}

// disabled says why an action cannot be made.
type disabled struct {
	Reason string `json:"reason"`
}

// invoked is the CodeActionTriggerKind of a user who asks for actions.
const invoked = 1

// workspaceEdit holds the changes with the version of the document, or without it if the
// client knows no versions.
type workspaceEdit struct {
	DocumentChanges []documentEdit        `json:"documentChanges,omitempty"`
	Changes         map[string][]textEdit `json:"changes,omitempty"`
}

type documentEdit struct {
	TextDocument versionedDocument `json:"textDocument"`
	Edits        []textEdit        `json:"edits"`
}

// asks reports whether the client wants actions of a kind: it names the kind, one above it,
// or none.
func (p *codeActionParams) asks(kind string) bool {
	return len(p.Context.Only) == 0 || p.names(kind)
}

func (p *codeActionParams) names(kind string) bool {
	return slices.ContainsFunc(p.Context.Only, func(only string) bool { return kind == only || strings.HasPrefix(kind, only+".") })
}

// codeActions returns the actions for a range: fix or suppress a finding there, apply all safe
// fixes of the document, and replace the artifact by what the mail gives.
func codeActions(s *server, ctx context.Context, snap *snapshot, p *codeActionParams) (any, error) {
	out := []*codeAction{}
	if snap.isConfig() {
		return out, nil
	}
	checked, err := s.check(ctx, snap)
	if err != nil {
		return nil, err
	}
	safe := 0
	asked := snap.span(p.Range)
	var suppressions []*codeAction
	for i, f := range checked.findings {
		if f.Fix != nil && !f.Fix.Unsafe {
			safe++
		}
		if f.Range == nil || f.Range.Start.Offset > asked.End || f.Range.End.Offset < asked.Start || !p.asks(quickFix) {
			continue
		}
		if f.Fix != nil {
			out = append(out, s.fixAction(snap, f, checked.diagnostics[i]))
		}
		if a := s.suppression(snap, f, checked.diagnostics[i]); a != nil {
			suppressions = append(suppressions, a)
		}
	}
	out = append(out, suppressions...)
	if safe > 0 && (p.names(fixAll) || p.asks(fixAll) && len(snap.text) <= maxOffered) {
		all, err := s.fixAllAction(ctx, snap)
		if err != nil {
			return nil, err
		}
		out = append(out, all...)
	}
	compiled, err := s.compileActions(ctx, snap, p)
	return append(out, compiled...), err
}

func (s *server) fixAction(snap *snapshot, f *lint.Finding, d *Diagnostic) *codeAction {
	title := cmp.Or(f.Fix.Description, "fix "+f.Rule)
	if f.Fix.Unsafe {
		title += " (unsafe: may change the meaning)"
	}
	edits := make([]textEdit, 0, len(f.Fix.Edits))
	for _, e := range f.Fix.Edits {
		edits = append(edits, textEdit{s.client.unit.rangeOf(&e.Range), e.Text})
	}
	return &codeAction{Title: title, Kind: quickFix, Diagnostics: []*Diagnostic{d}, IsPreferred: !f.Fix.Unsafe, Edit: s.edit(snap, edits)}
}

// edit returns the change of a document. A client that knows versions refuses it if the
// document has changed meanwhile.
func (s *server) edit(snap *snapshot, edits []textEdit) *workspaceEdit {
	if s.client.can.Workspace.WorkspaceEdit.DocumentChanges {
		return &workspaceEdit{DocumentChanges: []documentEdit{{versionedDocument{snap.uri, snap.version}, edits}}}
	}
	return &workspaceEdit{Changes: map[string][]textEdit{snap.uri: edits}}
}

// fixAllAction applies all safe fixes, and those that become possible by them.
func (s *server) fixAllAction(ctx context.Context, snap *snapshot) ([]*codeAction, error) {
	res, err := fix.All(snap.text, false, func(data []byte) ([]*lint.Finding, error) {
		rep, err := snap.check(ctx, data)
		switch {
		case err != nil:
			return nil, err
		case len(rep.Failures) > 0: // it is unknown which faults are left
			return nil, &rep.Failures[0]
		}
		return slices.DeleteFunc(rep.Findings, func(f *lint.Finding) bool { return f.Path != snap.path }), nil
	})
	if failure := new(lint.Failure); errors.As(err, &failure) {
		return nil, nil // the other actions are still right
	}
	if err != nil || bytes.Equal(res.Data, snap.text) {
		return nil, err
	}
	edit := s.edit(snap, lineEdits(snap, res.Data))
	return []*codeAction{{Title: fmt.Sprintf("apply all safe fixes (%d)", res.Fixed), Kind: fixAll, Edit: edit}}, nil
}

// suppression adds the comment that suppresses a finding in an artifact. The reason is
// left to the writer: until there is one, the comment has no effect and is reported.
func (s *server) suppression(snap *snapshot, f *lint.Finding, d *Diagnostic) *codeAction {
	a := snap.model()
	if !f.Artifact || a == nil || a.IsJSON() || f.Unreadable {
		return nil
	}
	at, directive, of := suppressionPlace(a, f.Range.Start.Offset)
	place := snap.rangeOf(source.Span{Start: at, End: at})
	text := fmt.Sprintf("<!-- brennerlint:%s %s --  -->\n", directive, f.Rule)
	return &codeAction{
		Title: fmt.Sprintf("suppress %s for %s (write the reason after --)", f.Rule, of), Kind: quickFix,
		Diagnostics: []*Diagnostic{d}, Edit: s.edit(snap, []textEdit{{place, text}}),
	}
}

// suppressionPlace returns where to put the comment for a finding at an offset: before the
// item, else before the section, else at the beginning of the file.
func suppressionPlace(a *artifact.Artifact, offset int) (at int, directive, of string) {
	lineStart := func(at int) int { return bytes.LastIndexByte(a.Text.Data[:at], '\n') + 1 }
	for _, sec := range a.Sections {
		if offset < lineStart(sec.Heading.Start) || offset >= sec.Span.End {
			continue
		}
		for _, it := range sec.Items {
			if sec.Kind != brenner.PredictionsTable && lineStart(it.Heading.Start) <= offset && offset < it.Span.End {
				return lineStart(it.Heading.Start), "ignore", it.ID.String()
			}
		}
		return lineStart(sec.Heading.Start), "ignore", sec.Kind.Title()
	}
	if a.Meta != nil {
		end := a.Meta.Span.End
		if n := bytes.IndexByte(a.Text.Data[end:], '\n'); n >= 0 {
			return end + n + 1, "ignore-file", "this file"
		}
	}
	return 0, "ignore-file", "this file"
}
