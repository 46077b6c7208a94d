package lint_test

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
	"github.com/brennerlint/brennerlint/source"
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

// TestRuleWords checks that every word names rules, that no word is listed twice, and that
// a code of two rules names both.
func TestRuleWords(t *testing.T) {
	all := rules.All()
	seen := map[string]bool{}
	for _, w := range all.Words() {
		if seen[w.Word] {
			t.Errorf("%s is listed twice", w.Word)
		}
		seen[w.Word] = true
		if len(all.Match(w.Word)) == 0 || w.Description == "" {
			t.Errorf("%s names no rule, or has no description: %q", w.Word, w.Description)
		}
	}
	for _, r := range all {
		if !seen[r.ID] || !seen[r.Name] || !seen[r.Family()] || r.Code != "" && !seen[r.Code] {
			t.Errorf("%s lacks a word", r.ID)
		}
	}
	few := lint.Catalogue{
		{ID: "ZZ-001", Name: "first", Code: "SAME", Summary: "One."}, {ID: "ZZ-002", Name: "second", Code: "SAME", Summary: "Two."},
		{ID: "YY-001", Name: "third", Summary: "Three."},
	}
	var got []string
	for _, w := range few.Words() {
		got = append(got, w.Word+"="+w.Description)
	}
	want := "ZZ-001=first: One.|first=ZZ-001: One.|SAME=the code of ZZ-001, ZZ-002|ZZ-002=second: Two.|second=ZZ-002: Two.|YY-001=third: Three.|third=YY-001: Three.|" +
		"ZZ=2 rules, such as ZZ-001 first|YY=YY-001 third|ALL=all 3 rules"
	if diff := cmp.Diff(strings.Split(want, "|"), got); diff != "" {
		t.Error(diff)
	}
}

// TestMatch checks which rules words name.
func TestMatch(t *testing.T) {
	three := lint.Catalogue{{ID: "AA-001", Name: "one"}, {ID: "AA-002", Name: "two", Code: "TWO"}, {ID: "BB-001", Name: "three"}}
	all := append(slices.Clone(three), &lint.Rule{ID: "CC-001", Name: "four", Code: "SHARED"}, &lint.Rule{ID: "CC-002", Name: "five", Code: "SHARED"})
	for _, c := range []struct{ word, want string }{
		{"AA-001", "AA-001"}, {"aa-001", "AA-001"}, {"one", "AA-001"}, {"One", "AA-001"},
		{"SHARED", "CC-001 CC-002"}, {"shared", "CC-001 CC-002"},
		{"AA", "AA-001 AA-002"}, {"aa", "AA-001 AA-002"}, {"AA-00", "AA-001 AA-002"}, {"ALL", "AA-001 AA-002 BB-001 CC-001 CC-002"},
		{"A", ""}, {"", ""}, {"all", ""}, {"AA-1", ""}, {"CCC", ""}, {"AAA", ""},
	} {
		var got []string
		for _, r := range all.Match(c.word) {
			got = append(got, r.ID)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q names %v, want %q", c.word, got, c.want)
		}
	}
	got, err := three.Select("AA", " three ", "one")
	if err != nil || len(got) != 3 {
		t.Errorf("got %v, %v", got, err)
	}
	for word, want := range map[string]string{
		"ZZ": "`brennerlint rules` lists them", "AA-*": "did you mean AA?", "A": "did you mean AA?", "thre": "did you mean three?", "all": "did you mean ALL?",
	} {
		want = fmt.Sprintf("unknown rule %q; %s", word, want)
		if _, err := three.Select("AA", word); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestStringers checks that no value of an exported type makes its stringer or
// marshaller panic, whether it is one of the constants or not.
func TestStringers(t *testing.T) {
	for i := range 256 {
		if text, err := lint.Severity(i).MarshalText(); err != nil || (len(text) > 0) != (lint.Error <= lint.Severity(i) && lint.Severity(i) <= lint.Info) {
			t.Errorf("severity %d is %q, %v", i, text, err)
		}
		section := brenner.Section(i)
		if (section.String() != "") != (brenner.ResearchThread <= section && section <= brenner.AdversarialCritique) {
			t.Errorf("section %d is %q", i, section)
		}
		_ = section.Title() + section.Prefix() + section.Plural() + section.Singular() + section.MainField()
		_, _, _, _ = section.Minimum(), section.Maximum(), section.Fields(), section.Keys()
		for _, s := range []fmt.Stringer{
			source.FaultKind(i),
			brenner.ItemID{Section: section, Number: math.MaxInt32, Hypothesis: math.MinInt32},
		} {
			if text := s.String(); i == 255 && len(text) > 60 {
				t.Errorf("%T of 255 is %q", s, text)
			}
		}
	}
	for _, err := range []error{
		&source.Fault{}, &source.Fault{Kind: source.Unreadable}, &source.TooLargeError{}, &source.EncodingError{}, &source.ControlError{},
		&jsontree.SyntaxError{}, &lint.Failure{}, &config.Error{},
	} {
		if text := err.Error(); len(text) > 100 {
			t.Errorf("the zero %T says %q", err, text)
		}
	}
	var text *source.Text
	if got := text.String(); got != "" {
		t.Errorf("no text is %q", got)
	}
	for _, v := range []any{lint.Finding{}, lint.Report{}, lint.Draft{}, lint.Failure{}, lint.SuggestedFix{Edits: []lint.TextEdit{{}}}, diff.Change{}, replay.Results{}, replay.BlameResult{}, source.Range{}} {
		if _, err := json.Marshal(v); err != nil {
			t.Errorf("the zero %T cannot be written: %v", v, err)
		}
	}
}
