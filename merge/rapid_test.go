package merge

import "flag"

// Property tests draw from a fixed seed, so that a run depends on the code alone.
// For new draws: go test -rapid.seed=0.
func init() {
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err)
	}
}
