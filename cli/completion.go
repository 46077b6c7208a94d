package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

func newCompletion(std streams) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a shell completion script",
		Long: `Print the completion script for bash (with the package bash-completion), zsh, fish or
powershell. It completes commands, flags, their values, rules and files.`,
		Example: `  source <(brennerlint completion bash)    # in ~/.bashrc
  source <(brennerlint completion zsh)     # in ~/.zshrc, after compinit
  brennerlint completion fish > ~/.config/fish/completions/brennerlint.fish`,
		Args:      takes(1, 1, "a SHELL: "+text.Or(shells)),
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
// few words, or rules. Other flags take files, which shells complete by
// themselves.
func completeFlags(root *cobra.Command, rules []*lint.Rule) {
	for _, c := range append(root.Commands(), root) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			var words func() []string
			switch value, ok := f.Value.(*choice); {
			case ok:
				words = func() []string { return value.words }
			case f.Name == "select" || f.Name == "ignore" || f.Name == "severity":
				words = func() []string { return ruleWords(rules) }
			case f.Name == "baseline-add":
				words = func() []string { return append([]string{"all"}, ruleWords(rules)...) }
			case f.Name == "jobs" || f.Name == "max-findings" || f.Name == "new-from": // neither words nor files
				words = func() []string { return nil }
			default:
				return
			}
			complete := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
				return words(), cobra.ShellCompDirectiveNoFileComp
			}
			if err := c.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
				panic(err) // the flag is there, and registered once
			}
		})
	}
}
