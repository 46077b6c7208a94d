package jsontree

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/internal/lazyregexp"
	"github.com/brennerlint/brennerlint/source"
)

// maxRewriteDepth bounds how deep a text is followed that is being rewritten.
const maxRewriteDepth = 64

// Rewrite returns edits that make one valid JSON value of what was meant as one:
// keys and strings in other quotes or none, commas, colons and brackets that are
// missing or too many, comments, line breaks in strings, words of other languages.
// They are certain if they change only how it is written; else they may take away
// what is around the value, or guess where a string ends. It reports false if
// that gives no valid JSON.
func Rewrite(data []byte, opts Options) (edits []source.Edit, certain, ok bool) {
	w := &rewriter{data: data, certain: true}
	start := bytes.IndexAny(data, "{[")
	lost := lostBrace().FindSubmatchIndex(data)
	if lost != nil {
		start = lost[2]
	}
	if start < 0 {
		return nil, false, false
	}
	for at := 0; at < start; {
		if n := commentAt(data, at); n > 0 && at+n <= start {
			w.cut(at, at+n)
			at += n
			continue
		}
		if !source.IsSpace(data[at]) {
			w.cut(at, start)
			w.certain = false
			break
		}
		at++
	}
	w.at, w.end = start, start
	if lost != nil {
		w.guess()
		w.edit(start, start, "{")
		w.members(0, '}')
	} else {
		w.value(0)
	}
	w.rest()
	if w.failed {
		return nil, false, false
	}
	w.join()
	fixed := source.Apply(data, w.edits)
	if _, fault := Parse(fixed, opts); fault != nil {
		return nil, false, false
	}
	return w.edits, w.certain, true
}

// lostBrace is a text that begins with a key: its opening brace is lost.
var lostBrace = lazyregexp.New(`^[ \t\r\n]*(["'“]?[A-Za-z_][A-Za-z0-9_]*["'”]?[ \t]*:[ \t]*["'“{\[0-9tfn-])`)

// rewriter follows a text that is nearly JSON, and notes what to change.
type rewriter struct {
	data    []byte
	at      int
	end     int // of the last token that stays
	edits   []source.Edit
	looks   int // for what follows a quotation mark that ends no string
	certain bool
	failed  bool
}

// edit notes a change in its place: what is inserted after the last token comes
// before the comments that follow it, which are read first.
func (w *rewriter) edit(start, end int, text string) {
	at := len(w.edits)
	for at > 0 {
		if last := w.edits[at-1].Span; last.Start < start || last.Start == start && (last.Empty() || end > start) {
			break
		}
		at--
	}
	w.edits = slices.Insert(w.edits, at, source.Edit{Span: source.Span{Start: start, End: end}, Text: text})
}

func (w *rewriter) cut(start, end int) { w.edit(start, end, "") }

// join makes one edit of those that begin at one place, whose order is not defined.
func (w *rewriter) join() {
	var out []source.Edit
	for _, e := range w.edits {
		if n := len(out); n > 0 && out[n-1].Span.Start == e.Span.Start {
			out[n-1].Span.End = e.Span.End
			out[n-1].Text += e.Text
			continue
		}
		out = append(out, e)
	}
	w.edits = out
}

// guess notes that what follows may not be what was meant.
func (w *rewriter) guess() { w.certain = false }

// peek returns the byte at the place, after white space and comments; 0 at the end.
func (w *rewriter) peek() byte {
	for w.at < len(w.data) {
		if n := commentAt(w.data, w.at); n > 0 {
			w.cut(w.at, w.at+n)
			w.at += n
			continue
		}
		if r, size := utf8.DecodeRune(w.data[w.at:]); r >= utf8.RuneSelf && isOddSpace(r) {
			w.edit(w.at, w.at+size, " ")
			w.at += size
			continue
		}
		if !source.IsSpace(w.data[w.at]) {
			return w.data[w.at]
		}
		w.at++
	}
	return 0
}

// commentAt returns the length of a comment, 0 if there is none.
func commentAt(data []byte, at int) int {
	if rest := data[at:]; bytes.HasPrefix(rest, []byte("//")) || bytes.HasPrefix(rest, []byte("/*")) || rest[0] == '#' {
		return commentLength(rest)
	}
	return 0
}

// take accepts so many bytes as they are.
func (w *rewriter) take(n int) { w.at += n; w.end = w.at }

func (w *rewriter) value(depth int) {
	switch c := w.peek(); {
	case w.failed || depth > maxRewriteDepth || c == 0:
		w.failed = true
	case c == '{':
		w.list(depth, '}')
	case c == '[':
		w.list(depth, ']')
	case w.quote() > 0:
		w.str(false)
	default:
		w.bare()
	}
}

// list reads an object or array up to its closing bracket, or where it should be.
func (w *rewriter) list(depth int, closer byte) {
	w.take(1)
	w.members(depth, closer)
}

