package artifact

import (
	"cmp"
	"fmt"
	"iter"
	"sort"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// frontMatter reads the front matter at from, optionally after blank lines, and returns
// where the body begins. Without front matter that is from.
func (p *parser) frontMatter(from int) int {
	blank := len(p.src[from:]) - len(strings.TrimLeft(p.src[from:], blanks))
	top := from + strings.LastIndexByte(p.src[from:from+blank], '\n') + 1
	open, ok := p.fence(source.Span{Start: top, End: p.lineEnd(top)})
	if !ok {
		return from
	}
	content := source.Span{Start: min(p.lineEnd(open.Start)+1, len(p.src))}
	for line := range p.linesIn(content.Start, len(p.src)) {
		if fence, ok := p.fence(line); ok || p.src[fence.Start:fence.End] == "..." {
			content.End = line.Start
			whole := source.Span{Start: open.Start, End: fence.End}
			p.a.Meta, p.a.MetaFault = p.yaml(content, whole)
			if p.a.Meta == nil && p.holdsSection(content) {
				// A rule (---) of the text below.
				p.a.MetaFault = p.unclosed(open, content.Start)
				return from
			}
			return min(line.End+1, len(p.src))
		}
	}
	p.a.MetaFault = p.unclosed(open, content.Start)
	return from
}

// unclosed returns a fault if front matter is not closed and the line at off looks like
// part of it: otherwise the line above is only a rule.
func (p *parser) unclosed(open source.Span, off int) *Fault {
	last := ""
	for line := range p.linesIn(off, len(p.src)) {
		text := p.src[line.Start:line.End]
		if text == "" || text[0] == '#' || text[0] == '\r' {
			break
		}
		if key, _, ok := strings.Cut(text, ":"); ok && key != "" && strings.Trim(key, "abcdefghijklmnopqrstuvwxyz_") == "" {
			last = key
		} else if line.Start == off {
			return nil
		}
	}
	if last == "" {
		return nil
	}
	return &Fault{
		Span: open, Message: "front matter is not closed by a line ---",
		Hint: "add a line --- below " + last + " and what belongs to it",
	}
}

// fence returns a line without white space at its end, and whether it is ---.
func (p *parser) fence(line source.Span) (source.Span, bool) {
	text := strings.TrimRight(p.src[line.Start:line.End], blanks)
	return source.Span{Start: line.Start, End: line.Start + len(text)}, text == "---"
}

// linesIn yields the lines of a part of the text, without their ends.
func (p *parser) linesIn(start, end int) iter.Seq[source.Span] {
	return func(yield func(source.Span) bool) {
		for at := start; at < end; {
			line := source.Span{Start: at, End: min(p.lineEnd(at), end)}
			if at = line.End + 1; !yield(line) {
				return
			}
		}
	}
}

func (p *parser) lineEnd(off int) int {
	if n := strings.IndexByte(p.src[off:], '\n'); n >= 0 {
		return off + n
	}
	return len(p.src)
}

// holdsSection reports whether a span contains the heading of a section.
func (p *parser) holdsSection(s source.Span) bool {
	for line := range strings.Lines(p.src[s.Start:s.End]) {
		if strings.HasPrefix(line, "#") && brenner.SectionByTitle(strings.TrimLeft(line, "#")) != 0 {
			return true
		}
	}
	return false
}

// yaml reads the content of front matter; whole is its span with both fences.
func (p *parser) yaml(content, whole source.Span) (*Meta, *Fault) {
	if values, ok := p.plainMeta(content); ok {
		return &Meta{Span: whole, Values: values}, nil
	}
	return p.anyMeta(content, whole)
}

// plainMeta reads front matter as compilers write it: keys with words, numbers and quoted
// strings, and lists of words or of mappings. That is a small part of YAML, read line by line in a
// twentieth of the time that the library takes, which would be a quarter of the time of
// checking artifact files. It returns false for anything written even slightly
// differently; a fuzz test compares the two readers.
func (p *parser) plainMeta(content source.Span) ([]MetaValue, bool) {
	root := MetaValue{Kind: MetaMap, Items: make([]MetaValue, 0, 12)}
	for line := range p.linesIn(content.Start, content.End) {
		text := strings.TrimSuffix(p.src[line.Start:line.End], "\r")
		depth := leadingSpaces(text)
		line = source.Span{Start: line.Start + depth, End: line.Start + len(text)}
		into := &root // the collection that the line adds to
		for range depth / 2 {
			if len(into.Items) == 0 {
				return nil, false
			}
			into = &into.Items[len(into.Items)-1]
		}
		var v MetaValue
		ok := false
		switch {
		case depth == 0, depth == 4 && into.Kind == MetaMap:
			v, ok = p.plainEntry(line, depth == 0)
		case depth == 2 && into.Kind == MetaList && strings.HasPrefix(text[depth:], "- "):
			line.Start += len("- ")
			if v, ok = p.plainEntry(line, false); ok {
				v = MetaValue{Kind: MetaMap, Items: append(make([]MetaValue, 0, 4), v)}
			} else {
				v, ok = p.plainScalar(line)
			}
		}
		if !ok {
			return nil, false
		}
		into.Items = append(into.Items, v)
	}
	for i := range root.Items {
		list := &root.Items[i]
		if list.Kind != MetaList {
			continue
		}
		if len(list.Items) == 0 {
			return nil, false // nothing, null or a list that is not indented
		}
		for j := range list.Items {
			if m := &list.Items[j]; m.Kind == MetaMap {
				m.Span = source.Span{Start: m.Items[0].KeySpan.Start, End: m.Items[len(m.Items)-1].Span.End}
			}
		}
		list.Span = source.Span{Start: list.Items[0].Span.Start - len("- "), End: list.Items[len(list.Items)-1].Span.End}
	}
	return root.Items, len(root.Items) > 0
}

// plainEntry reads `key: value`, or `key:` above a list.
func (p *parser) plainEntry(line source.Span, above bool) (MetaValue, bool) {
	const maxKey = 64 // longer than any key in use; YAML has a limit too
	key, rest, _ := strings.Cut(p.src[line.Start:line.End], ":")
	if len(key) > maxKey || strings.Trim(key, "abcdefghijklmnopqrstuvwxyz_") != "" || plainKind(key) != MetaString {
		return MetaValue{}, false
	}
	end := line.Start + len(key)
	v, ok := MetaValue{Kind: MetaList}, above && rest == "" && end < line.End
	if strings.HasPrefix(rest, " ") {
		v, ok = p.plainScalar(source.Span{Start: end + 2, End: line.End})
	}
	v.Key, v.KeySpan = key, source.Span{Start: line.Start, End: end}
	return v, ok
}

// plainScalar reads a string in double quotes without escapes, a name, a number or a time.
func (p *parser) plainScalar(s source.Span) (MetaValue, bool) {
	text := p.src[s.Start:s.End]
	n := len(text)
	if n < 2 || text[0] != '"' || text[n-1] != '"' {
		kind := plainKind(text)
		return MetaValue{Kind: kind, Text: text, Span: s}, kind != 0
	}
	text = text[1 : n-1]
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return MetaValue{}, false
		}
	}
	return MetaValue{Kind: MetaString, Text: text, Span: s}, true
}

