package sitegen

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/brennerlint/brennerlint/internal/docgen"
	"github.com/brennerlint/brennerlint/internal/ledger"
	"github.com/brennerlint/brennerlint/rules"
)

// source is a page of Markdown.
type source struct {
	at    string // its path in the repository
	to    string // its path in the site
	text  []byte
	doc   ast.Node
	title string
}

// group is a group of pages in the navigation.
type group struct {
	title string
	pages []string
}

const (
	rulesIndex = "docs/rules.md"
	rulePages  = "rules/doc" // their folder
	home       = "README.md"
)

// navigation lists the pages by groups. Pages of docs/ that it does not name are added to
// the first group. The table of rules leads to the pages of rules.
var navigation = []group{
	{title: "Use", pages: []string{
		"docs/getting-started.md", "docs/ci.md", "docs/agents.md", "docs/editors.md", "docs/watch.md", "docs/playground.md", "docs/configuration.md",
		"docs/suppressions-and-baseline.md", "docs/custom-rules.md", "docs/go.md", "docs/compile.md",
	}},
	{title: "Reference", pages: []string{rulesIndex, "docs/commands.md", "docs/formats.md", "docs/contract.md", "docs/glossary.md"}},
	{title: "Protocol", pages: []string{
		ledger.Path, "docs/decisions.md", "docs/artifact_format.md", "docs/mail_formats.md", "conformance/README.md", "conformance/implementations.md",
	}},
	{title: "Project", pages: []string{"CONTRIBUTING.md", "docs/architecture.md", "docs/security.md", "docs/performance.md", "CHANGELOG.md"}},
}

// shortTitles replace titles that are too long for the navigation.
var shortTitles = map[string]string{
	"docs/decisions.md": "Decisions", "docs/mail_formats.md": "Export formats",
	"conformance/README.md": "Conformance suite", "docs/ci.md": "CI", "docs/suppressions-and-baseline.md": "Suppressions",
}

// findPages reads and parses all pages.
func (s *site) findPages() error {
	named := []string{home}
	for _, g := range navigation {
		named = append(named, g.pages...)
	}
	ofRules, _ := fs.Glob(s.root, rulePages+"/*.md") // the patterns are valid
	others, _ := fs.Glob(s.root, "docs/*.md")
	others = slices.DeleteFunc(others, func(at string) bool { return slices.Contains(named, at) })
	s.groups = slices.Clone(navigation)
	s.groups[0].pages = slices.Concat(s.groups[0].pages, others)
	s.pages = map[string]*source{}
	for _, at := range slices.Concat(named, ofRules, others) {
		text, err := s.read(at)
		if err != nil {
			return err
		}
		p := &source{at: at, to: outputOf(at), text: text}
		p.doc, p.title = parse(text)
		if p.title == "" {
			return fmt.Errorf("%s has no title", at)
		}
		s.pages[at] = p
	}
	return nil
}

// read returns the Markdown of a page: that of its file, the page of the ledger, or of a rule
// with what the catalogue says of it.
func (s *site) read(at string) ([]byte, error) {
	text, err := fs.ReadFile(s.root, at)
	if err != nil {
		return nil, err
	}
	if at == ledger.Path {
		lines, err := ledger.Parse(text)
		return []byte(ledger.Page(lines)), err
	}
	if path.Dir(at) == rulePages {
		for _, r := range rules.All() {
			if r.ID+".md" == path.Base(at) {
				return []byte(docgen.RulePage(r)), nil
			}
		}
	}
	return text, nil
}

// outputOf returns where a page is in the site.
func outputOf(at string) string {
	if at == ledger.Path {
		return "docs/conformance.html"
	}
	dir, base := path.Split(at)
	if base == "README.md" {
		return dir + "index.html"
	}
	return dir + strings.TrimSuffix(base, ".md") + ".html"
}

// view is a page as the templates show it.
type view struct {
	Title, Description, Class, Version, Policy string
	Root                                       string // the way to the site's first folder
	Scripts                                    []template.HTMLAttr
	Sections                                   []link
	Groups                                     []viewGroup
	Crumb                                      *link
	Source                                     string
	Body                                       template.HTML
	Contents                                   []entry
	Examples                                   any
}

type viewGroup struct {
	Title string
	Pages []link
}

type link struct {
	Title, Link string
	Here        bool
}

