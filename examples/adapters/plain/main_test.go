package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/brennerlint/brennerlint/conformance"
	runner "github.com/brennerlint/brennerlint/internal/conformance"
	"github.com/brennerlint/brennerlint/internal/must"
)

// TestPlain checks that the plain merge passes every merge case, and supports no other.
func TestPlain(t *testing.T) {
	cases, err := conformance.Cases()
	must.OK(t, err)
	var in, out bytes.Buffer
	for _, c := range cases {
		line, err := json.Marshal(request{c.ID, c.Kind, c.Input})
		must.OK(t, err)
		in.Write(append(line, '\n'))
	}
	must.OK(t, serve(&in, &out))
	answers := json.NewDecoder(&out)
	for _, c := range cases {
		var got runner.Response
		must.OK(t, answers.Decode(&got))
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
