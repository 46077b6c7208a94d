package lsp

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/docgen"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/report"
	"github.com/brennerlint/brennerlint/source"
)

// newHover shows parts, in Markdown if the client can: some clients break words of plain text.
func (c *client) newHover(parts []string, at Range) map[string]any {
	kind := "plaintext"
	if c.markdown {
		kind = "markdown"
	}
	return map[string]any{"contents": map[string]string{"kind": kind, "value": strings.Join(parts, "\n\n")}, "range": at}
}

// literally escapes a text for Markdown. Other people wrote it: it must not load pictures.
var literally = strings.NewReplacer("\n", "  \n", `\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`,
	"!", `\!`, "#", `\#`, "|", `\|`, "~", `\~`, "&", `\&`, ":", `\:`, "@", `\@`)

// pageOf returns the page of a rule; "" if there is no such rule.
func (s *server) pageOf(snap *snapshot, id string) string {
	r := snap.settings.rule(id)
	switch {
	case r == nil:
		return ""
	case s.client.markdown && r.Page != nil:
		return docgen.RulePage(r)
	}
	return report.Explain(r)
}

// hover explains what is at a place: a rule by its id; or an item or a field, with the delta
// that set it, and the rule of a finding there.
func hover(s *server, ctx context.Context, snap *snapshot, p *positionParams) (any, error) {
	offset := snap.offset(p.Position)
	word, at := wordAt(snap.text, offset)
	if page := s.pageOf(snap, word); page != "" {
		return s.client.newHover([]string{page}, snap.rangeOf(at)), nil
	}
	var parts []string
	text, place, err := s.hoverContent(ctx, snap, offset)
	if err != nil {
		return nil, err
	}
	if s.client.markdown {
		text = literally.Replace(text)
	}
	if text != "" {
		parts = append(parts, text)
	}
	result, err := s.check(ctx, snap)
	if err != nil {
		return nil, err
	}
	for _, f := range result.findings {
		if f.Range == nil || offset < f.Range.Start.Offset || offset > f.Range.End.Offset {
			continue
		}
		if len(parts) == 0 {
			place = s.client.unit.rangeOf(f.Range)
		}
		parts = append(parts, s.pageOf(snap, f.Rule))
		break // the first is the one that an editor shows
	}
	if len(parts) == 0 {
		return nil, nil
	}
	return s.client.newHover(parts, place), nil
}

// hoverContent describes the item that is named at an offset, or the field there, and
// which delta set it; "" if there is neither.
func (s *server) hoverContent(ctx context.Context, snap *snapshot, offset int) (text string, place Range, err error) {
	t := mentionAt(snap, offset)
	if t == nil || t.item == nil && snap.model() != nil {
		t = fieldAt(snap, offset)
	}
	if t == nil {
		return "", Range{}, nil
	}
	it, by := t.item, ""
	err = s.inBlame(ctx, snap, t, func(thread *engine.Thread, found *artifact.Item, b *replay.FieldBlame) {
		it, by = found, describeBlame(b, thread.VersionOf)
	})
	switch {
	case t.field == nil && it != nil:
		text = describeItem(it, by)
	case by != "":
		text = fmt.Sprintf("%s of %s\n%s", t.field.Key, t.id, by)
	}
	if t.item == nil {
		text = report.Message(text) // of mail
	}
	return text, snap.rangeOf(t.at), err
}

// describeItem shows an item, and who set it.
func describeItem(it *artifact.Item, by string) string {
	text := it.ID.String()
	if it.Name != "" {
		text += ": " + it.Name
	}
	if it.Killed {
		text += " (killed)"
	}
	if main := it.Text(it.ID.Section.MainField()); main != "" {
		text += "\n" + main
	}
	if by != "" {
		text += "\n" + by
	}
	return text
}

var ruleWord = text.Pattern(`[A-Z0-9-]+`)

// wordAt returns the word at an offset if it could be the id of a rule.
func wordAt(text []byte, offset int) (string, source.Span) {
	line := lineAround(text, offset)
	for _, m := range ruleWord().FindAllIndex(text[line.Start:line.End], -1) {
		at := source.Span{Start: m[0], End: m[1]}.Shift(line.Start)
		word := string(text[at.Start:at.End])
		if _, isItem := brenner.ParseItemID(word); !isItem && at.Start <= offset && offset <= at.End {
			return word, at
		}
	}
	return "", source.Span{}
}

// inBlame calls do with a target's item of the artifact, or of the thread that a draft names, and
// with the delta that set it. It does not call do if there is no such delta, or the mail cannot be
// read; the only error is a cancelled context.
func (s *server) inBlame(ctx context.Context, snap *snapshot, target *target, do func(*engine.Thread, *artifact.Item, *replay.FieldBlame)) error {
	err := s.inThread(ctx, snap, func(t *engine.Thread) error {
		a := snap.model()
		if a == nil {
			a = t.Artifact()
		}
		it := itemOf(a, target.id)
		if it == nil {
			return nil
		}
		all := t.Blame(a)
		i := slices.IndexFunc(all, func(b replay.FieldBlame) bool { return b.Item == it.ID && b.Field == target.key() })
		if i >= 0 {
			do(t, it, &all[i])
		}
		return nil
	})
	if ctx.Err() == nil {
		return nil
	}
	return err
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

// deltaLocation returns the place in a file of the delta that set a target; nil if there is none.
func (s *server) deltaLocation(ctx context.Context, snap *snapshot, target *target) (found *Location, _ error) {
	err := s.inBlame(ctx, snap, target, func(t *engine.Thread, _ *artifact.Item, b *replay.FieldBlame) {
		if b.By == nil {
			return
		}
		if path, at, ok := t.DeltaPlace(b.By, target.key()); ok && s.isFile(path) {
			found = &Location{s.client.uriOf(path), s.client.unit.rangeOf(&at)}
		}
	})
	return found, err
}

// isFile reports whether a path of the inputs is a file on disk, not in a zip.
func (s *server) isFile(path string) bool {
	info, err := os.Stat(s.client.fileOf(path))
	return err == nil && info.Mode().IsRegular()
}
