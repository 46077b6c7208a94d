// Command conformgen writes the cases of the conformance suite from their reviewed
// sources: conformance/source, and the pages of the rules. `go generate ./conformance`
// runs it when the suite is released.
//
// What a case expects is in its source, and of a merge also what the oracle
// gives; where the two differ, nothing is written. The program under test, this
// module's own merge and rules, is not asked.
package main

import (
	"fmt"
	"os"
	"path/filepath"
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

// run writes the cases of a checkout.
func run(root string) error {
	cases, err := generate(root)
	if err != nil {
		return err
	}
	files, err := encode(cases)
	if err != nil {
		return err
	}
	return write(filepath.Join(root, "conformance", "cases"), files)
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
	random, err := randomMerges()
	if err != nil {
		return nil, err
	}
	paged, err := fromPages(root, spec)
	if err != nil {
		return nil, err
	}
	cases = append(append(cases, random...), paged...)
	conformance.Sort(cases)
	for i := 1; i < len(cases); i++ {
		if cases[i].ID == cases[i-1].ID {
			return nil, fmt.Errorf("two cases are %s", cases[i].ID)
		}
	}
	return cases, nil
}

// encode makes the files of cases, by name.
func encode(cases []*conformance.Case) (map[string][]byte, error) {
	byFile := map[string][]*conformance.Case{}
	for _, c := range cases {
		name := string(c.Kind)
		if c.Kind == conformance.LintKind {
			family, _, _ := strings.Cut(strings.TrimPrefix(c.ID, name+"/"), "-")
			name += "-" + strings.ToLower(family)
		}
		byFile[name+".json"] = append(byFile[name+".json"], c)
	}
	out := map[string][]byte{}
	for name, cases := range byFile {
		data, err := conformance.Encode(cases)
		if err != nil {
			return nil, err
		}
		out[name] = data
	}
	return out, nil
}

// write writes the files into a folder, and removes others. That of internal/slips stays.
func write(dir string, files map[string][]byte) error {
	old, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return err
	}
	for _, path := range old {
		if files[filepath.Base(path)] == nil && filepath.Base(path) != conformance.TogetherFile {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
