package jsontree

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/source"
)

// maxShown bounds the text of the input that a message or hint repeats.
const maxShown = 48

// shorten returns a text of the input as messages show it.
func shorten(text string) string {
	if len(text) > maxShown {
		text = text[:maxShown] + "…"
	}
	text = strings.ToValidUTF8(text, "")
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		quoted := strconv.Quote(text) // a message controls no terminal
		return quoted[1 : len(quoted)-1]
	}
	return text
}

// writeString returns the hint to write a text as a string.
func writeString(text string) string {
	if shorten(text) != text || strings.ContainsAny(text, `"\`) {
		return "write it in double quotes"
	}
	return `write "` + text + `"`
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWord(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || '0' <= r && r <= '9' }

// wordAt returns the bare word at off: letters, digits, _, $ and -.
func (p *parser) wordAt(off int) string {
	rest := p.data[off:]
	after := bytes.TrimLeftFunc(rest, func(r rune) bool { return isWord(r) || r == '-' })
	return string(rest[:len(rest)-len(after)])
}

// foreignWords are literals of other languages and what JSON writes for them, guessedWords those that are
// cut off or misspelt, and values that JSON does not have.
var (
	foreignWords = map[string]string{
		"True": "true", "TRUE": "true", "False": "false", "FALSE": "false", "None": "null", "NULL": "null", "Null": "null", "nil": "null",
	}
	guessedWords = map[string]string{
		"undefined": "null", "nan": "null", "infinity": "null", "-infinity": "null", "inf": "null",
		"tru": "true", "ture": "true", "fals": "false", "flase": "false", "fasle": "false", "nul": "null", "nulll": "null",
	}
)

// numberFor returns a number that is written otherwise than in JSON, as JSON writes it: with a plus
// sign, zeros before it, without a digit beside its point, or of another base than ten. It is "" for other texts.
func numberFor(text string) string {
	if n, err := strconv.ParseInt(text, 0, 64); err == nil && strings.ContainsAny(text, "xXbBoO_") {
		return strconv.FormatInt(n, 10)
	}
	number := strings.TrimLeft(strings.TrimPrefix(text, "+"), "0")
	if number == "" || !isDigit(number[0]) {
		number = "0" + number
	}
	number = strings.TrimSuffix(number, ".")
	if len(text) > maxShown || !strings.ContainsAny(text, "0123456789") || !isValid([]byte(number)) {
		return ""
	}
	return number
}

// isUnfinished reports whether a text is the beginning of a literal or a number.
func isUnfinished(text string) bool {
	isBegun := func(literal string) bool { return strings.HasPrefix(literal, text) }
	number := strings.TrimRight(text, ".eE+-")
	return slices.ContainsFunc([]string{"true", "false", "null"}, isBegun) || number != text && isValid([]byte(number))
}

// scalar reads a number, a literal, or a text without quotes.
func (p *parser) scalar() {
	c, _ := characterAt(p.data, p.at)
	text, dots := p.bareText(), p.dots()
	words := strings.Fields(text)
	switch {
	case dots > 0:
		p.fail(p.at, dots, noEllipsis, writeOut)
	case c == ',':
		p.fail(p.at, p.width, "comma where a value is expected", "write the value, or null")
	case isCloser(c) && p.in() == '{':
		p.fail(p.at, p.width, string(c)+" where the value of a key is expected", "write the value, or null")
	case isCloser(c):
		p.fail(p.at, p.width, "unmatched "+string(c), "")
	case strings.IndexByte(`=:;\`, c) >= 0:
		p.unexpected(aValue)
	case isValid([]byte(text)):
		p.advance(len(text))
	case source.SkipSpace(p.data, p.at+len(text)) == len(p.data) && isUnfinished(text):
		p.missing(aValue)
	case p.in() == '[' && len(words) > 1 && isValid([]byte(words[0])) && isValid([]byte(words[1])):
		p.advance(len(words[0])) // its comma is missing
	case len(words) > 1 && isValid([]byte(words[0])) && cast().Match(p.data[source.SkipSpace(p.data, p.at+len(words[0])):]):
		p.advance(len(words[0]))
	case p.byteAt(p.at+len(text)) == '"' && strings.IndexByte(",]}", p.byteAfter(p.at+len(text)+1)) >= 0: // only its opening mark is missing
		said := shorten(text)
		p.reportUnsure(p.at, len(text)+1, "value "+said+" is not in double quotes", writeString(text), edit(p.at, p.at, `"`)).Quoted = []string{said}
		p.advance(len(text) + 1)
	default:
		p.bare(text)
		p.advance(len(text))
	}
}

