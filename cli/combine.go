package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/brennerlint/brennerlint/internal/text"
)

// checkFlags refuses flags that contradict each other or have no effect together: a
// user who writes one expects something of it.
func (c *checkCommand) checkFlags(flags *pflag.FlagSet, args []string) error {
	given := func(names ...string) string {
		for _, name := range names {
			if flags.Changed(name) {
				return name
			}
		}
		return ""
	}
	noEffect := func(flag, with string) error { return fmt.Errorf("--%s has no effect with --%s", flag, with) }
	for _, name := range []string{"new-from", "baseline", "write-baseline", "config", "select", "ignore", "exclude"} {
		if f := flags.Lookup(name); f.Changed && slices.Contains([]string{"", "[]"}, f.Value.String()) {
			return fmt.Errorf("--%s is empty; leave it out, or give it a value", name)
		}
	}
	switch {
	case c.redact && c.diff:
		return errors.New("--diff shows the texts that --redact hides; use only one of them")
	case c.configPath != "" && c.noConfig:
		return noEffect("config", "no-config")
	case c.stdinName != "" && !slices.Contains(args, "-"):
		return errors.New("--stdin-filename has no effect without the path -")
	}
	if c.writeBaseline != "" {
		if name := given("format", "output", "statistics", "max-findings", "level", "fix", "unsafe-fixes", "diff", "fail-on", "show-only"); name != "" {
			return noEffect(name, "write-baseline")
		}
	}
	if c.diff {
		if name := given("format", "output", "statistics", "max-findings", "level"); name != "" {
			return noEffect(name, "diff")
		}
	}
	if c.statistics != "" && c.maxFindings > 0 {
		return noEffect("max-findings", "statistics")
	}
	return nil
}

// checkFormats refuses flags that have no effect on any of the formats that are written.
func (c *checkCommand) checkFormats(outputs []output) error {
	writes := func(formats ...string) bool {
		return slices.ContainsFunc(outputs, func(o output) bool { return slices.Contains(formats, o.format) })
	}
	for _, flag := range []struct {
		name    string
		given   bool
		formats []string
	}{
		{"statistics", c.statistics != "", []string{"text", "json"}},
		{"max-findings", c.maxFindings > 0, []string{"text", "agent"}},
	} {
		if flag.given && !writes(flag.formats...) {
			var formats []string
			for _, o := range outputs {
				formats = append(formats, o.format)
			}
			return fmt.Errorf("--%s has no effect on the format %s; it changes %s", flag.name, strings.Join(slices.Compact(formats), ", "), text.And(flag.formats))
		}
	}
	return nil
}
