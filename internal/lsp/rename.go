package lsp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/report"
	"github.com/brennerlint/brennerlint/source"
)

type renameParams struct {
	positionParams
	NewName string `json:"newName"`
}

// prepareRename returns the item id at a place, or an error that says why it may not be
// renamed.
func prepareRename(s *server, ctx context.Context, snap *snapshot, p *positionParams) (any, error) {
	it, at := renamed(snap, p.Position)
	if it == nil {
		return nil, nil
	}
	if err := s.renameable(ctx, snap, it.ID); err != nil {
		return nil, refusal(ctx, err)
	}
	return map[string]any{"range": snap.rangeOf(at), "placeholder": it.ID.String()}, nil
}

// rename changes the id of an item that is not published, wherever the document names it.
func rename(s *server, ctx context.Context, snap *snapshot, p *renameParams) (any, error) {
	it, _ := renamed(snap, p.Position)
	if it == nil {
		return nil, refusal(ctx, errors.New("no item id is here"))
	}
	to, err := newItemID(snap.model(), it.ID, p.NewName)
	if err == nil {
		err = s.renameable(ctx, snap, it.ID)
	}
	if err != nil {
		return nil, refusal(ctx, err)
	}
	edits := []textEdit{}
	for m := range brenner.ItemMentions(string(snap.text)) {
		if id, ok := renamedID(m.ID, it.ID, to); ok {
			edits = append(edits, textEdit{snap.rangeOf(m.Span), id.String()})
		}
	}
	return s.edit(snap, edits), nil
}

// refusal returns the error that an editor shows. The error of a cancelled request is returned
// as it is.
func refusal(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return failure(codeRequestFailed, report.Message("not renamed: "+err.Error()))
}

// renamed returns the item whose id is at a place, and where the id is; nil if there is none.
// At P1.H2 that is P1.
func renamed(snap *snapshot, at Position) (*artifact.Item, source.Span) {
	t := mentionAt(snap, snap.offset(at))
	if t == nil || t.item == nil || t.id.Section == brenner.ResearchThread {
		return nil, source.Span{}
	}
	return t.item, source.Span{Start: t.at.Start, End: min(t.at.End, t.at.Start+len(t.item.ID.String()))}
}

// renamedID returns what an id becomes when an item gets another; false if it stays.
func renamedID(id, from, to brenner.ItemID) (brenner.ItemID, bool) {
	before := id
	switch {
	case id == from:
		id = to
	case id.Section == from.Section && id.Number == from.Number && from.Hypothesis == 0:
		id.Number = to.Number
	}
	if from.Section == brenner.HypothesisSlate && id.Hypothesis == from.Number {
		id.Hypothesis = to.Number
	}
	return id, id != before
}

// newItemID reads the new id of an item.
func newItemID(a *artifact.Artifact, from brenner.ItemID, name string) (brenner.ItemID, error) {
	to, ok := brenner.ParseItemID(strings.TrimSpace(name))
	switch {
	case !ok || !to.InRange():
		return to, fmt.Errorf("%s is not the id of an item; expected one such as %s", text.Quote(name), from)
	case to.Section != from.Section || (to.Hypothesis == 0) != (from.Hypothesis == 0):
		return to, fmt.Errorf("%s is not an id of %s, as %s is", to, from.Section.Title(), from)
	case to != from && a.Item(to) != nil:
		return to, fmt.Errorf("%s is taken", to)
	}
	return to, nil
}

// renameable returns an error if an item is published: others know it by its id.
func (s *server) renameable(ctx context.Context, snap *snapshot, id brenner.ItemID) error {
	a := snap.model()
	if !snap.isArtifact(ctx) {
		return errors.New("the document is not an artifact")
	}
	if m := a.Meta.Get("agent_mail_message_id"); m != nil && m.Kind != artifact.MetaNull && strings.TrimSpace(m.Text) != "" {
		return fmt.Errorf("the artifact is published: its front matter names message %s", m.Text)
	}
	if status := a.Meta.Get("status"); status != nil && status.Text == "closed" {
		return errors.New("the artifact is published: its front matter says that the session is closed")
	}
	return s.inThread(ctx, snap, func(t *engine.Thread) error {
		if v := a.Meta.Get("version"); v != nil {
			if n, message := t.Published(v.Text); n > 0 {
				return fmt.Errorf("the artifact is published: message %s has version %s", message, v.Text)
			}
		}
		if version, ok := t.PublishedItem(id); ok {
			return fmt.Errorf("%s is published, in v%d", id, version)
		}
		return nil
	})
}
