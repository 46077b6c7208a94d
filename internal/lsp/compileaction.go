package lsp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/compile"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/report"
)

// compileKind is the kind of the actions that write the artifact that the mail gives.
const compileKind = "source.compile.brennerlint"

// mailThread is a replayed thread with the versions of it that were compiled.
type mailThread struct {
	*engine.Thread
	ref      mail.Ref
	mu       sync.Mutex
	versions map[int]*compile.Result
}

// version compiles a version of the thread once; 0 is the next one.
func (t *mailThread) version(n int) (*compile.Result, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if known := t.versions[n]; known != nil {
		return known, nil
	}
	result, err := t.Compile(engine.CompileOptions{Version: n})
	t.versions[n] = result
	return result, err
}

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
	err := s.inThread(ctx, snap, func(t *mailThread) error {
		next, err := t.version(0)
		var nothing *compile.NothingError
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
			published = t.publishedVersion(v.Text)
		}
		if published == 0 {
			return nil
		}
		again, err := t.version(published)
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

// publishedVersion returns a version that front matter names, 0 if it was not published.
func (t *mailThread) publishedVersion(version string) int {
	for n := 1; n <= t.LatestVersion(); n++ {
		if _, ok := t.Published(version); ok && brenner.SameVersion(version, n) {
			return n
		}
	}
	return 0
}

// compileVersion returns the action that writes a version, disabled with the reason if it is
// refused. If text of the document would be lost, another action keeps it.
func (s *server) compileVersion(snap *snapshot, r *compile.Result) []*codeAction {
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
		var unknown *compile.UnknownTextError
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
