// Package docgen makes the pages of the documentation that the program can generate: the
// table of rules, the page of a rule, the ledger, and the commands with their flags.
// `go generate ./cli` writes the rules and the commands into docs/, and site/build all to the site.
package docgen

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"text/template"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/brennerlint/brennerlint/internal/ledger"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

//go:embed pages.tmpl
var pagesText string

var pages = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("pages").Funcs(template.FuncMap{
		"prose": prose, "cell": cell, "tag": strings.NewReplacer("<", `\<`).Replace, "fence": text.Fence,
		"passages": passages, "text": pageText, "isSent": isSent,
		"isShown": isShown, "dedent": dedent, "flags": flags, "flagName": FlagName, "usage": Usage, "standard": Standard,
	}).Parse(pagesText))
})

func page(name string, data any) string {
	var b strings.Builder
	if err := pages().ExecuteTemplate(&b, name, data); err != nil {
		panic(err)
	}
	return b.String()
}

// RulesPage returns the table of the rules. pages is the folder of their pages, relative to
// the table.
func RulesPage(rules lint.Catalogue, pages string) string {
	return page("rules", struct {
		Rules lint.Catalogue
		Pages string
	}{rules, pages})
}

// RulePage returns the page of a rule, with its severity, scope, code and passages.
func RulePage(r *lint.Rule) string { return page("rule", r) }

// LedgerPage returns the ledger as Markdown, a page of the site.
func LedgerPage(lines []ledger.Line) string { return page("ledger", lines) }

// CommandsPage returns the page of a program's commands and flags.
func CommandsPage(root *cobra.Command) string { return page("commands", root) }

// pageText returns the text of a rule's page below its title.
func pageText(r *lint.Rule) string {
	text := string(r.Page())
	if title, rest, _ := strings.Cut(text, "\n"); strings.HasPrefix(title, "# ") {
		text = rest
	}
	return strings.TrimSpace(text)
}

// isSent reports whether a rule is about mail. Mail that was sent is never changed.
func isSent(s lint.Scope) bool {
	return !slices.Contains([]lint.Scope{lint.ArtifactScope, lint.ItemScope, lint.InputScope}, s)
}

// The folders of the specifications, and of the page on the artifact format.
const (
	specifications = "https://github.com/Dicklesworthstone/brenner_bot/blob/main/specs/"
	ownPages       = "https://github.com/brennerlint/brennerlint/blob/main/docs/"
)

// passages cites specification passages such as message_body_schema#MB-005 by document
// and heading, with a link to the document.
func passages(source string) string {
	var out []string
	for _, s := range strings.Split(source, "; ") {
		spec, passage, ok := strings.Cut(s, "#")
		switch {
		case spec == "artifact_format":
			spec = "[`" + spec + "`](" + ownPages + spec + ".md)"
		case strings.Contains(spec, "_"):
			spec = "[`" + spec + "`](" + specifications + spec + "_v0.1.md)"
		}
		if ok {
			spec += ", " + passage
		}
		out = append(out, cell(spec))
	}
	return strings.Join(out, "; ")
}

// prose escapes a text for Markdown, so that it has no emphasis and no HTML. Code in
// backticks stays as it is.
func prose(s string) string {
	var b strings.Builder
	code := false
	for _, c := range s {
		if c == '`' {
			code = !code
		}
		if !code && (c == '*' || c == '<') {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// cell escapes a text for a cell of a table.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// isShown reports whether the page has a command, and gives it the flags that every command has.
func isShown(c *cobra.Command) bool {
	c.InitDefaultHelpFlag()
	c.InitDefaultVersionFlag()
	return !c.Hidden && c.Name() != "help"
}

// flags lists those of a command that are shown, which mean the same as one of the
// program or not.
func flags(c *cobra.Command, shared bool) (out []*pflag.Flag) {
	c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
		same := c.Root().Flags().Lookup(f.Name)
		isShared := c.HasParent() && same != nil && same.Usage == f.Usage && same.DefValue == f.DefValue
		if !f.Hidden && (f.Name != "help" || !c.HasParent()) && isShared == shared {
			out = append(out, f)
		}
	})
	return out
}

// Usage returns what the help says of a flag.
func Usage(f *pflag.Flag) string {
	_, text := pflag.UnquoteUsage(f)
	return text
}

// Standard returns the default of a flag, "" if that says nothing.
func Standard(f *pflag.Flag) string {
	if slices.Contains([]string{"[]", "false", "0"}, f.DefValue) {
		return ""
	}
	return f.DefValue
}

// FlagName returns a flag with its letter and its value: `-o, --output FILE`. A value that
// may be left out needs an equals sign: `--statistics[=WHAT]`.
func FlagName(f *pflag.Flag) string {
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	value, _ := pflag.UnquoteUsage(f)
	switch {
	case value == "":
		return name
	case f.NoOptDefVal != "":
		return name + "[=" + value + "]"
	}
	return name + " " + value
}

// dedent takes away the blanks before the lines of an example.
func dedent(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return strings.Join(lines, "\n")
}
