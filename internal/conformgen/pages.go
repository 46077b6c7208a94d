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

// linksFile names examples of the pages, with the decisions that they show. They are cases
// even if they are large.
const linksFile = "lint.yaml"

// links is the content of linksFile.
type links struct {
	// Size is how many bytes of files an example of a page may have at most to be
	// a case.
	Size     int `yaml:"size"`
	Examples []struct {
		Example   string `yaml:"example"` // ID bad/name or ID good/name
		Decisions []int  `yaml:"decisions"`
	} `yaml:"examples"`
	// Excluded are examples that show what no text asks of others, and why.
	Excluded map[string]string `yaml:"excluded"`
	// Rules are the decisions that rules rest on which cite no document.
	Rules map[string][]int `yaml:"rules"`
	// Unshown are the decisions that no case can show, and why.
	Unshown map[int]string `yaml:"unshown"`
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
	rule, kind, name string // kind is bad or good
	source           string
	files            []conformance.LintFile
	roster           []string
	findings         []conformance.Finding
	size             int
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
	decisions := map[string][]int{}
	for _, e := range l.Examples {
		decisions[e.Example] = e.Decisions
	}
	var out []*conformance.Case
	examples = slices.DeleteFunc(examples, func(ex *example) bool { return l.Excluded[ex.key()] != "" })
	for _, ex := range choose(examples, l.Size, decisions) {
		c, err := ex.build(l, spec)
		if err != nil {
			return nil, err
		}
		if d := decisions[ex.key()]; d != nil {
			c.Decisions = d
		}
		delete(decisions, ex.key())
		out = append(out, c)
	}
	for key := range decisions {
		return nil, fmt.Errorf("%s names %q, which no page has", linksFile, key)
	}
	return out, nil
}

func (ex *example) key() string { return ex.rule + " " + ex.kind + "/" + ex.name }

// readExamples returns the examples of a page. A configuration is this program's own, so
// those with more of it than a roster are left out.
func readExamples(data []byte, source string) []*example {
	var out []*example
	rule := strings.TrimSuffix(path.Base(source), ".md")
	page, _ := rulepage.Parse(data) // the tests of package rules report its faults
	for _, p := range page.Examples {
		ex := &example{rule: rule, kind: p.Kind, name: p.Name(), source: source, findings: readFindings(rule, p.Findings)}
		configured := false
		for _, f := range p.Files {
			if f.Name == ".brennerlint.yaml" {
				ex.roster, configured = rosterOf(f.Data)
				configured = !configured
				continue
			}
			file := conformance.LintFile{Path: f.Name, Text: string(f.Data)}
			if !utf8.Valid(f.Data) {
				file = conformance.LintFile{Path: f.Name, Base64: f.Data}
			}
			ex.files = append(ex.files, file)
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
	var c struct {
		Agents struct {
			Roster []string `yaml:"roster"`
		} `yaml:"agents"`
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	err := dec.Decode(&c)
	return c.Agents.Roster, err == nil && len(c.Agents.Roster) > 0
}

// findingLine is the first line of a finding: FILE:LINE:COLUMN-LINE:COLUMN: message,
// without a place FILE: message. Further lines are indented.
var findingLine = regexp.MustCompile(`^(\S[^:]*):(?:(\d+):(\d+)-\d+:\d+:)? `)

func readFindings(rule, text string) []conformance.Finding {
	var out []conformance.Finding
	for line := range strings.Lines(text) {
		if m := findingLine.FindStringSubmatch(line); m != nil {
			f := conformance.Finding{Rule: rule, Path: m[1]}
			f.Line, _ = strconv.Atoi(m[2])
			f.Column, _ = strconv.Atoi(m[3])
			out = append(out, f)
		}
	}
	return out
}

// choose returns the examples that become cases: those that are named, the small ones,
// and of each rule one at least that breaks it and one that does not; of rules on
// threads, whose examples are larger, three.
func choose(examples []*example, size int, named map[string][]int) []*example {
	bySize := slices.Clone(examples)
	slices.SortStableFunc(bySize, func(a, b *example) int { return a.size - b.size })
	smallest, count := map[*example]bool{}, map[string]int{}
	for _, ex := range bySize {
		key, least := ex.rule+ex.kind, 1
		if slices.Contains([]string{"MR", "AP", "XR"}, ex.rule[:2]) {
			least = 3
		}
		if count[key]++; count[key] <= least {
			smallest[ex] = true
		}
	}
	var out []*example
	taken := map[string]bool{}
	for _, ex := range examples {
		_, isNamed := named[ex.key()]
		if !taken[ex.key()] && (isNamed || ex.size <= size || smallest[ex]) {
			taken[ex.key()] = true
			out = append(out, ex)
		}
	}
	return out
}

func (ex *example) build(l *links, spec *specLines) (*conformance.Case, error) {
	says := map[string]string{"bad": "breaks", "good": "keeps"}[ex.kind]
	c := &conformance.Case{
		ID: "lint/" + ex.rule + "-" + ex.kind + "-" + ex.name, Kind: conformance.LintKind,
		Title: strings.ReplaceAll(ex.name, "-", " ") + ": " + says + " " + ex.rule,
		Spec:  spec.rules[ex.rule], Decisions: l.Rules[ex.rule], Source: ex.source,
	}
	if c.Spec == nil && c.Decisions == nil {
		p, err := spec.cited(ex.rule)
		if err != nil {
			return nil, err
		}
		c.Spec = p
	}
	expected := conformance.LintResult{Rules: []string{}, Findings: []conformance.Finding{}}
	if ex.kind == "bad" {
		expected.Rules = append(expected.Rules, ex.rule)
		expected.Findings = ex.findings
	}
	c.Input, c.Expected = encoded(conformance.LintInput{Files: ex.files, Select: []string{ex.rule}, Roster: ex.roster}), encoded(expected)
	return c, nil
}