// plainKind returns the type of a scalar without quotes: a decimal number, a time, or a word
// that has no other meaning in YAML; 0 if it may have one.
func plainKind(text string) MetaKind {
	if text != "" && '0' <= text[0] && text[0] <= '9' {
		if brenner.IsNumber(text) && len(text) < 18 && (text[0] != '0' || len(text) == 1) {
			return MetaInt
		}
		if _, ok := brenner.ParseTimestamp(text); ok && strings.Contains(text, "T") {
			return MetaString
		}
		return 0
	}
	for i := range len(text) {
		c := text[i]
		letter, other := 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9' || c == '-' || c == '_' || c == '.'
		if !letter && (i == 0 || !other) {
			return 0
		}
	}
	switch strings.ToLower(text) {
	case "", "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return 0
	}
	return MetaString
}

// anyMeta has the library read front matter, whatever its form.
func (p *parser) anyMeta(content, whole source.Span) (*Meta, *Fault) {
	var doc yaml.Node
	y := yamlReader{p: p, content: content, line: 1, column: 1, at: content.Start}
	if err := yaml.Unmarshal(p.a.Text.Bytes(content), &doc); err != nil {
		return nil, y.fault(err)
	}
	if len(doc.Content) == 0 {
		return nil, &Fault{Span: whole, Message: "front matter is empty"}
	}
	root := y.value(doc.Content[0], 1)
	if root.Kind != MetaMap {
		return nil, &Fault{Span: root.Span, Message: "front matter is not a mapping of keys to values"}
	}
	if y.beyond != nil {
		return nil, y.beyond
	}
	return &Meta{Span: whole, Values: root.Items}, nil
}

