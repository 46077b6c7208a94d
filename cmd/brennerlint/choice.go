package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/brennerlint/brennerlint/internal/wording"
)

// choice is the value of a flag that takes one of a few words. The words are
// said once, where the flag is declared: help, the check of what a user writes,
// and completion follow.
type choice struct {
	flag  string
	to    *string
	words []string
}

func choiceVar(f *pflag.FlagSet, to *string, name, value, usage string, words ...string) {
	*to = value
	f.Var(&choice{flag: name, to: to, words: words}, name, strings.TrimPrefix(usage+": "+wording.Or(words), ": "))
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

// Type is the name of the value in the help.
func (c *choice) Type() string { return "WORD" }

// unknownValue is the error for a value that a flag does not know.
func unknownValue(flag, value string, known []string) error {
	if best := wording.Nearest(value, known); best != "" {
		return fmt.Errorf("unknown %s %q; did you mean %s?", flag, value, best)
	}
	return fmt.Errorf("unknown %s %q; expected %s", flag, value, wording.Or(known))
}

// flagError says what is wrong with a flag in few words, and names the one that
// may have been meant.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		name := unknown.GetSpecifiedName()
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if best := wording.Nearest(name, names); best != "" {
			return fmt.Errorf("unknown flag --%s; did you mean --%s?", name, best)
		}
		return fmt.Errorf("unknown flag --%s; `%s --help` lists the flags", name, c.CommandPath())
	case errors.As(err, &invalid):
		if _, ok := invalid.GetFlag().Value.(*choice); ok {
			return invalid.Unwrap()
		}
	}
	return err
}
