package cli

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/brennerlint/brennerlint/internal/text"
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
	f.Var(&choice{flag: name, to: to, words: words}, name, strings.TrimPrefix(usage+": "+text.Or(words), ": "))
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
