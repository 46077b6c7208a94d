package cli

import (
	"cmp"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
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

// completeFlags lets the shell complete the values of flags. Those without values
// here take files, which shells complete by themselves.
func completeFlags(root *cobra.Command, rules []*lint.Rule) {
	for _, c := range append(root.Commands(), root) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			complete := completionOf(c, f, rules)
			if complete == nil {
				return
			}
			if err := c.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
				panic(err) // the flag is there, and registered once
			}
		})
	}
}

// freeFlags take what is neither of a few words nor a file.
const freeFlags = "jobs max-findings thread version compiler at permutations case timeout exec exec-arg poll project"

// completionOf completes the values of a flag; nil for one that takes a file.
func completionOf(c *cobra.Command, f *pflag.Flag, rules []*lint.Rule) cobra.CompletionFunc {
	if value, ok := f.Value.(*choice); ok {
		return cobra.FixedCompletions(describedWords(c, f.Name, value.words), cobra.ShellCompDirectiveNoFileComp)
	}
	switch name := f.Name; {
	case name == "select" || name == "ignore":
		return listOf(func() []string { return describedRules(rules) })
	case name == "baseline-add":
		return listOf(func() []string {
			return append([]string{cobra.CompletionWithDesc("all", "all new findings")}, describedRules(rules)...)
		})
	case name == "severity":
		return pairOf(func() []string { return describedRules(rules) }, []string{"error", "warning", "info", "off"})
	case name == "output" && c.Parent() == nil:
		return completeOutput
	case name == "new-from":
		return cobra.FixedCompletions([]string{cobra.CompletionWithDesc("HEAD", "the last commit")}, cobra.ShellCompDirectiveNoFileComp)
	case name == "root":
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	case name == "config":
		return cobra.FixedCompletions([]string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt)
	case contains(freeFlags, name) && f.Value.Type() != "bool" && !isPath(f):
		return cobra.NoFileCompletions
	case name == "kind" && c.Name() == "conformance":
		var kinds []string
		for _, k := range conformance.Kinds {
			kinds = append(kinds, string(k))
		}
		return listOf(func() []string { return kinds })
	}
	return nil
}

// isPath reports whether the help calls the value of a flag a path.
func isPath(f *pflag.Flag) bool {
	value, _ := pflag.UnquoteUsage(f)
	return value == "PATH"
}

// wordHelp describes words that do not speak for themselves.
var wordHelp = map[string]string{
	"auto": "decide by what it is", "protocol": "only threads of the protocol", "all": "all mail",
	"artifact": "artifact files", "mail": "exported mail", "draft": "messages before they are sent",
	"error": "errors only", "warning": "errors and warnings", "info": "everything", "never": "never for findings",
	"rule": "which rules are broken", "agent": "who sent what is wrong", "thread": "in which threads", "file": "in which files", "message-type": "in which kinds of messages",
	"new": "findings that the baseline does not have", "baseline": "findings that the baseline accepts",
	"claude": "Claude Code", "codex": "Codex CLI", "gemini": "Gemini CLI",
}

// describedWords adds descriptions for the shells that show them.
func describedWords(c *cobra.Command, flag string, words []string) []string {
	about := wordHelp
	if flag == "format" && c.Parent() == nil {
		about = map[string]string{}
		for _, f := range report.Formats {
			about[f.Name] = f.Description
		}
	}
	var out []string
	for _, w := range words {
		if flag == "color" || flag == "format" && c.Parent() != nil || about[w] == "" {
			out = append(out, w)
		} else {
			out = append(out, cobra.CompletionWithDesc(w, about[w]))
		}
	}
	return out
}

func describedRules(rules []*lint.Rule) []string {
	var out []string
	for _, w := range lint.RuleWords(rules) {
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
