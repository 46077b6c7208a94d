package engine

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/lint"
)

// BaselineSchema names the format of baseline files.
const BaselineSchema = "brennerlint/baseline/v1"

// Baseline is a set of findings that a repository has accepted: they are not
// reported again, so that the tool can be adopted today and fail on the next
// fault only.
type Baseline struct {
	Schema   string          `json:"schema"`
	Findings []BaselineEntry `json:"findings"`
}

// BaselineEntry is an accepted finding. Only the fingerprint counts; the rest
// is for the people who read the file.
type BaselineEntry struct {
	Fingerprint string `json:"fingerprint"`
	Rule        string `json:"rule"`
	Path        string `json:"path"`
	Message     string `json:"message"`
}

// NewBaseline accepts all findings of a report.
func NewBaseline(r *lint.Report) *Baseline {
	b := &Baseline{Schema: BaselineSchema, Findings: make([]BaselineEntry, 0, len(r.Findings))}
	for _, f := range r.Findings {
		b.Findings = append(b.Findings, BaselineEntry{f.Fingerprint, f.Rule, f.Path, f.Message})
	}
	slices.SortFunc(b.Findings, func(x, y BaselineEntry) int {
		if c := strings.Compare(x.Path, y.Path); c != 0 {
			return c
		}
		if c := strings.Compare(x.Rule, y.Rule); c != 0 {
			return c
		}
		return strings.Compare(x.Fingerprint, y.Fingerprint)
	})
	return b
}

// ReadBaseline reads a baseline file.
func ReadBaseline(r io.Reader) (*Baseline, error) {
	var b Baseline
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(&b); err != nil {
		return nil, fmt.Errorf("read baseline: %w", err)
	}
	if b.Schema != BaselineSchema {
		return nil, fmt.Errorf("read baseline: schema is %q; expected %q", b.Schema, BaselineSchema)
	}
	return &b, nil
}

// Write writes the baseline file.
func (b *Baseline) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(b)
}

// apply drops the findings that the baseline accepts. An entry accepts one
// finding; stale is the number of entries that accept none.
func (b *Baseline) apply(findings []*lint.Finding) (kept []*lint.Finding, dropped, stale int) {
	accepted := make(map[string]int, len(b.Findings))
	for _, e := range b.Findings {
		accepted[e.Fingerprint]++
	}
	kept = findings[:0]
	for _, f := range findings {
		if accepted[f.Fingerprint] > 0 {
			accepted[f.Fingerprint]--
			dropped++
		} else {
			kept = append(kept, f)
		}
	}
	return kept, dropped, len(b.Findings) - dropped
}