// yamlReader maps nodes, which have lines and columns, to spans. It follows them through
// the content with a place that only moves forward as they do: many may be on one line.
type yamlReader struct {
	p       *parser
	content source.Span
	aliases int    // so far
	beyond  *Fault // the first place where a limit is exceeded

	line, column, at int // the same place, line and column counted from 1
}

// offset returns the offset of a line and a column in code points. Beyond the end of a
// line it is the start of the next one.
func (y *yamlReader) offset(line, column int) int {
	if line < y.line || line == y.line && column < y.column {
		y.line, y.column, y.at = 1, 1, y.content.Start
	}
	for y.at < y.content.End && (y.line < line || y.line == line && y.column < column) {
		r, n := utf8.DecodeRuneInString(y.p.src[y.at:y.content.End])
		y.at += n
		y.column++
		if r == '\n' || r == '\u0085' || r == '\u2028' || r == '\u2029' || r == '\r' && (y.at == y.content.End || y.p.src[y.at] != '\n') {
			y.line, y.column = y.line+1, 1 // YAML has more line ends than other formats
		}
	}
	return y.at
}

// fault returns the library's error for a text that is not YAML.
func (y *yamlReader) fault(err error) *Fault {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	parts := []source.Span{y.content} // where the fault may be
	var line int
	if n, _ := fmt.Sscanf(msg, "line %d:", &line); n == 1 {
		_, msg, _ = strings.Cut(msg, ": ")
		parts = []source.Span{y.lineAt(line), y.lineAt(line + 1)} // the library counts the lines of some faults from 0
	}
	at := parts[0]
	for _, part := range parts {
		if offender, found := y.offender(part, err.Error()); found {
			at = offender
			break
		}
	}
	return &Fault{Span: y.p.trim(at), Message: "front matter is not YAML: " + msg}
}

func (y *yamlReader) lineAt(line int) source.Span {
	return y.p.trim(source.Span{Start: y.offset(line, 1), End: y.offset(line+1, 1)})
}

// offender returns the character of a part of the text at which the library begins to find a
// fault, as it reports at most the line; all of the part if it is not in it.
func (y *yamlReader) offender(part source.Span, fault string) (at source.Span, found bool) {
	const maxProbed = 1 << 16 // the front matter is read again and again
	fails := func(n int) bool {
		err := yaml.Unmarshal([]byte(y.p.src[y.content.Start:part.Start+n]), new(yaml.Node))
		return err != nil && err.Error() == fault
	}
	if y.content.Len() > maxProbed || !fails(part.Len()) {
		return part, false
	}
	n := sort.Search(part.Len(), fails)
	text := strings.TrimRight(y.p.src[part.Start:part.Start+n], blanks)
	if text == "" {
		return part, true
	}
	_, width := utf8.DecodeLastRuneInString(text)
	end := part.Start + len(text)
	return source.Span{Start: end - width, End: end}, true
}

// exceeds records the place where a limit is exceeded.
func (y *yamlReader) exceeds(start int, message, hint string) {
	if y.beyond == nil {
		y.beyond = &Fault{Span: source.Span{Start: start, End: min(start+1, y.content.End)}, Message: message, Hint: hint}
	}
}

