package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/brennerlint/brennerlint/conformance"
	runner "github.com/brennerlint/brennerlint/internal/conformance"
)

// TestPlain checks that the plain merge passes every merge case, and supports no other.
func TestPlain(t *testing.T) {
	cases, err := conformance.Cases()
	if err != nil {
		t.Fatal(err)
	}
	var in, out bytes.Buffer
	for _, c := range cases {
		line, err := json.Marshal(request{c.ID, c.Kind, c.Input})
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	if err := serve(&in, &out); err != nil {
		t.Fatal(err)
	}
	answers := json.NewDecoder(&out)
	for _, c := range cases {
		var got runner.Response
		if err := answers.Decode(&got); err != nil {
			t.Fatal(err)
		}
		switch {
		case got.ID != c.ID:
			t.Fatalf("%s is answered for %s", got.ID, c.ID)
		case got.Unsupported != (c.Kind != conformance.MergeKind):
			t.Errorf("%s: unsupported is %v", c.ID, got.Unsupported)
		case !got.Unsupported:
			if wrong := runner.Judge(c, got.Result); wrong != "" {
				t.Errorf("%s: %s", c.ID, wrong)
			}
		}
	}
}
