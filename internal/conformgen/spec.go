package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/ledger"
	"github.com/brennerlint/brennerlint/rules"
)

// specLines are the lines of the specifications that ask for something, by
// document:line.
type specLines struct {
	all    map[string]conformance.Passage
	rules  map[string][]conformance.Passage // the lines that a rule enforces
	format map[string]conformance.Passage   // the sections of the artifact format, by title
}

// readSpec reads the ledger of a checkout.
func readSpec(root string) (*specLines, error) {
	lines, err := ledger.Read(root)
	if err != nil {
		return nil, err
	}
	out := &specLines{map[string]conformance.Passage{}, map[string][]conformance.Passage{}, map[string]conformance.Passage{}}
	for _, l := range lines {
		p := conformance.Passage{Document: l.Document, Section: l.Heading, Line: l.Number}
		out.all[p.String()] = p
		for _, rule := range l.Rules {
			out.rules[rule] = append(out.rules[rule], p)
		}
	}
	format, err := os.ReadFile(filepath.Join(root, "docs", artifactFormat+".md"))
	if err != nil {
		return nil, err
	}
	n := 0
	for line := range strings.Lines(string(format)) {
		n++
		if title := strings.TrimLeft(line, "#"); title != line {
			title = strings.TrimSpace(title)
			out.format[title] = conformance.Passage{Document: artifactFormat, Section: title, Line: n}
		}
	}
	return out, nil
}

// artifactFormat is the document that the five specifications build on.
const artifactFormat = "artifact_format"

// find returns the passages that a source names as document:line, or format:section.
func (s *specLines) find(names []string) ([]conformance.Passage, error) {
	var out []conformance.Passage
	for _, name := range names {
		document, place, _ := strings.Cut(name, ":")
		p, ok := s.all[documents[document]+":"+place]
		if document == "format" {
			p, ok = s.format[place]
		}
		if !ok {
			return nil, fmt.Errorf("no line of %s, and no section of the artifact format, is %s", ledger.Path, name)
		}
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out, nil
}

// cited returns the passages that a rule cites which no line of the ledger names: sections
// of the artifact format, or the first line that asks for something below a heading.
func (s *specLines) cited(id string) ([]conformance.Passage, error) {
	found := rules.All().Match(id)
	if len(found) == 0 {
		return nil, fmt.Errorf("there is no rule %s", id)
	}
	var out []conformance.Passage
	for name := range strings.SplitSeq(found[0].SpecRef, "; ") {
		document, heading, _ := strings.Cut(name, "#")
		p, ok := s.format[heading]
		if document != artifactFormat {
			p, ok = s.below(document, heading)
		}
		if !ok {
			return nil, fmt.Errorf("%s cites %s, which no line of %s is below", id, name, ledger.Path)
		}
		out = append(out, p)
	}
	return out, nil
}

// below returns the first line of the ledger below a heading.
func (s *specLines) below(document, heading string) (first conformance.Passage, ok bool) {
	for _, p := range s.all {
		if p.Document == document && strings.HasPrefix(p.Section, heading) && (!ok || p.Line < first.Line) {
			first, ok = p, true
		}
	}
	return first, ok
}

// documents are short names of the specifications.
var documents = map[string]string{
	"body": "message_body_schema", "delta": "delta_output_format", "merge": "artifact_delta_spec",
	"publish": "artifact_publish_spec", "subject": "thread_subject_conventions",
}
