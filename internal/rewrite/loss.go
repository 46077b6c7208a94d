package rewrite

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// checkFormattable reports what a rendering of the model cannot have: it has each
// section, item and field once.
func checkFormattable(a *artifact.Artifact) error {
	lost := func(at int, format string, args ...any) error {
		return &LossError{a.Text.Position(at).Line, fmt.Sprintf(format, args...)}
	}
	switch {
	case len(a.Sections) == 0:
		return lost(0, "it is not an artifact")
	case a.MetaFault != nil && bytes.HasPrefix(a.Text.Data, []byte("---")):
		return lost(a.MetaFault.Span.Start, "the front matter cannot be read: %s", a.MetaFault.Message)
	case len(a.Conflicts) > 0:
		return lost(a.Conflicts[0].Marker.Start, "it has conflict markers")
	case len(a.Hidden) > 0:
		return lost(a.Hidden[0].Line.Start, "a fence, a comment or HTML hides a part of the artifact")
	}
	for _, s := range a.Sections {
		if s != a.Section(s.Kind) {
			return lost(s.Heading.Start, "the section %s is there twice", s.Kind.Title())
		}
		if len(s.Malformed) > 0 {
			m := &s.Malformed[0]
			return lost(m.ID.Start, "%s is not the id of an item of %s", text.Quote(m.Text), s.Kind.Title())
		}
		for _, it := range s.Items {
			if it != a.Item(it.ID) {
				return lost(it.Heading.Start, "%s is there twice", it.ID)
			}
			for _, f := range it.Fields {
				if f != it.Field(f.Key) {
					return lost(f.Label.Start, "%s has %s twice", it.ID, text.Quote(f.Key))
				}
			}
		}
	}
	return nil
}

// compare reports the first thing that an artifact has and its rendering does not.
func compare(old, now *artifact.Artifact) error {
	c := &comparison{old: old, now: now}
	if len(now.Hidden) > 0 || len(now.Sections) != len(old.Sections) {
		return &LossError{1, "text between its items would hide a part of it"}
	}
	for _, s := range old.Sections {
		other := now.Section(s.Kind)
		if other == nil || len(other.Items) != len(s.Items) || len(other.Malformed) > 0 || other.NoneRegistered != s.NoneRegistered {
			return c.lost(s.Heading.Start, "the section "+s.Kind.Title())
		}
		if s.Table != nil && !c.sameHeader(s, other) {
			return c.lost(s.Table.Table.Header.Span.Start, "a heading of the table")
		}
		for _, it := range s.Items {
			if err := c.item(it, now.Item(it.ID)); err != nil {
				return err
			}
		}
	}
	if len(old.Comments) != len(now.Comments) {
		return c.lost(old.Sections[0].Heading.Start, "a comment")
	}
	return nil
}

type comparison struct{ old, now *artifact.Artifact }

func (c *comparison) lost(at int, what string) error {
	return &LossError{c.old.Text.Position(at).Line, what + " would be lost, or change"}
}

// item compares an item with its rendering.
func (c *comparison) item(it, now *artifact.Item) error {
	name := it.ID.String()
	switch {
	case now == nil:
		return c.lost(it.Heading.Start, name)
	case it.Name != now.Name:
		return c.lost(it.Heading.Start, "the name of "+name)
	case it.Killed != now.Killed || it.KilledBy != now.KilledBy || brenner.Fold(it.KillReason) != brenner.Fold(now.KillReason) || !sameTime(it.KilledAt, now.KilledAt):
		return c.lost(it.Heading.Start, "how "+name+" was killed")
	case it.Total != now.Total && !it.TotalSpan.Empty():
		return c.lost(it.TotalSpan.Start, "the total of "+name+" ("+it.Total+")")
	case it.Row == nil && hasHeadingRemark(c.old, it):
		return c.lost(it.Heading.Start, "a remark in the heading of "+name)
	case it.Row != nil && !c.sameRow(it, now):
		return c.lost(it.Row.Span.Start, "a cell of "+name)
	}
	for _, f := range it.Fields {
		switch {
		case isKill(f) && it.Killed && (f.Key != "killed" || isWord(f.Text)):
			continue // compared above
		case isKill(f) && f.Text == "":
			continue
		}
		if !c.sameField(it, now, f) {
			return c.lost(f.Label.Start, text.Quote(f.Key)+" of "+name)
		}
	}
	return nil
}

