package jsontree

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// Recovery is the result of reading text that is nearly JSON: with comments, other quotation marks,
// or missing or extra punctuation.
type Recovery struct {
	// First is the first mistake, nil if the text is JSON.
	First *SyntaxError
	// Text is the text as JSON, and Root its value; nil if the text is not JSON and cannot be read
	// as an object or array without inventing or losing something. Of a text with prose in it there is
	// a Root, without the prose.
	Text []byte
	Root *Node
	// Edits correct all mistakes, in order. They never span a line end unless they remove
	// what is around the value.
	Edits []source.Edit
	// Certain reports that the edits change only how the value is written. Else they may take
	// away what is around it, or guess where a text ends.
	Certain bool
}

const (
	// maxEdits bounds how much of a text is corrected.
	maxEdits = 10_000
	// maxLook bounds how far is looked for what follows a string.
	maxLook = 256
	// maxQuoted bounds how far a string goes on after a mark that may end it.
	maxQuoted = 4096
)

// Recover reads a text as what was meant.
func Recover(data []byte, opts Options) Recovery {
	if isValid(data) {
		if root, _ := Parse(data, opts); root != nil {
			return Recovery{Text: data, Root: root, Certain: true}
		}
	}
	p := readLoosely(data)
	r := Recovery{First: (*SyntaxError)(p.first)}
	if p.stopped || p.first == nil {
		return r
	}
	edits := joined(p.edits)
	text := source.Apply(data, edits)
	root, _ := Parse(text, opts)
	if p.lost {
		r.Root = root
		return r
	}
	isLost := slices.ContainsFunc(root.Strings(), func(n *Node) bool { return swallowedEnd().MatchString(n.Text) })
	if (root.Is(Object) || root.Is(Array)) && !isLost {
		r.Text, r.Root, r.Edits, r.Certain = text, root, edits, !p.guessed
	}
	return r
}

// joined returns edits in order, one for those that begin at one place.
func joined(edits []source.Edit) []source.Edit {
	slices.SortStableFunc(edits, func(a, b source.Edit) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(min(a.Span.Len(), 1), min(b.Span.Len(), 1)))
	})
	var out []source.Edit
	for _, e := range edits {
		if n := len(out); n > 0 && out[n-1].Span.Start == e.Span.Start {
			out[n-1].Span.End = max(out[n-1].Span.End, e.Span.End)
			out[n-1].Text += e.Text
			continue
		}
		out = append(out, e)
	}
	return out
}

// parser reads a text that is nearly JSON. It describes the first mistake, and corrects all.
type parser struct {
	data  []byte
	at    int
	width int // of the character that peek returned: wider forms of it are read, too
	end   int // of the last token that stays
	open  []bracket

	marks []byte // before the string that is read: of emphasis, or a plus, which joins no strings then

	first   *mistake
	edits   []source.Edit
	guessed bool // something may be meant otherwise
	stopped bool // what follows cannot be read
	lost    bool // words of the author were left out
	ahead   int  // bytes that were looked at ahead
}

// mistake is a SyntaxError while more may be found out about it. It is no error, so calls need not look at it.
type mistake SyntaxError

// bracket is an object or array that is open.
type bracket struct {
	kind byte // what it is meant to be: '{' or '['
	// closing is the bracket that closes it in place of the right one: an object may be written
	// with '[' and ']'. It is 0 if the right one closes it.
	closing byte
}

// readLoosely reads a whole text.
func readLoosely(data []byte) *parser {
	p := &parser{data: data}
	isMarked, c := p.withMarks(), p.peek()
	switch {
	case isMarked || p.stopped || p.encodedTwice() || p.withDoubledBraces():
		return p
	case p.atEnd():
		p.fail(0, 0, "no JSON value", "")
	case c == '{' || c == '[':
		p.value()
	default:
		p.readUnbraced()
	}
	p.readTrailing()
	return p
}

// report records what is wrong with n bytes from a place on, and the edits that write what was
// certainly meant.
func (p *parser) report(at, n int, message, hint string, edits ...source.Edit) *mistake {
	e := &mistake{Span: source.Span{Start: at, End: min(at+n, len(p.data))}, Message: message, Hint: hint}
	if p.first == nil && !p.stopped {
		p.first = e
	}
	p.stopped = p.stopped || len(p.edits) > maxEdits
	p.edits = append(p.edits, edits...)
	return e
}

