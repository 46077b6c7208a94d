// Command conformgen writes the cases of the conformance suite from their reviewed
// sources: conformance/source, and the archives of the rules. `go generate
// ./conformance` runs it.
//
// What a case expects is in its source, and of a merge also what the plain merge
// gives; where the two differ, nothing is written. The program under test, this
// module's own merge and rules, is not asked.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
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

// run writes the cases of a checkout: files to read, and the packed one that the
// program holds.
func run(root string) error {
	cases, err := generate(root)
	if err != nil {
		return err
	}
	files, err := encode(cases)
	if err != nil {
		return err
	}
	dir := filepath.Join(root, "conformance")
	if err := write(filepath.Join(dir, "cases"), files); err != nil {
		return err
	}
	return pack(filepath.Join(dir, packedFile), cases)
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
	archived, err := fromArchives(root, spec)
	if err != nil {
		return nil, err
	}
	cases = append(append(cases, random...), archived...)
	conformance.Sort(cases)
	for i := 1; i < len(cases); i++ {
		if cases[i].ID == cases[i-1].ID {
			return nil, fmt.Errorf("two cases are %s", cases[i].ID)
		}
	}
	return cases, nil
}

const packedFile = "cases.json.gz"

// pack writes all cases into one compressed file. One that holds them already stays
// as it is: another version of Go may compress to other bytes.
func pack(path string, cases []*conformance.Case) error {
	data, err := toJSON(cases)
	if err != nil {
		return err
	}
	if old, err := unpack(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(data); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, out.Bytes(), 0o644)
}

// unpack returns the content of a compressed file.
func unpack(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
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
		data, err := encodeFile(cases)
		if err != nil {
			return nil, err
		}
		out[name] = data
	}
	return out, nil
}

// encodeFile writes a file of cases, each on a line of its own.
func encodeFile(cases []*conformance.Case) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\"$schema\": \"../schema.json\", \"suite\": %q, \"cases\": [\n", conformance.Version)
	for i, c := range cases {
		line, err := toJSON(c)
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", c.ID, err)
		}
		if out.Write(line); i < len(cases)-1 {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
	}
	out.WriteString("]}\n")
	return out.Bytes(), nil
}

// toJSON writes a value on one line, with texts as they are.
func toJSON(v any) (json.RawMessage, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// write writes the files into a folder, and removes others.
func write(dir string, files map[string][]byte) error {
	old, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return err
	}
	for _, path := range old {
		if files[filepath.Base(path)] == nil {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), files[name], 0o644); err != nil {
			return err
		}
	}
	return nil
}
