package main

import (
	"fmt"

	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/oracle"
)

// The random merges of the suite: how many, and of what seed.
const (
	randomCases = 60
	randomSeed  = 20260302
	randomSize  = 12 // the most deltas of one

	// notDerivable is the number of one that needs more than the texts say: the order of
	// times with and without an offset.
	notDerivable = 24
)

// randomMerges are threads in which deltas meet, drawn at random, with what the plain
// merge makes of them.
func randomMerges() []*conformance.Case {
	g := oracle.NewGenerator(randomSeed)
	var out []*conformance.Case
	n := 0
	for len(out) < randomCases {
		before := g.Deltas
		in := g.Thread()
		in.ThreadID = defaultThread
		if deltas := g.Deltas - before; deltas < 3 || deltas > randomSize {
			continue
		}
		n++
		if n == notDerivable {
			continue
		}
		out = append(out, &conformance.Case{
			ID: fmt.Sprintf("merge/random-%02d", n), Kind: conformance.MergeKind, Title: "Deltas that meet, drawn at random",
			Decisions: []int{19, 20, 21, 22, 28, 57}, Source: "internal/oracle/generate.go",
			Input: encoded(in), Expected: encoded(oracle.Answer(in)),
		})
	}
	return out
}
