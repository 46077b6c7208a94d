package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/pflag"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
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
	for _, heading := range headingsOf(root, false) {
		for _, f := range heading.Flags {
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

// TestStart checks that a start of the program makes little: hooks start it for every
// message. What commands complete, list or document is made when it is asked for.
func TestStart(t *testing.T) {
	testenv.SkipUnderRace(t)
	all := rules.All()
	objects := testing.AllocsPerRun(10, func() {
		Run(t.Context(), []string{"--version"}, strings.NewReader(""), io.Discard, io.Discard, all...)
	})
	if objects > 2000 {
		t.Errorf("a start allocates %.0f objects, expected at most 2000", objects)
	}
}

func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := &progress{w: &out, next: time.Now().Add(time.Second)}
		p.update(6, 0)
		if out.String() != "" {
			t.Errorf("%q before a second has passed", out.String())
		}
		time.Sleep(time.Second)
		p.update(7, 0)
		p.update(8, 0)
		time.Sleep(100 * time.Millisecond)
		p.update(3, 20)
		p.stop()
		const clear = "\r\x1b[K"
		if want := clear + "reading: 7 files done" + clear + "checked 3 of 20 threads" + clear; out.String() != want {
			t.Errorf("%q, want %q", out.String(), want)
		}
	})
}

// TestRulesOnLines checks that of rules on several lines not only those of the first run.
func TestRulesOnLines(t *testing.T) {
	_, stderr, status := runHere(t, "--select", "MB\nDL", "../examples")
	if want := `unknown rule "MB\nDL"`; status != exitUsage || !strings.Contains(stderr, want) {
		t.Errorf("status %d and %s, want %s", status, stderr, want)
	}
}

// TestIncompleteBaseline checks that a baseline of a part of the findings is not
// written: who runs again with it would think that the others are new.
func TestIncompleteBaseline(t *testing.T) {
	t.Chdir(t.TempDir())
	c := &checkCommand{writeBaseline: "base.json"}
	rep := &lint.Report{Findings: []*lint.Finding{{Rule: "MB-005"}}, Summary: lint.Summary{Errors: 1, Info: 2}}
	if err := c.acceptFindings(rep); err == nil || !strings.Contains(err.Error(), "at most 1 findings, but there are 3") {
		t.Errorf("the error is %v", err)
	}
	if _, err := os.Stat("base.json"); err == nil {
		t.Error("the baseline is written")
	}
}

// TestStatisticsOfJSON checks that whatever findings are counted by, the counts are those
// of the summary, as far as they are shown, and the report has the promised form.
func TestStatisticsOfJSON(t *testing.T) {
	for _, by := range report.StatisticsBy {
		for i, level := range []string{"error", "warning", "info"} {
			if !testenv.Sampled(i, 2) {
				continue
			}
			out, _ := wholeRun(t, "--no-config", "--format", "json", "--statistics="+by, "--level", level, "../testdata/corpus/realmail/json", "../testdata/corpus/artifacts")
			var rep struct {
				Summary    lint.Summary
				Statistics struct {
					Groups []struct{ Errors, Warnings, Info, Messages, Files int }
				}
				Findings []struct{ Severity string }
			}
			must.OK(t, json.Unmarshal([]byte(out), &rep))
			errors, all := 0, 0
			for _, g := range rep.Statistics.Groups {
				errors += g.Errors
				all += g.Errors + g.Warnings + g.Info
				if g.Files == 0 || g.Errors+g.Warnings+g.Info == 0 || g.Messages > g.Errors+g.Warnings+g.Info {
					t.Errorf("by %s: %+v", by, g)
				}
			}
			s := rep.Summary
			if errors != s.Errors || errors == 0 || all != len(rep.Findings) || all != s.Errors+s.Warnings+s.Info-s.Hidden || (s.Hidden == 0) != (level == "info") {
				t.Errorf("by %s, level %s: %d errors of %d findings, but the summary is %+v", by, level, errors, all, s)
			}
		}
	}
}
