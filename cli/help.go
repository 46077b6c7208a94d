package cli

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"text/template"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/brennerlint/brennerlint/internal/docgen"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/report"
)

// helpText describes each command: below a heading with its use a line about it, more about
// it, and examples.
//
//go:embed help.txt
var helpText string

// command is a command whose flags are declared with add and choice.
type command struct {
	*cobra.Command
	heading string // of the help, above the flags that follow
}

// newCommand returns the command of a name, such as "rules test", with what the help says of it.
func newCommand(name string, args cobra.PositionalArgs, run func(*cobra.Command, []string) error) *command {
	for _, section := range strings.Split("\n"+helpText, "\n# ")[1:] {
		use, text, _ := strings.Cut(section, "\n")
		if use != name && !strings.HasPrefix(use, name+" ") {
			continue
		}
		text, example, _ := strings.Cut(text, "\nExamples:\n")
		short, long, _ := strings.Cut(text, "\n")
		cmd := &cobra.Command{
			Use: use[strings.LastIndex(name, " ")+1:], Short: short, Long: strings.Trim(long, "\n"), Example: strings.TrimRight(example, "\n"),
			Args: args, RunE: run,
		}
		cmd.Flags().SortFlags = false
		return &command{cmd, "Flags"}
	}
	panic("help.txt lacks the command " + name)
}

// everyday are the flags of the check that --help describes; --help-all describes all.
var everyday = []string{
	"format", "output", "select", "ignore", "fail-on", "exclude", "fix", "baseline", "config", "quiet",
	"help", "help-all", "version",
}

//go:embed help.tmpl
var helpTemplate string

// writeHelp describes a command, its commands and its flags: of the check only those of
// everyday, unless all are asked for.
func writeHelp(w io.Writer, c *cobra.Command, all bool) error {
	help := template.Must(template.New("").Funcs(template.FuncMap{
		"name": flagName, "usage": docgen.Usage, "standard": docgen.Standard,
	}).Parse(helpTemplate))
	isShort := !c.HasParent() && !all
	aligned := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	err := help.Execute(aligned, struct {
		*cobra.Command
		Headings []heading
		IsShort  bool
	}{c, headingsOf(c, isShort), isShort})
	return cmp.Or(err, aligned.Flush())
}

// heading is a heading of the help with the flags below it.
type heading struct {
	Title string
	Flags []*pflag.Flag
}

// headingsOf returns the headings of a command's flags, with those flags that are shown.
func headingsOf(c *cobra.Command, short bool) (out []heading) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		title := "Flags"
		if t := f.Annotations[headingAnnotation]; len(t) > 0 && !short {
			title = t[0]
		}
		if f.Hidden || short && !slices.Contains(everyday, f.Name) {
			return
		}
		i := slices.IndexFunc(out, func(h heading) bool { return h.Title == title })
		if i < 0 {
			i, out = len(out), append(out, heading{Title: title})
		}
		out[i].Flags = append(out[i].Flags, f)
	})
	return out
}

// flagName returns a flag as the help names it, the long names below each other.
func flagName(f *pflag.Flag) string {
	if f.Shorthand == "" {
		return "    " + docgen.FlagName(f)
	}
	return docgen.FlagName(f)
}

