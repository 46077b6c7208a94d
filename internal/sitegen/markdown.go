package sitegen

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"net/url"
	"path"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// entry is a heading in the table of contents.
type entry struct {
	Level     int
	ID, Title string
}

// markdown reads and renders pages. Styles in a page are forbidden (policy).
var markdown = goldmark.New(goldmark.WithExtensions(
	extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), extension.Strikethrough, extension.Linkify))

// parse reads a page. Its title is its first heading.
func parse(data []byte) (doc ast.Node, title string) {
	doc = markdown.Parser().Parse(text.NewReader(data))
	taken := map[string]bool{}
	walk(doc, func(n ast.Node) {
		if h, ok := n.(*ast.Heading); ok {
			words := textOf(h, data)
			if title == "" && h.Level == 1 {
				title = words
			}
			h.SetAttributeString("id", []byte(slug(words, taken)))
		}
	})
	return doc, title
}

// walk visits all nodes, each before its children.
func walk(n ast.Node, visit func(ast.Node)) {
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // visit has no errors
		if entering {
			visit(n)
		}
		return ast.WalkContinue, nil
	})
}

// textOf returns the text in a node, without markup.
func textOf(n ast.Node, data []byte) string {
	var b strings.Builder
	walk(n, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Text:
			b.Write(util.UnescapePunctuations(n.Segment.Value(data)))
			if n.SoftLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		}
	})
	return b.String()
}

// slug returns the anchor that GitHub gives a heading: links of the pages work there too.
func slug(title string, taken map[string]bool) string {
	base := strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '-':
			return '-'
		case r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(title))
	id := base
	for i := 1; taken[id]; i++ {
		id = fmt.Sprintf("%s-%d", base, i)
	}
	taken[id] = true
	return id
}

// html returns a node that is rendered as it is.
func html(format string, args ...any) ast.Node {
	n := ast.NewString(fmt.Appendf(nil, format, args...))
	n.SetCode(true)
	return n
}

const heroButtons = `<p class="actions"><a class="button main" href="playground/index.html">Try it in the browser</a><a class="button" href="#install">Install</a><a class="button" href="docs/rules.html">Rules</a></p>
</div>
`

// render returns a page as HTML, with its table of contents. Links lead to pages of the site,
// headings to themselves; code and tables can be scrolled by keys; comments and empty heads of
// tables are left out.
func (s *site) render(p *source) (body template.HTML, contents []entry, err error) {
	fail := func(more error) {
		if err == nil {
			err = more
		}
	}
	var edits []func() // after the walk
	tables := 0
	walk(p.doc, func(n ast.Node) {
		parent := n.Parent()
		switch n := n.(type) {
		case *ast.Heading:
			attribute, _ := n.AttributeString("id")
			id, title := string(attribute.([]byte)), textOf(n, p.text)
			if n.Level == 2 || n.Level == 3 {
				contents = append(contents, entry{n.Level, id, title})
			}
			edits = append(edits, func() {
				if n.Level > 1 {
					n.AppendChild(n, html(`<a class="anchor" href="#%s" aria-label="Link to this section: %s">#</a>`, escaped(id), escaped(title)))
				} else if p.at == home { // with the paragraph below it
					parent.InsertBefore(parent, n, html("<div class=\"hero\">\n"))
					parent.InsertAfter(parent, n.NextSibling(), html(heroButtons))
				}
			})
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			edits = append(edits, func() { parent.ReplaceChild(parent, n, p.code(n)) })
		case *east.Table:
			tables++
			before := html(`<div class="table" role="region" aria-label="Table %d" tabindex="0">`, tables)
			edits = append(edits, func() {
				parent.InsertBefore(parent, n, before)
				parent.InsertAfter(parent, n, html("</div>\n"))
			})
		case *east.TableHeader:
			if strings.TrimSpace(textOf(n, p.text)) == "" {
				edits = append(edits, func() { parent.RemoveChild(parent, n) })
			}
		case *ast.Link:
			fail(s.lead(p, &n.Destination))
		case *ast.Image:
			fail(s.lead(p, &n.Destination))
		case *ast.HTMLBlock:
			if !bytes.HasPrefix(bytes.TrimSpace(n.Lines().Value(p.text)), []byte("<!--")) {
				fail(fmt.Errorf("HTML: %s", n.Lines().Value(p.text)))
			}
			edits = append(edits, func() { parent.RemoveChild(parent, n) })
		case *ast.RawHTML:
			fail(fmt.Errorf("HTML: %s", n.Segments.Value(p.text)))
		}
	})
	for _, edit := range edits {
		edit()
	}
	var b bytes.Buffer
	fail(markdown.Renderer().Render(&b, p.text, p.doc))
	if len(contents) < 2 {
		contents = nil
	}
	// Its content is written above and by goldmark, which escapes texts and omits raw HTML.
	return template.HTML(b.Bytes()), contents, err
}

