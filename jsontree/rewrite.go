package jsontree

import (
	"bytes"
	"fmt"
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

// quote returns the length of the quotation mark at the place, 0 if there is none.
func (w *rewriter) quote() int {
	if w.at >= len(w.data) {
		return 0
	}
	r, size := utf8.DecodeRune(w.data[w.at:])
	if r == '"' || strings.ContainsRune(foreignQuotes, r) {
		return size
	}
	return 0
}

// closers returns what ends a string that begins with a quotation mark.
func closers(open string) string {
	switch open {
	case `"`, "'", "`":
		return open
	}
	return "”“’‘»«\""
}

// str reads a string in any quotes up to the mark that ends it most likely.
func (w *rewriter) str(isKey bool) {
	size := w.quote()
	open := string(w.data[w.at : w.at+size])
	start := w.at + size
	if open != `"` {
		w.edit(w.at, start, `"`)
	}
	end, mark, sure := w.stringEnd(start, closers(open), isKey)
	if !sure {
		w.guess()
	}
	w.content(start, end)
	switch {
	case mark == 0:
		w.edit(end, end, `"`)
	case string(w.data[end:end+mark]) != `"`:
		w.edit(end, end+mark, `"`)
	}
	w.at = end
	w.take(mark)
}

// afterLine is what follows a line break where a string was not closed before it: a
// key with its colon, or a closing bracket.
var afterLine = lazyregexp.New(`^[ \t]*(?:["'“]?[A-Za-z_][A-Za-z0-9_]*["'”]?[ \t]*:|[}\]])`)

const (
	// maxLook bounds how far is looked for what follows a string.
	maxLook = 256
	// maxQuoted bounds how far a string goes on after a mark that may end it.
	maxQuoted = 4096
	// minLooks and bytesALook bound how often that is looked for in a text: JSON has far
	// fewer quotation marks, and each costs a microsecond.
	minLooks, bytesALook = 4096, 4
)

// stringEnd returns where a string ends and the length of its closing mark, 0 if that is
// missing. It is sure if the first mark ends it.
func (w *rewriter) stringEnd(start int, marks string, isKey bool) (end, mark int, sure bool) {
	first, firstMark := -1, 0
	for at := start; at < len(w.data) && (first < 0 || at < first+maxQuoted); {
		r, size := utf8.DecodeRune(w.data[at:])
		switch {
		case r == '\\':
			size = min(2, len(w.data)-at)
		case r == '\n' && afterLine().Match(w.data[at+1:min(len(w.data), at+1+maxLook)]):
			if first >= 0 {
				return first, firstMark, false
			}
			text := bytes.TrimRight(w.data[start:at], " \t\r")
			return start + len(bytes.TrimSuffix(text, []byte(","))), 0, false
		case strings.ContainsRune(marks, r):
			if isKey || w.endsString(at+size) {
				return at, size, first < 0
			}
			if w.looks++; w.looks > minLooks+len(w.data)/bytesALook {
				w.failed = true
				return at, size, false
			}
			if first < 0 {
				first, firstMark = at, size
			}
		}
		at += size
	}
	if first >= 0 {
		return first, firstMark, false
	}
	text := bytes.TrimRight(w.data[start:], " \t\r\n")
	return start + len(bytes.TrimRight(text, "}]")), 0, false
}

// spaces are any white space, allowed between tokens or not (isAnySpace).
const spaces = `[\s\v\p{Zs}\x{200b}-\x{200d}\x{2028}\x{2029}\x{2060}\x{feff}]*`

// memberStart is a comma and what may follow it: a key, a closing bracket, another
// value of an array, or nothing.
var memberStart = lazyregexp.New(`^[,;]` + spaces + `(?:[,;]|["'“‘][^"'”’\n]{0,64}["'”’]` + spaces + `[:=,\]]|[A-Za-z_][A-Za-z0-9_]*` + spaces + `[:=]|[}\]]|//|/\*|#|["'“‘{\[]|[-0-9tfnTFN]|$)`)

// endsString reports whether what follows a quotation mark shows that a string ended
// there.
func (w *rewriter) endsString(at int) bool {
	rest := w.data[at:min(len(w.data), at+maxLook)]
	trimmed := bytes.TrimLeftFunc(rest, isAnySpace)
	if len(trimmed) == 0 {
		return len(rest) < maxLook
	}
	broken := bytes.IndexByte(rest[:len(rest)-len(trimmed)], '\n') >= 0
	switch c := trimmed[0]; {
	case c == '}' || c == ']':
		return true
	case c == ',' || c == ';':
		return memberStart().Match(trimmed)
	case bytes.HasPrefix(trimmed, []byte("//")), bytes.HasPrefix(trimmed, []byte("/*")), c == '#':
		return true
	case c == '"' || c == '\'':
		return broken || len(rest) > len(trimmed) && nextKey().Match(trimmed)
	case broken:
		return afterLine().Match(trimmed)
	}
	return false
}

// nextKey is a key with its colon, after a comma that is missing.
var nextKey = lazyregexp.New(`^["'][A-Za-z_][A-Za-z0-9_]*["']\s*:`)

// content corrects what cannot be in a string as it is.
func (w *rewriter) content(start, end int) {
	for at := start; at < end; {
		r, size := utf8.DecodeRune(w.data[at:])
		switch {
		case r == '\\':
			size = w.escape(at, end)
		case r == '"':
			w.guess()
			w.edit(at, at+1, `\"`)
		case r < ' ':
			w.edit(at, at+1, control(r))
		}
		at += size
	}
}

// control returns a control character as a string writes it.
func control(r rune) string {
	switch r {
	case '\n':
		return `\n`
	case '\r':
		return ""
	case '\t':
		return `\t`
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// escape corrects an escape, and returns its length.
func (w *rewriter) escape(at, end int) int {
	if at+1 >= end {
		w.edit(at, at+1, `\\`)
		return 1
	}
	switch c := w.data[at+1]; {
	case strings.IndexByte(`"\/bfnrt`, c) >= 0:
		return 2
	case c == 'u' && at+6 <= end && isHex(w.data[at+2:at+6]):
		return 6
	case c == '\'' || c == '`':
		w.cut(at, at+1)
		return 2
	case c == '\n':
		w.edit(at, at+2, `\n`)
		return 2
	}
	w.edit(at, at+1, `\\`)
	return 1
}

func isHex(digits []byte) bool {
	for _, c := range digits {
		if !isDigit(c) && !('a' <= c|0x20 && c|0x20 <= 'f') {
			return false
		}
	}
	return true
}

// Quote returns a text as a JSON string.
func Quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ':
			b.WriteString(control(r))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
