package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/rules"
)

// TestLinks checks that every line of the specifications that a case can show is shown
// by one: a line without a case is one for which the ledger names no rule, and
// says why.
func TestLinks(t *testing.T) {
	cases, err := conformance.Cases()
	must.OK(t, err)
	spec, err := readSpec(root)
	must.OK(t, err)
	shown := map[string]int{}
	for _, c := range cases {
		for _, p := range c.Spec {
			if spec.all[p.String()] != p && spec.format[p.Section] != p {
				t.Errorf("%s shows %s, %s, which the ledger does not have", c.ID, p, p.Section)
			}
			shown[p.String()]++
		}
		if len(c.Spec) == 0 && len(c.Decisions) == 0 {
			t.Errorf("%s names no passage and no decision", c.ID)
		}
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(c.Source))); err != nil {
			t.Errorf("the source of %s: %v", c.ID, err)
		}
	}
	enforced := map[string]bool{}
	for _, passages := range spec.rules {
		for _, p := range passages {
			enforced[p.String()] = true
		}
	}
	unshown := 0
	for name := range spec.all {
		switch {
		case shown[name] > 0:
		case enforced[name]:
			t.Errorf("no case shows %s", name)
		default:
			unshown++
		}
	}
	if len(spec.all) < 390 || unshown > 30 {
		t.Errorf("%d of %d lines are shown by no case", unshown, len(spec.all))
	}
}

var numbered = regexp.MustCompile(`(?m)^(\d+)\\?\. `)

// TestDecisions checks that every decision is shown by two cases, or that the links say
// why none can, and where it is shown instead.
func TestDecisions(t *testing.T) {
	cases, err := conformance.Cases()
	must.OK(t, err)
	l, err := readLinks(root)
	must.OK(t, err)
	shown := map[int]int{}
	for _, c := range cases {
		for _, n := range c.Decisions {
			shown[n]++
		}
	}
	data := must.Read(t, filepath.Join(root, "docs", "decisions.md"))
	known := map[int]bool{}
	for _, m := range numbered.FindAllStringSubmatch(string(data), -1) {
		n, err := strconv.Atoi(m[1])
		must.OK(t, err)
		known[n] = true
		why, excused := l.Unshown[n]
		if shown[n] < 2 && !excused || shown[n] > 0 && excused {
			t.Errorf("decision %d is shown by %d cases; why not: %q", n, shown[n], why)
		}
		_, script, _ := strings.Cut(why, "; ")
		script, _, _ = strings.Cut(script, " ")
		if excused {
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(script))); err != nil {
				t.Errorf("decision %d: %v", n, err)
			}
		}
	}
	for n := range shown {
		if !known[n] {
			t.Errorf("cases show decision %d, which there is not", n)
		}
	}
	if len(known) < 60 {
		t.Errorf("only %d decisions were found", len(known))
	}
}

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
