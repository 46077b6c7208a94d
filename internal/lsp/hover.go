package lsp

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/docgen"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
	"github.com/brennerlint/brennerlint/source"
)

type hoverResult struct {
	Contents struct {
		Kind  string `json:"kind"`
		Value string `json:"value"`
	} `json:"contents"`
	Range *Range `json:"range,omitempty"`
}

// newHover shows parts, in Markdown if the client can: in plain text some break words.
func (c *client) newHover(parts []hoverPart, at Range) *hoverResult {
	h := &hoverResult{Range: &at}
	h.Contents.Kind = "plaintext"
	if c.markdown {
		h.Contents.Kind = "markdown"
	}
	for i, p := range parts {
		if i > 0 {
			h.Contents.Value += "\n\n"
		}
		switch {
		case p.rule == nil && c.markdown:
			h.Contents.Value += literally.Replace(p.text)
		case p.rule == nil:
			h.Contents.Value += p.text
		case c.markdown && p.rule.Page != nil:
			h.Contents.Value += docgen.RulePage(p.rule)
		default:
			h.Contents.Value += explain(p.rule)
		}
	}
	return h
}

// hoverPart is a text of the input, or the page of a rule.
type hoverPart struct {
	text string
	rule *lint.Rule
}

// literally writes a text so that Markdown shows it as it is: it is of others, and may hold
// pictures to be loaded.
var literally = strings.NewReplacer("\n", "  \n", `\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`,
	"!", `\!`, "#", `\#`, "|", `\|`, "~", `\~`, "&", `\&`, ":", `\:`, "@", `\@`)

// hover says what an item id at a place names, which delta set the item or the field
// there, what the rule is whose id is there, and explains the rule of the finding there.
func hover(s *server, ctx context.Context, snap *snapshot, p *positionParams) (any, error) {
	offset := snap.index().offset(p.Position)
	if word, at := wordAt(snap.text, offset); word != "" {
		i := slices.IndexFunc(snap.settings.Rules, func(r *lint.Rule) bool { return r.ID == word })
		if i >= 0 {
			return s.client.newHover([]hoverPart{{rule: snap.settings.Rules[i]}}, snap.index().rangeOf(at)), nil
		}
	}
	parts, place, err := s.hoverContent(ctx, snap, offset)
	if err != nil {
		return nil, err
	}
	result, err := s.check(ctx, snap)
	if err != nil {
		return nil, err
	}
	for _, f := range result.findings {
		if f.Range == nil || offset < f.Range.Start.Offset || offset > f.Range.End.Offset {
			continue
		}
		i := slices.IndexFunc(snap.settings.Rules, func(r *lint.Rule) bool { return r.ID == f.Rule })
		if i < 0 {
			continue
		}
		if len(parts) == 0 {
			place = rangeOf(snap.index(), f.Range)
		}
		parts = append(parts, hoverPart{rule: snap.settings.Rules[i]})
		break // the first is the one that an editor shows
	}
	if len(parts) == 0 {
		return nil, nil
	}
	return s.client.newHover(parts, place), nil
}

// hoverContent describes the item that is named at an offset, or the field there, and
// which delta set it.
func (s *server) hoverContent(ctx context.Context, snap *snapshot, offset int) (parts []hoverPart, place Range, _ error) {
	m, ok := mentionAt(snap, offset)
	if it := itemOf(snap.model(), m.ID); ok && it != nil {
		by, err := s.setBy(ctx, snap, it.ID, "")
		return []hoverPart{{text: describeItem(it, by)}}, snap.index().rangeOf(m.Span), err
	}
	if ok && snap.model() == nil {
		err := s.inBlame(ctx, snap, m.ID, "", func(t *mailThread, it *artifact.Item, b *replay.FieldBlame) error {
			parts = []hoverPart{{text: report.Message(describeItem(it, describeBlame(b, t.VersionOf)))}}
			return nil
		})
		return parts, snap.index().rangeOf(m.Span), err
	}
	it, f := fieldAt(snap.model(), offset)
	if f == nil {
		return nil, Range{}, nil
	}
	by, err := s.setBy(ctx, snap, it.ID, blamedKey(f))
	if by == "" {
		return nil, Range{}, err
	}
	return []hoverPart{{text: fmt.Sprintf("%s of %s\n%s", f.Key, it.ID, by)}}, snap.index().rangeOf(around(f.Value, f.Label)), nil
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

func explain(r *lint.Rule) string {
	var out bytes.Buffer
	if err := report.Explain(&out, r); err != nil {
		return fmt.Sprintf("%s %s: %s", r.ID, r.Name, r.Summary)
	}
	return out.String()
}

// wordAt returns the word at an offset, as the ids of rules are written.
func wordAt(text []byte, offset int) (string, source.Span) {
	isWord := func(c byte) bool { return c == '-' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' }
	const longest = 12
	start, end := offset, offset
	for start > 0 && offset-start < longest && isWord(text[start-1]) {
		start--
	}
	for end < len(text) && end-offset < longest && isWord(text[end]) {
		end++
	}
	if _, isItem := brenner.ParseItemID(string(text[start:end])); isItem {
		return "", source.Span{}
	}
	return string(text[start:end]), source.Span{Start: start, End: end}
}
