package engine

import (
	"github.com/brennerlint/brennerlint/lint"
)

// findings are those of a task or of a run, in bounded memory: of each file the
// first of each severity, as many as a report shows. The others are counted.
type findings struct {
	most    int // of each severity, in each file
	all     int // in all files
	list    []*lint.Finding
	full    int // how long the list may become before it is pruned
	omitted map[omission]int
}

// omission is what findings are counted by.
type omission struct {
	path     string
	severity lint.Severity
}

// inAll is how many times the findings of one file are kept of all files.
const inAll = 10

// unchangedShare is how many findings are kept for each that is reported, where only
// new ones are.
const unchangedShare = 3

// maxBaseline bounds the findings that a baseline accepts, or statistics count.
const maxBaseline = 500_000

// newFindings returns empty findings of one task or of the run. A baseline takes all; one may
// accept as many of a file as it has entries.
func (c *check) newFindings() findings {
	most := c.opts.Limits.Findings
	all := inAll * most
	if most == AllFindings {
		most, all = maxBaseline, maxBaseline
	} else if b := c.opts.Baseline; b != nil {
		most += len(b.Findings)
		all = inAll * most
	}
	if c.opts.OnlyNew != nil { // most are not
		most, all = unchangedShare*most, unchangedShare*all
	}
	return findings{most: most, all: all, full: 2 * most}
}

func (k *findings) add(f *lint.Finding) {
	if k.list = append(k.list, f); len(k.list) > k.full {
		k.prune()
		k.full = 2 * max(k.most, len(k.list))
	}
}

// merge takes over what another task found. Its repetitions are dropped first: between
// two of them the list may be pruned, and then both would count as omitted.
func (k *findings) merge(other *findings) {
	for _, f := range sortFindings(other.list) {
		k.add(f)
	}
	for o, n := range other.omitted {
		k.omit(o.path, o.severity, n)
	}
	other.list, other.omitted = nil, nil
}

func (k *findings) omit(path string, severity lint.Severity, n int) {
	if k.omitted == nil {
		k.omitted = map[omission]int{}
	}
	k.omitted[omission{path, severity}] += n
}

// prune sorts the list and drops what no report shows. What is kept depends on
// what was found, not on the order in which it came.
func (k *findings) prune() {
	k.list = sortFindings(k.list)
	kept := make([]*lint.Finding, 0, len(k.list))
	for _, group := range byPath(k.list) {
		var here [lint.Info + 1]int
		for _, f := range group {
			if here[f.Severity]++; here[f.Severity] > k.most {
				k.omit(f.Path, f.Severity, 1)
				continue
			}
			kept = append(kept, f)
		}
	}
	if k.list = kept; len(kept) > k.all {
		k.list = appendMostSevere(make([]*lint.Finding, 0, k.all), kept, k.all, func(f *lint.Finding) { k.omit(f.Path, f.Severity, 1) })
	}
}

// appendMostSevere appends the most severe findings, at most so many, in their order. It
// calls omit, if given, with each of the others.
func appendMostSevere(to, findings []*lint.Finding, most int, omit func(*lint.Finding)) []*lint.Finding {
	if len(findings) <= most {
		return append(to, findings...)
	}
	var room [lint.Info + 1]int // how many of each severity are kept
	for _, f := range findings {
		room[f.Severity]++
	}
	for s := lint.Error; s <= lint.Info; s++ {
		room[s] = min(room[s], most)
		most -= room[s]
	}
	for _, f := range findings {
		if room[f.Severity] > 0 {
			room[f.Severity]--
			to = append(to, f)
		} else if omit != nil {
			omit(f)
		}
	}
	return to
}
