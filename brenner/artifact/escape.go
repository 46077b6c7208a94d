package artifact

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// The escapes of Render, and how the parser undoes them. A value must read back as it
// was, and must never be taken for a field, an item or a section. They are used only
// where needed, so that ordinary text is shown unchanged.
//
//   - Lines of a field after the first: a backslash before what would begin a
//     heading, a field, a rule, HTML, an unclosed fence or a conflict marker
//     (escapeBlock). Text in a fence that is closed stays as it is.
//   - In any line a backslash before a comment.
//   - Names and other values on one line: line breaks become <br/>, and a
//     backslash is before what would be taken for a mark (escapeName,
//     escapeLine, escapeKey, escapeUnpaired).
//   - Table cells: \| and <br/> (escapeCell).
//   - Entries of a list: a backslash before what would separate or join entries, if
//     they would otherwise not read back the same (escapeList).
//   - In what is struck through, a backslash before tildes (escapeStrikes).

// tidy returns text as it is stored: lines separated by \n, without white space at their
// ends and around the whole.
func tidy(s string) string {
	s = strings.TrimSpace(s)
	if strings.IndexByte(s, '\r') < 0 && strings.IndexByte(s, '\n') < 0 {
		return s
	}
	lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRightFunc(lines[i], unicode.IsSpace)
	}
	return strings.Join(lines, "\n")
}

// lineMark matches what begins a line that escapeBlock may escape: spaces, and one of its marks with
// the backslashes before it. An escape is undone whether it was needed or not.
var lineMark = text.Pattern("^( {0,3})(\\\\*[-#*_=`~<>|+])")

// comment is what begins a comment.
const comment = "<!--"

