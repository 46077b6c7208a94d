package artifact

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// ParseJSON reads an artifact in JSON, `{"metadata": {…}, "sections": {…}}`
// (artifact_format.md, File). Values of wrong types are kept as they are. The error is
// the first fault of a text that is not JSON.
func ParseJSON(t *source.Text, limits Limits) (*Artifact, *jsontree.SyntaxError) {
	root, err := jsontree.Parse(t.Data, limits.JSON())
	if err != nil {
		return nil, err
	}
	a := &Artifact{Text: t, Span: source.Span{End: len(t.Data)}, Root: root}
	switch meta := root.Get("metadata"); {
	case meta == nil:
	case meta.Kind != jsontree.Object:
		a.MetaFault = &Fault{Span: meta.Span(), Message: "metadata is " + meta.Kind.String() + ", not an object"}
	default:
		a.Meta = &Meta{Span: meta.Span(), Values: jsonMetaValue(meta, "", source.Span{}).Items}
	}
	if sections := root.Get("sections"); sections.Is(jsontree.Object) {
		members := sections.Members()
		for i := range members {
			m := &members[i]
			if kind := brenner.SectionByID(m.Name); kind != 0 && !m.Replaced {
				a.addSection(jsonSection(kind, m))
			}
		}
	}
	return a, nil
}

// ReadState reads the JSON that State.CanonicalJSON writes: the sections of an artifact, whose
// items have ids of their sections, each once. Sections may be absent.
func ReadState(data []byte) (*brenner.State, error) {
	a, fault := ParseJSON(source.NewText(slices.Concat([]byte(`{"sections":`), data, []byte("}"))), Limits{})
	if fault != nil {
		return nil, fmt.Errorf("read a state: %w", fault)
	}
	for _, m := range a.Root.Get("sections").Members() {
		if brenner.SectionByID(m.Name) == 0 {
			return nil, fmt.Errorf("read a state: unknown section %q", m.Name)
		}
	}
	st := a.State()
	for _, s := range a.Sections {
		if len(s.Malformed) > 0 || len(s.Items) != st.Len(s.Kind) {
			return nil, fmt.Errorf("read a state: the ids of %s are not all of the section, each once", s.Kind.ID())
		}
	}
	return st, nil
}

// jsonMetaValue returns a JSON value as front matter shows it.
func jsonMetaValue(n *jsontree.Node, key string, keySpan source.Span) MetaValue {
	v := MetaValue{Key: key, KeySpan: keySpan, Span: n.Span(), Text: n.Text, Kind: MetaOther}
	switch n.Kind {
	case jsontree.Null:
		v.Kind = MetaNull
	case jsontree.String:
		v.Kind = MetaString
	case jsontree.Number:
		if !strings.ContainsAny(n.Text, ".eE") {
			v.Kind = MetaInt
		}
	case jsontree.Array:
		v.Kind = MetaList
		for _, item := range n.Items() {
			v.Items = append(v.Items, jsonMetaValue(item, "", source.Span{}))
		}
	case jsontree.Object:
		v.Kind = MetaMap
		for _, m := range n.Members() {
			v.Items = append(v.Items, jsonMetaValue(m.Value, m.Name, m.NameSpan()))
		}
	}
	return v
}

func jsonSection(kind brenner.Section, m *jsontree.Member) *Section {
	s := &Section{Kind: kind, Heading: m.NameSpan(), Span: source.Span{Start: m.NameSpan().Start, End: m.Value.Span().End}}
	switch isThread := kind == brenner.ResearchThread; {
	case isThread && m.Value.Kind == jsontree.Null:
	case isThread && m.Value.Kind == jsontree.Object:
		s.addJSON(m.Value)
	case !isThread && m.Value.Kind == jsontree.Array:
		for _, n := range m.Value.Items() {
			s.addJSON(n)
		}
	default:
		s.Malformed = append(s.Malformed, MalformedItem{ID: m.Value.Span()})
	}
	return s
}

// addJSON adds an entry of a section. A research thread without an id is RT.
func (s *Section) addJSON(n *jsontree.Node) {
	if n.Kind != jsontree.Object {
		s.Malformed = append(s.Malformed, MalformedItem{ID: n.Span()})
		return
	}
	idNode := n.Get("id")
	id, ok := brenner.ParseItemID(idNode.StringOr(""))
	if s.Kind == brenner.ResearchThread && idNode.Absent() {
		id, ok = brenner.ItemID{Section: s.Kind}, true
	}
	s.add(jsonItem(s.Kind, n), id, ok, idNode.StringOr(""))
}

func jsonItem(kind brenner.Section, n *jsontree.Node) *Item {
	brace := source.Span{Start: n.Span().Start, End: n.Span().Start + 1}
	it := &Item{Node: n, Span: n.Span(), IDSpan: brace, Heading: brace, NameSpan: brace}
	if id := n.Get("id"); id != nil {
		it.IDSpan, it.Heading = id.Span(), id.Span()
		it.NameSpan = source.Span{Start: id.Span().End, End: id.Span().End}
	}
	members := n.Members()
	first := map[string]*Field{} // of each name
	for i := range members {
		m := &members[i]
		f := jsonField(kind, m)
		earlier := first[m.Name]
		first[m.Name] = cmp.Or(earlier, f)
		if m.Replaced {
			continue
		}
		if f.First = earlier; earlier != nil {
			it.Repeated = append(it.Repeated, f)
		}
		switch m.Name {
		case "id":
		case "name":
			it.Name, it.NameSpan = jsonText(m.Value), m.Value.Span()
		default:
			it.Fields = append(it.Fields, f)
		}
	}
	it.Killed = n.Get("killed").True() || brenner.IsTrue(n.Get("killed").StringOr(""))
	if it.Killed {
		it.KilledBy, it.KilledAt, it.KillReason = n.Get("killed_by").StringOr(""), n.Get("killed_at").StringOr(""), n.Get("kill_reason").StringOr("")
	}
	return it
}

func jsonField(kind brenner.Section, m *jsontree.Member) *Field {
	f := &Field{Key: m.Name, Known: kind.Field(m.Name), Label: m.NameSpan(), Value: m.Value.Span(), Text: jsonText(m.Value), Node: m.Value}
	switch m.Value.Kind {
	case jsontree.Array:
		for _, n := range m.Value.Items() {
			e := Entry{Text: jsonText(n), Span: n.Span()}
			if f.Known != nil && f.Known.Kind == brenner.ListField {
				e.Text, _ = brenner.Unmark(e.Text) // as in Markdown (decisions.md 62)
			}
			f.Entries = append(f.Entries, e)
		}
	case jsontree.Object:
		for _, e := range m.Value.Members() {
			if !e.Replaced {
				f.Entries = append(f.Entries, Entry{Key: e.Name, KeySpan: e.NameSpan(), Text: jsonText(e.Value), Span: e.Value.Span()})
			}
		}
	}
	return f
}

// jsonText returns a JSON value as a rendering would show it.
func jsonText(n *jsontree.Node) string {
	switch n.Kind {
	case jsontree.Null:
		return ""
	case jsontree.Array:
		parts := make([]string, len(n.Items()))
		for i, item := range n.Items() {
			parts[i] = jsonText(item)
		}
		return strings.Join(parts, ", ")
	case jsontree.Object:
		parts := make([]string, len(n.Members()))
		for i, m := range n.Members() {
			parts[i] = m.Name + ": " + jsonText(m.Value)
		}
		return strings.Join(parts, "\n")
	}
	return strings.TrimSpace(n.Text)
}
