package lint

import (
	"strconv"
	"testing"
)

// TestMostSevere keeps the most severe findings in their order, and the first of one severity.
func TestMostSevere(t *testing.T) {
	var all []*Finding
	for i, s := range []Severity{Info, Warning, Error, Warning, Info, Error} {
		all = append(all, &Finding{Severity: s, Delta: i})
	}
	for limit, want := range map[int]string{1: "2", 2: "25", 3: "125", 4: "1235", 5: "01235", 6: "012345", 9: "012345"} {
		kept, left := MostSevere(all, limit)
		got := ""
		for _, f := range kept {
			got += strconv.Itoa(f.Delta)
		}
		if got != want || len(kept)+len(left) != len(all) {
			t.Errorf("%d of %d findings are %s, want %s", limit, len(all), got, want)
		}
	}
}