// unescapeBlock undoes escapeBlock.
func unescapeBlock(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	return eachLine(s, true, func(before, mark, after string) string {
		return before + strings.TrimPrefix(mark, `\`) + strings.ReplaceAll(after, `\`+comment, comment)
	})
}

// eachLine rewrites the lines of s, except for those of closed fences if they are kept. It splits
// a line at its lineMark; the first line of a value does not begin with one.
func eachLine(s string, keepFences bool, rewrite func(before, mark, after string) string) string {
	lines := strings.Split(s, "\n")
	unclosed := map[byte]int{}
	for i := 0; i < len(lines); i++ {
		before, mark, after := "", "", lines[i]
		if i > 0 {
			if keepFences {
				if end := fenceEnd(lines, i, unclosed); end > 0 {
					i = end
					continue
				}
			}
			if m := lineMark().FindStringSubmatch(after); m != nil {
				before, mark, after = m[1], m[2], after[len(m[0]):]
			}
		}
		lines[i] = rewrite(before, mark, after)
	}
	return strings.Join(lines, "\n")
}

// fenceEnd returns the line that closes the fence which line i opens at its very beginning; 0 if
// it opens none or the fence is not closed. It remembers the shortest unclosed fence of each mark,
// which keeps the work linear.
func fenceEnd(lines []string, i int, unclosed map[byte]int) int {
	opening := markdown.ReadFenceLine(lines[i])
	n, known := opening.Marks.Len(), unclosed[opening.Mark]
	if !opening.Opens() || opening.Marks.Start > 0 || known > 0 && n >= known {
		return 0
	}
	for j := i + 1; j < len(lines); j++ {
		if markdown.ReadFenceLine(lines[j]).Closes(opening.Mark, n) {
			return j
		}
	}
	unclosed[opening.Mark] = n
	return 0
}

// oneLineTag matches what is escaped in every value on one line: a line break, and what begins a comment.
const oneLineTag = "<br ?/?>|" + comment

var tagAhead = text.Pattern("^(?:" + oneLineTag + ")")

// tagLen returns the length of a tag at the beginning of s; 0 if there is none.
func tagLen(s string) int {
	if !strings.HasPrefix(s, "<") {
		return 0
	}
	return len(tagAhead().FindString(s))
}

// marks are the characters that may be escaped in a value on one line.
type marks struct {
	chars   string
	escaped *regexp.Regexp // a tag with or without a backslash, or one of them with it
}

func escapable(chars string) marks {
	expr := `\\?(?:` + oneLineTag + ")"
	if chars != "" {
		expr += `|\\[` + regexp.QuoteMeta(chars) + "]"
	}
	return marks{chars, regexp.MustCompile(expr)}
}

var (
	nameMarks  = escapable(`\#[(~`)
	keyMarks   = escapable("\\:*_`~")
	pairMarks  = escapable(`\:=`)
	entryMarks = escapable(`\,()[]"“”–—‑‒−‚â-`)
	cellMarks  = escapable(`|`)
	noMarks    = escapable("")
)

// unescape undoes the escapes of a value on one line: <br/> is a line break, and a
// backslash before a tag or one of the marks is dropped.
func unescape(s string, m marks) string {
	if strings.IndexByte(s, '\\') < 0 && strings.IndexByte(s, '<') < 0 {
		return tidy(s)
	}
	return tidy(m.escaped.ReplaceAllStringFunc(s, func(match string) string {
		if match[0] == '<' && match != comment {
			return "\n"
		}
		return strings.TrimPrefix(match, `\`)
	}))
}

// begin reports whether a text begins with one of the marks.
func (m marks) begin(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	return (r != utf8.RuneError || n > 1) && strings.ContainsRune(m.chars, r)
}

// escapeBlock turns a tidy text into the value of a field that may span several lines. In
// a value of a killed item no fence is kept, and no line begins with ~: the ~~ around it
// could turn it into one.
func escapeBlock(s string, killed bool) string {
	return eachLine(s, !killed, func(before, mark, after string) string {
		if line := mark + after; len(mark) > 1 || mark != "" && (beginsBlock(line) || isListedField(line) || killed && mark == "~") {
			mark = `\` + mark
		}
		return before + mark + strings.ReplaceAll(after, comment, `\`+comment)
	})
}

// beginsBlock reports whether a line that begins with a lineMark could begin
// something other than text: a heading, field, rule, fence or HTML, or turn the line
// before into a heading; or whether it is a conflict marker.
func beginsBlock(line string) bool {
	switch c := line[0]; c {
	case '#', '<':
		return true
	case '`', '~':
		return markdown.ReadFenceLine(line).Marks.Len() >= 3 || strongMark(strings.TrimPrefix(line, "~~")) != ""
	case '*', '_':
		return strongMark(line) != "" || onlyOf(line, c)
	case '|', '>', '+':
		return isConflictMarker(line)
	default:
		return onlyOf(line, c)
	}
}

// isConflictMarker reports whether a line marks a conflict of two versions, as git writes it.
func isConflictMarker(line string) bool {
	const n = 7
	return len(line) >= n && strings.IndexByte("<|>", line[0]) >= 0 && strings.Trim(line[:n], line[:1]) == "" && (len(line) == n || line[n] <= ' ')
}

// isListedField reports whether a line is a list item that could be a field, or describe a kill.
func isListedField(line string) bool {
	for n := markerLen(line); n > 0; n = markerLen(line) { // `- * **Claim**: x`, too
		line = strings.TrimLeft(line[n:], blanks)
	}
	line = strings.TrimPrefix(line, strike)
	label, _, ok := SplitLabel(line)
	if !ok {
		return false
	}
	name := brenner.FoldSpace(line[label.Start:label.End])
	return killKey(name) != "" || slices.ContainsFunc(brenner.Sections[:], func(sec brenner.Section) bool { return fieldLabelled(sec, name) != nil })
}

// strike is the mark of text that is struck through.
const strike = "~~"

// escapeStrikes escapes the tildes of a text that is struck through, where they could be
// taken for marks.
func escapeStrikes(s string) string {
	var out strings.Builder
	for i := range len(s) {
		if s[i] == '~' && (i == 0 || i+1 == len(s) || s[i-1] == '~' || s[i-1] == '\\' || s[i+1] == '~') {
			out.WriteByte('\\')
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// strikes matches the marks of strike-through, and what only looks like them: a fence, and what
// escapeStrikes escaped.
var strikes = text.Pattern(`(?m)(^~{3,})|\\(~)|(?:~~)+(~?)`)

// withoutStrikes drops the marks from a text of a killed item, wherever they are
// (decisions.md 63), and undoes escapeStrikes.
func withoutStrikes(s string) string {
	if strings.IndexByte(s, '~') < 0 {
		return s
	}
	return strikes().ReplaceAllString(s, "$1$2$3")
}

// onlyOf reports whether a line is made of one character and white space.
func onlyOf(line string, c byte) bool { return strings.Trim(line, string(c)+blanks) == "" }

// escape turns a tidy text into a value on one line: line breaks become <br/>, and a
// backslash is before a tag and before what is marked.
func escape(s string, marked func(i int) bool) string {
	var out strings.Builder
	out.Grow(len(s))
	for i := 0; i < len(s); {
		_, n := utf8.DecodeRuneInString(s[i:])
		n = max(n, tagLen(s[i:]))
		if s[i] == '\n' {
			out.WriteString("<br/>")
		} else {
			if tagLen(s[i:]) > 0 || marked(i) {
				out.WriteByte('\\')
			}
			out.WriteString(s[i : i+n])
		}
		i += n
	}
	return out.String()
}

// oneLine escapes a text for one line. If there are marks, the backslash is one of them, and a
// backslash before a mark gets another one.
func oneLine(s string, m marks) string {
	// A backslash in front of <br/> would escape it; white space at the end of a line is not
	// part of the text.
	s = strings.ReplaceAll(tidy(s), "\\\n", "\\ \n")
	return escape(s, func(i int) bool {
		return s[i] == '\\' && m.chars != "" && (tagLen(s[i+1:]) > 0 || m.begin(s[i+1:]))
	})
}

// escapeCell turns a text into the content of a table cell.
func escapeCell(s string) string {
	return strings.ReplaceAll(oneLine(s, noMarks), "|", `\|`)
}

// escapeName turns a text into the name in a heading. What would be stripped from the
// heading's end or beginning gets a backslash: closing #, [KILLED], a score,
// strike-through.
func escapeName(s string) string {
	s = oneLine(s, nameMarks)
	if n := len(strings.TrimRight(s, "#")); n < len(s) && (n == 0 || s[n-1] <= ' ') {
		s = s[:n] + `\` + s[n:]
	}
	for _, mark := range [...]string{"[", "~"} { // the bracket, else the strike before it
		if _, killed := cutKilledMark(s); killed && strings.Contains(s, mark) {
			at := strings.LastIndex(s, mark)
			s = s[:at] + `\` + s[at:]
		}
	}
	if open := scoreStart(s); open >= 0 && brenner.HasPrefixFold(strings.TrimLeft(s[open+1:], "~*_"), "score") {
		s = s[:open] + `\` + s[open:]
	}
	if strings.HasPrefix(s, "~~") {
		s = `\` + s
	}
	if strings.HasSuffix(s, "~~") && !strings.HasSuffix(s, `\~~`) {
		s = s[:len(s)-2] + `\~~`
	}
	return s
}

// escapeUnpaired escapes a text that stands where a reader looks for keys and values.
func escapeUnpaired(s string) string {
	s = tidy(s)
	return escape(s, func(i int) bool { return pairMarks.begin(s[i:]) })
}

// escapeKey escapes a text before a colon.
func escapeKey(s string) string {
	s = tidy(s)
	key := escape(s, func(i int) bool { return s[i] == '\\' || s[i] == ':' || i == 0 && keyMarks.begin(s) })
	if brenner.HasPrefixFold(s, condition) {
		return "If " + key
	}
	return key
}

// escapeList turns tidy texts into the entries of a list. They are escaped only if they
// would not read back the same.
func escapeList(entries []string, split func(string) []source.Span) string {
	joined := strings.Join(entries, ", ")
	readsBack := func(part source.Span, entry string) bool {
		return unescape(joined[part.Start:part.End], entryMarks) == entry
	}
	if !strings.Contains(joined, "\n") && !strings.Contains(joined, comment) && slices.EqualFunc(split(joined), entries, readsBack) {
		return joined
	}
	out := make([]string, len(entries))
	for i, e := range entries {
		out[i] = escape(e, func(i int) bool { return entryMarks.begin(e[i:]) })
	}
	return strings.Join(out, ", ")
}
