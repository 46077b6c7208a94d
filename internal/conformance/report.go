package conformance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/conformance"
)

// Schema names the form of a Report in JSON.
const Schema = "brennerlint/conformance/v1"

// Report is the outcome of a run.
type Report struct {
	Schema   string         `json:"schema"`
	Suite    string         `json:"suite"` // the version
	Command  []string       `json:"command"`
	Summary  Counts         `json:"summary"`
	Kinds    []KindCounts   `json:"kinds"`
	Passages []SpecCounts   `json:"passages"` // by section of a specification
	Cases    []ReportedCase `json:"cases"`
	Results  []Result       `json:"-"`
}

// Counts are numbers of cases.
type Counts struct {
	Cases       int `json:"cases"`
	Passed      int `json:"passed"`
	Failed      int `json:"failed"` // of whatever status
	Unsupported int `json:"unsupported"`
	// Statuses counts by status; those without a case are absent.
	Statuses map[Status]int `json:"statuses"`
}

// KindCounts are those of the cases of a kind.
type KindCounts struct {
	Kind conformance.Kind `json:"kind"`
	Counts
}

// SpecCounts are those of the cases that show a section of a specification.
type SpecCounts struct {
	Document string `json:"document"`
	Section  string `json:"section"`
	Counts
}

// ReportedCase is what became of a case.
type ReportedCase struct {
	ID      string           `json:"id"`
	Kind    conformance.Kind `json:"kind"`
	Title   string           `json:"title"`
	Status  Status           `json:"status"`
	Message string           `json:"message,omitempty"`
}

// count counts the results of some cases.
func count(results []Result, of func(*conformance.Case) bool) Counts {
	out := Counts{Statuses: map[Status]int{}}
	for _, r := range results {
		if of(r.Case) {
			out.Cases++
			out.Statuses[r.Status]++
		}
	}
	out.Passed, out.Unsupported = out.Statuses[Pass], out.Statuses[Unsupported]
	out.Failed = out.Cases - out.Passed - out.Unsupported
	return out
}

// OtherAnswers counts the failures that JUnit calls so.
func (c Counts) OtherAnswers() int { return c.Statuses[Fail] }

// NoAnswers counts those that JUnit calls errors.
func (c Counts) NoAnswers() int { return c.Failed - c.Statuses[Fail] }

// String says how a run ended.
func (c Counts) String() string {
	parts := []string{fmt.Sprintf("%d of %d cases passed", c.Passed, c.Cases)}
	for _, s := range Statuses {
		if n := c.Statuses[s]; n > 0 && s != Pass {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	return strings.Join(parts, ", ")
}

// NewReport counts the results of a run.
func NewReport(command []string, results []Result) *Report {
	r := &Report{
		Schema: Schema, Suite: conformance.Version, Command: command,
		Kinds: []KindCounts{}, Passages: []SpecCounts{}, Cases: []ReportedCase{}, Results: results,
	}
	r.Summary = count(results, func(*conformance.Case) bool { return true })
	sections := map[[2]string]bool{}
	for _, res := range results {
		c := res.Case
		r.Cases = append(r.Cases, ReportedCase{c.ID, c.Kind, c.Title, res.Status, res.Message})
		for _, p := range c.Spec {
			sections[[2]string{p.Document, p.Section}] = true
		}
	}
	for _, k := range conformance.Kinds {
		if n := count(results, func(c *conformance.Case) bool { return c.Kind == k }); n.Cases > 0 {
			r.Kinds = append(r.Kinds, KindCounts{k, n})
		}
	}
	for s := range sections {
		r.Passages = append(r.Passages, SpecCounts{s[0], s[1], count(results, func(c *conformance.Case) bool {
			return slices.ContainsFunc(c.Spec, func(p conformance.Passage) bool { return p.Document == s[0] && p.Section == s[1] })
		})})
	}
	slices.SortFunc(r.Passages, func(a, b SpecCounts) int {
		return cmp.Or(cmp.Compare(a.Document, b.Document), cmp.Compare(a.Section, b.Section))
	})
	return r
}

// Passed reports whether there was something to pass, and nothing failed.
func (r *Report) Passed() bool { return r.Summary.Failed == 0 && r.Summary.Passed > 0 }

// Badge is an endpoint of shields.io.
type Badge struct {
	SchemaVersion int    `json:"schemaVersion"`
	Label         string `json:"label"`
	Message       string `json:"message"`
	Color         string `json:"color"`
}

// Badge shows how many of the cases passed.
func (r *Report) Badge() Badge {
	s := r.Summary
	color := "red"
	switch {
	case r.Passed() && s.Unsupported == 0:
		color = "brightgreen"
	case r.Passed():
		color = "green"
	case s.Passed*10 >= s.Cases*9:
		color = "yellow"
	case s.Passed*2 >= s.Cases:
		color = "orange"
	}
	return Badge{1, "brenner conformance", fmt.Sprintf("%d/%d", s.Passed, s.Cases), color}
}
