package input_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/internal/input"
)

const corpus = "../../testdata/corpus"

func discover(t *testing.T, opts input.Options, paths ...string) *input.Set {
	t.Helper()
	set, err := input.Discover(context.Background(), paths, opts, nil)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestCorpus(t *testing.T) {
	got := map[input.Kind]int{}
	for _, in := range discover(t, input.Options{}, corpus).Inputs {
		got[in.Kind]++
	}
	want := map[input.Kind]int{
		input.ArtifactMarkdown: 3, input.ArtifactJSON: 4, input.Archive: 204, input.Profile: 21,
		input.JSON: 45, input.SQLite: 1, input.Bundle: 3, input.Zip: 1,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
