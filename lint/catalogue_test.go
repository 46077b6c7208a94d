package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

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
