package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/ledger"
)

// specLines are the lines of the specifications that ask for something, by
// document:line.
type specLines struct {
	all   map[string]conformance.Passage
	rules map[string][]conformance.Passage // the lines that a rule enforces
}

// readSpec reads the ledger of a checkout.
func readSpec(root string) (*specLines, error) {
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(ledger.Path)))
	if err != nil {
		return nil, err
	}
	lines, err := ledger.Parse(data)
	if err != nil {
		return nil, err
	}
	out := &specLines{map[string]conformance.Passage{}, map[string][]conformance.Passage{}}
	for _, l := range lines {
		p := conformance.Passage{Document: l.Document, Section: l.Heading, Line: l.Number}
		out.all[p.String()] = p
		for _, rule := range l.Rules {
			out.rules[rule] = append(out.rules[rule], p)
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
			return nil, fmt.Errorf("no line of %s is %s", ledger.Path, name)
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
