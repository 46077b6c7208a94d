package arch

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// oddWords are words that a reader who knows other linters has to translate, and
// what to write instead.
var oddWords = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`(?i)\bmend(s|ed|ing)?\b`), "fix"},
	{regexp.MustCompile(`(?i)\bgravest\b`), "most severe"},
	{regexp.MustCompile(`(?i)\bstands? (twice|here|in|beside|there|too)\b`), "is"},
	{regexp.MustCompile(`(?i)\btells? of\b|\bis told (of|on)\b`), "report, print"},
	{regexp.MustCompile(`(?i)\bh(eld|old) against\b`), "compare"},
	{regexp.MustCompile(`(?i)\banew\b`), "again"},
	{regexp.MustCompile(`(?i)\bin place of\b`), "instead of"},
	{regexp.MustCompile(`(?i)\bfrom \d+ on\b`), ">= N"},
	{regexp.MustCompile(`(?i)\bfor want of\b`), "without"},
	{regexp.MustCompile(`(?i)\bnothing any more\b`), "no longer"},
}

// wordedPackages are those whose strings people read and are checked here. The
// list grows until it holds all.
var wordedPackages = []string{"cli", "config", "engine", "report", "fix", "lint", "linttest", "workspace", "internal/bundle", "internal/database", "internal/input"}

// givenPages are given to this repository as they are, or quote rules' messages.
var givenPages = []string{"decisions.md", "contract.md", "artifact_format.md", "mail_formats.md", "conformance.md", "testing.md"}

// TestWords keeps odd words out of what people read: strings and pages.
func TestWords(t *testing.T) {
	check := func(where, text string) {
		for _, w := range oddWords {
			if found := w.pattern.FindString(text); found != "" {
				t.Errorf("%s says %q; write %q", where, found, w.instead)
			}
		}
	}
	eachFile(t, func(pkg, path string, f *ast.File) {
		if !slices.Contains(wordedPackages, pkg) {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil {
					check(path, text)
				}
			}
			return true
		})
	})
	root := filepath.Join("..", "..")
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/agents/*.md", "examples/*/README.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	if len(pages) < 15 {
		t.Fatalf("only %d pages were found", len(pages))
	}
	for _, page := range pages {
		if slices.Contains(givenPages, filepath.Base(page)) {
			continue
		}
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(data), "\n") {
			check(page+":"+strconv.Itoa(i+1), line)
		}
	}
}
