// Package rulepage reads and writes the page of a rule: Markdown that documents the
// rule, and tests it by its examples. rules/doc/README.md describes the form.
package rulepage

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"
	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/internal/text"
)

// Page is the page of a rule.
type Page struct {
	Title    string // MB-005 delta-json
	Prose    string // what the rule is for, as Markdown
	Examples []*Example
}

// The kinds of examples.
const (
	Bad  = "bad"  // the rule reports it
	Good = "good" // it does not
)

// Example is one example: a small tree of files.
type Example struct {
	Kind, Title string
	Files       []txtar.File
	Findings    string            // what a bad example reports, a finding on one or more lines
	Fixed       map[string]string // the files that fixes change, as they are afterwards
}

// Name returns the title as one word: trailing-comma.
func (ex *Example) Name() string {
	words := strings.FieldsFunc(strings.ToLower(ex.Title), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	return strings.Join(words, "-")
}

// Sections are the headings of the examples, in order.
var Sections = []struct{ Title, Kind string }{{"Reported", Bad}, {"Not reported", Good}}

// findingsLabel is the line before the findings of an example.
const findingsLabel = "Findings:"

// fixedLabel ends the line before a file as it is after the fixes.
const fixedLabel = ", fixed:"

// fileLabel is the line before a file.
var fileLabel = regexp.MustCompile("^`([^`]+)`(, fixed)?:$")

// HasFix reports whether a page shows the result of a fix. It only looks for the label: the
// table of rules asks it of every page.
func HasFix(page []byte) bool { return bytes.Contains(page, []byte("`"+fixedLabel+"\n")) }

// blocks parses only the blocks of Markdown.
var blocks = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
})

// Parse reads a page, and returns the problems of its form.
func Parse(data []byte) (*Page, []string) {
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	p := &pageParser{data: data, page: &Page{}, proseEnd: len(data)}
	doc := blocks().Parse(gtext.NewReader(data))
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		p.block(n)
	}
	if p.label != nil {
		p.problem("a file without a fence")
	}
	p.page.Prose = strings.TrimSpace(string(data[p.proseStart:p.proseEnd]))
	return p.page, p.problems
}

type pageParser struct {
	data                 []byte
	page                 *Page
	proseStart, proseEnd int
	at                   int    // the offset of the block
	kind                 string // of the examples; "" in the prose
	example              *Example
	label                []string // what the next fence holds: the match of fileLabel, or findingsLabel
	problems             []string
}

// problem records what is wrong with a block.
func (p *pageParser) problem(format string, args ...any) {
	line := bytes.Count(p.data[:p.at], []byte("\n")) + 1
	p.problems = append(p.problems, fmt.Sprintf("line %d: ", line)+fmt.Sprintf(format, args...))
}

// block reads a block of the page.
func (p *pageParser) block(n ast.Node) {
	if n.Lines().Len() > 0 {
		p.at = n.Lines().At(0).Start
	}
	content := string(n.Lines().Value(p.data))
	h, isHeading := n.(*ast.Heading)
	if isHeading && h.Level == 2 {
		for _, s := range Sections {
			if content == s.Title {
				if p.kind == "" {
					p.proseEnd = bytes.LastIndexByte(p.data[:p.at], '\n') + 1
				}
				p.kind, p.example = s.Kind, nil
				return
			}
		}
	}
	fence, isFence := n.(*ast.FencedCodeBlock)
	switch {
	case p.kind == "":
		if isHeading && h.Level == 1 && n.PreviousSibling() == nil {
			p.page.Title, p.proseStart = content, h.Lines().At(0).Stop
		}
	case isHeading && h.Level == 3:
		p.example = &Example{Kind: p.kind, Title: content, Fixed: map[string]string{}}
		p.page.Examples = append(p.page.Examples, p.example)
	case p.example == nil:
		p.problem("expected the heading of an example, such as ### A name")
	case isFence && p.label != nil:
		p.fence(fence, content)
	case n.Kind() == ast.KindParagraph && p.label == nil && content == findingsLabel:
		p.label = []string{content}
	case n.Kind() == ast.KindParagraph && p.label == nil && fileLabel.MatchString(content):
		p.label = fileLabel.FindStringSubmatch(content)
	default:
		p.problem("expected a file, which is its name as `name.md`: and a fence, or %s and a fence", findingsLabel)
	}
}

