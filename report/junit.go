package report

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/lint"
)

// The elements of JUnit XML as CI systems read it.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name      string        `xml:"name,attr"`
		ClassName string        `xml:"classname,attr"`
		Failure   *junitOutcome `xml:"failure"`
		Error     *junitOutcome `xml:"error"`
		Skipped   *junitOutcome `xml:"skipped"`
		Output    string        `xml:"system-out,omitempty"`
	}
	junitOutcome struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit writes JUnit XML: a suite per file, a test per finding. Those that make the
// run fail are failures; others are skipped, as readers show neither as a failure, and most
// show the message of a skipped test but not the output of one that passed. A run without
// findings is one test that passed, because an empty report counts as a lost one. Clean text has
// no character that XML forbids.
func writeJUnit(w *bufio.Writer, r *lint.Report, o *Options) {
	all := junitSuites{Name: "brennerlint", Tests: max(1, len(r.Findings)+len(r.Failures)), Errors: len(r.Failures)}
	if n := len(r.Failures); n > 0 { // tests that broke
		broken := junitSuite{Name: failurePrefix + "s", Tests: n, Errors: n}
		for _, f := range r.Failures {
			outcome := &junitOutcome{clean(f.Error()), failureTitle(f), meaning(f)}
			broken.Cases = append(broken.Cases, junitCase{Name: clean(f.Rule), ClassName: clean(f.Path), Error: outcome})
		}
		all.Suites = append(all.Suites, broken)
	} else if len(r.Findings) == 0 {
		passed := junitCase{Name: clean(Summary(r)), ClassName: "brennerlint"}
		all.Suites = append(all.Suites, junitSuite{Name: "brennerlint", Tests: 1, Cases: []junitCase{passed}})
	}
	fails := o.Fails
	if fails == nil {
		fails = func(f *lint.Finding) bool { return f.Severity == lint.Error || f.Unreadable }
	}
	alike := map[[2]string]int{} // readers show one test of a class and name
	for i, f := range r.Findings {
		if i == 0 || f.Path != r.Findings[i-1].Path {
			all.Suites = append(all.Suites, junitSuite{Name: cleanName(f.Path)})
		}
		suite := &all.Suites[len(all.Suites)-1]
		where, about, message := lineAndColumn(f.Range), inBrackets(subject(f)), clean(f.Message)
		c := junitCase{Name: f.Rule + " " + f.Name + strings.Replace(where, ":", " ", 1) + about, ClassName: suite.Name}
		key := [2]string{c.ClassName, c.Name}
		if alike[key]++; alike[key] > 1 {
			c.Name += fmt.Sprintf(" (%d)", alike[key])
		}
		text := suite.Name + where + ": " + f.Severity.String() + " " + f.Rule + about + ": " + message + withLead("\n= ", clean(f.Suggestion))
		if fails(f) {
			c.Failure = &junitOutcome{message, f.Severity.String(), text}
			suite.Failures++
			all.Failures++
		} else {
			c.Skipped, c.Output = &junitOutcome{Message: f.Severity.String() + ": " + message}, text
			suite.Skipped++
		}
		suite.Cases = append(suite.Cases, c)
		suite.Tests++
	}
	w.WriteString(xml.Header)
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	_ = enc.Encode(all) // only w can fail, and keeps its error
	w.WriteString("\n")
}
