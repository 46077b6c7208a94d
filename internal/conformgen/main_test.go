package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/rules"
)

const root = "../.."

// TestStale checks that the cases hold what their sources say now. Cases that the
// sources have in addition wait for the next release of the suite.
func TestStale(t *testing.T) {
	now, err := generate(root)
	must.OK(t, err)
	byID := map[string]*conformance.Case{}
	for _, c := range now {
		byID[c.ID] = c
	}
	released, err := conformance.Cases()
	must.OK(t, err)
	for _, c := range released {
		if strings.HasPrefix(c.ID, "lint/together-") {
			continue // internal/slips looks at them
		}
		switch n := byID[c.ID]; {
		case n == nil:
			t.Errorf("suite %s is stale: no source gives %s any more: run go generate ./conformance", conformance.Version, c.ID)
		case !bytes.Equal(n.Input, c.Input) || !bytes.Equal(n.Expected, c.Expected):
			t.Errorf("suite %s is stale: %s has another input or answer: run go generate ./conformance", conformance.Version, c.ID)
		}
	}
	if more := len(now) - len(released); more > 0 {
		t.Logf("%d cases are not in suite %s yet", more, conformance.Version)
	}
}

// TestEnough checks that three cases at least break, and three keep, each rule on a merge, on
// what is published and on other sessions: one example shows too little of these.
func TestEnough(t *testing.T) {
	cases, err := generate(root)
	must.OK(t, err)
	count := map[string]int{}
	for _, c := range cases {
		id := strings.TrimPrefix(c.ID, "lint/")
		for _, kind := range []string{"-bad-", "-good-"} {
			if rule, _, ok := strings.Cut(id, kind); ok && c.Kind == conformance.LintKind {
				count[rule+kind]++
			}
		}
	}
	for _, r := range rules.All() {
		for _, kind := range []string{"-bad-", "-good-"} {
			least := 1
			if slices.Contains([]string{"MR", "AP", "XR"}, r.ID[:2]) {
				least = 3
			}
			if n := count[r.ID+kind]; n < least {
				t.Errorf("%s has %d cases%s; expected %d at least", r.ID, n, strings.TrimSuffix(kind, "-"), least)
			}
		}
	}
}
