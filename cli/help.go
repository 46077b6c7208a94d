package cli

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpText describes each command: below a heading with its use a line about it, more about
// it, and examples.
//
//go:embed help.txt
var helpText string

// command returns the command of a name, such as "rules test", with what the help says of it.
func command(name string, args cobra.PositionalArgs, run func(*cobra.Command, []string) error) *cobra.Command {
	for _, section := range strings.Split("\n"+helpText, "\n# ")[1:] {
		use, text, _ := strings.Cut(section, "\n")
		if use != name && !strings.HasPrefix(use, name+" ") {
			continue
		}
		text, example, _ := strings.Cut(text, "\nExamples:\n")
		short, long, _ := strings.Cut(text, "\n")
		return &cobra.Command{
			Use: use[strings.LastIndex(name, " ")+1:], Short: short, Long: strings.Trim(long, "\n"), Example: strings.TrimRight(example, "\n"),
			Args: args, RunE: run,
		}
	}
	panic("help.txt lacks the command " + name)
}

// everyday are the flags of the check that --help describes; --help-all describes all.
var everyday = []string{
	"format", "output", "select", "ignore", "fail-on", "exclude", "fix", "baseline", "config", "quiet",
	"help", "help-all", "version",
}

// writeHelp describes a command, its commands and its flags: of the check only those of
// everyday, unless all are asked for.
func writeHelp(w io.Writer, c *cobra.Command, all bool) error {
	var b strings.Builder
	about := c.Long
	if about == "" {
		about = c.Short + "."
	}
	fmt.Fprintf(&b, "%s\n\nUsage:\n  %s\n", about, c.UseLine())
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s COMMAND\n", c.CommandPath())
	}
	if c.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	for _, g := range c.Groups() {
		writeCommands(&b, c, g.ID, g.Title)
	}
	if len(c.Groups()) == 0 && c.HasAvailableSubCommands() {
		writeCommands(&b, c, "", "Commands:")
	}
	short := !c.HasParent() && !all
	for _, s := range headedFlags(c, short) {
		writeFlags(&b, s)
	}
	if short {
		b.WriteString("\n`brennerlint --help-all` describes all flags, `brennerlint COMMAND --help` a command.\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeCommands(b *strings.Builder, c *cobra.Command, group, title string) {
	fmt.Fprintf(b, "\n%s\n", title)
	for _, sub := range c.Commands() {
		if sub.GroupID == group && !sub.Hidden {
			fmt.Fprintf(b, "  %-*s  %s\n", c.NamePadding(), sub.Name(), sub.Short)
		}
	}
}

// headed are the flags below a heading.
type headed struct {
	title string
	flags []*pflag.Flag
}

// headedFlags returns the flags of a command that are shown, those of a heading together.
func headedFlags(c *cobra.Command, short bool) []headed {
	var out []headed
	c.Flags().VisitAll(func(f *pflag.Flag) {
		title := "Flags"
		if t := f.Annotations[headingAnnotation]; len(t) > 0 && !short {
			title = t[0]
		}
		if f.Hidden || short && !slices.Contains(everyday, f.Name) {
			return
		}
		i := slices.IndexFunc(out, func(h headed) bool { return h.title == title })
		if i < 0 {
			i = len(out)
			out = append(out, headed{title: title})
		}
		out[i].flags = append(out[i].flags, f)
	})
	return out
}

// writeFlags describes flags, a line each.
func writeFlags(b *strings.Builder, h headed) {
	width := 0
	for _, f := range h.flags {
		width = max(width, utf8.RuneCountInString(flagName(f)))
	}
	fmt.Fprintf(b, "\n%s:\n", h.title)
	for _, f := range h.flags {
		_, usage := pflag.UnquoteUsage(f)
		fmt.Fprintf(b, "  %-*s  %s", width, flagName(f), usage)
		if d := f.DefValue; d != "" && d != "[]" && d != "false" {
			fmt.Fprintf(b, " (default %s)", d)
		}
		b.WriteByte('\n')
	}
}

// flagName returns a flag with its letter and its value: `-o, --output FILE`. A value that
// may be left out needs an equals sign: `--statistics[=WHAT]`.
func flagName(f *pflag.Flag) string {
	name := "    --" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", --" + f.Name
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

// newHelp returns the command help, which many try before --help.
func newHelp() *cobra.Command {
	c := command("help", takes(0, 1, "one COMMAND"), func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return c.Root().Help()
		}
		for _, sub := range c.Root().Commands() {
			if sub.Name() == args[0] {
				return sub.Help()
			}
		}
		return unknownValue("command", args[0], commandNames(c.Root()))
	})
	c.ValidArgsFunction = func(c *cobra.Command, _ []string, _ string) (words []string, _ cobra.ShellCompDirective) {
		for _, sub := range c.Root().Commands() {
			if !sub.Hidden {
				words = append(words, cobra.CompletionWithDesc(sub.Name(), sub.Short))
			}
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
	return c
}

func commandNames(root *cobra.Command) (names []string) {
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}
