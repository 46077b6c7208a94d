package report

import (
	"strings"

	"github.com/owenrumney/go-sarif/v2/sarif"

	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/result"
)

// maxDescription is how many characters of a description code scanning takes.
const maxDescription = 1024

// sarifRules are the rules of a run and where each is among them.
type sarifRules struct {
	descriptors []*sarif.ReportingDescriptor
	index       map[string]uint
}

// newSARIFRules describes the rules that ran. A finding of another rule, which
// only a report made by hand has, brings its own: a result must name a rule that
// is listed.
func newSARIFRules(r *result.Report) *sarifRules {
	s := &sarifRules{descriptors: []*sarif.ReportingDescriptor{}, index: make(map[string]uint, len(r.Rules))}
	for _, rule := range r.Rules {
		s.add(rule)
	}
	for _, f := range r.Findings {
		if _, ok := s.index[f.Rule]; !ok {
			s.add(&lint.Rule{ID: f.Rule, Name: f.Name, Severity: f.Severity, Summary: f.Name})
		}
	}
	return s
}

func (s *sarifRules) add(rule *lint.Rule) {
	s.index[rule.ID] = uint(len(s.descriptors))
	s.descriptors = append(s.descriptors, descriptor(rule))
}

// descriptor documents a rule, from the same archive as `explain`.
func descriptor(rule *lint.Rule) *sarif.ReportingDescriptor {
	d := sarif.NewRule(rule.ID)
	d.Name = ptr(rule.Name)
	d.ShortDescription = sarif.NewMultiformatMessageString(truncate(firstSentence(rule.Summary), maxDescription))
	d.FullDescription = sarif.NewMultiformatMessageString(truncate(sentence(rule.Summary), maxDescription))
	if rule.URL != "" {
		d.HelpURI = &rule.URL
	}
	help := ruleHelp(rule)
	d.Help = sarif.NewMultiformatMessageString(help).WithMarkdown(help)
	d.DefaultConfiguration = &sarif.ReportingConfiguration{Level: sarifLevels[rule.Severity]}
	d.Properties = sarif.Properties{
		"precision":        "very-high", // rules are deterministic, and silent where they cannot know
		"problem.severity": map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Info: "recommendation"}[rule.Severity],
		"tags":             ruleTags(rule),
	}
	return d
}

// ruleTags returns what alerts can be filtered by.
func ruleTags(rule *lint.Rule) []string {
	tags := []string{"brenner-protocol"}
	if rule.Scope() != 0 {
		tags = append(tags, rule.Scope().String())
	}
	if rule.Code != "" {
		tags = append(tags, rule.Code)
	}
	return tags
}

// ruleHelp returns the text of a rule's documentation, in Markdown.
func ruleHelp(rule *lint.Rule) string {
	var parts []string
	if text := prose(rule); text != "" {
		parts = append(parts, text)
	}
	if parts == nil {
		parts = append(parts, sentence(rule.Summary))
	}
	if rule.SpecRef != "" {
		parts = append(parts, "Specification: "+rule.SpecRef)
	}
	parts = append(parts, "`brennerlint explain "+rule.ID+"` shows examples.")
	return strings.Join(parts, "\n\n")
}

// firstSentence returns a text up to its first full stop or semicolon.
func firstSentence(s string) string {
	for _, stop := range []string{"; ", ". "} {
		if i := strings.Index(s, stop); i > 0 {
			s = s[:i]
		}
	}
	return sentence(s)
}
