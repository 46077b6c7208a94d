package main

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/rulepage"
)

// linksFile says which examples of the rules' pages become cases.
const linksFile = "lint.yaml"

// links is the content of linksFile.
type links struct {
	// Size is how many bytes of files an example of a page may have at most to be
	// a case.
	Size int
	// Examples are cases even if they are large, with the decisions that they show. The keys
	// are ID bad/name or ID good/name.
	Examples map[string][]int
	// Excluded are examples that show what no text asks of others, and why.
	Excluded map[string]string
	// Rules are the decisions that rules rest on which cite no document.
	Rules map[string][]int
	// Unshown are the decisions that no case can show, and why.
	Unshown map[int]string
}

func readLinks(root string) (*links, error) {
	data, err := os.ReadFile(filepath.Join(root, "conformance", "source", linksFile))
	if err != nil {
		return nil, err
	}
	var out links
	return &out, yaml.Unmarshal(data, &out)
}

// example is an example of a page.
type example struct {
	*rulepage.Example
	rule, key string // of links
	source    string
	in        conformance.LintInput
	size      int
}

// fromPages makes lint cases of the examples of the rules' pages: what each
// example says of its own rule.
func fromPages(root string, spec *specLines) ([]*conformance.Case, error) {
	l, err := readLinks(root)
	if err != nil {
		return nil, err
	}
	var examples []*example
	for _, dir := range []string{"rules/doc", "rules/testdata/edges"} {
		paths, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*.md"))
		if err != nil {
			return nil, err
		}
		for _, p := range paths {
			data, err := os.ReadFile(p)
			if err != nil {
				return nil, err
			}
			examples = append(examples, readExamples(data, path.Join(dir, filepath.Base(p)))...)
		}
	}
	for key := range l.Examples {
		if !slices.ContainsFunc(examples, func(ex *example) bool { return ex.key == key }) {
			return nil, fmt.Errorf("%s names %q, which no page has", linksFile, key)
		}
	}
	var out []*conformance.Case
	examples = slices.DeleteFunc(examples, func(ex *example) bool { return l.Excluded[ex.key] != "" })
	for _, ex := range l.choose(examples) {
		c, err := ex.build(l, spec)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// readExamples returns the examples of a page. A configuration is this program's own, so
// those with more of it than a roster are left out.
func readExamples(data []byte, source string) []*example {
	var out []*example
	rule := strings.TrimSuffix(path.Base(source), ".md")
	page, _ := rulepage.Parse(data) // the tests of package rules report its faults
	for _, p := range page.Examples {
		ex := &example{Example: p, rule: rule, key: rule + " " + p.Kind + "/" + p.Name(), source: source}
		ex.in.Select = []string{rule}
		configured := false
		for _, f := range p.Files {
			if f.Name == ".brennerlint.yaml" {
				ex.in.Roster, configured = rosterOf(f.Data)
				configured = !configured
				continue
			}
			file := conformance.LintFile{Path: f.Name, Text: string(f.Data)}
			if !utf8.Valid(f.Data) {
				file = conformance.LintFile{Path: f.Name, Base64: f.Data}
			}
			ex.in.Files = append(ex.in.Files, file)
			ex.size += len(f.Data)
		}
		if !configured {
			out = append(out, ex)
		}
	}
	return out
}

// rosterOf returns the roster of a configuration that has nothing else.
func rosterOf(data []byte) (roster []string, ok bool) {
	var c struct{ Agents struct{ Roster []string } }
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	err := dec.Decode(&c)
	return c.Agents.Roster, err == nil && len(c.Agents.Roster) > 0
}

// findingLine is the first line of a finding: FILE:LINE:COLUMN-LINE:COLUMN: message,
// without a place FILE: message. Further lines are indented.
var findingLine = regexp.MustCompile(`(?m)^(\S[^:\n]*):(?:(\d+):(\d+)-\d+:\d+:)? `)

// isOnThreads reports whether a rule is about a merge, what is published or other sessions: of
// these one example shows too little.
func isOnThreads(rule string) bool { return slices.Contains([]string{"MR", "AP", "XR"}, rule[:2]) }

// choose returns the examples that become cases: those that are named, the small ones,
// and of each rule one at least that breaks it and one that does not; of rules on
// threads, whose examples are larger, three.
func (l *links) choose(examples []*example) []*example {
	bySize := slices.Clone(examples)
	slices.SortStableFunc(bySize, func(a, b *example) int { return a.size - b.size })
	smallest, count := map[*example]bool{}, map[string]int{}
	for _, ex := range bySize {
		count[ex.rule+ex.Kind]++
		n := count[ex.rule+ex.Kind]
		smallest[ex] = n == 1 || n <= 3 && isOnThreads(ex.rule)
	}
	taken := map[string]bool{}
	return slices.DeleteFunc(examples, func(ex *example) bool {
		take := !taken[ex.key] && (l.Examples[ex.key] != nil || ex.size <= l.Size || smallest[ex])
		taken[ex.key] = taken[ex.key] || take
		return !take
	})
}

func (ex *example) build(l *links, spec *specLines) (*conformance.Case, error) {
	c := &conformance.Case{
		ID: "lint/" + ex.rule + "-" + ex.Kind + "-" + ex.Name(), Kind: conformance.LintKind, Source: ex.source,
		Spec: spec.rules[ex.rule], Decisions: l.Rules[ex.rule], Input: encoded(ex.in),
	}
	if c.Spec == nil && c.Decisions == nil {
		var err error
		if c.Spec, err = spec.cited(ex.rule); err != nil {
			return nil, err
		}
	}
	if d := l.Examples[ex.key]; d != nil {
		c.Decisions = d
	}
	says, expected := " keeps ", conformance.LintResult{Rules: []string{}, Findings: []conformance.Finding{}}
	if ex.Kind == rulepage.Bad {
		says, expected = " breaks ", conformance.LintResult{Rules: ex.in.Select}
		for _, m := range findingLine.FindAllStringSubmatch(ex.Findings, -1) {
			f := conformance.Finding{Rule: ex.rule, Path: m[1]}
			f.Line, _ = strconv.Atoi(m[2])
			f.Column, _ = strconv.Atoi(m[3])
			expected.Findings = append(expected.Findings, f)
		}
	}
	c.Title = strings.ReplaceAll(ex.Name(), "-", " ") + ":" + says + ex.rule
	c.Expected = encoded(expected)
	return c, nil
}
