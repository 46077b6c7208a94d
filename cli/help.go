package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/brennerlint/brennerlint/internal/lazyregexp"
)

// The groups of commands and flags in the help.
const (
	groupMail  = "mail"
	groupRules = "rules"
	groupSetup = "setup"
)

// flagGroups are the headings of flags, in their order, each with its flags. A flag
// that none names is below the last heading.
var flagGroups = []struct {
	title string
	flags string
}{
	{"Report", "format output level statistics max-findings color redact quiet verbose artifact permutations badge"},
	{"Rules and exit status", "select ignore severity fail-on fail-on-empty"},
	{"Inputs", "kind stdin-filename scope exclude no-gitignore skip-unrecognized thread mail root poll jobs"},
	{"Events", "exec exec-arg once-clean validation-error"},
	{"Baseline and changes", "baseline write-baseline baseline-add prune-baseline show-only new-from"},
	{"Fixes", "fix unsafe-fixes diff"},
	{"Configuration", "config no-config show-config"},
	{"Other flags", ""},
}

func init() { cobra.AddTemplateFunc("flagsInGroups", flagsInGroups) }

// groupHelp puts commands and flags below headings.
func groupHelp(root *cobra.Command) {
	root.AddGroup(&cobra.Group{ID: groupMail, Title: "Mail and artifacts:"}, &cobra.Group{ID: groupRules, Title: "Rules:"}, &cobra.Group{ID: groupSetup, Title: "Setup:"})
	groups := map[string]string{groupMail: "presend watch replay blame compile diff", groupRules: "rules explain conformance", groupSetup: "init mcp lsp completion man version help"}
	for _, c := range root.Commands() {
		for id, names := range groups {
			if contains(names, c.Name()) {
				c.GroupID = id
			}
		}
	}
	root.SetHelpCommandGroupID(groupSetup)
	template := root.UsageTemplate()
	root.SetUsageTemplate(strings.Replace(template, "\n\nFlags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}", "{{flagsInGroups .}}", 1))
}

func contains(words, word string) bool { return strings.Contains(" "+words+" ", " "+word+" ") }

// flagsInGroups lists the flags of a command: of one with many below headings.
func flagsInGroups(c *cobra.Command) string {
	const few = 6
	sets := make([]*pflag.FlagSet, len(flagGroups))
	for i := range sets {
		sets[i] = pflag.NewFlagSet("", pflag.ContinueOnError)
		sets[i].SortFlags = false
	}
	last := len(sets) - 1
	n := 0
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		n++
		for i := range flagGroups {
			if i == last || contains(flagGroups[i].flags, f.Name) {
				sets[i].AddFlag(f)
				return
			}
		}
	})
	var b strings.Builder
	if n <= few {
		b.WriteString("\n\nFlags:\n" + usages(c.LocalFlags()))
		return b.String()
	}
	for i, s := range sets {
		if s.HasAvailableFlags() {
			b.WriteString("\n\n" + flagGroups[i].title + ":\n" + usages(s))
		}
	}
	return b.String()
}

// optionalValue matches a flag whose value may be left out, as the library shows it:
// `--statistics WHAT[="rule"]`.
var optionalValue = lazyregexp.New(`(--[a-z-]+) ([A-Z]+)(\[="?[a-z]+"?\])( *)`)

// usages describes flags, a line each. A value that may be left out needs an equals sign:
// `--statistics[=WHAT]`.
func usages(flags *pflag.FlagSet) string {
	return optionalValue().ReplaceAllStringFunc(strings.TrimRight(flags.FlagUsages(), "\n"), func(s string) string {
		m := optionalValue().FindStringSubmatch(s)
		flag := m[1] + "[=" + m[2] + "]"
		return flag + strings.Repeat(" ", len(s)-len(flag))
	})
}
