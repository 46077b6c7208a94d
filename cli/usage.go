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
var peerFlags = map[string]string{
	"output-format":    "use --format",
	"out-format":       "use --format",
	"output-file":      "use --output",
	"exit-zero":        "use --fail-on never",
	"issues-exit-code": "use --fail-on",
	"max-warnings":     "use --fail-on warning",
	"extend-select":    "all rules run unless they are ignored; --select runs only those it names",
	"enable":           "all rules run unless they are ignored; --select runs only those it names",
	"E":                "all rules run unless they are ignored; --select runs only those it names",
	"rule":             "use --select RULE to run one rule, --severity RULE=LEVEL to change its level",
	"f":                "use --format",
	"no-color":         "use --color never",
	"add-noqa":         "use --write-baseline",
	"list":             "use `brennerlint rules`",
	"extend-ignore":    "use --ignore",
	"disable":          "use --ignore",
	"extend-exclude":   "use --exclude",
	"ignore-pattern":   "use --exclude",
	"no-ignore":        "use --no-gitignore",
	"isolated":         "use --no-config",
	"show-settings":    "use --show-config",
	"print-config":     "use --show-config",
	"new-from-rev":     "use --new-from",
	"fix-dry-run":      "use --diff",
	"show-fixes":       "use --diff",
	"silent":           "use --quiet",
	"concurrency":      "use --jobs",
	"watch":            "use `brennerlint watch`",
	"init":             "use `brennerlint init`",
	"list-rules":       "use `brennerlint rules`",
	"explain":          "use `brennerlint explain RULE`",
}

func unknownFlag(c *cobra.Command, err *pflag.NotExistError) error {
	flag := "--" + err.GetSpecifiedName()
	if err.GetSpecifiedShortnames() != "" {
		flag = flag[1:]
	}
	if long := err.GetSpecifiedShortnames(); len(long) > 1 && c.Flags().Lookup(long) != nil {
		return fmt.Errorf("unknown flag -%s; did you mean --%[1]s?", long)
	}
	if hint := peerFlags[err.GetSpecifiedName()]; hint != "" {
		return fmt.Errorf("unknown flag %s; %s", flag, hint)
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if best := text.Nearest(err.GetSpecifiedName(), names); best != "" {
		return fmt.Errorf("unknown flag %s; did you mean --%s?", flag, best)
	}
	all := "--help"
	if !c.HasParent() {
		all = "--help-all"
	}
	return fmt.Errorf("unknown flag %s; `%s %s` lists the flags", flag, c.CommandPath(), all)
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
	if text.Nearest(args[0], []string{"check", "lint", "run"}) != "" { // as peers have it
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
