package artifact

import (
	"bytes"
	"errors"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// frontMatter reads the front matter at from, optionally after blank lines, and returns
// where the body begins. Without front matter that is from.
func (p *parser) frontMatter(from int) int {
	open, ok := p.fence(p.lineAt(p.skipBlankLines(from)))
	if !ok {
		return from
	}
	content := source.Span{Start: min(p.lineEnd(open.Start)+1, len(p.data))}
	for at := content.Start; at < len(p.data); {
		line := p.lineAt(at)
		if fence, ok := p.fence(line); ok || p.src[fence.Start:fence.End] == "..." {
			content.End = at
			whole := source.Span{Start: open.Start, End: fence.End}
			p.a.Meta, p.a.MetaFault = p.yaml(content, whole)
			if p.a.Meta == nil && p.holdsSection(content) {
				// A rule (---) of the text below.
				p.a.MetaFault = p.unclosed(open, content.Start)
				return from
			}
			return min(line.End+1, len(p.data))
		}
		at = line.End + 1
	}
	p.a.MetaFault = p.unclosed(open, content.Start)
	return from
}

// unclosed returns a fault if front matter is not closed and the line at off looks like
// part of it: otherwise the line above is only a rule.
func (p *parser) unclosed(open source.Span, off int) *Fault {
	if !p.holdsKey(off) {
		return nil
	}
	last := ""
	for at := off; at < len(p.data) && !strings.ContainsAny(p.src[at:at+1], "#\r\n"); at = p.lineEnd(at) + 1 {
		if p.holdsKey(at) {
			last, _, _ = strings.Cut(p.src[at:p.lineEnd(at)], ":")
		}
	}
	return &Fault{
		Span: open, Message: "front matter is not closed by a line ---",
		Hint: "add a line --- below " + last + " and what belongs to it",
	}
}

// fence returns a line without white space at its end, and whether it is ---.
func (p *parser) fence(line source.Span) (source.Span, bool) {
	for line.End > line.Start && source.IsSpace(p.data[line.End-1]) {
		line.End--
	}
	return line, markdown.ReadFenceLine(p.data[line.Start:line.End]) == frontMatterFence
}

// frontMatterFence is the line that opens front matter, and closes it.
var frontMatterFence = markdown.ReadFenceLine("---")

func (p *parser) lineAt(off int) source.Span { return source.Span{Start: off, End: p.lineEnd(off)} }

func (p *parser) lineEnd(off int) int {
	if n := bytes.IndexByte(p.data[off:], '\n'); n >= 0 {
		return off + n
	}
	return len(p.data)
}

func (p *parser) skipBlankLines(off int) int {
	for at := off; at < len(p.data) && source.IsSpace(p.data[at]); at++ {
		if p.data[at] == '\n' {
			off = at + 1
		}
	}
	return off
}

// holdsSection reports whether a span contains the heading of a section.
func (p *parser) holdsSection(s source.Span) bool {
	for at := s.Start; at < s.End; {
		end := p.lineEnd(at)
		if line := p.src[at:end]; strings.HasPrefix(line, "#") && brenner.SectionByTitle(strings.TrimLeft(line, "#")) != 0 {
			return true
		}
		at = end + 1
	}
	return false
}

// holdsKey reports whether the line at off looks like a front matter line.
func (p *parser) holdsKey(off int) bool {
	key, _, ok := strings.Cut(p.src[off:p.lineEnd(off)], ":")
	return ok && key != "" && strings.Trim(key, "abcdefghijklmnopqrstuvwxyz_") == ""
}

// yaml reads the content of front matter; whole is its span with both fences.
func (p *parser) yaml(content, whole source.Span) (*Meta, *Fault) {
	if values, ok := p.plainMeta(content); ok {
		return &Meta{Span: whole, Values: values}, nil
	}
	return p.anyMeta(content, whole)
}

// anyMeta has the library read front matter, whatever its form.
func (p *parser) anyMeta(content, whole source.Span) (*Meta, *Fault) {
	var doc yaml.Node
	y := yamlReader{p: p, content: content}
	if err := yaml.Unmarshal(p.data[content.Start:content.End], &doc); err != nil {
		return nil, y.fault(err)
	}
	if len(doc.Content) == 0 {
		return nil, &Fault{Span: whole, Message: "front matter is empty"}
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		span, _ := y.span(root)
		return nil, &Fault{Span: span, Message: "front matter is not a mapping of keys to values"}
	}
	if fault := y.beyond(root, 1, new(int)); fault != nil {
		return nil, fault
	}
	return &Meta{Span: whole, Values: y.value(root).Items}, nil
}

// yamlReader maps nodes, which have lines and columns, to spans. It is fast even if very
// many nodes are on one line.
type yamlReader struct {
	p       *parser
	content source.Span

	lines []int // the offsets at which lines begin
	// columns are the offsets of the code points of line columnsOf, nil if it is
	// ASCII.
	columns   []int
	columnsOf int
}

// fault returns the library's error for a text that is not YAML.
func (y *yamlReader) fault(err error) *Fault {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	var line int
	if n, _ := fmt.Sscanf(msg, "line %d:", &line); n == 1 {
		_, msg, _ = strings.Cut(msg, ": ")
	}
	var typeErr *yaml.TypeError
	if errors.As(err, &typeErr) && len(typeErr.Errors) > 0 {
		msg = typeErr.Errors[0]
	}
	at := y.badCharacter()
	if line > 0 {
		at = y.offender(y.p.trim(source.Span{Start: y.lineStart(line), End: y.lineStart(line + 1)}), err.Error())
	}
	return &Fault{Span: y.p.trim(at), Message: "front matter is not YAML: " + msg}
}

// maxProbed bounds the front matter in which the faulty character is searched.
const maxProbed = 1 << 16

// offender returns the character of a line at which the library begins to find a fault,
// as it reports only the line; all of the line if it is not in it.
func (y *yamlReader) offender(line source.Span, fault string) source.Span {
	if y.content.Len() > maxProbed {
		return line
	}
	fails := func(n int) bool {
		err := yaml.Unmarshal(y.p.data[y.content.Start:line.Start+n], new(yaml.Node))
		return err != nil && err.Error() == fault
	}
	if !fails(line.Len()) {
		return line
	}
	n := sort.Search(line.Len(), fails)
	text := strings.TrimRight(y.p.src[line.Start:line.Start+n], blanks)
	if text == "" {
		return line
	}
	_, width := utf8.DecodeLastRuneInString(text)
	end := line.Start + len(text)
	return source.Span{Start: end - width, End: end}
}

// badCharacter returns the first character that YAML does not allow at all; the first
// line if there is none.
func (y *yamlReader) badCharacter() source.Span {
	text := y.p.src[:y.content.End]
	for i := y.content.Start; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n == 1 || r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f || 0x80 <= r && r < 0xa0 && r != 0x85 {
			return source.Span{Start: i, End: i + n}
		}
		i += n
	}
	return source.Span{Start: y.lineStart(1), End: y.lineStart(2)}
}