// fence reads a fence as the label before it says.
func (p *pageParser) fence(n *ast.FencedCodeBlock, content string) {
	if n.Info != nil && slices.Contains(strings.Fields(string(n.Info.Value(p.data))), escapedWord) {
		content = unescape(content)
	}
	label := p.label
	p.label = nil
	if label[0] == findingsLabel {
		p.example.Findings = content
		return
	}
	name := label[1]
	switch {
	case !filepath.IsLocal(filepath.FromSlash(name)):
		p.problem("file %q is not below the example's folder", name)
	case label[2] != "":
		p.example.Fixed[name] = content
	default:
		p.example.Files = append(p.example.Files, txtar.File{Name: name, Data: []byte(content)})
	}
}

// Format writes a page.
func (p *Page) Format() []byte {
	var b bytes.Buffer
	if p.Title != "" {
		fmt.Fprintf(&b, "# %s\n", p.Title)
	}
	if p.Prose != "" {
		fmt.Fprintf(&b, "\n%s\n", p.Prose)
	}
	for _, s := range Sections {
		first := true
		for _, ex := range p.Examples {
			if ex.Kind != s.Kind {
				continue
			}
			if first {
				fmt.Fprintf(&b, "\n## %s\n", s.Title)
				first = false
			}
			ex.format(&b)
		}
	}
	return bytes.TrimPrefix(b.Bytes(), []byte("\n"))
}

func (ex *Example) format(b *bytes.Buffer) {
	fmt.Fprintf(b, "\n### %s\n", ex.Title)
	for _, f := range ex.Files {
		fmt.Fprintf(b, "\n`%s`:\n\n%s", f.Name, fenced(languageOf(f.Name), string(f.Data)))
	}
	if ex.Findings != "" {
		fmt.Fprintf(b, "\n%s\n\n%s", findingsLabel, fenced("text", ex.Findings))
	}
	for _, f := range ex.Files {
		if data, ok := ex.Fixed[f.Name]; ok {
			fmt.Fprintf(b, "\n`%s`%s\n\n%s", f.Name, fixedLabel, fenced(languageOf(f.Name), data))
		}
	}
}

func languageOf(name string) string {
	switch path.Ext(name) {
	case ".md":
		return "markdown"
	case ".json":
		return "json"
	case ".yaml":
		return "yaml"
	}
	return "text"
}

// fenced puts a content into a fence.
func fenced(language, content string) string {
	shown := Visible(content)
	if shown != content {
		language += " " + escapedWord
	}
	return text.Fence(language, shown)
}

// escapedWord in the info string of a fence says that \xff in it is a byte.
const escapedWord = "escaped"

var escaped = regexp.MustCompile(`\\x[0-9a-f]{2}`)

// Visible returns a text that a page can show: if it holds invalid UTF-8, control
// characters or invisible ones, they are written as \xff.
func Visible(text string) string {
	if utf8.ValidString(text) && !strings.ContainsFunc(text, hidden) {
		return text
	}
	return escape(text)
}

func hidden(c rune) bool {
	return c != '\n' && c != '\t' && unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// escape writes each byte that a page cannot show as \xff.
func escape(text string) string {
	text = escaped.ReplaceAllStringFunc(text, func(s string) string { return `\x5c` + s[1:] })
	var b strings.Builder
	for len(text) > 0 {
		c, size := utf8.DecodeRuneInString(text)
		if c == utf8.RuneError && size == 1 || hidden(c) {
			for i := range size {
				fmt.Fprintf(&b, `\x%02x`, text[i])
			}
		} else {
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}

func unescape(text string) string {
	return escaped.ReplaceAllStringFunc(text, func(s string) string {
		n, _ := strconv.ParseUint(s[2:], 16, 8) // the pattern has two digits
		return string([]byte{byte(n)})
	})
}
