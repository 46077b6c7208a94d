package rules_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// TestCatalogue checks every rule against the catalogue, testdata/rules.tsv.
func TestCatalogue(t *testing.T) {
	data, err := os.ReadFile("testdata/rules.tsv")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{}
	var order []string
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if i > 0 {
			columns := strings.Split(line, "\t")
			want[columns[0]] = columns
			order = append(order, columns[0])
		}
	}
	names := map[string]string{}
	var have []string
	for _, r := range rules.All() {
		have = append(have, r.ID)
		if err := r.Validate(); err != nil {
			t.Error(err)
		}
		if other, ok := names[r.Name]; ok {
			t.Errorf("rules %s and %s share the name %s", other, r.ID, r.Name)
		}
		names[r.Name] = r.ID
		compare(t, r, want[r.ID])
	}
	for _, id := range order {
		if !slices.Contains(have, id) {
			t.Errorf("rule %s of the catalogue is not there", id)
		}
	}
}

func compare(t *testing.T, r *lint.Rule, columns []string) {
	t.Helper()
	if columns == nil {
		t.Errorf("rule %s is not in the catalogue", r.ID)
		return
	}
	fields := []struct{ name, got, want string }{
		{"name", r.Name, columns[1]}, {"scope", r.Scope.String(), columns[2]},
		{"severity", r.Severity.String(), columns[3]}, {"code", r.Code, columns[4]},
		{"source", r.SpecRef, columns[5]}, {"summary", r.Summary, columns[6]},
	}
	for _, f := range fields {
		if f.got != f.want {
			t.Errorf("rule %s: %s is %q, the catalogue says %q", r.ID, f.name, f.got, f.want)
		}
	}
	fixes := len(columns) > 7 && strings.TrimSpace(columns[7]) != ""
	if r.Fixable != fixes {
		t.Errorf("rule %s: Fixable is %v, the catalogue says %v", r.ID, r.Fixable, fixes)
	}
}
