package sitegen

import (
	"bytes"
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
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// entry is a heading in the table of contents.
type entry struct {
	Level     int
	ID, Title string
}

var reader = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify))

// parse reads a page. Its title is its first heading.
func parse(data []byte) (doc ast.Node, title string) {
	doc = reader.Parser().Parse(text.NewReader(data))
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

// rendering is the rendering of one page.
type rendering struct {
	*site
	page     *source
	contents []entry
	tables   int
	err      error // the first
}

// render returns the page as HTML, with its table of contents.
func (r *rendering) render() (template.HTML, []entry, error) {
	r.prepare()
	engine := goldmark.New(goldmark.WithExtensions(
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), extension.Strikethrough, extension.Linkify))
	engine.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(r, 1)))
	var b bytes.Buffer
	if err := engine.Renderer().Render(&b, r.page.text, r.page.doc); err != nil {
		return "", nil, err
	}
	if len(r.contents) < 2 {
		r.contents = nil
	}
	// What is in it is written by goldmark, which escapes texts and omits raw HTML.
	return template.HTML(b.Bytes()), r.contents, r.err
}

// prepare turns the document into a page of the site: links lead to pages, and comments
// and empty heads of tables are removed.
func (r *rendering) prepare() {
	var gone []ast.Node
	walk(r.page.doc, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Heading:
			if id, _ := n.AttributeString("id"); n.Level == 2 || n.Level == 3 {
				r.contents = append(r.contents, entry{n.Level, string(id.([]byte)), textOf(n, r.page.text)})
			}
		case *ast.Link:
			n.Destination = r.target(n.Destination)
		case *ast.Image:
			n.Destination = r.target(n.Destination)
		case *ast.HTMLBlock:
			if !bytes.HasPrefix(bytes.TrimSpace(n.Lines().Value(r.page.text)), []byte("<!--")) {
				r.fail(fmt.Errorf("HTML: %s", n.Lines().Value(r.page.text)))
			}
			gone = append(gone, n)
		case *ast.RawHTML:
			r.fail(fmt.Errorf("HTML: %s", n.Segments.Value(r.page.text)))
		case *east.TableHeader:
			if strings.TrimSpace(textOf(n, r.page.text)) == "" {
				gone = append(gone, n)
			}
		}
	})
	for _, n := range gone {
		n.Parent().RemoveChild(n.Parent(), n)
	}
}

func (r *rendering) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// target returns where a link of a page leads in the site: to a page, to a copied file, or
// else to the repository.
func (r *rendering) target(to []byte) []byte {
	u, err := url.Parse(string(to))
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" {
		if err != nil {
			r.fail(err)
		}
		return to
	}
	at := path.Join(path.Dir(r.page.at), u.Path)
	fragment := ""
	if u.Fragment != "" {
		fragment = "#" + u.EscapedFragment()
	}
	info, err := fs.Stat(r.root, at)
	if err != nil {
		r.fail(fmt.Errorf("link to %s: %w", to, err))
		return to
	}
	other := r.pages[at]
	if other == nil && info.IsDir() {
		other = r.pages[at+"/README.md"]
	}
	switch {
	case other != nil:
		return []byte(relative(r.page.to, other.to) + fragment)
	case info.IsDir():
		return []byte(repository + "/tree/main/" + at)
	case !strings.HasPrefix(at, "docs/"):
		return []byte(repository + "/blob/main/" + at + fragment)
	}
	data, err := fs.ReadFile(r.root, at)
	if err != nil {
		r.fail(err)
	}
	r.files[at] = data
	return []byte(relative(r.page.to, at) + fragment)
}
