package cli

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/report"
)

// flags declares the flags of a command, each below a heading of its help and with what
// the shell completes as its value.
type flags struct {
	*pflag.FlagSet
	cmd   *cobra.Command
	title string // the heading of the flags that follow
}

// headingAnnotation is where a flag says below which heading it is.
const headingAnnotation = "brennerlint_heading"

// flagsOf begins the flags of a command.
func flagsOf(cmd *cobra.Command) *flags {
	cmd.Flags().SortFlags = false
	return &flags{cmd.Flags(), cmd, "Flags"}
}

// heading puts the flags that follow below a heading.
func (f *flags) heading(title string) { f.title = title }

// add declares a flag "name" or "name,n" that sets a value: a list of strings may be
// repeated, a number is >= 1. Without a function to complete its value, the shell completes
// files.
func (f *flags) add(to any, name, usage string, complete cobra.CompletionFunc) {
	name, letter, _ := strings.Cut(name, ",")
	switch to := to.(type) {
	case *bool:
		f.BoolVarP(to, name, letter, false, usage)
	case *string:
		f.StringVarP(to, name, letter, "", usage)
	case *[]string:
		f.StringArrayVarP(to, name, letter, nil, usage)
	case *time.Duration:
		f.DurationVarP(to, name, letter, *to, usage)
	case *int:
		f.VarP(&value{set: func(word string) error { return setNumber(to, name, word) }}, name, letter, usage)
	case pflag.Value:
		f.VarP(to, name, letter, usage)
	}
	f.declared(name, complete)
}

// declared ends the declaration of a flag.
func (f *flags) declared(name string, complete cobra.CompletionFunc) {
	f.Lookup(name).Annotations = map[string][]string{headingAnnotation: {f.title}}
	if complete == nil {
		return
	}
	if err := f.cmd.RegisterFlagCompletionFunc(name, complete); err != nil {
		panic(err) // the flag is there, and registered once
	}
}

// list declares a flag that takes words, comma separated.
func (f *flags) list(to *[]string, name, usage string, words func() []cobra.Completion) {
	f.StringSliceVar(to, name, nil, usage)
	f.declared(name, listOf(words))
}

// choice declares a flag that takes one of a few words. Each may have a description for the
// shell, after a tab.
func (f *flags) choice(to *string, name, standard, usage string, completions ...cobra.Completion) {
	*to = standard
	words := make([]string, len(completions))
	for i, c := range completions {
		words[i], _, _ = strings.Cut(c, "\t")
	}
	set := func(word string) error {
		if !slices.Contains(words, word) {
			return text.Unknown("--"+name, word, words)
		}
		*to = word
		return nil
	}
	usage = strings.TrimPrefix(usage+": "+text.Or(words), ": ")
	f.add(&value{set: set, get: func() string { return *to }, words: words}, name, usage, cobra.FixedCompletions(completions, cobra.ShellCompDirectiveNoFileComp))
}

// value is the value of a flag that a function sets.
type value struct {
	set   func(word string) error
	get   func() string
	words []string // the only ones that it takes; nil if there are others
}

func (v *value) Set(word string) error { return v.set(word) }

func (v *value) String() string {
	if v.get == nil {
		return ""
	}
	return v.get()
}

// Type returns the name of the value in the help.
func (v *value) Type() string { return "WORD" }

func setNumber(to *int, flag, word string) error {
	i, err := strconv.Atoi(word)
	switch {
	case err != nil:
		return fmt.Errorf("--%s is %q; expected a whole number", flag, word)
	case i < 1:
		return fmt.Errorf("--%s is %d; expected a number >= 1", flag, i)
	}
	*to = i
	return nil
}

// What follows completes the values of flags.

// anyWord completes a value that the program cannot know: no files.
var anyWord cobra.CompletionFunc = cobra.NoFileCompletions

// folders and yamlFiles complete files of a kind.
var (
	folders   = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	yamlFiles = cobra.FixedCompletions([]cobra.Completion{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt)
)

// listOf completes the last of some words that commas separate. The words are made
// only when they are asked for: every start of the program declares completions.
func listOf(words func() []cobra.Completion) cobra.CompletionFunc {
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
func pairOf(keys func() []cobra.Completion, values ...string) cobra.CompletionFunc {
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

// formatWords completes the formats of reports.
func formatWords() (out []cobra.Completion) {
	for _, f := range report.Formats {
		out = append(out, cobra.CompletionWithDesc(f.Name, f.Description))
	}
	return out
}

// completeOutput completes --output: FORMAT=, and after that a file.
func completeOutput(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	format, path, ok := strings.Cut(typed, "=")
	if !ok {
		out, _ := pairOf(formatWords)(nil, nil, typed)
		return out, cobra.ShellCompDirectiveNoSpace
	}
	dir := path[:strings.LastIndexByte(path, '/')+1]
	entries, err := os.ReadDir(cmp.Or(dir, "."))
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
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
