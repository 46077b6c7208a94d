package conformance

import (
	"cmp"
	"fmt"
	"slices"

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

	results []Result
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

func (c *Counts) add(s Status) {
	if c.Statuses == nil {
		c.Statuses = map[Status]int{}
	}
	c.Cases++
	c.Statuses[s]++
	switch s {
	case Pass:
		c.Passed++
	case Unsupported:
		c.Unsupported++
	default:
		c.Failed++
	}
}

// NewReport counts the results of a run.
func NewReport(command []string, results []Result) *Report {
	r := &Report{Schema: Schema, Suite: conformance.Version, Command: command, Kinds: []KindCounts{}, Passages: []SpecCounts{}, Cases: []ReportedCase{}, results: results}
	r.Summary.Statuses = map[Status]int{}
	kinds := map[conformance.Kind]*Counts{}
	type section struct{ document, title string }
	sections := map[section]*Counts{}
	for _, res := range results {
		c := res.Case
		r.Summary.add(res.Status)
		if kinds[c.Kind] == nil {
			kinds[c.Kind] = &Counts{}
		}
		kinds[c.Kind].add(res.Status)
		seen := map[section]bool{}
		for _, p := range c.Spec {
			s := section{p.Document, p.Section}
			if sections[s] == nil {
				sections[s] = &Counts{}
			}
			if !seen[s] {
				seen[s] = true
				sections[s].add(res.Status)
			}
		}
		r.Cases = append(r.Cases, ReportedCase{c.ID, c.Kind, c.Title, res.Status, res.Message})
	}
	for _, k := range conformance.Kinds {
		if kinds[k] != nil {
			r.Kinds = append(r.Kinds, KindCounts{k, *kinds[k]})
		}
	}
	for s, n := range sections {
		r.Passages = append(r.Passages, SpecCounts{s.document, s.title, *n})
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
