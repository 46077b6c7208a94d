// Package artifact reads artifact files, Markdown and JSON, into a typed tree
// with a span for everything, and renders states as canonical Markdown
// (spec: artifact_format.md).
//
// The parser reads every rendering that the format allows. It continues after text that it
// cannot read, except after a syntax error in JSON. The rules decide what is a fault.
package artifact

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// Artifact is one artifact, from a file or a COMPILED message. All spans are of Text.
type Artifact struct {
	Text *source.Text
	// Span is the part of Text that is the artifact: all of a file.
	Span source.Span
	// Doc is the Markdown document; nil for a JSON artifact.
	Doc *markdown.Document
	// Root is the JSON document; nil for a Markdown artifact.
	Root *jsontree.Node

	// Meta is the front matter, or the metadata of a JSON artifact; nil if there is none
	// or it does not parse to a mapping.
	Meta *Meta
	// MetaFault is why Meta is nil, with the place.
	MetaFault *Fault

	// Sections are those found, in the order of the text. A duplicate section is listed
	// twice; Section finds the first.
	Sections []*Section

	// Hidden are the fences and comments that hide parts of the artifact from people.
	Hidden []Hidden

	// Comments are the HTML comments that are blocks of their own after the
	// front matter (decisions.md 34).
	Comments []source.Span
	// Remarks are the other HTML comments: parts of lines and of lists.
	Remarks []source.Span
	// Conflicts are the places with two versions, between conflict markers of version control.
	Conflicts []Conflict

	src       string // Text.Data with spaces in place of comments and conflict markers; empty for JSON artifacts
	cite      sync.Once
	citations []Citation

	first [len(brenner.Sections) + 1]*Section // of each kind
}

// IsJSON reports whether the artifact is a JSON document.
func (a *Artifact) IsJSON() bool { return a.Root != nil }

// View returns a part of the text, of Markdown with spaces in place of comments and conflict markers.
// It may share memory with the text: do not keep it.
func (a *Artifact) View(s source.Span) string {
	if a.src == "" {
		return a.Text.Slice(s)
	}
	return a.src[s.Start:s.End]
}

// Section returns the first section of that kind, or nil.
func (a *Artifact) Section(kind brenner.Section) *Section { return a.first[kind] }

// addSection adds a section below the others.
func (a *Artifact) addSection(s *Section) {
	a.Sections = append(a.Sections, s)
	a.first[s.Kind] = cmp.Or(a.first[s.Kind], s)
}

// ItemsOf returns the items of a kind, killed ones and those of duplicate sections included. Do
// not change the list.
func (a *Artifact) ItemsOf(kind brenner.Section) (all []*Item) {
	for _, s := range a.Sections {
		if s.Kind == kind && all == nil {
			all = slices.Clip(s.Items) // what follows is added to a copy
		} else if s.Kind == kind {
			all = append(all, s.Items...)
		}
	}
	return all
}

// Item returns the first item of that id, or nil.
func (a *Artifact) Item(id brenner.ItemID) *Item {
	for _, s := range a.Sections {
		for _, it := range s.Items {
			if it.ID == id {
				return it
			}
		}
	}
	return nil
}

// Conflict is a place with two versions, between conflict markers of version control. Both are
// read.
type Conflict struct {
	Marker source.Span // the first conflict marker
	Span   source.Span // from that line to the end of the last
}

// InConflict reports whether both spans are in one of Conflicts.
func (a *Artifact) InConflict(s, other source.Span) bool {
	n, _ := slices.BinarySearchFunc(a.Conflicts, s.Start+1, func(c Conflict, at int) int { return c.Span.Start - at })
	return n > 0 && a.Conflicts[n-1].Span.Contains(s) && a.Conflicts[n-1].Span.Contains(other)
}

// StartsOver reports whether another item, whose heading is lost, most likely begins at the repeated
// field i of an item: it is the first field again, and the next one is another again.
func (a *Artifact) StartsOver(it *Item, i int) bool {
	if it.Node != nil || i+1 >= len(it.Repeated) {
		return false
	}
	f, next := it.Repeated[i], it.Repeated[i+1]
	return f.First == it.Fields[0] && next.First != f.First && !a.InConflict(f.First.Label, f.Label)
}

