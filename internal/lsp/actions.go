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
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/fix"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
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
	documentParams
	Range   Range `json:"range"`
	Context struct {
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
	TextDocument document   `json:"textDocument"`
	Edits        []textEdit `json:"edits"`
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
		return &workspaceEdit{DocumentChanges: []documentEdit{{document{snap.uri, snap.version}, edits}}}
	}
	return &workspaceEdit{Changes: map[string][]textEdit{snap.uri: edits}}
}

// fixAllAction applies all safe fixes, and those that become possible by them.
func (s *server) fixAllAction(ctx context.Context, snap *snapshot) ([]*codeAction, error) {
	check := func(data []byte) (*lint.Report, error) { return snap.check(ctx, data) }
	res, err := fix.All(snap.text, false, fix.OfReport(snap.path, check))
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
	// Nothing suppresses what is said of the input itself and of suppressions.
	r := snap.settings.rule(f.Rule)
	if !f.Artifact || a == nil || a.IsJSON() || r != nil && r.Scope() == lint.InputScope {
		return nil
	}
	at, directive, of := suppressionPlace(a, f.Range.Start.Offset)
	if of == "" {
		return nil
	}
	place := snap.rangeOf(source.Span{Start: at, End: at})
	text := fmt.Sprintf("<!-- brennerlint:%s %s --  -->\n", directive, f.Rule)
	return &codeAction{
		Title: fmt.Sprintf("suppress %s for %s (write the reason after --)", f.Rule, of), Kind: quickFix,
		Diagnostics: []*Diagnostic{d}, Edit: s.edit(snap, []textEdit{{place, text}}),
	}
}

// suppressionPlace returns where to put the comment for a finding at an offset: before the
// item, else before the section, else at the beginning of the file. There is none if the file
// has no line below its front matter, or this cannot be read.
func suppressionPlace(a *artifact.Artifact, offset int) (at int, directive, of string) {
	lineStart := a.Text.LineStart
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
		line, _, ok := bytes.Cut(a.Text.Data[a.Meta.Span.End:], []byte("\n"))
		if at = a.Meta.Span.End + len(line) + 1; !ok {
			return 0, "", ""
		}
	}
	if a.MetaFault != nil {
		return 0, "", ""
	}
	return at, "ignore-file", "this file"
}

// compileKind is the kind of the actions that write the artifact that the mail gives.
const compileKind = "source.compile.brennerlint"

// compileActions returns the actions that replace an artifact by what the mail of the
// workspace gives: its next version, and the version that its front matter names. A client
// that asks for any action gets them only if the mail is indexed already.
func (s *server) compileActions(ctx context.Context, snap *snapshot, p *codeActionParams) ([]*codeAction, error) {
	a := snap.model()
	if a == nil || a.IsJSON() || !p.asks(compileKind) {
		return nil, nil
	}
	if !p.names(compileKind) && !s.hasMailbox() {
		return nil, nil
	}
	var out []*codeAction
	err := s.inThread(ctx, snap, func(t *engine.Thread) error {
		next, err := t.Compile(replay.CompileOptions{})
		var nothing *replay.NothingError
		switch {
		case errors.As(err, &nothing) && t.LatestVersion() > 0: // what is published can be written
		case err != nil:
			out = append(out, refusedAction("compile from mail", err))
			return nil
		default:
			out = append(out, s.compileVersion(snap, next)...)
		}
		published := t.LatestVersion()
		if v := a.Meta.Get("version"); v != nil && next != nil {
			published, _ = t.Published(v.Text)
		}
		if published == 0 {
			return nil
		}
		again, err := t.Compile(replay.CompileOptions{Version: published})
		if err == nil {
			out = append(out, s.compileVersion(snap, again)...)
		}
		return err
	})
	if err != nil && ctx.Err() == nil { // the mail cannot be read
		out, err = []*codeAction{refusedAction("compile from mail", err)}, nil
	}
	return s.shown(out, p), err
}

// compileVersion returns the action that writes a version, disabled with the reason if it is
// refused. If text of the document would be lost, another action keeps it.
func (s *server) compileVersion(snap *snapshot, r *replay.Compiled) []*codeAction {
	title := fmt.Sprintf("compile v%d from mail", r.Version)
	if r.Published == nil && !r.Publishable() {
		return []*codeAction{refusedAction(title, errors.New("it is not ready to be published: "+strings.Join(r.Obstacles(), "; ")))}
	}
	data, err := r.Update(snap.text, false)
	if err == nil {
		return s.replaceAction(snap, title, data)
	}
	out := []*codeAction{refusedAction(title, err)}
	if data, keepErr := r.Update(snap.text, true); keepErr == nil {
		var unknown *replay.UnknownTextError
		if errors.As(err, &unknown) {
			out[0].Disabled.Reason = report.Message(unknown.Lost())
		}
		out = append(out, s.replaceAction(snap, title+", and keep the text that no delta knows", data)...)
	}
	return out
}

// replaceAction replaces the document; no action if there is nothing to change.
func (s *server) replaceAction(snap *snapshot, title string, data []byte) []*codeAction {
	edits := lineEdits(snap, data)
	if len(edits) == 0 {
		return nil
	}
	return []*codeAction{{Title: title, Kind: compileKind, Edit: s.edit(snap, edits)}}
}

func refusedAction(title string, err error) *codeAction {
	return &codeAction{Title: title, Kind: compileKind, Disabled: &disabled{report.Message(err.Error())}}
}

// shown returns the actions that a client can show. Disabled ones are shown only to a client
// that asks for this kind. If it cannot show them, a message gives the reason.
func (s *server) shown(actions []*codeAction, p *codeActionParams) []*codeAction {
	var out []*codeAction
	for _, a := range actions {
		switch {
		case a.Disabled == nil, p.names(compileKind) && s.client.can.TextDocument.CodeAction.DisabledSupport:
			out = append(out, a)
		case p.names(compileKind) && p.Context.TriggerKind == invoked:
			s.show(warningMessage, a.Title+": "+a.Disabled.Reason)
		}
	}
	return out
}