// code renders code. Diagrams are shown as their text, folded. The examples of rules can be
// opened in the playground.
func (p *source) code(n ast.Node) ast.Node {
	language, escapes := "", false
	if f, ok := n.(*ast.FencedCodeBlock); ok && f.Info != nil {
		language = string(f.Language(p.text))
		escapes = strings.HasSuffix(string(f.Info.Value(p.text)), " escaped") // rules/doc/README.md
	}
	code := string(n.Lines().Value(p.text))
	out := `<pre class="code" tabindex="0"><code>` + escaped(code) + "</code></pre>\n"
	if language == "mermaid" {
		out = `<details class="diagram"><summary>The diagram, as text for Mermaid (GitHub draws it)</summary>` + "\n" + out + "</details>\n"
	}
	if name := p.example(n); name != "" && !escapes {
		to := relative(p.to, "playground/index.html") + playgroundLink(code, name)
		out += `<p class="try"><a href="` + escaped(to) + `">Open in the playground</a></p>` + "\n"
	}
	return html("%s", out)
}

// example returns the name of an example of a rule: that of the file in the line before it.
func (p *source) example(n ast.Node) string {
	line, ok := n.PreviousSibling().(*ast.Paragraph)
	if !ok || path.Dir(p.at) != rulePages || line.ChildCount() != 2 {
		return ""
	}
	name, isCode := line.FirstChild().(*ast.CodeSpan)
	if !isCode || textOf(line.LastChild(), p.text) != ":" {
		return ""
	}
	switch file := textOf(name, p.text); path.Ext(file) {
	case ".md", ".json":
		return path.Base(file)
	}
	return ""
}

// playgroundLink returns the part of an address that holds a text
// (site/playground/link.js).
func playgroundLink(text, name string) string {
	data, err := json.Marshal(map[string]string{"text": text, "name": name, "kind": "auto"})
	if err != nil {
		panic(err) // texts cannot fail to encode
	}
	var b bytes.Buffer
	z, _ := flate.NewWriter(&b, flate.BestCompression) // the level exists
	_, _ = z.Write(data)                               // a buffer has no errors
	_ = z.Close()
	return "#v1=" + base64.RawURLEncoding.EncodeToString(b.Bytes())
}

// lead makes a link of a page lead to a page of the site, to a copied file, or else to the
// repository.
func (s *site) lead(p *source, link *[]byte) error {
	u, err := url.Parse(string(*link))
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" {
		return err
	}
	at := path.Join(path.Dir(p.at), u.Path)
	fragment := ""
	if u.Fragment != "" {
		fragment = "#" + u.EscapedFragment()
	}
	info, err := fs.Stat(s.root, at)
	if err != nil {
		return fmt.Errorf("link to %s: %w", *link, err)
	}
	other := s.pages[at]
	if other == nil && info.IsDir() {
		other = s.pages[at+"/README.md"]
	}
	var to string
	switch {
	case other != nil:
		to = relative(p.to, other.to) + fragment
	case info.IsDir():
		to = repository + "/tree/main/" + at
	case !strings.HasPrefix(at, "docs/"):
		to = repository + "/blob/main/" + at + fragment
	default:
		to = relative(p.to, at) + fragment
		s.files[at], err = fs.ReadFile(s.root, at)
	}
	*link = []byte(to)
	return err
}

func escaped(s string) string {
	return string(util.EscapeHTML([]byte(strings.ReplaceAll(s, "\r", ""))))
}