// OtherSession returns the id by which the artifact names another session than its own, and where: its
// session_id, or with key "" its title. The id is "" if it names none.
func (a *Artifact) OtherSession(own string) (key, id string, at source.Span) {
	isOwn := func(v *MetaValue) bool { return v.Text == own }
	if v := a.Meta.Get("session_id", isOwn); v != nil && v.Kind == MetaString && strings.TrimSpace(v.Text) != "" && v.Text != own {
		return "session_id", v.Text, v.Span
	}
	if id, at = a.TitleID(); id == own {
		id = ""
	}
	return "", id, at
}

// TitleID returns the thread id in the artifact's title, `# Brenner Protocol Artifact: ID` or
// `# ID`, and where it is; "" if the title names none.
func (a *Artifact) TitleID() (string, source.Span) {
	if a.Doc == nil {
		return "", source.Span{}
	}
	for i := range a.Doc.Blocks {
		b := &a.Doc.Blocks[i]
		if b.Kind != markdown.Heading || b.Level != 1 || len(b.Parts) != 1 || b.InList || b.InQuote || !a.Span.Contains(b.Span) {
			continue
		}
		id, start := brenner.Unmark(a.View(b.Parts[0]))
		isNamed := brenner.HasPrefixFold(id, brenner.ArtifactTitle+":")
		if isNamed {
			at := trim(id, source.Span{Start: len(brenner.ArtifactTitle + ":"), End: len(id)})
			inner, before := brenner.Unmark(id[at.Start:at.End])
			id, start = inner, start+at.Start+before
		}
		if at := versionBehind().FindStringIndex(id); at != nil {
			id = id[:at[0]]
		}
		// Other titles may look like the id of a bead.
		if kind, ok := brenner.ClassifyThreadID(id); ok && (kind != brenner.EngineeringThread || isNamed && strings.Contains(id, "-")) {
			start += b.Parts[0].Start
			return id, source.Span{Start: start, End: start + len(id)}
		}
		if isNamed {
			break
		}
	}
	return "", source.Span{}
}

// versionBehind is the version that a title may have behind its id: (v2).
var versionBehind = text.Pattern(`(?i)\s+\(?v(?:ersion\s+)?[0-9]+\)?$`)

// Fault is something that does not parse.
type Fault struct {
	Span    source.Span
	Message string
	Hint    string // how to fix it, may be empty
}

// Meta is the front matter. Values is in text order.
type Meta struct {
	Span   source.Span // from the opening --- to the closing one, both included; for JSON the metadata object
	Values []MetaValue
}

// Get returns the value of a key, or nil. Of a key that is given several times it is the last one that is
// right (decisions.md 78), or the last where none is or any would do.
func (m *Meta) Get(key string, right ...func(*MetaValue) bool) (last *MetaValue) {
	if m == nil {
		return nil
	}
	for i := len(m.Values) - 1; i >= 0; i-- {
		switch v := &m.Values[i]; {
		case v.Key != key:
		case len(right) == 0 || right[0](v):
			return v
		case last == nil:
			last = v
		}
	}
	return last
}

// MetaKind is the type of a front matter value.
type MetaKind uint8

// The types of front matter values.
const (
	MetaNull MetaKind = iota + 1
	MetaString
	MetaInt
	MetaOther // a float, boolean
	MetaList
	MetaMap
)

// MetaValue is one value of the front matter, or an entry of a list or mapping.
type MetaValue struct {
	Key     string // "" in a list
	KeySpan source.Span
	Kind    MetaKind
	Text    string      // for a scalar: a string without quotes, else as written
	Span    source.Span // the value's
	Items   []MetaValue // for a list or mapping
}