// lineStart returns the offset of a line of the content, counted from 1.
func (y *yamlReader) lineStart(line int) int {
	if y.lines == nil {
		y.lines = yamlLines(y.p.src[:y.content.End], y.content.Start)
	}
	if line < 1 || line > len(y.lines) {
		return y.content.End
	}
	return y.lines[line-1]
}

// yamlLines returns the offsets at which the lines of a text begin from start on; YAML
// has more line ends than other formats.
func yamlLines(text string, start int) []int {
	lines := []int{start}
	for i, r := range text[start:] {
		at := start + i + utf8.RuneLen(r)
		switch r {
		case '\r':
			if strings.HasPrefix(text[at:], "\n") {
				continue
			}
		case '\n', '\u0085', '\u2028', '\u2029':
		default:
			continue
		}
		lines = append(lines, at)
	}
	return lines
}

// offset returns the place of a line and column, both from 1, columns in code points.
func (y *yamlReader) offset(line, column int) int {
	start := y.lineStart(line)
	if y.columnsOf != line {
		y.columnsOf, y.columns = line, codePoints(y.p.src[start:y.lineStart(line+1)], start)
	}
	at := start + column - 1
	switch {
	case y.columns == nil:
	case column <= len(y.columns):
		at = y.columns[max(column, 1)-1]
	default:
		at = y.lineStart(line + 1)
	}
	return max(start, min(at, y.lineStart(line+1)))
}

// codePoints returns the offsets of the code points of a line that begins at start,
// nil if it is ASCII.
func codePoints(line string, start int) []int {
	for i := range len(line) {
		if line[i] >= utf8.RuneSelf {
			out := make([]int, 0, len(line))
			for j := range line {
				out = append(out, start+j)
			}
			return out
		}
	}
	return nil
}

// beyond returns the first place where front matter exceeds a limit, nil if there is
// none. The library bounds the depth of what it reads at all.
func (y *yamlReader) beyond(n *yaml.Node, depth int, aliases *int) *Fault {
	fault := func(message, hint string) *Fault {
		start := y.offset(n.Line, n.Column)
		return &Fault{Span: source.Span{Start: start, End: min(start+1, y.content.End)}, Message: message, Hint: hint}
	}
	switch limits := &y.p.limits; n.Kind {
	case yaml.AliasNode:
		if *aliases++; *aliases > limits.YAMLAliases {
			return fault(fmt.Sprintf("front matter has more than %d aliases", limits.YAMLAliases), "write the values out, or raise limits.yaml-aliases in .brennerlint.yaml")
		}
	case yaml.SequenceNode, yaml.MappingNode:
		if depth > limits.YAMLDepth {
			return fault(fmt.Sprintf("front matter nests deeper than %d levels", limits.YAMLDepth), "nest less deeply, or raise limits.yaml-depth in .brennerlint.yaml")
		}
	}
	for _, c := range n.Content {
		if fault := y.beyond(c, depth+1, aliases); fault != nil {
			return fault
		}
	}
	return nil
}

