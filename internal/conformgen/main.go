// Command conformgen writes the cases of the conformance suite from their reviewed
// sources: conformance/source, and the pages of the rules. `go generate ./conformance`
// runs it when the suite is released.
//
// What a case expects is in its source, and of a merge also what the oracle
// gives; where the two differ, nothing is written. The program under test, this
// module's own merge and rules, is not asked.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/conformance"
)

func main() {
	root := ".."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	if err := run(root); err != nil {
		fmt.Fprintln(os.Stderr, "conformgen:", err)
		os.Exit(1)
	}
}

// run writes the cases of a checkout, and removes files of cases that are gone. That of
// internal/slips stays.
func run(root string) error {
	cases, err := generate(root)
	if err != nil {
		return err
	}
	byFile := map[string][]*conformance.Case{}
	for _, c := range cases {
		name := string(c.Kind)
		if c.Kind == conformance.LintKind {
			family, _, _ := strings.Cut(strings.TrimPrefix(c.ID, name+"/"), "-")
			name += "-" + strings.ToLower(family)
		}
		byFile[name+".json"] = append(byFile[name+".json"], c)
	}
	dir := filepath.Join(root, "conformance", "cases")
	old, err := filepath.Glob(filepath.Join(dir, "*.json"))
	for _, path := range old {
		if name := filepath.Base(path); byFile[name] == nil && name != conformance.TogetherFile {
			err = errors.Join(err, os.Remove(path))
		}
	}
	for name, cases := range byFile {
		data, bad := conformance.Encode(cases)
		err = errors.Join(err, bad, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
	return err
}

// generate makes the cases of a checkout from their sources.
func generate(root string) ([]*conformance.Case, error) {
	spec, err := readSpec(root)
	if err != nil {
		return nil, err
	}
	cases, err := handWritten(filepath.Join(root, "conformance", "source"), spec)
	if err != nil {
		return nil, err
	}
	paged, err := fromPages(root, spec)
	if err != nil {
		return nil, err
	}
	cases = slices.Concat(cases, randomMerges(), paged)
	conformance.Sort(cases)
	for i := 1; i < len(cases); i++ {
		if cases[i].ID == cases[i-1].ID {
			return nil, fmt.Errorf("two cases are %s", cases[i].ID)
		}
	}
	return cases, nil
}
