package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newCompletion(std streams) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:       "completion SHELL",
		Short:     "Print the completion script of a shell",
		Long:      "Print the completion script of bash, zsh, fish or powershell.",
		Args:      cobra.ExactArgs(1),
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(std.out, true)
			case "zsh":
				return root.GenZshCompletion(std.out)
			case "fish":
				return root.GenFishCompletion(std.out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(std.out)
			}
			return unknownValue("shell", args[0], shells)
		},
	}
}

// completeFlags lets the shell complete the values of flags that take one of a
// few words. Other flags take files, which shells complete by themselves.
func completeFlags(root *cobra.Command) {
	levels := []string{"error", "warning", "info", "never"}
	words := map[string]func(c *cobra.Command) []string{
		"format":   formatsOf,
		"fail-on":  func(*cobra.Command) []string { return levels },
		"kind":     func(*cobra.Command) []string { return []string{"auto", "artifact", "mail", "draft"} },
		"scope":    func(*cobra.Command) []string { return []string{"auto", "protocol", "all"} },
		"color":    func(*cobra.Command) []string { return []string{"auto", "always", "never"} },
		"hook":     func(*cobra.Command) []string { return hooks },
		"select":   func(*cobra.Command) []string { return ruleWords() },
		"ignore":   func(*cobra.Command) []string { return ruleWords() },
		"severity": func(*cobra.Command) []string { return ruleWords() },
	}
	for _, c := range append(root.Commands(), root) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			values := words[f.Name]
			if values == nil {
				return
			}
			complete := func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
				return values(c), cobra.ShellCompDirectiveNoFileComp
			}
			if err := c.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
				panic(err) // the flag is there, and registered once
			}
		})
	}
}

// formatsOf are the formats that a command writes.
func formatsOf(c *cobra.Command) []string {
	switch c.Name() {
	case "presend":
		return []string{"validation-error", "text", "json"}
	case "rules":
		return []string{"text", "json", "markdown"}
	case "replay", "blame":
		return []string{"text", "json"}
	}
	return formatNames()
}
