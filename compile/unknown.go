package compile

import (
	"cmp"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/diff"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/source"
	"github.com/brennerlint/brennerlint/state"
)

// update is the writing of a new version over an artifact file.
type update struct {
	*Result
	old    *artifact.Artifact
	data   []byte
	pieces []piece
}

// piece is text of the old file that no model holds: lines that follow each other.
type piece struct {
	line  int
	what  string
	lines []string
	at    position
	sec   protocol.Section
	item  protocol.ItemID
}

// position is where a piece is kept.
type position uint8

const (
	nowhere position = iota
	inFrontMatter
	beforeItem
	endOfItem
	afterHeading // of the section
	endOfSection
	beforeSection
	endOfFile
)

// metaKeys are the keys of the front matter that a new version writes itself.
var metaKeys = []string{"session_id", "created_at", "updated_at", "version", "compiled_at", "compiled_by", "contributors", "agent_mail_message_id", "status"}

// find finds the lines that no model holds.
func (u *update) find() {
	known := u.knownLines()
	first := 0
	if m := u.old.Meta; m != nil {
		first = u.lineOf(m.Span.End - 1)
		u.findMeta(first)
	}
	var open *piece
	for n := first + 1; n <= u.lineOf(len(u.data)); n++ {
		l := u.old.Text.Slice(u.old.Text.Line(n))
		switch {
		case strings.TrimSpace(l) == "":
			if open != nil {
				open.lines = append(open.lines, "")
			}
			continue
		case known[n]:
			open = nil
			continue
		}
		p := u.pieceAt(n, l)
		if open == nil || open.at != p.at || open.sec != p.sec || open.item != p.item {
			u.pieces = append(u.pieces, p)
			open = &u.pieces[len(u.pieces)-1]
		}
		open.lines = append(open.lines, l)
	}
}

// lineOf is the line of an offset, from 1.
func (u *update) lineOf(offset int) int { return u.old.Text.Position(offset).Line }

// knownLines are the lines that a new version writes itself.
func (u *update) knownLines() map[int]bool {
	known := map[int]bool{}
	mark := func(s source.Span) {
		for l := u.lineOf(s.Start); l <= u.lineOf(max(s.Start, s.End-1)); l++ {
			known[l] = true
		}
	}
	for i := range u.old.Doc.Blocks {
		b := &u.old.Doc.Blocks[i]
		heading := strings.TrimLeft(u.old.Text.Slice(b.Span), "# ")
		if isRule(u.old.Text.Slice(b.Span)) || b.Level == 1 && protocol.HasPrefixFold(heading, protocol.ArtifactTitle) {
			mark(b.Span)
		}
	}
	for _, s := range u.old.Sections {
		mark(s.Heading)
		if s.Table != nil {
			mark(s.Table.Table.Header.Span)
			mark(s.Table.Table.Delimiter.Span)
		}
		for _, it := range s.Items {
			mark(it.Heading)
			for _, f := range it.Fields {
				for _, span := range knownSpans(f) {
					mark(span)
				}
			}
		}
		if s.NoneRegistered && len(s.Items) == 0 {
			u.markNone(s, known)
		}
	}
	for _, c := range u.old.Comments {
		for l := u.lineOf(c.Start); l <= u.lineOf(c.End-1); l++ {
			delete(known, l)
		}
	}
	return known
}

// knownSpans are the parts of a field that a model holds: of a list its entries, not
// what is between them.
func knownSpans(f *artifact.Field) []source.Span {
	if f.Known == nil && !slices.Contains(protocol.SystemFields, f.Key) {
		return nil
	}
	out := []source.Span{f.Label}
	for _, e := range f.Entries {
		if f.Known != nil && f.Known.Kind != protocol.TextField {
			out = append(out, e.KeySpan, e.Span)
		}
	}
	switch {
	case f.Known != nil && f.Known.Kind == protocol.FlagField:
		// its word is on the line of the label; what is below it says nothing
	case len(out) == 1:
		out = append(out, f.Value)
	}
	return slices.DeleteFunc(out, source.Span.Empty)
}

// isRule reports whether a block is a rule between sections.
func isRule(block string) bool {
	return strings.Trim(block, "-*_ \t\r\n") == "" && strings.TrimSpace(block) != ""
}

// markNone marks the sentence that says that there are no anomalies.
func (u *update) markNone(s *artifact.Section, known map[int]bool) {
	for l := u.lineOf(s.Heading.Start) + 1; l <= u.lineOf(s.Span.End-1); l++ {
		if strings.EqualFold(strings.Trim(u.old.Text.Slice(u.old.Text.Line(l)), " \t\r\n.*_"), "none registered") {
			known[l] = true
		}
	}
}

