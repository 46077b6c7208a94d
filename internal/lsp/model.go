package lsp

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/source"
)

// newModel reads a document as an artifact; nil if it is not one.
func newModel(snap *snapshot) *artifact.Artifact {
	if snap.isConfig() {
		return nil
	}
	var a *artifact.Artifact
	text, start := source.NewText(snap.text), bytes.TrimLeft(snap.text, " \t\r\n")
	limits := artifact.DefaultLimits
	switch {
	case bytes.HasPrefix(start, []byte("{")):
		if parsed, fault := artifact.ParseJSON(text, limits); fault == nil {
			a = parsed
		}
	case bytes.HasPrefix(start, []byte("[")), bytes.HasPrefix(start, []byte("---json")):
		return nil
	default:
		a = artifact.ParseMarkdown(text, limits)
	}
	if a == nil || len(a.Sections) == 0 {
		return nil
	}
	return a
}

// target is what is named at a place of a document: an item by its id, or a field of an item.
type target struct {
	id    brenner.ItemID
	item  *artifact.Item  // nil if it is not in the document
	field *artifact.Field // nil if it is the item
	at    source.Span
}

// mentionAt returns the item whose id is at an offset; nil if there is no id.
func mentionAt(snap *snapshot, offset int) *target {
	line := lineAround(snap.text, offset)
	for m := range brenner.ItemMentions(string(snap.text[line.Start:line.End])) {
		if at := m.Span.Shift(line.Start); at.Start <= offset && offset <= at.End {
			return &target{id: m.ID, item: itemOf(snap.model(), m.ID), at: at}
		}
	}
	return nil
}

// fieldAt returns the field at an offset of an artifact; nil if there is none.
func fieldAt(snap *snapshot, offset int) *target {
	a := snap.model()
	if a == nil {
		return nil
	}
	for _, sec := range a.Sections {
		for _, it := range sec.Items {
			if !isIn(around(it.Span, it.IDSpan), offset) {
				continue
			}
			for _, f := range it.Fields {
				if slices.ContainsFunc(spansOf(it, f), func(s source.Span) bool { return isIn(s, offset) }) {
					return &target{it.ID, it, f, around(f.Value, f.Label)}
				}
			}
		}
	}
	return nil
}

// isIn reports whether an offset is in a span, or at its end.
func isIn(s source.Span, offset int) bool { return s.Start <= offset && offset <= s.End }

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

// key returns the name that blame uses for the field; "" for the item.
func (t *target) key() string {
	switch {
	case t.field == nil:
		return ""
	case strings.HasPrefix(t.field.Key, "kill") && t.field.Known == nil:
		return "killed"
	}
	return t.field.Key
}

// maxLine bounds what is read around a place: a line may be as long as a file.
const maxLine = 64 << 10

// lineAround returns the line of an offset; of a very long line only the part around it.
func lineAround(text []byte, offset int) source.Span {
	from := max(0, offset-maxLine)
	start := from + bytes.LastIndexAny(text[from:offset], "\r\n") + 1
	to := min(len(text), offset+maxLine)
	end := to
	if n := bytes.IndexAny(text[offset:to], "\r\n"); n >= 0 {
		end = offset + n
	}
	return source.Span{Start: start, End: end}
}

// itemOf returns the item that an id names: for P1.H2 that is P1.
func itemOf(a *artifact.Artifact, id brenner.ItemID) *artifact.Item {
	if a == nil {
		return nil
	}
	if it := a.Item(id); it != nil {
		return it
	}
	id.Hypothesis = 0
	return a.Item(id)
}

