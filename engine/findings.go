package engine

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/lint"
)

// findings are those of a task or of a run, in bounded memory: of each file the most severe, as
// many as a report shows. The others are counted.
type findings struct {
	perFile int // how many of each file are kept
	total   int // how many of all files
	list    []*lint.Finding
	pruneAt int // how long the list may become before it is pruned again

	omitted   map[string]int     // how many findings of each file are left out
	omittedBy [lint.Info + 1]int // how many of each severity

	suppressed int
	used       map[use]bool
	hidden     int      // by overrides
	lonePaths  []string // files with one message, which may be meant as whole threads
}

// filesInFull is how many files may have as many findings as a file can have.
const filesInFull = 10

// MaxFindings bounds the findings of a run that a baseline accepts, or --new-from chooses from. It
// is the value of Limits.Findings for a caller that counts findings and lists none.
const MaxFindings = 500_000

// newFindings returns empty findings of one task or of the run. Where a baseline or OnlyNew
// leaves findings out later, as many are kept as if all were reported.
func (b *Mailbox) newFindings() findings {
	k := findings{perFile: b.opts.Limits.Findings, omitted: map[string]int{}, used: map[use]bool{}}
	k.total = filesInFull * k.perFile
	if k.perFile == MaxFindings || b.opts.Baseline != nil || b.opts.OnlyNew != nil {
		k.perFile, k.total = MaxFindings, MaxFindings
	}
	return k
}

func (k *findings) add(f *lint.Finding) {
	if k.list = append(k.list, f); len(k.list) > max(k.pruneAt, 2*k.perFile) {
		k.prune()
		k.pruneAt = 2 * len(k.list)
	}
}

// merge takes over what another task found. Repeated findings are dropped first: if the list were
// pruned between two of them, both would count as omitted.
func (k *findings) merge(other *findings) {
	for _, f := range sortFindings(other.list) {
		k.add(f)
	}
	for path, n := range other.omitted {
		k.omitted[path] += n
	}
	for severity, n := range other.omittedBy {
		k.omittedBy[severity] += n
	}
	k.suppressed += other.suppressed
	maps.Copy(k.used, other.used)
	k.hidden += other.hidden
	k.lonePaths = append(k.lonePaths, other.lonePaths...)
}

// prune sorts the list and drops findings that no report shows. The result does not depend on
// the order in which findings came.
func (k *findings) prune() {
	sorted := sortFindings(k.list)
	kept := make([]*lint.Finding, 0, len(sorted))
	for _, ofFile := range byPath(sorted) {
		kept = append(kept, k.mostSevere(ofFile, k.perFile)...)
	}
	k.list = k.mostSevere(kept, k.total)
}

// mostSevere returns the most severe findings, at most so many, in their order. The others are
// omitted.
func (k *findings) mostSevere(findings []*lint.Finding, most int) []*lint.Finding {
	kept, left := lint.MostSevere(findings, most)
	for _, f := range left {
		k.omitted[f.Path]++
		k.omittedBy[f.Severity]++
	}
	return kept
}

// byPath parts sorted findings by the input that they are about.
func byPath(findings []*lint.Finding) [][]*lint.Finding {
	var groups [][]*lint.Finding
	for start, end := 0, 0; start < len(findings); start = end {
		for end < len(findings) && findings[end].Path == findings[start].Path {
			end++
		}
		groups = append(groups, findings[start:end])
	}
	return groups
}

// sortFindings puts findings in the order of the report (path, position, rule)
// and drops repetitions. It changes the list.
func sortFindings(findings []*lint.Finding) []*lint.Finding {
	slices.SortStableFunc(findings, compareFindings)
	return slices.CompactFunc(findings, func(a, b *lint.Finding) bool { return compareFindings(a, b) == 0 })
}

// compareFindings compares in two steps: most findings differ in the first.
func compareFindings(a, b *lint.Finding) int {
	if c := cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(offsetOf(a), offsetOf(b)), strings.Compare(a.Thread, b.Thread)); c != 0 {
		return c
	}
	return cmp.Or(
		cmp.Compare(len(a.MessageID), len(b.MessageID)), // numeric ids in numeric order
		strings.Compare(a.MessageID, b.MessageID),
		cmp.Compare(bodyOf(a).Line, bodyOf(b).Line), cmp.Compare(bodyOf(a).Column, bodyOf(b).Column),
		strings.Compare(a.Rule, b.Rule),
		strings.Compare(a.Message, b.Message),
		cmp.Compare(a.Delta, b.Delta),
		strings.Compare(a.Item, b.Item),
		strings.Compare(a.Field, b.Field),
	)
}

// offsetOf returns the offset by which the findings of a file are ordered; -1, which is
// first, if the finding has no place.
func offsetOf(f *lint.Finding) int {
	if f.Range == nil {
		return -1
	}
	return f.Range.Start.Offset
}

// bodyOf returns the place of a finding in a body; the zero position, which is first, if it has
// none.
func bodyOf(f *lint.Finding) lint.BodyPosition {
	if f.Body == nil {
		return lint.BodyPosition{}
	}
	return *f.Body
}
