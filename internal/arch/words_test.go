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
	{regexp.MustCompile(`(?i)\bgravest?\b`), "severe"},
	{regexp.MustCompile(`(?i)\b(it|that|which|what|where|here|there|not|and|or|is|id|key|must|may|also|still) stands?\b`), "is"},
	{regexp.MustCompile(`(?i)\bstands? (twice|here|in|beside|below|above|there|too|alone|after|before|outside|first|where)\b`), "is"},
	{regexp.MustCompile(`(?i)\btells? of\b|\bis told (of|on)\b`), "report, print"},
	{regexp.MustCompile(`(?i)\b(hold|holds|held|holding) (it |them |what \w+ )?against\b`), "compare with"},
	{regexp.MustCompile(`(?i)\banew\b`), "again"},
	{regexp.MustCompile(`(?i)\bin place of\b`), "instead of"},
	{regexp.MustCompile(`(?i)\bfrom \d+ on\b`), ">= N"},
	{regexp.MustCompile(`(?i)\bfor (want|lack) of\b`), "without"},
	{regexp.MustCompile(`(?i)\bnothing any ?more\b`), "no longer"},
	{regexp.MustCompile(`(?i)\bbesides? (it|them|that|this|findings|each|the)\b`), "next to, in addition to"},
	{regexp.MustCompile(`, needs? `), "; expected"},
	{regexp.MustCompile(`(?i)\bis (no|none) (anchor|artifact|array|block|date|delta|directive|field|fault|glob|id|item|list|mapping|mistake|number|object|of (ours|the)|path|such|text|time|white)\b`), "is not a"},
	{regexp.MustCompile(`(?i)\b(has|have|needs?) none of its own\b`), "lacks"},
	{regexp.MustCompile(`(?i)\bas it were\b|\bto the letter\b|\bfor ever\b`), "plain words"},
	{regexp.MustCompile(`(?i)\bsilences? (nothing|these|the)\b`), "suppress, match"},
	{regexp.MustCompile(`(?i)\b(put|take) (it|one|them) (away|out)\b|\btakes it away\b`), "remove"},
	{regexp.MustCompile(`(?i)\bsmall v\b|\bcapital letters\b`), "lower-case, upper case"},
	{regexp.MustCompile(`(?i)\bwho(ever)? looks? on\b|\bthe (very )?strangers?\b`), "plain words"},
}

// wordedPackages are those whose strings people read.
var wordedPackages = []string{
	"artifact", "cli", "config", "delta", "engine", "fix", "jsontree", "lint", "linttest", "merge", "protocol", "report",
	"conformance", "internal/conformance", "internal/conformance/answers", "replay", "rules", "session", "workspace", "internal/bundle", "internal/database", "internal/docgen", "internal/export",
	"internal/files", "internal/globs", "internal/input", "internal/lspserver", "internal/mcpserver", "internal/playground", "internal/text", "internal/watch",
}

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
	given := catalogueWords(t)
	eachFile(t, func(pkg, path string, f *ast.File) {
		if !slices.Contains(wordedPackages, pkg) {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil && !strings.Contains(given, text) {
					check(path, text)
				}
			}
			return true
		})
	})
	root := filepath.Join("..", "..")
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/agents/*.md", "examples/*/README.md", "rules/doc/*", "config/template.yaml", "action.yml"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	if len(pages) < 200 {
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
			if filepath.Ext(page) == ".txtar" && strings.HasPrefix(line, "-- ") {
				break // the examples of an archive are what agents write
			}
			check(page+":"+strconv.Itoa(i+1), line)
		}
	}
}

// catalogueWords returns the catalogue of rules, whose words are given: the summaries of
// the rules repeat them.
func catalogueWords(t *testing.T) string {
	data, err := os.ReadFile(filepath.Join("..", "..", "rules", "testdata", "rules.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