// reportUnsure is report for what may have been meant otherwise.
func (p *parser) reportUnsure(at, n int, message, hint string, edits ...source.Edit) *mistake {
	p.guessed = true
	return p.report(at, n, message, hint, edits...)
}

// drop records that the next n bytes are too many, and leaves them out.
func (p *parser) drop(n int, message, hint string) {
	p.report(p.at, n, message, hint, edit(p.at, p.at+n, ""))
	p.at += n
}

// fail records a mistake after which nothing can be read.
func (p *parser) fail(at, n int, message, hint string) *mistake {
	e := p.report(at, n, message, hint)
	p.stopped = true
	return e
}

// unexpected records a character that cannot be read, and what is expected there.
func (p *parser) unexpected(expected string) {
	r, size := utf8.DecodeRune(p.data[p.at:])
	shown := string(r)
	if r == utf8.RuneError || !unicode.IsPrint(r) {
		shown = strconv.QuoteRune(r)
	}
	p.fail(p.at, size, "unexpected "+shown+"; expected "+expected, "")
}

// cutOff records that the text ends where more must follow, in a string or before what is expected.
func (p *parser) cutOff(where, rest string) {
	e := p.fail(p.contentEnd(), 0, "the text ends "+where, "write the rest"+rest+p.closers())
	e.Open, e.CutOff = p.closers(), true
}

func (p *parser) missing(expected string) { p.cutOff("where "+expected+" is expected", ", then ") }

// looksAhead counts bytes that are looked at ahead, and reports whether there may be that many
// more: all in all each byte of the text 64 times, and a megabyte.
func (p *parser) looksAhead(n int) bool {
	p.ahead += n
	p.stopped = p.stopped || p.ahead > 64*len(p.data)+1<<20
	return !p.stopped
}

// contentEnd returns where the text ends without the white space after it.
func (p *parser) contentEnd() int { return len(bytes.TrimRight(p.data, " \t\r\n")) }

func edit(start, end int, text string) source.Edit {
	return source.Edit{Span: source.Span{Start: start, End: end}, Text: text}
}

// top returns the innermost object or array that is open, and in its kind; 0 if none is.
func (p *parser) top() (b bracket) {
	if n := len(p.open); n > 0 {
		b = p.open[n-1]
	}
	return b
}

func (p *parser) in() byte { return p.top().kind }

// closers returns the brackets that close what is open.
func (p *parser) closers() string {
	var out []byte
	for _, b := range slices.Backward(p.open) {
		out = append(out, closerOf[b.kind])
	}
	return string(out)
}

// closerOf has the bracket that closes each.
var closerOf = [256]byte{'{': '}', '[': ']', '(': ')'}

func isCloser(c byte) bool { return c == '}' || c == ']' || c == ')' }

// wide are characters that keyboards for other scripts write for the punctuation of JSON.
var wide = map[rune]byte{
	'：': ':', '，': ',', '、': ',', '،': ',', '﹐': ',', '‚': ',', '；': ';', '؛': ';', '。': '.',
	'｛': '{', '｝': '}', '［': '[', '］': ']',
}

// characterAt returns the character at a place and its length. For wide punctuation it returns
// the usual one, and for other characters beyond ASCII their first byte.
func characterAt(data []byte, at int) (c byte, size int) {
	if data[at] < utf8.RuneSelf {
		return data[at], 1
	}
	r, size := utf8.DecodeRune(data[at:])
	return cmp.Or(wide[r], data[at]), size
}

// byteAt returns the byte at a place, 0 at the end; byteAfter the first that is not white space.
func (p *parser) byteAt(at int) byte {
	if at >= len(p.data) {
		return 0
	}
	return p.data[at]
}

func (p *parser) byteAfter(at int) byte { return p.byteAt(source.SkipSpace(p.data, at)) }

// near returns the text from a place on, as far as is looked for what follows.
func (p *parser) near(at int) []byte { return p.data[at:min(len(p.data), at+maxLook)] }

