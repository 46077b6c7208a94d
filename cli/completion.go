package cli

import (
	"cmp"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

func newCompletion(std streams) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:     "completion SHELL",
		Short:   "Print a shell completion script",
		GroupID: groupSetup,
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

// anyWord completes a value that the program cannot know: no files.
var anyWord cobra.CompletionFunc = cobra.NoFileCompletions

// folders and yamlFiles complete files of a kind.
var (
	folders   = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	yamlFiles = cobra.FixedCompletions([]cobra.Completion{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt)
)

// described returns words with descriptions, for the shells that show them: pairs of a
// word and what it means.
func described(pairs ...string) []cobra.Completion {
	var out []cobra.Completion
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, cobra.CompletionWithDesc(pairs[i], pairs[i+1]))
	}
	return out
}

// ruleWords completes rules.
func (s *settings) ruleWords() []cobra.Completion { return describedRules(s.rules) }

func describedRules(rules lint.Catalogue) []string {
	var out []string
	for _, w := range rules.Words() {
		out = append(out, cobra.CompletionWithDesc(w.Word, w.Description))
	}
	return out
}

// listOf completes the last of some words that commas separate. The words are made
// only when they are asked for: every start of the program declares completions.
func listOf(words func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndex(typed, ",")+1]
		var out []string
		for _, w := range words() {
			word, _, _ := strings.Cut(w, "\t")
			if !strings.Contains(","+before, ","+word+",") {
				out = append(out, before+w)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

// pairOf completes a KEY=VALUE.
func pairOf(keys func() []string, values []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		var out []string
		if key, _, ok := strings.Cut(typed, "="); ok {
			for _, v := range values {
				out = append(out, key+"="+v)
			}
			return out, cobra.ShellCompDirectiveNoFileComp
		}
		for _, k := range keys() {
			key, about, _ := strings.Cut(k, "\t")
			out = append(out, cobra.CompletionWithDesc(key+"=", about))
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// completeOutput completes --output: FORMAT=, and after that a file.
func completeOutput(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	var out []string
	format, path, ok := strings.Cut(typed, "=")
	if !ok {
		for _, f := range report.Formats {
			out = append(out, cobra.CompletionWithDesc(f.Name+"=", f.Description))
		}
		return out, cobra.ShellCompDirectiveNoSpace
	}
	dir := path[:strings.LastIndexByte(path, '/')+1]
	entries, err := os.ReadDir(cmp.Or(dir, "."))
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	only := cobra.ShellCompDirectiveNoFileComp
	for _, e := range entries {
		name := format + "=" + dir + e.Name()
		if e.IsDir() {
			name += "/"
			only |= cobra.ShellCompDirectiveNoSpace
		}
		out = append(out, name)
	}
	return out, only
}
