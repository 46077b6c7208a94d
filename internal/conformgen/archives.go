package main

import (
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
	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/conformance"
)

// linksFile names examples of the archives that are cases whatever their size, with
// the decisions that they show.
const linksFile = "lint.yaml"

// links is the content of linksFile.
type links struct {
	// Size is how many bytes of files an example of an archive may have at most to be
	// a case.
	Size     int `yaml:"size"`
	Examples []struct {
		Example   string `yaml:"example"` // ID bad/name or ID good/name
		Decisions []int  `yaml:"decisions"`
	} `yaml:"examples"`
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

// example is an example of an archive.
type example struct {
	rule, kind, name string // kind is bad or good
	source           string
	files            []conformance.LintFile
	findings         []conformance.Finding
	size             int
}

// fromArchives makes lint cases of the examples of the rules' archives: what each
// example says of its own rule.
func fromArchives(root string, spec *specLines) ([]*conformance.Case, error) {
	l, err := readLinks(root)
	if err != nil {
		return nil, err
	}
	var examples []*example
	for _, dir := range []string{"rules/doc", "rules/testdata/edges"} {
		paths, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*.txtar"))
		if err != nil {
			return nil, err
		}
		for _, p := range paths {
			a, err := txtar.ParseFile(p)
			if err != nil {
				return nil, err
			}
			examples = append(examples, readExamples(a, path.Join(dir, filepath.Base(p)))...)
		}
	}
	decisions := map[string][]int{}
	for _, e := range l.Examples {
		decisions[e.Example] = e.Decisions
	}
	var out []*conformance.Case
	for _, ex := range choose(examples, l.Size, decisions) {
		c, err := ex.build(spec)
		if err != nil {
			return nil, err
		}
		c.Decisions = decisions[ex.key()]
		delete(decisions, ex.key())
		out = append(out, c)
	}
	for key := range decisions {
		return nil, fmt.Errorf("%s names %q, which no archive has", linksFile, key)
	}
	return out, nil
}

func (ex *example) key() string { return ex.rule + " " + ex.kind + "/" + ex.name }

// readExamples returns the examples of an archive, but for those with a configuration,
// which is this program's own.
func readExamples(a *txtar.Archive, source string) []*example {
	var out []*example
	rule := strings.TrimSuffix(path.Base(source), ".txtar")
	configured := map[*example]bool{}
	for _, f := range a.Files {
		parts := strings.SplitN(f.Name, "/", 3)
		if len(parts) != 3 || parts[0] == "fixed" {
			continue
		}
		n := slices.IndexFunc(out, func(ex *example) bool { return ex.kind == parts[0] && ex.name == parts[1] })
		if n < 0 {
			n = len(out)
			out = append(out, &example{rule: rule, kind: parts[0], name: parts[1], source: source})
		}
		ex := out[n]
		if parts[2] == "want" {
			ex.findings = readWant(rule, string(f.Data))
			continue
		}
		file := conformance.LintFile{Path: parts[2], Text: string(f.Data)}
		if !utf8.Valid(f.Data) {
			file = conformance.LintFile{Path: parts[2], Base64: f.Data}
		}
		configured[ex] = configured[ex] || parts[2] == ".brennerlint.yaml"
		ex.files = append(ex.files, file)
		ex.size += len(f.Data)
	}
	return slices.DeleteFunc(out, func(ex *example) bool { return configured[ex] })
}

// wantedLine is a line of what an example expects: FILE:LINE:COLUMN: message, without
// a place FILE: message, and of a suggestion an indented line.
var wantedLine = regexp.MustCompile(`^(\S[^:]*):(?:(\d+):(\d+):)? `)

func readWant(rule, text string) []conformance.Finding {
	var out []conformance.Finding
	for line := range strings.Lines(text) {
		if m := wantedLine.FindStringSubmatch(line); m != nil {
			f := conformance.Finding{Rule: rule, Path: m[1]}
			f.Line, _ = strconv.Atoi(m[2])
			f.Column, _ = strconv.Atoi(m[3])
			out = append(out, f)
		}
	}
	return out
}

// choose returns the examples that become cases: those that are named, the small ones,
// and of each rule one at least that breaks it and one that does not.
func choose(examples []*example, size int, named map[string][]int) []*example {
	smallest := map[string]*example{}
	for _, ex := range examples {
		key := ex.rule + ex.kind
		if s := smallest[key]; s == nil || ex.size < s.size {
			smallest[key] = ex
		}
	}
	var out []*example
	taken := map[string]bool{}
	for _, ex := range examples {
		_, isNamed := named[ex.key()]
		if !taken[ex.key()] && (isNamed || ex.size <= size || smallest[ex.rule+ex.kind] == ex) {
			taken[ex.key()] = true
			out = append(out, ex)
		}
	}
	return out
}

func (ex *example) build(spec *specLines) (*conformance.Case, error) {
	says := map[string]string{"bad": "breaks", "good": "keeps"}[ex.kind]
	c := &conformance.Case{
		ID: "lint/" + ex.rule + "-" + ex.kind + "-" + ex.name, Kind: conformance.LintKind,
		Title: strings.ReplaceAll(ex.name, "-", " ") + ": " + says + " " + ex.rule,
		Spec:  spec.rules[ex.rule], Source: ex.source,
	}
	expected := conformance.LintResult{Rules: []string{}, Findings: []conformance.Finding{}}
	if ex.kind == "bad" {
		expected.Rules = append(expected.Rules, ex.rule)
		expected.Findings = ex.findings
	}
	return c, fill(c, conformance.LintInput{Files: ex.files, Select: []string{ex.rule}}, expected)
}
