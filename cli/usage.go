package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/report"
)

// unknownValue returns the error for a value that a flag does not know.
func unknownValue(flag, value string, known []string) error {
	if best := text.Nearest(value, known); best != "" {
		return fmt.Errorf("unknown %s %q; did you mean %s?", flag, value, best)
	}
	return fmt.Errorf("unknown %s %q; expected %s", flag, value, text.Or(known))
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
		if value, ok := flag.Value.(*choice); ok {
			return fmt.Errorf("--%s expects a value: %s", flag.Name, text.Or(value.words))
		}
		value, _ := pflag.UnquoteUsage(flag)
		return fmt.Errorf("--%s expects a value, as in --%[1]s %s", flag.Name, value)
	case errors.As(err, &invalid):
		flag := invalid.GetFlag()
		switch flag.Value.Type() {
		case "int":
			return fmt.Errorf("--%s is %q; expected a whole number", flag.Name, invalid.GetValue())
		case "bool":
			return fmt.Errorf("--%s is %q; expected true or false", flag.Name, invalid.GetValue())
		case "duration":
			return fmt.Errorf("--%s is %q; expected a duration such as 2s", flag.Name, invalid.GetValue())
		}
		return invalid.Unwrap()
	}
	return err
}

func unknownFlag(c *cobra.Command, err *pflag.NotExistError) error {
	flag := "--" + err.GetSpecifiedName()
	if err.GetSpecifiedShortnames() != "" {
		flag = flag[1:]
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if best := text.Nearest(err.GetSpecifiedName(), names); best != "" {
		return fmt.Errorf("unknown flag %s; did you mean --%s?", flag, best)
	}
	return fmt.Errorf("unknown flag %s; `%s --help` lists the flags", flag, c.CommandPath())
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

// misspeltCommand returns the error where the first path of a check is none, but looks
// like a command.
func misspeltCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if _, err := os.Lstat(args[0]); err == nil {
		return nil
	}
	if best := text.Nearest(args[0], commandNames(root)); best != "" {
		return fmt.Errorf("no file or command named %s; did you mean %s?", text.QuotePath(args[0]), best)
	}
	if args[0] == "check" || args[0] == "lint" { // as peers have it
		return fmt.Errorf("no file or command named %s; brennerlint checks without a command, as in `brennerlint mail/`", text.QuotePath(args[0]))
	}
	if f := root.Flags().Lookup("statistics"); f.Changed && slices.Contains(report.StatisticsBy, args[0]) {
		return fmt.Errorf("no file or command named %s; did you mean --statistics=%s?", text.QuotePath(args[0]), args[0])
	}
	if !strings.ContainsAny(args[0], `./\*?[{-`) {
		return fmt.Errorf("no file or command named %s", text.QuotePath(args[0]))
	}
	return nil
}

// newHelp returns what many try first; `brennerlint --help` is the same.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Describe a command",
		Args:  takes(0, 1, "one COMMAND"),
		ValidArgsFunction: func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			var words []string
			for _, sub := range c.Root().Commands() {
				words = append(words, cobra.CompletionWithDesc(sub.Name(), sub.Short))
			}
			return words, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Root().Help()
			}
			commands := c.Root().Commands()
			i := slices.IndexFunc(commands, func(c *cobra.Command) bool { return c.Name() == args[0] })
			if i < 0 {
				return unknownValue("command", args[0], commandNames(c.Root()))
			}
			return commands[i].Help()
		},
	}
}

func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}
