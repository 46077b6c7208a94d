package lsp

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/report"
	"github.com/brennerlint/brennerlint/source"
)

// fieldAt returns the field of an artifact at an offset, and its item; nil if there is
// none.
func fieldAt(a *artifact.Artifact, offset int) (*artifact.Item, *artifact.Field) {
	if a == nil {
		return nil, nil
	}
	for _, sec := range a.Sections {
		for _, it := range sec.Items {
			if s := around(it.Span, it.IDSpan); offset < s.Start || offset > s.End {
				continue
			}
			for _, f := range it.Fields {
				if slices.ContainsFunc(spansOf(it, f), func(s source.Span) bool { return s.Start <= offset && offset <= s.End }) {
					return it, f
				}
			}
		}
	}
	return nil, nil
}

// spansOf returns where a field is written: of a prediction its cells, for the label is in
// the header of the table.
func spansOf(it *artifact.Item, f *artifact.Field) []source.Span {
	if it.Row == nil {
		return []source.Span{around(f.Label, f.Value)}
	}
	out := []source.Span{f.Value}
	for _, e := range f.Entries {
		out = append(out, e.Span)
	}
	return out
}

// blamedKey returns the field under which blame reports a field.
func blamedKey(f *artifact.Field) string {
	if strings.HasPrefix(f.Key, "kill") && f.Known == nil {
		return "killed"
	}
	return f.Key
}

// setBy says which delta set a field of an item, "" for the item itself; "" where the
// workspace has no mail of the artifact's thread.
func (s *server) setBy(ctx context.Context, snap *snapshot, id brenner.ItemID, field string) (out string, _ error) {
	err := s.inThread(ctx, snap, func(t *mailThread) error {
		b, err := blameOf(t, snap.model(), id, field)
		if b != nil {
			out = describeBlame(b, t.VersionOf)
		}
		return err
	})
	return out, mailError(ctx, err)
}

// mailError returns what keeps a request from an answer: only that it is cancelled. Where
// the mail cannot be read there is nothing to say of it.
func mailError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return nil
}

func blameOf(t *mailThread, a *artifact.Artifact, id brenner.ItemID, field string) (*replay.FieldBlame, error) {
	all, err := t.Blame(a)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(b replay.FieldBlame) bool { return b.Item == id && b.Field == field })
	if i < 0 {
		return nil, nil
	}
	return &all[i], nil
}

// describeBlame says which delta set a field.
func describeBlame(b *replay.FieldBlame, version func(*replay.Blame) int) string {
	by := b.By
	if by == nil {
		return "no delta explains this"
	}
	verb := map[string]string{"": "added", "killed": "killed"}[b.Field]
	out := fmt.Sprintf("%s by %s (message %s, delta %d, %s", cmp.Or(verb, "set"), by.Agent, cmp.Or(by.MessageID, "without id"), by.Delta, brenner.FormatTime(by.Time))
	if v := version(by); v > 0 {
		out += fmt.Sprintf(", v%d", v)
	}
	out += ")"
	if by.RejectedBy != "" {
		out += fmt.Sprintf("\nthe delta must be rejected (%s), but was published", by.RejectedBy)
	}
	if b.Differs {
		out += "\nthe artifact differs from what the delta set"
	}
	return report.Message(out)
}

// deltaLocation returns where the delta that set a field is in a file of mail; nil if there
// is none.
func (s *server) deltaLocation(ctx context.Context, snap *snapshot, id brenner.ItemID, field string) (*Location, error) {
	var found *Location
	err := s.inThread(ctx, snap, func(t *mailThread) error {
		b, err := blameOf(t, snap.model(), id, field)
		if err != nil || b == nil || b.By == nil {
			return err
		}
		found, err = s.locate(ctx, t, b.By, field)
		return err
	})
	return found, mailError(ctx, err)
}

// locate returns where a delta sets a field in a file; nil if no file has it.
func (s *server) locate(ctx context.Context, t *mailThread, by *replay.Blame, field string) (*Location, error) {
	path, at, ok, err := t.DeltaPlace(ctx, by, field)
	if !ok || !s.isFile(path) {
		return nil, err
	}
	return &Location{s.client.uriOf(path), s.client.rangeOf(&at)}, err
}

// blameInThread calls do with an item of the thread that a document names, and which
// delta added it.
func (s *server) blameInThread(ctx context.Context, snap *snapshot, id brenner.ItemID, do func(*mailThread, *artifact.Item, *replay.FieldBlame) error) error {
	return s.inNamedThread(ctx, snap, func(t *mailThread) error {
		a := t.Artifact()
		it := itemOf(a, id)
		if it == nil {
			return nil
		}
		b, err := blameOf(t, a, it.ID, "")
		if err != nil || b == nil {
			return err
		}
		return do(t, it, b)
	})
}

// deltaOfItem returns where the delta is that added an item of the thread that a draft
// names; nil if there is none.
func (s *server) deltaOfItem(ctx context.Context, snap *snapshot, id brenner.ItemID) (any, error) {
	var found *Location
	if snap.model() != nil {
		return nil, nil
	}
	err := s.blameInThread(ctx, snap, id, func(t *mailThread, _ *artifact.Item, b *replay.FieldBlame) (err error) {
		if b.By != nil {
			found, err = s.locate(ctx, t, b.By, "")
		}
		return err
	})
	if found == nil {
		return nil, mailError(ctx, err)
	}
	return found, nil
}

// isFile reports whether a path of the inputs is a file: what is in a zip is not.
func (s *server) isFile(path string) bool {
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.client.root, path)
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// rangeOf returns a range of a text that is not open.
func (c *client) rangeOf(r *source.Range) Range {
	position := func(p source.Position) Position {
		units := p.UTF16
		if c.unit == utf8Units {
			units = p.Byte
		}
		return Position{max(0, p.Line-1), max(0, units-1)}
	}
	if r == nil {
		return Range{}
	}
	return Range{position(r.Start), position(r.End)}
}
