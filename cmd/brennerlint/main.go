// Command brennerlint checks mail threads and artifacts of the Brenner Protocol by
// the rules of the catalogue.
package main

import (
	"github.com/brennerlint/brennerlint/cli"
	"github.com/brennerlint/brennerlint/rules"
)

func main() { cli.Main(rules.All()...) }
