package lint_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/lint"
)

// TestValidate checks which rules are refused, alone and together.
func TestValidate(t *testing.T) {
	good := func() *lint.Rule {
		return &lint.Rule{
			ID: "GRP-001", Name: "has-budget", Severity: lint.Error,
			SpecRef: "custom rules", Summary: "Has a budget.", Help: "add one", Check: lint.ArtifactCheck(func(*lint.ArtifactPass) {}),
		}
	}
	other := good()
	other.ID, other.Name = "GRP-002", "other"
	if err := (lint.Catalogue{good(), other}).Validate(); err != nil {
		t.Errorf("good rules: %v", err)
	}
	for _, change := range []func(r *lint.Rule){
		func(r *lint.Rule) { r.Severity, r.Help = lint.Warning, "" },
		func(r *lint.Rule) { r.Severity = lint.Info },
		func(r *lint.Rule) { r.ID = "EP-P01" },
		func(r *lint.Rule) { r.About = lint.ThreadScope },
	} {
		r := good()
		change(r)
		if err := r.Validate(); err != nil {
			t.Error(err)
		}
	}
	for name, c := range map[string]struct {
		spoil func(r *lint.Rule)
		want  string
	}{
		"id":       {func(r *lint.Rule) { r.ID = "budget" }, `rule id "budget"`},
		"name":     {func(r *lint.Rule) { r.Name = "Has budget" }, `name "Has budget"`},
		"severity": {func(r *lint.Rule) { r.Severity = 0 }, "no severity"},
		"summary":  {func(r *lint.Rule) { r.Summary = "" }, "lacks Summary or SpecRef"},
		"advice":   {func(r *lint.Rule) { r.Help = "" }, "without Help"},
		"no check": {func(r *lint.Rule) { r.Check = nil }, "no check"},
		"types": {func(r *lint.Rule) {
			r.Types = []brenner.MessageType{brenner.Delta}
			r.Check = lint.ThreadCheck(func(*lint.ThreadPass) {})
		}, "Types, which a lint.ThreadCheck does not use"},
		"twice":    {func(r *lint.Rule) { r.Name = "another" }, "two rules have the id GRP-001"},
		"all":      {func(r *lint.Rule) { r.ID, r.Name = "GRP-003", "all" }, "the name all also names other rules"},
		"a family": {func(r *lint.Rule) { r.ID, r.Name = "GRP-003", "grp" }, "the name grp also names other rules"},
		"its name": {func(r *lint.Rule) { r.ID = "GRP-003" }, "two rules have the name has-budget"},
	} {
		r := good()
		c.spoil(r)
		if err := (lint.Catalogue{good(), r}).Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

// TestNames checks what ids and names of rules look like.
func TestNames(t *testing.T) {
	id, name := regexp.MustCompile(`^[A-Z]{2,5}-[A-Z]?\d{2,3}$`), regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	for _, s := range strings.Fields("MB-001 EP-P01 GROUP-12 GROUPS-12 M-001 MB-1 MB-0001 MB-P1 MB-P001 MB-PP1 MB-P MB- MB MB001 mb-001 MB-001- -001 ÄB-001 " +
		"MB-00x has-budget has has-2-budgets -has has- has--budget - hasBudget has_budget käse") {
		if lint.IsRuleID(s) != id.MatchString(s) || lint.IsRuleName(s) != name.MatchString(s) {
			t.Errorf("%s: id %t, name %t", s, lint.IsRuleID(s), lint.IsRuleName(s))
		}
	}
	if lint.IsRuleID("") || lint.IsRuleName("") {
		t.Error("a rule can have no name")
	}
}

// TestShared checks that rules share a value by its type, and others have their own.
func TestShared(t *testing.T) {
	type count int
	one, elsewhere := lint.NewPass(nil, nil, nil), lint.NewPass(nil, nil, nil)
	two := one.Recording(nil)
	*lint.Shared[count](&one) = 3
	*lint.Shared[string](&one) = "x"
	if n, s, other := *lint.Shared[count](&two), *lint.Shared[string](&two), *lint.Shared[count](&elsewhere); n != 3 || s != "x" || other != 0 {
		t.Errorf("shared are %d, %q and in another task %d", n, s, other)
	}
}
