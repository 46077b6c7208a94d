package main

import (
	"flag"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/cli"
	"github.com/brennerlint/brennerlint/lint/linttest"
	"github.com/brennerlint/brennerlint/rules"
)

var _ = flag.Bool("update", false, "write the pages")

func TestRules(t *testing.T) { linttest.Run(t, customRules...) }

// TestProgram runs the program as a whole on a draft that one of its rules is about.
func TestProgram(t *testing.T) {
	var out, errs strings.Builder
	status := cli.Run(t.Context(), []string{"--no-config", "--kind", "draft", "draft.json"}, strings.NewReader(""), &out, &errs, append(rules.All(), customRules...)...)
	if !strings.Contains(out.String(), customRules[0].ID) && !strings.Contains(out.String(), customRules[1].ID) {
		t.Errorf("exit status %d, the report is\n%s%s", status, &out, &errs)
	}
}