// execute writes a page.
func (s *site) execute(name, to string, v *view) error {
	v.Root = strings.Repeat("../", strings.Count(to, "/"))
	v.Version = s.Version
	for _, sec := range []link{{"Playground", "playground/index.html", false}, {"Rules", outputOf(rulesIndex), false}, {"Documentation", "docs/getting-started.html", false}} {
		here := to == sec.Link || sec.Title == "Rules" && path.Dir(to) == rulePages
		if sec.Title == "Documentation" {
			here = strings.HasPrefix(to, "docs/") && to != outputOf(rulesIndex)
		}
		v.Sections = append(v.Sections, link{sec.Title, relative(to, sec.Link), here})
	}
	var b bytes.Buffer
	if err := s.templates.ExecuteTemplate(&b, name, v); err != nil {
		return err
	}
	s.files[to] = b.Bytes()
	return nil
}

// addPage adds a page of Markdown.
func (s *site) addPage(p *source) error {
	body, contents, err := s.render(p)
	if err != nil {
		return err
	}
	v := &view{
		Title: p.title + " · brennerlint", Description: p.title + ": documentation of brennerlint, a linter for the Brenner Protocol", Policy: policy,
		Source: repository + "/blob/main/" + p.at, Body: body, Contents: contents,
	}
	switch {
	case p.at == home:
		v.Title, v.Class = "brennerlint: a linter for the Brenner Protocol", "home"
	case p.at == rulesIndex:
		v.Class, v.Contents, v.Scripts = "rules wide", nil, []template.HTMLAttr{`src="../rules.js" defer`}
		if v.Body, err = s.withSearch(body); err != nil {
			return err
		}
	case path.Dir(p.at) == rulePages:
		v.Crumb = &link{Title: "Rules", Link: relative(p.to, outputOf(rulesIndex))}
	}
	for _, g := range s.groups {
		shown := viewGroup{Title: g.title}
		for _, at := range g.pages {
			other := s.pages[at]
			title := other.title
			if short := shortTitles[at]; short != "" {
				title = short
			}
			shown.Pages = append(shown.Pages, link{title, relative(p.to, other.to), other == p || at == rulesIndex && v.Crumb != nil})
		}
		v.Groups = append(v.Groups, shown)
	}
	return s.execute("page", p.to, v)
}

// withSearch puts the search before the table of rules.
func (s *site) withSearch(body template.HTML) (template.HTML, error) {
	var form bytes.Buffer
	if err := s.templates.ExecuteTemplate(&form, "search", nil); err != nil {
		return "", err
	}
	before, table, found := strings.Cut(string(body), `<div class="table"`)
	if !found {
		return "", fmt.Errorf("%s has no table", rulesIndex)
	}
	return template.HTML(before + form.String() + `<div class="table"` + table), nil
}

// relative returns the way from a page to another file of the site.
func relative(from, to string) string {
	way, err := filepath.Rel(path.Dir(from), to)
	if err != nil {
		panic(err) // both are below the site's first folder
	}
	return filepath.ToSlash(way)
}

var (
	linkOf  = regexp.MustCompile(`\s(?:href|src)="([^"]*)"`)
	anchors = regexp.MustCompile(`\sid="([^"]*)"`)
)

// brokenLinks returns the links of a site that lead to no file, or to no place in it.
func brokenLinks(files map[string][]byte) (broken []string, count int) {
	ids := map[string]map[string]bool{}
	for name, data := range files {
		if path.Ext(name) == ".html" {
			ids[name] = map[string]bool{}
			for _, m := range anchors.FindAllSubmatch(data, -1) {
				ids[name][string(m[1])] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(ids)) {
		for _, m := range linkOf.FindAllSubmatch(files[name], -1) {
			to, fragment, _ := strings.Cut(string(m[1]), "#")
			if strings.HasPrefix(to, "https://") || strings.HasPrefix(to, "http://") || strings.HasPrefix(to, "mailto:") {
				continue
			}
			count++
			target := name
			if to != "" {
				target = path.Join(path.Dir(name), to)
			}
			if _, ok := files[target]; !ok || fragment != "" && !strings.HasPrefix(fragment, "v1=") && !ids[target][fragment] {
				broken = append(broken, name+": "+string(m[1]))
			}
		}
	}
	return broken, count
}
