// Package rapidseed fixes the seed of the property tests that import it, so that a test
// run depends on the code alone, and lets them draw little. The flags -rapid.seed and
// -rapid.checks and the variables RAPID_SEED and RAPID_CHECKS go before it; the seed 0
// stands for one by chance. Every night make properties draws much, with a new seed.
package rapidseed

import (
	"flag"
	"os"

	_ "pgregory.net/rapid" // whose flags they are
)

func init() {
	for _, d := range []struct{ flag, variable, value string }{
		{"rapid.seed", "RAPID_SEED", "1"},
		{"rapid.checks", "RAPID_CHECKS", "30"},
	} {
		if _, ok := os.LookupEnv(d.variable); ok {
			continue
		}
		if err := flag.Set(d.flag, d.value); err != nil {
			panic(err)
		}
	}
}