// definition returns the item that is named at a place. At the item's own id, and at a field,
// it returns the delta that set it.
func definition(s *server, ctx context.Context, snap *snapshot, p *positionParams) (any, error) {
	offset := snap.offset(p.Position)
	t := cmp.Or(mentionAt(snap, offset), fieldAt(snap, offset))
	if t == nil {
		return nil, nil
	}
	if t.item == nil || t.field != nil || t.at.Start == t.item.IDSpan.Start {
		if at, err := s.deltaLocation(ctx, snap, t); at != nil || err != nil {
			return at, err
		}
	}
	if t.item == nil || t.field != nil {
		return nil, nil
	}
	return Location{snap.uri, snap.rangeOf(t.item.IDSpan)}, nil
}

type referenceParams struct {
	positionParams
	Context struct {
		IncludeDeclaration bool `json:"includeDeclaration"`
	} `json:"context"`
}

// references returns the places that name the same item as the id at a place.
func references(_ *server, _ context.Context, snap *snapshot, p *referenceParams) (any, error) {
	t := mentionAt(snap, snap.offset(p.Position))
	if t == nil || t.item == nil {
		return nil, nil
	}
	out := []Location{}
	for other := range brenner.ItemMentions(string(snap.text)) {
		if itemOf(snap.model(), other.ID) != t.item || other.Span == t.item.IDSpan && !p.Context.IncludeDeclaration {
			continue
		}
		out = append(out, Location{snap.uri, snap.rangeOf(other.Span)})
	}
	return out, nil
}

type documentSymbol struct {
	Name           string           `json:"name"`
	Detail         string           `json:"detail,omitempty"`
	Kind           int              `json:"kind"`
	Tags           []int            `json:"tags,omitempty"`
	Range          Range            `json:"range"`
	SelectionRange Range            `json:"selectionRange"`
	Children       []documentSymbol `json:"children,omitempty"`
}

// The values of SymbolKind and SymbolTag.
const (
	namespaceSymbol = 3
	objectSymbol    = 19

	deprecatedSymbol = 1
)

// documentSymbols returns the sections of an artifact and their items.
func documentSymbols(_ *server, _ context.Context, snap *snapshot, _ *documentParams) (any, error) {
	a, l := snap.model(), snap.lines
	out := []documentSymbol{}
	if a == nil {
		return out, nil
	}
	for _, sec := range a.Sections {
		s := documentSymbol{Name: sec.Kind.Title(), Kind: namespaceSymbol, Range: l.rangeOf(around(sec.Span, sec.Heading)), SelectionRange: l.rangeOf(sec.Heading)}
		for _, it := range sec.Items {
			child := documentSymbol{Name: it.ID.String(), Detail: it.Name, Kind: objectSymbol, Range: l.rangeOf(around(it.Span, it.IDSpan)), SelectionRange: l.rangeOf(it.IDSpan)}
			if it.Killed {
				child.Tags = []int{deprecatedSymbol}
			}
			s.Children = append(s.Children, child)
		}
		out = append(out, s)
	}
	return out, nil
}

// around returns the span that holds both.
func around(a, b source.Span) source.Span {
	if b.Empty() {
		return a
	}
	return source.Span{Start: min(a.Start, b.Start), End: max(a.End, b.End)}
}

type foldingRange struct {
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	Kind      string `json:"kind,omitempty"`
}

// foldingRanges returns the front matter, the sections and the items of an artifact.
func foldingRanges(_ *server, _ context.Context, snap *snapshot, _ *documentParams) (any, error) {
	a, l := snap.model(), snap.lines
	out := []foldingRange{}
	if a == nil {
		return out, nil
	}
	add := func(s source.Span, kind string) {
		s = source.Trim(snap.text, s)
		if r := l.rangeOf(s); r.End.Line > r.Start.Line {
			out = append(out, foldingRange{r.Start.Line, r.End.Line, kind})
		}
	}
	if a.Meta != nil {
		add(a.Meta.Span, "region")
	}
	for _, sec := range a.Sections {
		add(around(sec.Span, sec.Heading), "")
		for _, it := range sec.Items {
			add(around(it.Span, it.IDSpan), "")
		}
	}
	slices.SortStableFunc(out, func(x, y foldingRange) int { return x.StartLine - y.StartLine })
	return out, nil
}
