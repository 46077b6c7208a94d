package cli

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/rules"
)

// TestHelp checks that --help fits a screen and names the flags that people use, and that
// --help-all names every flag.
func TestHelp(t *testing.T) {
	root := newRoot(streams{strings.NewReader(""), io.Discard, io.Discard}, rules.All())
	var short, all strings.Builder
	must.OK(t, writeHelp(&short, root, false))
	must.OK(t, writeHelp(&all, root, true))
	if n := strings.Count(short.String(), "\n"); n > 60 {
		t.Errorf("--help has %d lines, expected at most 60", n)
	}
	for _, c := range root.Commands() {
		if named := strings.Contains(short.String(), "\n  "+c.Name()+" "); named == c.Hidden {
			t.Errorf("--help names the command %s: %v", c.Name(), named)
		}
	}
	_, headed := headedFlags(root, false)
	for _, flags := range headed {
		for _, f := range flags {
			if want := slices.Contains(everyday, f.Name); want != strings.Contains(short.String(), flagName(f)+" ") {
				t.Errorf("--help names --%s: %v, expected %v", f.Name, !want, want)
			}
			if !strings.Contains(all.String(), flagName(f)+" ") {
				t.Errorf("--help-all lacks --%s", f.Name)
			}
		}
	}
}

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
