package cli

import (
	"fmt"
	"strconv"

	"github.com/spf13/pflag"
)

// number is the value of a flag that takes a number >= 1; without the flag it is 0.
type number struct {
	flag string
	to   *int
}

func numberVar(f *pflag.FlagSet, to *int, name, usage string) {
	f.Var(&number{name, to}, name, usage)
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
	if n.to == nil || *n.to == 0 {
		return ""
	}
	return strconv.Itoa(*n.to)
}

// Type returns the name of the value in the help.
func (n *number) Type() string { return "N" }
