package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/brennerlint/brennerlint/internal/text"
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

// declared ends the declaration of a flag. Without a function to complete its value, the
// shell completes files.
func (f *flags) declared(name string, complete cobra.CompletionFunc) {
	f.Lookup(name).Annotations = map[string][]string{headingAnnotation: {f.title}}
	if complete == nil {
		return
	}
	if err := f.cmd.RegisterFlagCompletionFunc(name, complete); err != nil {
		panic(err) // the flag is there, and registered once
	}
}

func (f *flags) bool(to *bool, name, usage string) {
	f.BoolVar(to, name, false, usage)
	f.declared(name, nil)
}

func (f *flags) string(to *string, name, usage string, complete cobra.CompletionFunc) {
	f.StringVar(to, name, "", usage)
	f.declared(name, complete)
}

// strings declares a flag that may be repeated.
func (f *flags) strings(to *[]string, name, usage string, complete cobra.CompletionFunc) {
	f.StringArrayVar(to, name, nil, usage)
	f.declared(name, complete)
}

// list declares a flag that takes words, comma separated.
func (f *flags) list(to *[]string, name, usage string, words func() []cobra.Completion) {
	f.StringSliceVar(to, name, nil, usage)
	f.declared(name, listOf(words))
}

func (f *flags) duration(to *time.Duration, name string, value time.Duration, usage string) {
	f.DurationVar(to, name, value, usage)
	f.declared(name, anyWord)
}

// choice declares a flag that takes one of a few words, which may be described to the
// shell: [cobra.CompletionWithDesc].
func (f *flags) choice(to *string, name, value, usage string, completions ...cobra.Completion) {
	*to = value
	words := make([]string, len(completions))
	for i, c := range completions {
		words[i], _, _ = strings.Cut(c, "\t")
	}
	f.Var(&choice{name, to, words}, name, strings.TrimPrefix(usage+": "+text.Or(words), ": "))
	f.declared(name, cobra.FixedCompletions(completions, cobra.ShellCompDirectiveNoFileComp))
}

// number declares a flag that takes a number >= 1; without the flag it is 0.
func (f *flags) number(to *int, name, usage string) {
	f.Var(&number{name, to}, name, usage)
	f.declared(name, anyWord)
}

// choice is the value of a flag that takes one of a few words.
type choice struct {
	flag  string
	to    *string
	words []string
}

// Set takes over a word that is one of the choice.
func (c *choice) Set(word string) error {
	if !slices.Contains(c.words, word) {
		return unknownValue("--"+c.flag, word, c.words)
	}
	*c.to = word
	return nil
}

func (c *choice) String() string { return *c.to }

// Type returns the name of the value in the help.
func (c *choice) Type() string { return "WORD" }

// number is the value of a flag that takes a number >= 1.
type number struct {
	flag string
	to   *int
}

// Set takes over a number in range.
func (n *number) Set(word string) error {
	i, err := strconv.Atoi(word)
	switch {
	case err != nil:
		return fmt.Errorf("--%s is %q; expected a whole number", n.flag, word)
	case i < 1:
		return fmt.Errorf("--%s is %d; expected a number >= 1", n.flag, i)
	}
	*n.to = i
	return nil
}

func (n *number) String() string {
	if *n.to == 0 {
		return ""
	}
	return strconv.Itoa(*n.to)
}

// Type returns the name of the value in the help.
func (n *number) Type() string { return "N" }