// peek returns the character at the place, after white space and comments; 0 at the end.
func (p *parser) peek() byte {
	for p.at < len(p.data) && !p.stopped {
		c, size := characterAt(p.data, p.at)
		r, _ := utf8.DecodeRune(p.data[p.at:])
		comment := commentAt(p.data, p.at)
		switch {
		case source.IsSpace(c):
		case comment > 0:
			size = comment
			p.report(p.at, size, "comments are not allowed", "remove the comment", p.withoutComment(size)...)
			p.stopped = p.stopped || c == '#' && bytes.Contains(p.data[p.at:p.at+size], []byte(`{"`)) // an object behind a heading
		case r == '\ufeff' && p.at == 0:
			p.report(0, size, "byte order mark before the value", "remove the byte order mark", edit(0, size, ""))
		case isSpace(r):
			p.report(p.at, size, fmt.Sprintf("U+%04X is not white space in JSON", r), "write an ordinary space", edit(p.at, p.at+size, " "[:min(p.at, 1)]))
		default:
			p.width = size
			return c
		}
		p.at += size
	}
	return 0
}

func (p *parser) atEnd() bool { return p.at >= len(p.data) }

// isSpace reports whether a character is white space or takes no ink: JSON allows few of them
// between tokens.
func isSpace(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) }

// commentAt returns the length of a comment, without the line end after it; 0 if there is none.
func commentAt(data []byte, at int) int {
	if strings.IndexByte("/#-<", data[at]) < 0 {
		return 0
	}
	return len(bytes.TrimRight(comment().Find(data[at:]), "\r"))
}

// withoutComment removes a comment line by line, with the white space before it.
func (p *parser) withoutComment(size int) (edits []source.Edit) {
	start := p.end + len(bytes.TrimRight(p.data[p.end:p.at], " \t"))
	for text := range bytes.Lines(p.data[start : p.at+size]) {
		if n := len(bytes.TrimRight(text, "\r\n")); n > 0 {
			edits = append(edits, edit(start, start+n, ""))
		}
		start += len(text)
	}
	return edits
}

// advance takes so many bytes as they are.
func (p *parser) advance(n int) { p.at += n; p.end = p.at }

// punctuation takes the character that peek returned, in its usual form.
func (p *parser) punctuation(name string) {
	if c, size := characterAt(p.data, p.at); size > 1 {
		wrong := string(p.data[p.at : p.at+size])
		p.report(p.at, size, wrong+" instead of "+name, "write "+string(c), edit(p.at, p.at+size, string(c)))
	}
	p.advance(p.width)
}

const (
	// spaces are any white space, allowed between tokens or not (isSpace).
	spaces = `[\s\v\x{85}\p{Z}\p{Cf}]*`
	// name is a plain name of a member.
	name = `[A-Za-z_][A-Za-z0-9_]*`
	// mark is a quotation mark, and quoted a string in any, maybe of two kinds. One of JSON ends with its line at the
	// latest.
	mark   = `[` + quoteMarks + `]`
	quoted = `(?:"(?:[^"\\\n]|\\.)*["\n]|` + mark + `[^` + quoteMarks + `\n]*` + mark + `)`
	// commas are those of other scripts, too, and semicolons.
	commas = `[,;，、；،﹐‚؛]`
	// gap is what may be between a plus and a string.
	gap = `(?:\s|(?://|#).*\n|/\*.*?\*/)*`
	// markedKey is a key in double quotes behind a mark, or words, and perhaps with a mark before its colon.
	markedKey = `([^"'\n{}[\],:;=\\]{0,40}[^\pL0-9"'\n{}[\],:;=\\])` + restOfKey
	// restOfKey is a key in double quotes, its colon, and the beginning of a value.
	restOfKey = `"[^"\\\n]+"` + closingMarks + `{0,3}[ \t]*:[ \t]*(?:` + emphasis + `)?(?:["{[0-9-]|true|false|null)`
	// emphasis are marks around a text, and bullet is what a list has before an item.
	emphasis = `[*_]{1,3}`
	bullet   = `(?:[-*+•–—→>]|[0-9]{1,2}[.)])`
	// castType is a plain type of TypeScript.
	castType = `(?:string|number|boolean|const|any|unknown|null|undefined)(?:\[\])?`
	// closingMarks are those of emphasis, or a bracket.
	closingMarks = `[*_~)]`
)