// bareText returns the value without quotes at the place: up to a comma, a closing bracket, a
// quotation mark or a comment, on one line. A comma in an object ends several words only before a
// key or the end.
func (p *parser) bareText() string {
	at := p.at
	for at < len(p.data) {
		var isEnd bool
		c, size := characterAt(p.data, at)
		before := p.data[p.at:at]
		switch c {
		case ',', ';':
			next := source.SkipSpace(p.data, at+size)
			isEnd = p.in() != '{' || bytes.IndexByte(bytes.TrimRight(before, " \t"), ' ') < 0 ||
				strings.IndexByte("\"'}\x00", p.byteAt(next)) >= 0 || !p.keyAt(next).Empty()
		case '/', '#':
			isBehind := len(before) > 0 && (source.IsSpace(p.data[at-1]) || len(before) <= maxShown && isValid(before))
			isEnd = isBehind && commentAt(p.data, at) > 0
		default:
			isEnd = strings.IndexByte("]}\"\n", c) >= 0
		}
		if isEnd {
			break
		}
		at += size
	}
	return strings.TrimRightFunc(string(p.data[p.at:at]), func(r rune) bool { return isSpace(r) || r == ';' })
}

// bare records a value without quotes, or a number or a literal in a form that JSON does not have.
func (p *parser) bare(text string) {
	said, write := shorten(text), Quote(text)
	message, hint, quoted := "value "+said+" is not in double quotes", writeString(text), []string{said}
	literal, number := cmp.Or(foreignWords[text], guessedWords[strings.ToLower(text)]), numberFor(text)
	certain := foreignWords[text] != ""
	isRemark := p.in() == '[' && literal == "" && number == "" && p.isRemark(text)
	switch {
	case literal != "":
		message, hint, write, quoted = said+" is not JSON", "write "+literal, literal, nil
	case number != "":
		message, hint, write, certain = "number "+said+" is not written as in JSON", "write "+number, number, text[0] != '0'
		if strings.Trim(text, "+-.eE0123456789") != "" {
			message = said + " is not a decimal number"
		}
		quoted = append(quoted, number)
	case isEntity(text):
		hint = "write the characters that the entities stand for"
	case p.byteAfter(p.at+len(text)) == '"' || isPrefixed(text) || isRemark:
		hint = "write the value in double quotes"
		if len(text) == 1 && unicode.IsLetter(rune(text[0])) {
			hint += ", without the letter before them"
		}
	}
	p.guessed = p.guessed || !certain
	p.lost = p.lost || isRemark
	p.report(p.at, len(text), message, hint, edit(p.at, p.at+len(text), write)).Quoted = quoted
	goesOn := strings.Count(text, "(") != strings.Count(text, ")") || p.byteAt(p.at+len(text)) == '"' && p.in() != 0
	isCondition := strings.HasSuffix(text, "?") && p.byteAfter(p.at+len(text)) == '"'
	p.stopped = p.stopped || write == Quote(text) && (goesOn || isCondition || isEntity(text) || isPrefixed(text) || strings.Contains(text, "{"))
}

// isRemark reports whether a bare text in an array is a remark beside a value, and no value: it has no letter and no
// digit, is an entity, or, if it is no id, stands before a string, or behind a string and a semicolon.
func (p *parser) isRemark(text string) bool {
	isWritten := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	if !strings.ContainsFunc(text, isWritten) || text[0] == '&' {
		return true
	}
	isID := strings.ContainsAny(text, "0123456789") && !strings.Contains(text, " ")
	isBehind := p.byteAt(p.end-1) == '"' && bytes.IndexByte(p.data[p.end:p.at], ';') >= 0
	return !isID && (isBehind || p.byteAfter(p.at+len(text)) == '"')
}

// isEntity reports whether a text begins with an entity of HTML, perhaps without its semicolon.
func isEntity(text string) bool {
	return len(text) > 1 && text[0] == '&' && (text[1] == '#' || unicode.IsLetter(rune(text[1])))
}

// isPrefixed reports whether a text is a string of Python with a letter before it.
func isPrefixed(text string) bool { return len(text) > 2 && text[1] == '\'' }
