package artifact

import (
	"strings"

	"github.com/brennerlint/brennerlint/source"
)

// Front matter as compilers write it is a small part of YAML: keys with strings and
// numbers, and lists of names or of mappings. It is read here in a twentieth of the time
// that the library takes, which is a quarter of the time of checking artifact files.
// Anything written even slightly differently is left to the library; a fuzz test
// compares the two.

// plainMeta reads content line by line; false if it needs the library.
func (p *parser) plainMeta(content source.Span) ([]MetaValue, bool) {
	r := plainReader{p: p, at: content.Start, end: content.End}
	values := r.mapping(0, nil)
	return values, !r.failed && r.at >= r.end && len(values) > 0
}

// plainReader reads lines; once failed is set, what it returns means nothing.
type plainReader struct {
	p       *parser
	at, end int
	next    int // the line after the one that peek has read
	failed  bool
}

// peek returns the next line without its indentation, and its indentation; a line that is
// not plain text makes the reader fail.
func (r *plainReader) peek() (line source.Span, indent int) {
	line = source.Span{Start: r.at, End: min(r.p.lineEnd(r.at), r.end)}
	r.next = min(line.End+1, r.end)
	for line.Start < line.End && r.p.data[line.Start] == ' ' {
		line.Start++
	}
	indent = line.Start - r.at
	if line.End > line.Start && r.p.data[line.End-1] == '\r' {
		line.End--
	}
	if line.Empty() || r.p.data[line.End-1] == ' ' {
		r.failed = true
	}
	for _, c := range r.p.data[line.Start:line.End] {
		if c < ' ' || c > '~' {
			r.failed = true
		}
	}
	return line, indent
}

func (r *plainReader) more() bool { return !r.failed && r.at < r.end }

func (r *plainReader) advance() { r.at = r.next }

// mapping reads lines `key: value` with exactly that indentation; out is what precedes.
func (r *plainReader) mapping(depth int, out []MetaValue) []MetaValue {
	for r.more() {
		line, indent := r.peek()
		if indent < depth {
			return out
		}
		if indent > depth || r.failed {
			r.failed = true
			return out
		}
		out = append(out, r.entry(line, depth))
	}
	return out
}

// entry reads `key: value`, or at the top `key:` and the list below it.
func (r *plainReader) entry(line source.Span, depth int) MetaValue {
	text := r.p.src[line.Start:line.End]
	colon := 0
	for colon < min(len(text), maxPlainKey) && isPlainKey(text[colon]) {
		colon++
	}
	if colon == 0 || colon == len(text) || text[colon] != ':' || plainKind(text[:colon]) != MetaString {
		r.failed = true
		return MetaValue{}
	}
	v := MetaValue{Key: text[:colon], KeySpan: source.Span{Start: line.Start, End: line.Start + colon}}
	rest := source.Span{Start: line.Start + colon + 1, End: line.End}
	r.advance()
	if rest.Empty() && depth == 0 {
		r.list(&v)
		return v
	}
	if rest.Empty() || r.p.data[rest.Start] != ' ' {
		r.failed = true
		return v
	}
	r.scalar(&v, source.Span{Start: rest.Start + 1, End: rest.End})
	return v
}

// maxPlainKey is longer than any key in use; YAML has a limit too.
const maxPlainKey = 64

func isPlainKey(c byte) bool { return 'a' <= c && c <= 'z' || c == '_' }

// list reads lines `  - value` or mappings that begin `  - key: value`.
func (r *plainReader) list(v *MetaValue) {
	v.Kind = MetaList
	for r.more() {
		line, indent := r.peek()
		if indent == 0 {
			break
		}
		if r.failed || indent != 2 || line.Len() < 3 || r.p.src[line.Start:line.Start+2] != "- " {
			r.failed = true
			return
		}
		in := source.Span{Start: line.Start + 2, End: line.End}
		item := MetaValue{Span: in}
		if c := r.p.data[in.Start]; isPlainKey(c) && strings.Contains(r.p.src[in.Start:in.End], ":") {
			item.Kind = MetaMap
			item.Items = r.mapping(4, []MetaValue{r.entry(in, 4)})
			item.Span.End = item.Items[len(item.Items)-1].Span.End
		} else {
			r.advance()
			r.scalar(&item, in)
		}
		v.Items = append(v.Items, item)
	}
	if len(v.Items) == 0 {
		r.failed = true // nothing, null or a list that is not indented
		return
	}
	v.Span = source.Span{Start: v.Items[0].Span.Start - 2, End: v.Items[len(v.Items)-1].Span.End}
}

// scalar reads a string in double quotes without escapes, a name, a number or a
// time.
func (r *plainReader) scalar(v *MetaValue, s source.Span) {
	v.Span = s
	text := r.p.src[s.Start:s.End]
	if len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' {
		v.Kind, v.Text = MetaString, text[1:len(text)-1]
		if strings.IndexByte(v.Text, '"') >= 0 || strings.IndexByte(v.Text, '\\') >= 0 {
			r.failed = true
		}
		return
	}
	if v.Kind, v.Text = plainKind(text), text; v.Kind == 0 {
		r.failed = true
	}
}

// plainKind returns the type of a scalar without quotes: a decimal number, or a word of
// letters, digits, hyphens and (in times) colons and points that has no other meaning in
// YAML; 0 if it may have one.
func plainKind(text string) MetaKind {
	digits, letters := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case '0' <= c && c <= '9':
			digits++
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			letters++
		case c == '-' && i > 0, c == '_' && i > 0, c == '.' && i > 0, c == ':' && i > 0 && i+1 < len(text):
		default:
			return 0
		}
	}
	switch {
	case digits == len(text) && (text[0] != '0' || len(text) == 1) && len(text) < 18:
		return MetaInt
	case digits == 0 || letters == 0 || text[0] <= '9':
		if letters > 0 && digits == 0 && !isYAMLWord(text) {
			return MetaString
		}
		if isPlainTime(text) {
			return MetaString
		}
		return 0
	}
	return MetaString
}

// isYAMLWord reports whether a word may not be a string in YAML.
func isYAMLWord(text string) bool {
	if len(text) > len("false") {
		return false
	}
	switch strings.ToLower(text) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf":
		return true
	}
	return false
}

// isPlainTime reports whether a text is like `2025-12-30T05:30:00…`, which is a string or a timestamp.
func isPlainTime(text string) bool {
	const form = "0000-00-00T00:00:00"
	if len(text) < len(form) {
		return false
	}
	for i := range len(form) {
		if c := text[i]; form[i] == '0' && (c < '0' || c > '9') || form[i] != '0' && c != form[i] {
			return false
		}
	}
	return true
}
