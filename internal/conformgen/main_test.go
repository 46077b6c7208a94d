package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/brennerlint/brennerlint/conformance"
)

const root = "../.."

// TestFresh checks that the files of cases, and the packed one, are those that their
// sources give.
func TestFresh(t *testing.T) {
	cases, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	files, err := encode(cases)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := filepath.Glob(filepath.Join(root, "conformance", "cases", "*"))
	if err != nil {
		t.Fatal(err)
	}
	if len(stored) != len(files) {
		t.Errorf("conformance/cases has %d files; the sources give %d", len(stored), len(files))
	}
	for name, want := range files {
		data, err := os.ReadFile(filepath.Join(root, "conformance", "cases", name))
		if err != nil {
			t.Error(err)
		}
		if !bytes.Equal(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), want) {
			t.Errorf("conformance/cases/%s is not fresh: run go generate ./conformance", name)
		}
	}
	want, err := toJSON(cases)
	if err != nil {
		t.Fatal(err)
	}
	got, err := unpack(filepath.Join(root, "conformance", packedFile))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("conformance/%s is not fresh: run go generate ./conformance", packedFile)
	}
	if held, err := conformance.Cases(); err != nil || len(held) != len(cases) {
		t.Errorf("package conformance holds %d cases of %d: %v", len(held), len(cases), err)
	}
}
