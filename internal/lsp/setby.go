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

// fieldAt returns the field at an offset of an artifact, and its item; nil if there is none.
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

// spansOf returns where a field is written. For a prediction these are cells of a table, whose
// header has the label.
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

// blamedKey returns the name that blame uses for a field.
func blamedKey(f *artifact.Field) string {
	if strings.HasPrefix(f.Key, "kill") && f.Known == nil {
		return "killed"
	}
	return f.Key
}

// inBlame calls do with an item of the artifact, or of the thread that a draft names, and with
// the delta that set one of its fields ("" for the item itself). It does not call do if there
// is no such delta, or the mail cannot be read; the only error is a cancelled context.
func (s *server) inBlame(ctx context.Context, snap *snapshot, id brenner.ItemID, field string, do func(*mailThread, *artifact.Item, *replay.FieldBlame) error) error {
	err := s.inThread(ctx, snap, func(t *mailThread) error {
		a := snap.model()
		if a == nil {
			a = t.Artifact()
		}
		it := itemOf(a, id)
		if it == nil {
			return nil
		}
		all, err := t.Blame(a)
		i := slices.IndexFunc(all, func(b replay.FieldBlame) bool { return b.Item == it.ID && b.Field == field })
		if err != nil || i < 0 {
			return err
		}
		return do(t, it, &all[i])
	})
	if ctx.Err() == nil {
		return nil
	}
	return err
}

// setBy says which delta set a field; "" if that is not known.
func (s *server) setBy(ctx context.Context, snap *snapshot, id brenner.ItemID, field string) (out string, _ error) {
	err := s.inBlame(ctx, snap, id, field, func(t *mailThread, _ *artifact.Item, b *replay.FieldBlame) error {
		out = describeBlame(b, t.VersionOf)
		return nil
	})
	return out, err
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

// deltaLocation returns the place in a file of the delta that set a field; nil if there is
// none.
func (s *server) deltaLocation(ctx context.Context, snap *snapshot, id brenner.ItemID, field string) (found *Location, _ error) {
	err := s.inBlame(ctx, snap, id, field, func(t *mailThread, _ *artifact.Item, b *replay.FieldBlame) error {
		if b.By == nil {
			return nil
		}
		path, at, ok, err := t.DeltaPlace(ctx, b.By, field)
		if ok && s.isFile(path) {
			found = &Location{s.client.uriOf(path), s.client.unit.rangeOf(&at)}
		}
		return err
	})
	return found, err
}

// isFile reports whether a path of the inputs is a file. What is in a zip is none.
func (s *server) isFile(path string) bool {
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.client.root, path)
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
