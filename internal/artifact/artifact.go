// Package artifact reads artifact files, Markdown and JSON, into a typed tree
// with a span for everything, and renders states as canonical Markdown
// (spec: artifact_format.md).
//
// The parser reads every rendering the format allows, never stops at the first
// fault and never invents a position. What is a fault is for the rules to say.
package artifact

import (
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/protocol"
	"github.com/brennerlint/brennerlint/internal/source"
)

// Artifact is one artifact, of a file or of a COMPILED message. All spans are
// of Text.
type Artifact struct {
	Text *source.Text
	// Doc is the Markdown document; nil for a JSON artifact.
	Doc *markdown.Document
	// Root is the JSON document; nil for a Markdown artifact.
	Root *jsontree.Node

	// Meta is the front matter, or the metadata of a JSON artifact; nil where
	// there is none or it does not parse to a mapping.
	Meta *Meta
	// MetaFault tells why Meta is nil, with the place.
	MetaFault *Fault

	// Sections are those found, in the order of the text. A section that stands
	// twice is listed twice; Section finds the first.
	Sections []*Section
}

// IsJSON reports whether the artifact is a JSON document.
func (a *Artifact) IsJSON() bool { return a.Root != nil }

// Section is the first section of that kind, or nil.
func (a *Artifact) Section(s protocol.Section) *Section {
	for _, sec := range a.Sections {
		if sec.Kind == s {
			return sec
		}
	}
	return nil
}

// Fault is something that does not parse.
type Fault struct {
	Span    source.Span
	Message string
}

// Meta is the front matter. Values is in order of the text; of a key given
// twice the last counts.
type Meta struct {
	Span   source.Span // from the opening --- to the closing one, both included; of JSON the metadata object
	Values []MetaValue
}

// Get is the value of a key, or nil.
func (m *Meta) Get(key string) *MetaValue {
	if m == nil {
		return nil
	}
	for i := len(m.Values) - 1; i >= 0; i-- {
		if m.Values[i].Key == key {
			return &m.Values[i]
		}
	}
	return nil
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
	Text    string      // of a scalar: a string without quotes, else as written
	Span    source.Span // of the value
	Items   []MetaValue // of a list or mapping
}

// Section is one of the seven sections.
type Section struct {
	Kind protocol.Section
	// Heading is the text of the heading (of JSON the member's name).
	Heading source.Span
	// Span is the whole section, heading included.
	Span source.Span
	// Items are those recognised, in the order of the text: H3 headings with an
	// id-like first word, rows of the predictions table, objects of a JSON array,
	// and the one research thread.
	Items []*Item
	// Table is the predictions table, nil where there is none (or in JSON).
	Table *PredictionsTable
	// NoneRegistered reports the words of an empty anomaly register.
	NoneRegistered bool
	// Strays are H3 headings whose id is malformed or of another section, and
	// JSON entries without a well-formed id.
	Strays []Stray
}

// Stray is an item heading whose id does not fit its section (ES-003).
type Stray struct {
	ID     source.Span // the first word of the heading, or the JSON value
	Text   string      // as written
	Reason string
}

// Item is one item.
type Item struct {
	ID     protocol.ItemID
	IDSpan source.Span
	Name   string
	// NameSpan is the name in the heading, without strike-through and score.
	NameSpan source.Span
	// Heading is the text of the H3 heading; of a prediction its row; of JSON
	// the value of id.
	Heading source.Span
	// Span is the whole item, heading included.
	Span source.Span
	// Fields are in the order of the text.
	Fields []*Field
	// Killed reports a killed item in either rendering.
	Killed bool
	// Struck reports that the heading (or the row's id) is struck through.
	Struck bool
	// KilledBy, KilledAt and KillReason are "" where not given.
	KilledBy, KilledAt, KillReason string
	// Total is the total of the heading's score, `(Score: 9/12)`; TotalSpan is
	// empty where there is none.
	Total     string
	TotalSpan source.Span
	Node      *jsontree.Node // of a JSON artifact
}

// Field is the first field of that JSON key, or nil.
func (it *Item) Field(key string) *Field {
	for _, f := range it.Fields {
		if f.Key == key {
			return f
		}
	}
	return nil
}

// Text is the trimmed text of a field, "" if the item has none.
func (it *Item) Text(key string) string {
	if f := it.Field(key); f != nil {
		return f.Text
	}
	return ""
}

// Field is one field of an item.
type Field struct {
	Key   string          // the JSON key; of an unknown field its label
	Known *protocol.Field // nil for an unknown field
	Label source.Span     // the name as written, without ** and colon; of JSON the member's name
	// Value is the value without white space around it; empty (at the place
	// where it would stand) if there is none.
	Value source.Span
	// Text is the value as text: line ends folded, <br/> a line break, \| a bar,
	// strike-through dropped. Of a list its entries joined by ", ".
	Text string
	// Entries are those of a list (anchors, conflicts_with), of outcomes (Key is
	// the hypothesis id as written) and of a score (Key is the score part).
	Entries []Entry
	Node    *jsontree.Node // of a JSON artifact
}

// Entry is one entry of a list, of outcomes or of a score.
type Entry struct {
	Key     string
	KeySpan source.Span
	Text    string
	Span    source.Span
}

// PredictionsTable is the table of section 3. Its rows are items: fields
// condition and predictions.
type PredictionsTable struct {
	Table *markdown.Table
	// Columns are the hypothesis columns, from the third cell of the header on.
	Columns []Column
}

// Column is a hypothesis column of the predictions table.
type Column struct {
	// ID is the hypothesis named at the start of the header cell (`H1 (lineage)`,
	// `H2 predicts`); the zero id if it names none.
	ID   protocol.ItemID
	Span source.Span
	Text string
}