// newHelp returns the command help, which many try before --help.
func newHelp(group string) *command {
	c := newCommand("help", takes(0, 2, "a COMMAND and its subcommand"), func(c *cobra.Command, args []string) error {
		sub, rest, err := c.Root().Find(args)
		switch {
		case len(rest) > 0 && sub.HasSubCommands():
			return text.Unknown("command", rest[0], commandNames(sub))
		case len(rest) > 0:
			return fmt.Errorf("%s has no subcommands; got %s", sub.Name(), text.QuotePath(rest[0]))
		case err != nil:
			return err
		}
		return sub.Help()
	})
	c.GroupID = group
	c.ValidArgsFunction = func(c *cobra.Command, args []string, _ string) (words []string, _ cobra.ShellCompDirective) {
		of, _, _ := c.Root().Find(args)
		for _, sub := range of.Commands() {
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

// flagError says what is wrong with a flag in the program's own words, and names
// what may have been meant.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(c, unknown)
	case errors.As(err, &missing):
		flag := missing.GetFlag()
		if value, ok := flag.Value.(*value); ok && value.words != nil {
			return fmt.Errorf("--%s expects a value: %s", flag.Name, text.Or(value.words))
		}
		value, _ := pflag.UnquoteUsage(flag)
		return fmt.Errorf("--%s expects a value, as in --%[1]s %s", flag.Name, value)
	case errors.As(err, &invalid):
		flag := invalid.GetFlag()
		switch flag.Value.Type() {
		case "bool":
			return fmt.Errorf("--%s is %q; expected true or false", flag.Name, invalid.GetValue())
		case "duration":
			return fmt.Errorf("--%s is %q; expected a duration such as 2s", flag.Name, invalid.GetValue())
		}
		return invalid.Unwrap()
	}
	return err
}

// peerFlags are flags of ruff, ESLint and golangci-lint, and what to write here instead.
//
//go:embed peers.txt
var peerFlags string

// insteadOf returns what to write instead of a flag of peers; "" if it is none.
func insteadOf(name string) string {
	for line := range strings.SplitSeq(peerFlags, "\n") {
		if flags, instead, _ := strings.Cut(line, ": "); slices.Contains(strings.Fields(flags), name) {
			return instead
		}
	}
	return ""
}

func unknownFlag(c *cobra.Command, err *pflag.NotExistError) error {
	name, letters := err.GetSpecifiedName(), err.GetSpecifiedShortnames()
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	flag, hint := "--"+name, insteadOf(name)
	if letters != "" {
		flag = "-" + name
	}
	best := text.Nearest(name, names)
	switch {
	case len(letters) > 1 && c.Flags().Lookup(letters) != nil:
		flag, hint = "-"+letters, "did you mean --"+letters+"?"
	case hint != "":
	case best != "":
		hint = "did you mean --" + best + "?"
	case c.HasParent():
		hint = fmt.Sprintf("`%s --help` lists the flags", c.CommandPath())
	default:
		hint = fmt.Sprintf("`%s --help-all` lists the flags", c.CommandPath())
	}
	return fmt.Errorf("unknown flag %s; %s", flag, hint)
}

// takes bounds the number of arguments; what names them.
func takes(least, most int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return fmt.Errorf("%s expects %s; see `%s --help`", c.Name(), what, c.CommandPath())
		case len(args) > most && most == 0:
			return fmt.Errorf("%s takes no arguments; got %s", c.Name(), text.QuotePath(args[0]))
		case len(args) > most:
			return fmt.Errorf("%s takes only %s; got %s too", c.Name(), what, text.QuotePath(args[most]))
		}
		return nil
	}
}

// misspeltCommand returns the error for a first path that does not exist, but looks like a
// command.
func misspeltCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 || root.ArgsLenAtDash() == 0 { // after -- there are only paths
		return nil
	}
	if _, err := os.Lstat(args[0]); err == nil {
		return nil
	}
	hint := ""
	best, statistics := text.Nearest(args[0], commandNames(root)), root.Flags().Lookup("statistics")
	switch {
	case best != "":
		hint = "; did you mean " + best + "?"
	case text.Nearest(args[0], []string{"check", "lint", "run"}) != "": // as peers have it
		hint = "; brennerlint checks without a command, as in `brennerlint mail/`"
	case statistics.Changed && slices.Contains(report.StatisticsBy, args[0]):
		hint = "; did you mean --statistics=" + args[0] + "?"
	case strings.ContainsAny(args[0], `./\*?[{-`):
		return nil
	}
	return fmt.Errorf("no file or command named %s%s", text.QuotePath(args[0]), hint)
}
