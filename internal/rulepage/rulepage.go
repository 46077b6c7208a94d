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
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
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

// Parse reads a page, and returns the problems of its form.
func Parse(data []byte) (*Page, []string) {
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	p := &pageParser{doc: markdown.Parse(source.NewText(data)), page: &Page{}, proseEnd: len(data)}
	for i := range p.doc.Blocks {
		p.block(&p.doc.Blocks[i], i == 0)
	}
	if p.label != nil {
		p.problem("a file without a fence")
	}
	p.page.Prose = strings.TrimSpace(string(data[p.proseStart:p.proseEnd]))
	return p.page, p.problems
}

type pageParser struct {
	doc                  *markdown.Document
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
	p.problems = append(p.problems, fmt.Sprintf("line %d: ", p.doc.Text.LineAt(p.at))+fmt.Sprintf(format, args...))
}

// block reads a block of the page.
func (p *pageParser) block(b *markdown.Block, first bool) {
	p.at = b.Span.Start
	line := p.doc.HeadingText(b)
	isText := b.Kind == markdown.Paragraph && p.label == nil
	for _, s := range Sections {
		if b.Level == 2 && line == s.Title {
			if p.kind == "" {
				p.proseEnd = p.at
			}
			p.kind, p.example = s.Kind, nil
			return
		}
	}
	switch {
	case p.kind == "":
		if b.Level == 1 && first {
			p.page.Title, p.proseStart = line, b.Span.End
		}
	case b.Level == 3:
		p.example = &Example{Kind: p.kind, Title: line, Fixed: map[string]string{}}
		p.page.Examples = append(p.page.Examples, p.example)
	case p.example == nil:
		p.problem("expected the heading of an example, such as ### A name")
	case b.Kind == markdown.Fence && p.label != nil:
		p.fence(b)
	case isText && line == findingsLabel:
		p.label = []string{line}
	case isText && fileLabel.MatchString(line):
		p.label = fileLabel.FindStringSubmatch(line)
	default:
		p.problem("expected a file, which is its name as `name.md`: and a fence, or %s and a fence", findingsLabel)
	}
}

// fence reads a fence as the label before it says.
func (p *pageParser) fence(b *markdown.Block) {
	content := string(p.doc.Content(b).Data)
	if slices.Contains(strings.Fields(p.doc.Text.Slice(b.Info)), escapedWord) {
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