// pieceAt is a piece that begins with a line, and where it is kept.
func (u *update) pieceAt(number int, line string) piece {
	p := piece{line: number, what: describe(line)}
	offset := u.old.Text.Line(number).Start
	i, _ := slices.BinarySearchFunc(u.old.Sections, offset, func(s *artifact.Section, at int) int { return cmp.Compare(s.Heading.Start, at+1) })
	if i == 0 || offset >= u.old.Sections[i-1].Span.End {
		if p.at = endOfFile; i < len(u.old.Sections) {
			p.at, p.sec = beforeSection, u.old.Sections[i].Kind
		}
		return p
	}
	s := u.old.Sections[i-1]
	p.sec = s.Kind
	var before, after *artifact.Item
	j, _ := slices.BinarySearchFunc(s.Items, offset, func(it *artifact.Item, at int) int { return cmp.Compare(it.Heading.Start, at+1) })
	if j > 0 {
		before = s.Items[j-1]
	}
	if j < len(s.Items) {
		after = s.Items[j]
	}
	comment := strings.HasPrefix(strings.TrimSpace(line), "<!--")
	inTable := s.Kind == protocol.PredictionsTable
	switch {
	case s.Kind == protocol.ResearchThread, inTable && before != nil:
		p.at = endOfSection
	case comment && after != nil && !inTable:
		p.at, p.item = beforeItem, after.ID
	case comment && before != nil:
		p.at = endOfSection
	case before != nil:
		p.at, p.item = endOfItem, before.ID
	default:
		p.at = afterHeading
	}
	if p.item.Section != 0 && u.State.Find(p.item) == nil {
		p.at = nowhere
	}
	return p
}

// describe names a piece for people by its first line.
func describe(line string) string {
	line = strings.TrimSpace(line)
	switch {
	case strings.HasPrefix(line, "<!--"):
		return "a comment"
	case strings.HasPrefix(line, "#"):
		return "the section " + text.Quote(strings.TrimLeft(line, "# "))
	case strings.HasPrefix(line, "**"):
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "**"), "**")
		return "the field " + text.Quote(strings.TrimRight(name, ":"))
	}
	return text.Quote(line)
}

// findMeta finds the entries of the front matter, which ends at a line, that a new
// version does not write.
func (u *update) findMeta(end int) {
	line := func(n int) string { return u.old.Text.Slice(u.old.Text.Line(n)) }
	taken := map[int]bool{}
	for i, v := range u.old.Meta.Values {
		if slices.Contains(metaKeys, v.Key) {
			continue
		}
		from, to := u.lineOf(v.KeySpan.Start), end-1 // the last is ---
		if i+1 < len(u.old.Meta.Values) {
			to = u.lineOf(u.old.Meta.Values[i+1].KeySpan.Start) - 1
		}
		p := piece{line: from, what: "the front matter key " + text.Quote(v.Key), at: inFrontMatter}
		for n := from; n <= max(from, to); n++ {
			p.lines = append(p.lines, line(n))
			taken[n] = true
		}
		u.pieces = append(u.pieces, p)
	}
	for n := 1; n < end; n++ {
		if l := strings.TrimSpace(line(n)); strings.HasPrefix(l, "#") && !taken[n] {
			u.pieces = append(u.pieces, piece{line: n, what: "a comment", at: inFrontMatter, lines: []string{l}})
		}
	}
}

// edited are the items and values that no version of the thread has: they were
// written by hand, and nothing can keep them.
func (u *update) edited() []UnknownText {
	out := u.editedContributors()
	for _, s := range u.old.Sections {
		for _, it := range s.Items {
			data := it.State(s.Kind)
			versions := u.versionsOf(it.ID)
			if len(versions) == 0 && diff.Visible(data) {
				out = append(out, UnknownText{Line: u.lineOf(it.Heading.Start), What: "the item " + it.ID.String()})
				continue
			}
			heading := u.lineOf(it.Heading.Start)
			if f := s.Kind.Field("name"); f != nil && !anyHas(versions, s.Kind, f, data.Fields["name"]) {
				out = append(out, UnknownText{Line: heading, What: it.ID.String() + " name"})
			}
			if data.Killed != nil && !anyKills(versions, data.Killed) {
				out = append(out, UnknownText{Line: heading, What: "how " + it.ID.String() + " was killed"})
			}
			for _, f := range it.Fields {
				if f.Known != nil && !anyHas(versions, s.Kind, f.Known, data.Fields[f.Key]) {
					out = append(out, UnknownText{Line: u.lineOf(f.Label.Start), What: it.ID.String() + " " + f.Key})
				}
			}
		}
	}
	return out
}

// versionsOf is an item in the versions of the thread that have it.
func (u *update) versionsOf(id protocol.ItemID) []*state.Item {
	var out []*state.Item
	for _, st := range u.versions {
		if it := st.Find(id); it != nil {
			out = append(out, it)
		}
	}
	return out
}

// anyHas reports whether a version has a value, as far as a rendering shows it.
func anyHas(versions []*state.Item, sec protocol.Section, f *protocol.Field, v any) bool {
	if state.NormalValue(sec, f, v) == nil {
		return true
	}
	return slices.ContainsFunc(versions, func(it *state.Item) bool { return diff.Shows(sec, f, it.Fields[f.Key], v) })
}

// anyKills reports whether a version has an item killed so.
func anyKills(versions []*state.Item, k *state.Kill) bool {
	return slices.ContainsFunc(versions, func(it *state.Item) bool {
		return it.Killed != nil && !diff.TextDiffers(it.Killed.Reason, k.Reason) && !diff.TextDiffers(it.Killed.By, k.By)
	})
}

func sortByLine(list []UnknownText) {
	slices.SortStableFunc(list, func(a, b UnknownText) int { return cmp.Compare(a.Line, b.Line) })
}
