package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/conformance"
)

// specLines are the lines of the specifications that ask for something, by
// document:line.
type specLines struct {
	all   map[string]conformance.Passage
	rules map[string][]conformance.Passage // the lines that a rule enforces
}

var (
	specRow  = regexp.MustCompile(`^\| (\d+) \| .* \| (.*) \| .+ \|$`)
	ruleLink = regexp.MustCompile(`\[([A-Z]{2}-[A-Z]?\d{2,3})\]`)
)

// readSpec reads docs/conformance.md: a section for each document, below it one for
// each of the document's sections.
func readSpec(path string) (*specLines, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	out := &specLines{map[string]conformance.Passage{}, map[string][]conformance.Passage{}}
	document, section := "", ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if title, ok := strings.CutPrefix(line, "## "); ok {
			document, section = title, ""
		}
		if title, ok := strings.CutPrefix(line, "### "); ok {
			section = title
		}
		m := specRow.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return nil, err
		}
		p := conformance.Passage{Document: document, Section: section, Line: n}
		out.all[p.String()] = p
		for _, rule := range ruleLink.FindAllStringSubmatch(m[2], -1) {
			out.rules[rule[1]] = append(out.rules[rule[1]], p)
		}
	}
	return out, nil
}

// find returns the passages that a source names as document:line.
func (s *specLines) find(names []string) ([]conformance.Passage, error) {
	var out []conformance.Passage
	for _, name := range names {
		for short, long := range documents {
			if line, ok := strings.CutPrefix(name, short+":"); ok {
				name = long + ":" + line
			}
		}
		p, ok := s.all[name]
		if !ok {
			return nil, fmt.Errorf("no line of docs/conformance.md is %s", name)
		}
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out, nil
}

// documents are short names of the specifications.
var documents = map[string]string{
	"body": "message_body_schema", "delta": "delta_output_format", "merge": "artifact_delta_spec",
	"publish": "artifact_publish_spec", "subject": "thread_subject_conventions",
}
