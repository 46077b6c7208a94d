package conformance

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/report"
)

// Formats are the formats of reports.
var Formats = []string{"text", "json", "junit", "tap", "markdown"}

// Write writes a report in a format.
func (r *Report) Write(w io.Writer, format string) error {
	var out bytes.Buffer
	var err error
	switch format {
	case "json":
		err = writeJSON(&out, r)
	case "junit":
		err = r.writeJUnit(&out)
	case "tap":
		r.writeTAP(&out)
	case "markdown":
		r.writeMarkdown(&out)
	default:
		r.writeText(&out)
	}
	if err != nil {
		return err
	}
	_, err = w.Write(out.Bytes())
	return err
}

// Write writes the badge as JSON.
func (b Badge) Write(w io.Writer) error { return writeJSON(w, b) }

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// oneLine returns a text on one line, without control characters: it may quote what the
// command wrote.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, text)
}

// passagesOf names the sections of the specifications that a case shows: the first
// ones, where there are many.
func passagesOf(c *conformance.Case) string {
	const most = 2
	var names []string
	for _, p := range c.Spec {
		if len(names) == most {
			return strings.Join(names, "; ") + "; …"
		}
		names = append(names, fmt.Sprintf("%s, %s, line %d", p.Document, p.Section, p.Line))
	}
	for _, d := range c.Decisions {
		if len(names) < most {
			names = append(names, fmt.Sprintf("decision %d", d))
		}
	}
	return strings.Join(names, "; ")
}

func (r *Report) writeText(w *bytes.Buffer) {
	for _, res := range r.results {
		if !res.Status.Failed() {
			continue
		}
		fmt.Fprintf(w, "%s: %s: %s\n    %s", res.Case.ID, res.Status, oneLine(res.Message), oneLine(res.Case.Title))
		if where := passagesOf(res.Case); where != "" {
			fmt.Fprintf(w, " (%s)", where)
		}
		w.WriteByte('\n')
	}
	if r.Summary.Failed > 0 {
		fmt.Fprintf(w, "\n%6s %6s  passage\n", "failed", "cases")
		for _, p := range r.Passages {
			if p.Failed > 0 {
				fmt.Fprintf(w, "%6d %6d  %s, %s\n", p.Failed, p.Cases, p.Document, p.Section)
			}
		}
		w.WriteByte('\n')
	}
	fmt.Fprintf(w, "%-10s %6s %6s %6s %11s\n", "kind", "cases", "pass", "fail", "unsupported")
	for _, k := range r.Kinds {
		fmt.Fprintf(w, "%-10s %6d %6d %6d %11d\n", k.Kind, k.Cases, k.Passed, k.Counts.Failed, k.Counts.Unsupported)
	}
	fmt.Fprintf(w, "\nsuite %s: %s\n", r.Suite, r.Summary.sentence())
}

// sentence says how a run ended.
func (c *Counts) sentence() string {
	parts := []string{fmt.Sprintf("%d of %d cases passed", c.Passed, c.Cases)}
	for _, s := range Statuses {
		if n := c.Statuses[s]; n > 0 && s != Pass {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	return strings.Join(parts, ", ")
}

// writeTAP writes the Test Anything Protocol, version 14.
func (r *Report) writeTAP(w *bytes.Buffer) {
	fmt.Fprintf(w, "TAP version 14\n1..%d\n", len(r.results))
	for i, res := range r.results {
		name := strings.NewReplacer("\\", "\\\\", "#", "\\#").Replace(res.Case.ID + " " + oneLine(res.Case.Title))
		switch res.Status {
		case Unsupported:
			fmt.Fprintf(w, "ok %d - %s # SKIP unsupported\n", i+1, name)
		case Pass:
			fmt.Fprintf(w, "ok %d - %s\n", i+1, name)
		default:
			message, _ := json.Marshal(oneLine(res.Message)) // a string cannot fail
			fmt.Fprintf(w, "not ok %d - %s\n  ---\n  status: %s\n  message: %s\n  ...\n", i+1, name, res.Status, message)
		}
	}
}

type junitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	junitCounts
	Suites []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	junitCounts
	Cases []junitCase `xml:"testcase"`
}

type junitCounts struct {
	Name     string `xml:"name,attr"`
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr"`
}

func (c *Counts) junit(name string) junitCounts {
	return junitCounts{Name: name, Tests: c.Cases, Failures: c.Statuses[Fail], Errors: c.Failed - c.Statuses[Fail], Skipped: c.Unsupported}
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Failure *junitProblem `xml:"failure"` // another answer
	Error   *junitProblem `xml:"error"`   // none
	Skipped *struct{}     `xml:"skipped"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

func (r *Report) writeJUnit(w *bytes.Buffer) error {
	out := junitSuites{junitCounts: r.Summary.junit("brenner conformance " + r.Suite)}
	for _, k := range r.Kinds {
		suite := junitSuite{junitCounts: k.junit(string(k.Kind))}
		for _, res := range r.results {
			if res.Case.Kind != k.Kind {
				continue
			}
			c := junitCase{Name: res.Case.ID, Class: "conformance." + string(k.Kind)}
			problem := &junitProblem{oneLine(res.Message), string(res.Status), oneLine(res.Case.Title) + "\n" + passagesOf(res.Case)}
			switch {
			case res.Status == Unsupported:
				c.Skipped = &struct{}{}
			case res.Status == Fail:
				c.Failure = problem
			case res.Status != Pass:
				c.Error = problem
			}
			suite.Cases = append(suite.Cases, c)
		}
		out.Suites = append(out.Suites, suite)
	}
	w.WriteString(xml.Header)
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(out); err != nil {
		return err
	}
	w.WriteByte('\n')
	return nil
}

func (r *Report) writeMarkdown(w *bytes.Buffer) {
	fmt.Fprintf(w, "Suite %s: %s.\n\n| Kind | Cases | Pass | Fail | Unsupported |\n|---|--:|--:|--:|--:|\n", r.Suite, r.Summary.sentence())
	for _, k := range r.Kinds {
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d |\n", k.Kind, k.Cases, k.Passed, k.Counts.Failed, k.Counts.Unsupported)
	}
	if r.Summary.Failed == 0 {
		return
	}
	w.WriteString("\n| Passage | Cases | Fail |\n|---|--:|--:|\n")
	for _, p := range r.Passages {
		if p.Failed > 0 {
			fmt.Fprintf(w, "| %s, %s | %d | %d |\n", p.Document, report.MarkdownText(p.Section), p.Cases, p.Failed)
		}
	}
	w.WriteString("\n| Case | Status | What is wrong |\n|---|---|---|\n")
	for _, res := range r.results {
		if res.Status.Failed() {
			fmt.Fprintf(w, "| %s | %s | %s |\n", res.Case.ID, res.Status, report.MarkdownText(oneLine(res.Message)))
		}
	}
}
