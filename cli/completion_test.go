package cli

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/brennerlint/brennerlint/rules"
)

// TestEveryFlagCompletes checks that the shell gets suggestions for each flag that
// takes a value, unless the help calls the value a file.
func TestEveryFlagCompletes(t *testing.T) {
	root := newRoot(streams{strings.NewReader(""), io.Discard, io.Discard}, rules.All())
	for _, c := range append(root.Commands(), root) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			_, completes := c.GetFlagCompletionFunc(f.Name)
			value, _ := pflag.UnquoteUsage(f)
			file := value == "FILE" || value == "PATH" || value == "GLOB" || f.Name == "stdin-filename"
			if takesValue := f.Value.Type() != "bool"; takesValue && !completes && !file {
				t.Errorf("%s --%s %s completes nothing", c.CommandPath(), f.Name, value)
			}
		})
		if c.Short == "" || c != root && c.GroupID == "" && !c.Hidden {
			t.Errorf("%s lacks a description or a group in the help", c.CommandPath())
		}
	}
}