// Section is one of the seven sections.
type Section struct {
	Kind brenner.Section
	// Heading is the text of the heading (for JSON the member's name).
	Heading source.Span
	// Span is the whole section, from the heading to the end of its content; white
	// space and rules (---) after it are not included.
	Span source.Span
	// Items are those with a well-formed id of the section, in text order: H3 headings,
	// rows of the predictions table, objects of a JSON array. A research thread in
	// Markdown is always one item, with its fields under the section's heading.
	Items []*Item
	// Table is the predictions table, nil if there is none (or in JSON).
	Table *PredictionsTable
	// NoneRegistered reports that a sentence of the anomaly register states that there
	// are no anomalies.
	NoneRegistered bool
	// Malformed are H3 headings whose id is malformed or of another section (ES-003),
	// table rows with such an id (WP-002), and JSON entries without a well-formed
	// id.
	Malformed []MalformedItem
	// Misheaded is how the heading is written if Markdown does not show it as the heading
	// of a section; else nil.
	Misheaded *Misheading
}

// WithoutID returns the items of a section with an unreadable id.
func (s *Section) WithoutID() (out []*Item) {
	for i := range s.Malformed {
		if it := s.Malformed[i].Item; it != nil {
			out = append(out, it)
		}
	}
	return out
}

// All returns the items of a section, those with an unreadable id included. Do not change the
// list.
func (s *Section) All() []*Item { return append(slices.Clip(s.Items), s.WithoutID()...) }

// GarbledIn reports whether a line of a part of the text has both a replaced byte and a word:
// the line may be what seems to be missing (decisions.md 90).
func (a *Artifact) GarbledIn(at source.Span, word string) bool {
	if !a.Text.Garbled || word == "" {
		return false
	}
	for line := range strings.Lines(a.Text.Slice(at)) {
		if strings.ContainsRune(line, utf8.RuneError) && strings.Contains(line, word) {
			return true
		}
	}
	return false
}

// MalformedItem is an item with an id that does not fit its section.
type MalformedItem struct {
	ID   source.Span // the first word of the heading, the cell, or the JSON value
	Text string      // as written; "" if there is none
	// Other is the id if it is well formed, but of another section, or of a prediction that is no row; else zero.
	Other brenner.ItemID
	// Item is the content, with a zero ID; nil for a JSON entry that is not an object.
	Item *Item
}

// Item is one item.
type Item struct {
	ID     brenner.ItemID
	IDSpan source.Span
	Name   string
	// NameSpan is the name in the heading, without strike-through and score.
	NameSpan source.Span
	// Heading is the text of the H3 heading; for a prediction its row; for the research
	// thread the section's heading; for JSON the value of id.
	Heading source.Span
	// Span is the whole item, from the heading to the end of its content.
	Span source.Span
	// Fields are in text order.
	Fields []*Field
	// Repeated are the fields, also of a JSON object, that were given before.
	Repeated []*Field
	// PlainLabels are lines that begin with the name of a field, but do not have the form of a
	// field line. They are a part of a value or, if the field is missing, probably meant as the
	// field.
	PlainLabels []PlainLabel
	// Killed reports a killed item in either rendering.
	Killed bool
	// Struck reports that the heading (or the row's id) is struck through.
	Struck bool
	// HalfStruck reports that only a part of the heading is struck, with unmatched marks.
	HalfStruck bool
	// Detached reports a row that is separated from its table by a blank line, a comment or other
	// text, or is above its header.
	Detached bool
	listed   int // the column of the markers if its fields are list items
	// Misheaded is how the heading is written if it is not an H3; else nil.
	Misheaded *Misheading
	// KilledBy, KilledAt and KillReason are "" where not given. Their lines are
	// fields with the keys killed, killed_by, killed_at and kill_reason.
	KilledBy, KilledAt, KillReason string
	// Total is the total of the heading's score, `(Score: 9/12)`; TotalSpan is empty if
	// there is none.
	Total     string
	TotalSpan source.Span
	Row       *markdown.Row  // for a prediction in Markdown
	Node      *jsontree.Node // for a JSON artifact
}

// Field returns the first field of that JSON key, or nil.
func (it *Item) Field(key string) *Field {
	for _, f := range it.Fields {
		if f.Key == key {
			return f
		}
	}
	return nil
}