// value returns a node and what is in it. The library reports where a node begins; where a
// scalar ends is read from the text, where a collection ends follows from its content. The library
// bounds the depth of what it reads at all.
func (y *yamlReader) value(n *yaml.Node, depth int) MetaValue {
	start := y.offset(n.Line, n.Column)
	v := MetaValue{Span: source.Span{Start: start, End: start}, Kind: MetaOther}
	switch n.Kind {
	case yaml.AliasNode:
		most := cmp.Or(y.p.limits.YAMLAliases, DefaultLimits.YAMLAliases)
		if y.aliases++; y.aliases > most {
			y.exceeds(start, fmt.Sprintf("front matter has more than %d aliases", most), "write the values out, or raise limits.yaml-aliases in .brennerlint.yaml")
		}
		for v.Span.End < y.content.End && !source.IsSpace(y.p.src[v.Span.End]) && y.p.src[v.Span.End] != ',' {
			v.Span.End++
		}
		v.Text = "*" + n.Value // a collection is not expanded: a few aliases can mean gigabytes
		if n.Alias.Kind == yaml.ScalarNode {
			v.Kind, v.Text = scalarKind(n.Alias), n.Alias.Value
		}
		return v
	case yaml.ScalarNode:
		v.Kind, v.Text, v.Span.End = scalarKind(n), n.Value, y.scalarEnd(n, start)
		return v
	}
	if most := cmp.Or(y.p.limits.YAMLDepth, DefaultLimits.YAMLDepth); depth > most {
		y.exceeds(start, fmt.Sprintf("front matter nests deeper than %d levels", most), "nest less deeply, or raise limits.yaml-depth in .brennerlint.yaml")
		return v
	}
	v.Kind = MetaList
	if n.Kind == yaml.MappingNode {
		v.Kind = MetaMap
	}
	var key MetaValue
	for i, c := range n.Content {
		item := y.value(c, depth+1)
		if v.Kind == MetaMap && i%2 == 0 {
			key = item
			continue
		}
		item.Key, item.KeySpan = key.Text, key.Span
		v.Items = append(v.Items, item)
	}
	if len(v.Items) > 0 {
		v.Span.End = max(v.Items[len(v.Items)-1].Span.End, start)
	}
	if n.Style&yaml.FlowStyle != 0 {
		if n := strings.IndexAny(y.p.src[v.Span.End:y.content.End], "]}"); n >= 0 {
			v.Span.End += n + 1
		}
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

// quoted matches a scalar in quotes.
var quoted = text.Pattern(`(?s)^(?:'(?:[^']|'')*'|"(?:[^"\\]|\\.)*")`)

// scalarEnd returns the end of a scalar that begins at start.
func (y *yamlReader) scalarEnd(n *yaml.Node, start int) int {
	data := y.p.src[:y.content.End]
	switch {
	case start >= len(data) || n.Tag == "!!null" && n.Value == "":
		return start
	case data[start] == '"' || data[start] == '\'':
		return start + len(quoted().FindString(data[start:]))
	case strings.HasPrefix(data[start:], n.Value):
		return start + len(n.Value)
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return y.blockEnd(start)
	}
	return max(start, start+len(strings.TrimRight(data[start:min(y.p.lineEnd(start), len(data))], blanks)))
}

// blockEnd returns the end of a literal or folded scalar: of its last line that is
// indented deeper than the line it begins on.
func (y *yamlReader) blockEnd(start int) int {
	depth := leadingSpaces(y.p.src[strings.LastIndexByte(y.p.src[:start], '\n')+1:])
	end := y.p.lineEnd(start)
	for line := range y.p.linesIn(end+1, y.content.End) {
		if text := y.p.src[line.Start:line.End]; strings.Trim(text, blanks) != "" {
			if leadingSpaces(text) <= depth {
				break
			}
			end = line.End
		}
	}
	return min(end, y.content.End)
}

func leadingSpaces(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }
