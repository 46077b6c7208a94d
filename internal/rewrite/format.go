package rewrite

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/source"
)

// LossError reports what formatting an artifact would lose.
type LossError struct {
	Line int // from 1
	What string
}

func (e *LossError) Error() string { return fmt.Sprintf("%s (line %d)", e.What, e.Line) }

// maxPasses bounds how often an artifact is formatted until nothing changes any more.
const maxPasses = 4

// Format returns an artifact in Markdown in its canonical rendering: its sections in order,
// their items as [artifact.Render] writes them. The front matter, the title, comments,
// and text that the format does not know stay, and nothing is added that the artifact
// does not have. Formatted again it is the same. The error is a [*LossError] if
// something would be lost or change its meaning.
func Format(data []byte, limits artifact.Limits) ([]byte, error) {
	if !utf8.Valid(data) {
		return nil, &LossError{1, "it has bytes that are not UTF-8"}
	}
	text, crlf := data, bytes.Contains(data, []byte("\r\n"))
	if crlf {
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	}
	if i := bytes.IndexByte(text, '\r'); i >= 0 {
		return nil, &LossError{1 + bytes.Count(text[:i], []byte("\n")), "it has a carriage return inside a line"}
	}
	for range maxPasses {
		next, err := formatOnce(text, limits)
		if err != nil {
			return nil, err
		}
		if bytes.Equal(next, text) {
			if crlf {
				text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
			}
			return text, nil
		}
		text = next
	}
	return nil, &LossError{1, "text between its items does not keep its place"}
}

func formatOnce(data []byte, limits artifact.Limits) ([]byte, error) {
	old := artifact.ParseMarkdown(source.NewText(data), limits)
	if err := checkFormattable(old); err != nil {
		return nil, err
	}
	own := ownRendering(old)
	file := &File{old: old, own: own, base: artifact.ParseMarkdown(source.NewText(canonical(old, own)), artifact.Limits{})}
	file.find()
	for _, p := range file.Pieces {
		if !p.Placed {
			return nil, &LossError{p.Line, p.What + " has no place in the canonical rendering"}
		}
	}
	out, ok := file.Merge()
	if !ok {
		p := file.Pieces[0]
		return nil, &LossError{p.Line, p.What + " would become part of an item"}
	}
	if err := compare(old, artifact.ParseMarkdown(source.NewText(out), limits)); err != nil {
		return nil, err
	}
	return out, nil
}

// canonical returns the canonical rendering of what an artifact has: its front matter and
// its title as they are, and of the sections those that are there.
func canonical(old, own *artifact.Artifact) []byte {
	var out bytes.Buffer
	if old.Meta != nil {
		out.Write(bytes.TrimRight(old.Text.Data[:old.Meta.Span.End], "\n"))
		out.WriteString("\n\n")
	}
	if title := titleOf(old); !title.Empty() {
		out.Write(bytes.TrimSpace(old.Text.Bytes(title)))
		out.WriteString("\n\n")
	}
	rendered := withColumns(own, old)
	data := rendered.Text.Data
	for _, s := range rendered.Sections {
		had := old.Section(s.Kind)
		if had == nil {
			continue
		}
		from := rendered.Text.LineStart(s.Heading.Start)
		section := bytes.TrimRight(data[from:s.Span.End], "\n")
		if s.NoneRegistered && len(s.Items) == 0 && !had.NoneRegistered {
			section, _, _ = bytes.Cut(section, []byte("\n"))
		}
		out.Write(section)
		out.WriteString("\n\n")
	}
	return append(bytes.TrimRight(out.Bytes(), "\n"), '\n')
}

// withColumns gives the columns of a rendering's table the headings that they had: `H1
// (lineage)`.
func withColumns(rendered, old *artifact.Artifact) *artifact.Artifact {
	now, was := rendered.Section(brenner.PredictionsTable), old.Section(brenner.PredictionsTable)
	if now == nil || was == nil || now.Table == nil || was.Table == nil {
		return rendered
	}
	var edits []source.Edit
	for i := range now.Table.Columns {
		c := &now.Table.Columns[i]
		if j := was.Table.Column(c.Key); j >= 0 && c.ID.Section == brenner.HypothesisSlate {
			edits = append(edits, source.Edit{Span: c.Span, Text: old.Text.Slice(was.Table.Columns[j].Span)})
		}
	}
	return artifact.ParseMarkdown(source.NewText(source.Apply(rendered.Text.Data, edits)), artifact.Limits{})
}

// titleOf returns the heading above the sections, empty if there is none.
func titleOf(a *artifact.Artifact) source.Span {
	for i := range a.Doc.Blocks {
		b := &a.Doc.Blocks[i]
		if b.Span.Start > a.Sections[0].Heading.Start {
			break
		}
		if b.Level == 1 && brenner.HasPrefixFold(strings.TrimLeft(a.Text.Slice(b.Span), "# "), brenner.ArtifactTitle) {
			return b.Span
		}
	}
	return source.Span{}
}