// members reads what is in an object or array, and its closing bracket.
func (w *rewriter) members(depth int, closer byte) {
	for first := true; !w.failed; first = false {
		comma := -1
		for c := w.peek(); c == ',' || c == ';' || isDots(w.data[w.at:]); c = w.peek() {
			switch n := dots(w.data[w.at:]); {
			case n > 0:
				w.guess()
				w.cut(w.at, w.at+n)
				w.at += n
			case first || comma >= 0:
				w.cut(w.at, w.at+1)
				w.at++
			default:
				comma = w.at
				w.at++
			}
		}
		switch c := w.peek(); {
		case c == closer || c == '}' || c == ']' || c == 0:
			if comma >= 0 {
				w.cut(comma, comma+1)
			}
			w.close(closer, c)
			return
		case first:
		case comma < 0:
			w.edit(w.end, w.end, ",")
		case w.data[comma] == ';':
			w.edit(comma, comma+1, ",")
		}
		if closer == '}' {
			w.key()
		}
		w.value(depth + 1)
	}
}

// close ends a list: c is what is there, 0 at the end of the text.
func (w *rewriter) close(closer, c byte) {
	switch c {
	case closer:
		w.take(1)
	case 0:
		w.edit(w.end, w.end, string(closer))
	default: // it closes the list around this one, or is the wrong one
		next := skipSpace(w.data, w.at+1)
		if next < len(w.data) && w.data[next] == closer || closer == '}' && next >= len(w.data) {
			w.guess()
			w.edit(w.at, w.at+1, string(closer))
			w.take(1)
			return
		}
		w.edit(w.end, w.end, string(closer))
	}
}

// key reads the name of a member and its colon.
func (w *rewriter) key() {
	if w.peek(); w.quote() > 0 {
		w.str(true)
	} else {
		n := len((&fault{data: w.data}).wordAt(w.at))
		if n == 0 {
			w.failed = true
			return
		}
		w.edit(w.at, w.at, `"`)
		w.take(n)
		if closing := w.quote(); closing > 0 && bytes.HasPrefix(bytes.TrimLeftFunc(w.data[w.at+closing:], isAnySpace), []byte(":")) {
			if closing > 1 || w.data[w.at] != '"' { // only the opening quotation mark is lost
				w.edit(w.at, w.at+closing, `"`)
			}
			w.take(closing)
		} else {
			w.edit(w.end, w.end, `"`)
		}
	}
	switch w.peek() {
	case ':':
		w.take(1)
	case '=':
		n := 1
		if w.at+1 < len(w.data) && w.data[w.at+1] == '>' {
			n = 2
		}
		w.edit(w.at, w.at+n, ":")
		w.take(n)
	case 0, ',', '}', ']':
		w.failed = true // a key without a value
	default:
		w.edit(w.end, w.end, ":")
	}
}

// plainValue is a word or a number, and what shows that it is the whole value.
var plainValue = lazyregexp.New(`^[-+]?[A-Za-z0-9_.]*[A-Za-z0-9_][ \t\r]*[,;}\]\n"/#]`)

// bare reads a number, a literal, or a text without quotes.
func (w *rewriter) bare() {
	text := string(plainValue().Find(w.data[w.at:]))
	if text == "" {
		end := (&fault{data: w.data, in: '{'}).bareEnd(w.at)
		for at := w.at + 1; at < end; at++ {
			if commentAt(w.data, at) > 0 && source.IsSpace(w.data[at-1]) {
				end = at
			}
		}
		text = strings.TrimRight(string(w.data[w.at:end]), " \t;")
	} else {
		text = strings.TrimRight(text[:len(text)-1], " \t\r")
	}
	if text == "" {
		w.failed = true
		return
	}
	_, bad := Parse([]byte(text), Options{})
	switch {
	case bad == nil:
		w.take(len(text))
		return
	case foreignWords[text] != "":
		if strings.EqualFold(text, "nan") || strings.HasPrefix(strings.ToLower(text), "inf") || text == "undefined" {
			w.guess()
		}
		w.edit(w.at, w.at+len(text), foreignWords[text])
	case decimalFor(strings.TrimPrefix(text, "+")) != "" && text[0] != '0':
		w.edit(w.at, w.at+len(text), decimalFor(strings.TrimPrefix(text, "+")))
	default:
		w.guess()
		w.edit(w.at, w.at+len(text), Quote(text))
	}
	w.take(len(text))
}

// rest takes away what follows the value.
func (w *rewriter) rest() {
	for !w.failed && w.peek() != 0 {
		if c := w.data[w.at]; c != '}' && c != ']' && c != ',' && c != ';' {
			w.guess()
			w.failed = w.failed || c == '{' || c == '[' // another value: each is to have its fence
			start := len(bytes.TrimRight(w.data[:w.at], " \t\r\n"))
			if n := len(w.edits); n > 0 {
				start = max(start, w.edits[n-1].Span.End)
			}
			w.cut(start, len(bytes.TrimRight(w.data, " \t\r\n"))) // not the end of the last line
			w.at = len(w.data)
			return
		}
		w.cut(w.at, w.at+1)
		w.at++
	}
}

// dots returns the length of an ellipsis, 0 if there is none.
func dots(data []byte) int {
	n := 0
	for n < len(data) && data[n] == '.' {
		n++
	}
	switch {
	case n >= 2:
		return n
	case bytes.HasPrefix(data, []byte("…")):
		return len("…")
	}
	return 0
}

func isDots(data []byte) bool { return dots(data) > 0 }