// value returns a node and what is in it.
func (y *yamlReader) value(n *yaml.Node) MetaValue {
	span, text := y.span(n)
	v := MetaValue{Span: span, Kind: MetaOther, Text: text}
	if n.Kind == yaml.AliasNode {
		if v.Text = "*" + n.Value; n.Alias.Kind != yaml.ScalarNode {
			return v // not expanded: a few aliases can mean gigabytes
		}
		n = n.Alias
		v.Text = n.Value
	}
	switch n.Kind {
	case yaml.SequenceNode:
		v.Kind = MetaList
		for _, c := range n.Content {
			v.Items = append(v.Items, y.value(c))
		}
	case yaml.MappingNode:
		v.Kind = MetaMap
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := y.value(n.Content[i])
			item := y.value(n.Content[i+1])
			item.Key, item.KeySpan = key.Text, key.Span
			v.Items = append(v.Items, item)
		}
	case yaml.ScalarNode:
		v.Kind = scalarKind(n)
	}
	return v
}

// scalarKind returns the type of a scalar; a timestamp counts as a string.
func scalarKind(n *yaml.Node) MetaKind {
	switch n.ShortTag() {
	case "!!null":
		return MetaNull
	case "!!int":
		return MetaInt
	case "!!float", "!!bool":
		return MetaOther
	}
	return MetaString
}

// span returns where a node is. The library reports where it begins; a scalar's end is
// read from the text, that of a collection from its content.
func (y *yamlReader) span(n *yaml.Node) (source.Span, string) {
	start := y.offset(n.Line, n.Column)
	s := source.Span{Start: start, End: start}
	switch {
	case n.Kind == yaml.ScalarNode:
		s.End = y.scalarEnd(n, start)
		return s, n.Value
	case n.Kind == yaml.AliasNode:
		s.End = y.wordEnd(start)
	case len(n.Content) > 0:
		last, _ := y.span(n.Content[len(n.Content)-1])
		s.End = max(last.End, start)
		if n.Style&yaml.FlowStyle != 0 {
			s.End = y.flowEnd(s.End)
		}
	case n.Style&yaml.FlowStyle != 0:
		s.End = y.flowEnd(start)
	}
	return s, ""
}

// scalarEnd returns the end of a scalar that begins at start.
func (y *yamlReader) scalarEnd(n *yaml.Node, start int) int {
	data := y.p.data[:y.content.End]
	switch {
	case start >= len(data) || n.Tag == "!!null" && n.Value == "":
		return start
	case data[start] == '"' || data[start] == '\'':
		return quoteEnd(data, start)
	case bytes.HasPrefix(data[start:], []byte(n.Value)):
		return start + len(n.Value)
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return y.blockEnd(n, start)
	}
	return max(start, start+len(bytes.TrimRight(data[start:min(y.p.lineEnd(start), len(data))], blanks)))
}

// quoteEnd returns the end of a quoted scalar.
func quoteEnd(data []byte, start int) int {
	quote := data[start]
	for i := start + 1; i < len(data); i++ {
		switch {
		case data[i] == '\\' && quote == '"':
			i++
		case data[i] == quote && quote == '\'' && i+1 < len(data) && data[i+1] == quote:
			i++
		case data[i] == quote:
			return i + 1
		}
	}
	return len(data)
}

// blockEnd returns the end of a literal or folded scalar: of its last line that is
// indented deeper than the line it begins on.
func (y *yamlReader) blockEnd(n *yaml.Node, start int) int {
	depth := leadingSpaces(y.p.src[y.lineStart(n.Line):])
	end := y.p.lineEnd(start)
	for at := end + 1; at < y.content.End; {
		next := min(y.p.lineEnd(at), y.content.End)
		if line := y.p.src[at:next]; strings.Trim(line, blanks) != "" {
			if leadingSpaces(line) <= depth {
				break
			}
			end = next
		}
		at = next + 1
	}
	return min(end, y.content.End)
}

func leadingSpaces(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

func (y *yamlReader) wordEnd(at int) int {
	for at < y.content.End && !source.IsSpace(y.p.data[at]) && y.p.data[at] != ',' {
		at++
	}
	return at
}

// flowEnd returns the offset after the bracket that closes a flow collection, whose
// content ends at off.
func (y *yamlReader) flowEnd(off int) int {
	if n := bytes.IndexAny(y.p.data[off:y.content.End], "]}"); n >= 0 {
		return off + n + 1
	}
	return off
}