// Text returns the trimmed text of a field, "" if the item has none.
func (it *Item) Text(key string) string {
	if f := it.Field(key); f != nil {
		return f.Text
	}
	return ""
}

// PlainLabel is the name of a field at the beginning of a line, as in `Claim: …`.
type PlainLabel struct {
	Field *brenner.Field
	Span  source.Span // the name, with its marks and colon
}

// Field is one field of an item.
type Field struct {
	Key   string         // the JSON key; for an unknown field its label as written
	Known *brenner.Field // nil for an unknown field
	Label source.Span    // the name as written, without ** and colon; for JSON the member's name
	// Value is the value without white space and strike-through around it. Without a value it is
	// the empty span where the value belongs. For a list it is from the first entry to the last.
	// For JSON it is the whole value, with quotes.
	Value source.Span
	// Text is the value as text, "" if it is absent (`—`): lines without white space at
	// their ends, separated by \n, with the escapes of Render undone. In a table cell \|
	// is a bar and <br/> a line break. For a list in JSON it is its entries joined by
	// ", "; brenner.Fold makes it comparable (decisions.md 26).
	Text string
	// Entries are those of a list (anchors, conflicts_with), of outcomes (Key is what
	// is before the colon, without `If`), of a score (Key is one of brenner.ScoreParts
	// if it names one) and of a record (Key as written). A prediction has one for each
	// cell that is written under a column; Text is "" if the outcome is absent.
	Entries []Entry
	Node    *jsontree.Node // for a JSON artifact
	First   *Field         // for a repeated field, the one that was given first; else nil
}

// Entry is one entry of a list, of outcomes, of a score or of a record. The text of a
// score is only the number, without the remark after it.
type Entry struct {
	Key     string
	KeySpan source.Span
	Text    string
	Span    source.Span
}

// Earlier returns the entry before the one at an index that has its key, nil if there is none.
func (f *Field) Earlier(index int) *Entry {
	const most = 32 // entries that are looked at: a slate has six active hypotheses
	for i := max(0, index-most); i < index && f.Entries[index].Key != ""; i++ {
		if f.Entries[i].Key == f.Entries[index].Key {
			return &f.Entries[i]
		}
	}
	return nil
}

// RepeatsPart reports whether a part of the field, such as the outcome for a hypothesis, is given
// twice.
func (f *Field) RepeatsPart() bool {
	for i := range f.Entries {
		if f.Earlier(i) != nil {
			return true
		}
	}
	return false
}

// PredictionsTable is the table of section 3. Its rows are items with the fields
// condition and predictions.
type PredictionsTable struct {
	Table *markdown.Table
	// Condition is the cell of the condition: 1, or another one if that names a hypothesis; the number
	// of cells if there is none.
	Condition int
	// Columns are the hypothesis columns: the other cells of the header, except for the first.
	Columns []Column
}

// Column returns the index of the first column with that key, -1 if there is none.
func (t *PredictionsTable) Column(key string) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Key == key })
}

// Column is a hypothesis column of the predictions table.
type Column struct {
	// ID is the hypothesis named at the start of the header cell (`H1 (lineage)`,
	// `H2 predicts`); the zero id if it names none.
	ID brenner.ItemID
	// Key is the key of the column's outcomes: the id, or the whole cell.
	Key  string
	Span source.Span
	cell int
	// Meant reports that the header does not begin with the id of its hypothesis: `If H1`.
	Meant bool
}

// Limits bound what is read of an artifact. A limit of 0 is that of DefaultLimits.
type Limits struct {
	JSONDepth   int // how deep arrays and objects nest
	YAMLDepth   int // how deep lists and mappings nest in front matter
	YAMLAliases int // how many aliases are in front matter
}

// DefaultLimits are far above the needs of artifacts.
var DefaultLimits = Limits{JSONDepth: jsontree.MaxDepth, YAMLDepth: 32, YAMLAliases: 1000}

// JSON returns the limits on JSON.
func (l Limits) JSON() jsontree.Options { return jsontree.Options{MaxDepth: l.JSONDepth} }