var (
	// anyKey is the key of a member and its colon: a word, or a string in any quotes.
	anyKey = text.Pattern(`^([\p{L}0-9_$-]+["'”＂]?|` + quoted + `)\s*(?:[:：]|=>)`)
	// beforeKey is what is before a key on its line, belowComma a comma and such a line, or emphasis and a key, and behindKey a
	// mark before the colon.
	beforeKey  = text.Pattern(`^` + markedKey)
	belowComma = text.Pattern(`^,(?:[ \t]*\r?\n\s*` + markedKey + `|[ \t]*` + emphasis + restOfKey + `)`)
	behindKey  = text.Pattern(`^(` + closingMarks + `{1,3})[ \t]*:`)
	// emphasised and listed are what is before a value on its line.
	emphasised = text.Pattern(`^(` + emphasis + `)"`)
	listed     = text.Pattern(`^(` + bullet + `[ \t]*)["'“\pL§]`)
	// firstOfSet is a string that a comma follows, and stringNotKey one that is the value of a member.
	firstOfSet   = text.Pattern(`^` + quoted + `\s*[,}]`)
	stringNotKey = text.Pattern(`^` + quoted + `\s*[,}"]`)
	// commaForColon is the payload of a KILL with a comma for its colon: no set.
	commaForColon = text.Pattern(`^"reason"\s*,\s*"[^"]*"\s*\}`)
	// bareMember is a name, its colon, and a value that prose does not have.
	bareMember = text.Pattern(`^` + name + `["'”＂]?\s*(?:=>?|[:：])\s*(?:[{[` + quoteMarks + `]|[-0-9.]+\s*(?:[",}]|$)|` + name + `\s*[,}\]])`)
	// afterLine is what follows a line break where a string was not closed before it: a key with
	// its colon, one in quotes with a = instead, or a closing bracket.
	afterLine = text.Pattern(`^[ \t]*(?:` + mark + `?` + name + mark + `?[ \t]*[:：]|` + mark + name + mark + `[ \t]*=|[}\]｝］])`)
	// swallowed is a member inside a string that was not closed, maybe with marks around its key.
	swallowed = text.Pattern(`(?:[,{\[]\s*[A-Za-z]?\\?"?|\n[^"\n]+")` + name + `"[^"\s]{0,4}\s*:`)
	// closedInside is a mark inside a string that closes it: a comma and a line break follow. In an array,
	// any mark does so that another one follows.
	closedInside  = text.Pattern(`^[^"]*[^"\s([{\\]"[ \t]*,[ \t]*\r?\n`)
	elementInside = text.Pattern(`^[^"]*[^"\s([{\\]"[^"]*"`)
	// swallowedEnd is the end of an object or array inside a string, and a key after it.
	swallowedEnd = text.Pattern(`[}\]][ \t]*,[ \t]*` + name + `[ \t]*:`)
	// overrun is a string that began before its mark, or goes on behind a comma in the next member.
	overrun = text.Pattern(`^(?:\s*[:,]\s|\s+")|[^\\]"[ \t]*,[^"\n]{0,40}"` + name + `"[^"\s]{0,4}\s*:`)
	// quotedKey is a key in other text, and plainKey one at the beginning.
	quotedKey = text.Pattern(`"` + name + `"\s*:`)
	plainKey  = text.Pattern(`^"` + name + `"\s*:`)
	// innerMark is a quotation mark inside a string, and unclosed what may be a string without its closing mark.
	innerMark = text.Pattern(`(?:^|[^\\])"`)
	unclosed  = text.Pattern(`^[^:,\s](?s:.*),\s*$`)
	// fullStop is one instead of the comma before a key, and unclosedKey a key without its closing mark.
	fullStop    = text.Pattern(`^[.。]\s*"` + name + `"\s*:\s*(?:["{\[0-9-]|true|false|null)`)
	unclosedKey = text.Pattern(`^"` + name + `:[ \t]*(?:"[^\s:,}\]"]|[{\[]|(?:null|true|false|[0-9.-]+)\s*[,}])`)
	// memberStart is a comma and what may follow it: a key, a closing bracket, another string, object
	// or array, an ellipsis, or nothing; elementStart one and a number, a literal or a string of Python, of an array.
	memberStart = text.Pattern(`^` + commas + spaces + `(?::?` + name + `["'”＂]?` + spaces + `[:=：]|` +
		commas + `|[}\]｝］#{\[｛［` + quoteMarks + `]|//|/\*|--[ \t]|<!--|(?:\.\.+|…)\s*[,}\]]|$)`)
	elementStart = text.Pattern(`^` + commas + spaces + `(?:[0-9tfnTFN-]|[uUrRbB]["']|` + bullet + `[ \t]*")`)
	// nextString is another string of a list, or of a text that is written in several, restOfString what
	// follows the mark that opens one of a list, and unopened one of a list without that mark.
	nextString   = text.Pattern(`^(?:"[^"\\\n]*"|[“「『«][^` + quoteMarks + `\n]*[”」』»])\s*[,}\])"“]`)
	restOfString = text.Pattern(`^"[^"\s][^"\n]*"\s*(?:\]|,\s*")`)
	unopened     = text.Pattern(`^,\s*[^"\s][^"\n]*"\s*[,\]]`)
	// onlyMark is the only quotation mark of a text, at its end, and inches one behind a number.
	onlyMark = text.Pattern(`^[^` + quoteMarks + `]*?(\\?[` + quoteMarks + `])$`)
	inches   = text.Pattern(`(?:^|\s)[0-9.,/]+["″]$`)
	// otherMark is a text up to the mark of a key or value behind it: it is closed with another mark.
	otherMark = text.Pattern(`^[^"“„«‹〝]*([”“»›〞″＂’'])[ \t}\]]*(?:,|(:))[ \t]*$`)
	// plus joins a string with another value, and signs are others between two strings, of which the member has nothing more.
	plus  = text.Pattern(`^([+＋])` + gap + `([A-Za-z0-9_` + quoteMarks + `])`)
	signs = text.Pattern(`^(?:(?:or|and)\b|[^\s\p{L}0-9"'\\|:;,={}[\]]{1,3},?)\s*"[^"\s\\][^"\n]*"\s*(?:$|[,}\])])`)
	// inParentheses is a string in parentheses, in one or several parts, and cast what TypeScript has behind a value.
	inParentheses = text.Pattern(`^\(` + spaces + quoted + `(?:` + spaces + `[+＋]?` + spaces + quoted + `)*` + spaces + `\)`)
	cast          = text.Pattern(`^((?:as|satisfies) ` + castType + `(?: (?:as|satisfies|\|) ` + castType + `)*)\s*(?:[;}\])]|,\s*["'{[}\]]|$)`)
	// assignment is what a program has before a value that it gives to a variable.
	assignment = text.Pattern(`^(?:(?:export +)?(?:const|let|var) +)?[A-Za-z_$][A-Za-z0-9_$]*[ \t]*=\s*$`)
	// assignments are values in the lines before another, in a program or TOML: none of them is the only one.
	assignments = text.Pattern(`(?m)^[ \t]*` + name + `[ \t]*=.*\n`)
	// apostrophe is one in a word, and keyAndValue a line with a key and a value without the colon.
	apostrophe  = text.Pattern(`\pL['’]\pL`)
	keyAndValue = text.Pattern(`^[a-z_]+[ \t]+[^\s,]+[ \t]*,?$`)
	// comment is one of C, Python, SQL or HTML. One of C or HTML that is not closed goes to the end. Two hyphens may be a
	// dash in a text.
	comment = text.Pattern(`^(?:/\*(?s:.*?)(?:\*/|$)|(?://|#).*|--[ \t][^"\n]*(?m:$)|<!--(?s:.*?)(?:-->|$))`)
	// ellipsis stands for what was left out.
	ellipsis = text.Pattern(`^(?:…|\.\.+)`)
)
