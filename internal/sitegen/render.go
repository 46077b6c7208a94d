package sitegen

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"path"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// RegisterFuncs registers the nodes that pages render differently from goldmark.
func (r *rendering) RegisterFuncs(to renderer.NodeRendererFuncRegisterer) {
	to.Register(ast.KindHeading, r.heading)
	to.Register(ast.KindFencedCodeBlock, r.code)
	to.Register(ast.KindCodeBlock, r.code)
	to.Register(east.KindTable, r.table)
	to.Register(ast.KindParagraph, r.paragraph)
}

// heading renders a heading with a link to itself.
func (r *rendering) heading(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	h := n.(*ast.Heading)
	id, _ := h.AttributeString("id")
	tag := string('0' + byte(h.Level))
	if entering {
		if h.Level == 1 && r.page.at == home {
			_, _ = w.WriteString(`<div class="hero">` + "\n")
		}
		_, _ = w.WriteString("<h" + tag + ` id="` + escaped(string(id.([]byte))) + `">`)
		return ast.WalkContinue, nil
	}
	if h.Level > 1 {
		_, _ = w.WriteString(`<a class="anchor" href="#` + escaped(string(id.([]byte))) + `" aria-label="Link to this section: ` + escaped(textOf(h, r.page.text)) + `">#</a>`)
	}
	_, _ = w.WriteString("</h" + tag + ">\n")
	return ast.WalkContinue, nil
}

const heroButtons = `<p class="actions"><a class="button main" href="playground/index.html">Try it in the browser</a><a class="button" href="#install">Install</a><a class="button" href="docs/rules.html">Rules</a></p>
</div>
`

// paragraph renders a paragraph. The first one of the first page ends its hero.
func (r *rendering) paragraph(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString("<p>")
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString("</p>\n")
	if h, ok := n.PreviousSibling().(*ast.Heading); ok && h.Level == 1 && r.page.at == home {
		_, _ = w.WriteString(heroButtons)
	}
	return ast.WalkContinue, nil
}

// code renders code that can be scrolled by keys. Diagrams are shown as their text, folded.
func (r *rendering) code(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	language, escapes := "", false
	if f, ok := n.(*ast.FencedCodeBlock); ok && f.Info != nil {
		language = string(f.Language(r.page.text))
		escapes = strings.HasSuffix(string(f.Info.Value(r.page.text)), " escaped") // rules/doc/README.md
	}
	code := string(n.Lines().Value(r.page.text))
	before, after := "", ""
	if language == "mermaid" {
		before, after = `<details class="diagram"><summary>The diagram, as text for Mermaid (GitHub draws it)</summary>`+"\n", "</details>\n"
	}
	_, _ = w.WriteString(before + `<pre class="code" tabindex="0"><code>` + escaped(code) + "</code></pre>\n" + after)
	if name := r.example(n); name != "" && !escapes {
		to := relative(r.page.to, "playground/index.html") + playgroundLink(code, name)
		_, _ = w.WriteString(`<p class="try"><a href="` + escaped(to) + `">Open in the playground</a></p>` + "\n")
	}
	return ast.WalkContinue, nil
}

// example returns the name of an example of a rule: that of the file in the line before it.
func (r *rendering) example(n ast.Node) string {
	p, ok := n.PreviousSibling().(*ast.Paragraph)
	if !ok || path.Dir(r.page.at) != rulePages || p.ChildCount() != 2 {
		return ""
	}
	name, isCode := p.FirstChild().(*ast.CodeSpan)
	if !isCode || textOf(p.LastChild(), r.page.text) != ":" {
		return ""
	}
	switch file := textOf(name, r.page.text); path.Ext(file) {
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

// table renders a table that can be scrolled by keys if it is too wide.
func (r *rendering) table(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		r.tables++
		_, _ = w.WriteString(`<div class="table" role="region" aria-label="Table ` + strconv.Itoa(r.tables) + `" tabindex="0"><table>` + "\n")
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString("</table></div>\n")
	return ast.WalkContinue, nil
}

func escaped(s string) string {
	return string(util.EscapeHTML([]byte(strings.ReplaceAll(s, "\r", ""))))
}
