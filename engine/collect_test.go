package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// TestCustomRulesDoNotCount: what a COMPILED claims of its validation is about the rules
// of the protocol (AP-019), not about those of a group.
func TestCustomRulesDoNotCount(t *testing.T) {
	r := &lint.Rule{ID: "GRP-001", Protocol: true, Severity: lint.Error, Check: lint.ArtifactCheck(func(*lint.ArtifactPass) {})}
	if p := newPlan(lint.Catalogue{r}, &Severities{}); len(p.counted) != 1 || len(p.artifact) != 1 {
		t.Errorf("a rule of the protocol: %d counted, %d run", len(p.counted), len(p.artifact))
	}
	r.Protocol = false
	if p := newPlan(lint.Catalogue{r}, &Severities{}); len(p.counted) != 0 || len(p.artifact) != 1 {
		t.Errorf("a custom rule: %d counted, %d run", len(p.counted), len(p.artifact))
	}
}

// TestStoppedRule: a rule that is stopped is reported once, whatever the number of
// inputs and workers, and what it had found before stays.
func TestStoppedRule(t *testing.T) {
	dir := t.TempDir()
	for i := range 20 {
		text := fmt.Sprintf("# Brenner Protocol Artifact: x%d\n\n## 2. Hypothesis Slate\n\n### H1: A\n**Claim**: x\n", i)
		must.Write(t, filepath.Join(dir, fmt.Sprintf("a%02d.md", i)), text)
	}
	r := &lint.Rule{
		ID: "GRP-001", Name: "a", Severity: lint.Warning, SpecRef: "custom rules", Summary: "x",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			p.Report(lint.Diagnostic{At: p.Artifact.Text.WholePlace(), Message: "found"})
			p.Stop("too slow")
			p.Stop("again")
		}),
	}
	for _, workers := range []int{1, 8} {
		rep, err := Check(context.Background(), lint.Catalogue{r}, Options{Workers: workers}, dir)
		must.OK(t, err)
		if len(rep.Failures) != 1 || !rep.Failures[0].Stopped || rep.Failures[0].Reason != "too slow" || filepath.Base(rep.Failures[0].Path) != "a00.md" {
			t.Errorf("%d workers: %+v", workers, rep.Failures)
		}
		if len(rep.Findings) != 20 || rep.Summary.Valid {
			t.Errorf("%d workers: %d findings, valid %v", workers, len(rep.Findings), rep.Summary.Valid)
		}
	}
}

// TestMergedFindings checks that what is kept and what is counted depends on what tasks
// found, not on which of them ends first: also where a task found something twice.
func TestMergedFindings(t *testing.T) {
	tasks := func() []*findings {
		var out []*findings
		for task := range 8 {
			s := &findings{perFile: 3, total: 30, pruneAt: 6, omitted: map[string]int{}}
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
		all := &findings{perFile: 3, total: 30, pruneAt: 6, omitted: map[string]int{}}
		list := tasks()
		for _, i := range order {
			all.merge(list[i])
		}
		all.prune()
		out := ""
		for _, f := range all.list {
			out += fmt.Sprint(f.Range.Start.Offset, " ")
		}
		return out + fmt.Sprint(all.omitted, all.omittedBy)
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

// TestNamesCredential checks that a credential counts if it is in what a frame would show, or
// near it in a long line.
func TestNamesCredential(t *testing.T) {
	f := source.NewFile("mail.json", []byte("[{\"id\": 1},\n{\"token\": \"x\", \"subject\": \"y\"},\n{\"id\": 2},\n{\"id\": 3}]"))
	for line, want := range []bool{false, true, false, false} {
		at := f.Text().Line(line + 1)
		if got := namesCredential(f.Place(source.Span{Start: at.Start + 1, End: at.Start + 2}), 10); got != want {
			t.Errorf("line %d: %v, want %v", line+1, got, want)
		}
	}
}

// TestChoose takes what has findings first, and of each kind as much as there is room
// for.
func TestChoose(t *testing.T) {
	type thing struct {
		weight int
		size   int64
	}
	for name, test := range map[string]struct {
		things []thing
		want   []int
	}{
		"none":                {nil, nil},
		"all":                 {[]thing{{0, 10}, {3, 10}, {1, 10}}, []int{0, 1, 2}},
		"the heaviest":        {[]thing{{1, maxViewed - 5}, {3, 10}, {3, 10}}, []int{1, 2}},
		"what still fits":     {[]thing{{3, maxViewed - 5}, {2, 10}, {1, 5}}, []int{0, 2}},
		"a room of their own": {[]thing{{3, maxViewed}, {0, maxViewedClean - 1}, {0, 2}, {0, 1}}, []int{0, 1, 3}},
		"too large":           {[]thing{{3, maxViewed + 1}, {0, maxViewedClean + 1}}, nil},
	} {
		got := choose(len(test.things), func(i int) (int, int64) { return test.things[i].weight, test.things[i].size })
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
