package engine

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// TestMergedFindings checks that what is kept and what is counted depends on what tasks
// found, not on which of them ends first: also where a task found something twice.
func TestMergedFindings(t *testing.T) {
	tasks := func() []*findings {
		var out []*findings
		for task := range 8 {
			s := &findings{most: 3, all: 30, full: 6}
			for i := range 1 + task%3 {
				f := lint.Finding{Rule: "MB-001", Severity: lint.Warning, Path: "mail.json", Range: &source.Range{Start: source.Position{Offset: 10*task + i}}}
				again := f
				s.add(&f)
				s.add(&again)
			}
			out = append(out, s)
		}
		return out
	}
	merged := func(order []int) string {
		all := &findings{most: 3, all: 30, full: 6}
		list := tasks()
		for _, i := range order {
			all.merge(list[i])
		}
		all.prune()
		out := ""
		for _, f := range all.list {
			out += fmt.Sprint(f.Range.Start.Offset, " ")
		}
		for o, n := range maps.All(all.omitted) {
			out += fmt.Sprint(o.path, o.severity, n)
		}
		return out
	}
	want := merged([]int{0, 1, 2, 3, 4, 5, 6, 7})
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		order := r.Perm(8)
		if got := merged(order); got != want {
			t.Fatalf("the tasks in the order %v give %s; in theirs %s", order, got, want)
		}
	}
}