// sameRow reports whether a row of the table says what it said.
func (c *comparison) sameRow(it, now *artifact.Item) bool {
	return now.Row != nil && holdsWords(c.now.Text.Slice(now.Row.Span), c.old.Text.Slice(it.Row.Span))
}

// isKill reports whether a field says who killed an item, when or why.
func isKill(f *artifact.Field) bool {
	return f.Known == nil && f.Key != "id" && brenner.IsSystemField(f.Key)
}

func sameTime(a, b string) bool {
	x, ok := brenner.ParseTime(a)
	y, okToo := brenner.ParseTime(b)
	return a == b || ok && okToo && x.Time.Equal(y.Time)
}

// sameField reports whether a field says what it said: it has the same value as data, and all
// words of the old text.
func (c *comparison) sameField(it, now *artifact.Item, f *artifact.Field) bool {
	other := now.Field(f.Key)
	isFlag := f.Known != nil && f.Known.Kind == brenner.FlagField && isWord(f.Text)
	switch {
	case other == nil: // empty, or a flag that is not set
		return f.Text == "" || isFlag && slices.Contains([]string{"false", "no"}, words(f.Text)[0])
	case isFlag:
		return brenner.IsTrue(f.Text) == brenner.IsTrue(other.Text)
	case f.Known == nil || f.Known.Kind == brenner.TextField || len(f.Entries) == 0:
		return f.Text == other.Text
	}
	holds := holdsWords(c.now.Text.Slice(other.Value)+" if", c.old.Text.Slice(f.Value))
	return brenner.SameValue(it.Value(f.Key), now.Value(f.Key)) && (holds || f.Known.Kind == brenner.ScoreField && !hasRemark(c.old, f))
}

func isWord(s string) bool {
	w := words(s)
	return len(w) == 1 && !strings.ContainsFunc(w[0], unicode.IsSymbol)
}

// hasRemark reports whether the value of a score says more than its parts.
func hasRemark(a *artifact.Artifact, f *artifact.Field) bool {
	var parts []source.Span
	for _, e := range f.Entries {
		parts = append(parts, e.KeySpan, e.Span)
	}
	return !holdsWords("", outside(a, f.Value, parts...))
}

// hasHeadingRemark reports whether the heading of an item says more than its id, its name, its
// score and that it is killed.
func hasHeadingRemark(a *artifact.Artifact, it *artifact.Item) bool {
	parts := []source.Span{it.IDSpan, it.NameSpan}
	if brenner.IsNumber(it.Total) {
		parts = append(parts, it.TotalSpan)
	}
	return it.ID.Section != brenner.ResearchThread && !holdsWords("score 12 killed", outside(a, it.Heading, parts...))
}

// outside returns what a span has outside of its parts, which are in order.
func outside(a *artifact.Artifact, whole source.Span, parts ...source.Span) string {
	var b strings.Builder
	at := whole.Start
	for _, s := range parts {
		if !s.Empty() {
			b.WriteString(a.Text.Slice(source.Span{Start: at, End: max(at, s.Start)}) + " ")
			at = max(at, s.End)
		}
	}
	b.WriteString(a.Text.Slice(source.Span{Start: at, End: max(at, whole.End)}))
	return b.String()
}

// sameHeader reports whether the columns of a table are those that it had.
func (c *comparison) sameHeader(old, now *artifact.Section) bool {
	if now.Table == nil {
		return false
	}
	got := c.now.Text.Slice(now.Table.Table.Header.Span) + tableWords
	return holdsWords(got, c.old.Text.Slice(old.Table.Table.Header.Span))
}

// tableWords are words in the heading of a table that its canonical form may leave out.
const tableWords = " prediction predictions observation condition id "

// words returns the words of a text, in lower case.
func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '§' && !unicode.IsSymbol(r) || strings.ContainsRune("|`~", r)
	})
}

// holdsWords reports whether a text has all words of another, as often.
func holdsWords(text, of string) bool {
	have := map[string]int{}
	for _, w := range words(text) {
		have[w]++
	}
	for _, w := range words(of) {
		if have[w]--; have[w] < 0 && w != "if" {
			return false
		}
	}
	return true
}
