package main

import (
	"flag"
	"testing"

	"github.com/brennerlint/brennerlint/linttest"
)

var _ = flag.Bool("update", false, "write the archives")

func TestRules(t *testing.T) { linttest.Run(t, houseRules...) }
