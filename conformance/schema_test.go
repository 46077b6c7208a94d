package conformance_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/must"
)

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile("schema.json")
	must.OK(t, err)
	return s
}

// TestSchema checks that every file of cases has the form of schema.json.
func TestSchema(t *testing.T) {
	s := schema(t)
	paths, err := filepath.Glob("cases/*.json")
	if err != nil || len(paths) < len(conformance.Kinds) {
		t.Fatalf("%d files of cases: %v", len(paths), err)
	}
	for _, path := range paths {
		f, err := os.Open(path)
		must.OK(t, err)
		doc, err := jsonschema.UnmarshalJSON(f)
		f.Close()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if err := s.Validate(doc); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestSchemaRefuses checks that the schema refuses cases of another form.
func TestSchemaRefuses(t *testing.T) {
	s := schema(t)
	const form = `{"$schema": "x", "suite": "1.0.0", "cases": [{"id": "subject/a", "title": "a", "kind": "subject", "source": "s", "input": {"subject": ""}, "expected": {"type": null, "role": null, "version": null, "codes": []}}]}`
	for _, change := range [][2]string{
		{"", ""}, // as it is
		{`subject/a`, `subject/`}, {`"kind": "subject"`, `"kind": "delta"`}, {`"subject": ""`, `"subject": 1`}, {`"codes": []`, `"codes": ["X"]`},
		{`"version": null`, `"version": 0`}, {`"suite": "1.0.0"`, `"suite": "1"`}, {`"title": "a", `, ``}, {`"codes": []`, `"codes": [], "more": 1`},
	} {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.Replace(form, change[0], change[1], 1)))
		must.OK(t, err)
		if err := s.Validate(doc); (err == nil) != (change[0] == "") {
			t.Errorf("with %s: %v", change[1], err)
		}
	}
}
