package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// slowestRules is how many rules --verbose names.
const slowestRules = 5

// timings add up where the time of a check went, of all workers.
type timings struct {
	mu    sync.Mutex
	spent map[string]time.Duration // by stage or rule id
}

// timing is the time that one stage or rule took.
type timing struct {
	name string
	time time.Duration
}

func (t *timings) add(stage string, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.spent == nil {
		t.spent = map[string]time.Duration{}
	}
	t.spent[stage] += took
}

// logTimings prints where the time went, for --verbose.
func (c *checkCommand) logTimings(report time.Duration) {
	if !c.verbose {
		return
	}
	var rules []timing // the slowest first
	all := timing{name: "rules"}
	for name, took := range c.timings.spent {
		if name != "read" && name != "parse" && name != "replay" {
			rules, all.time = append(rules, timing{name, took}), all.time+took
		}
	}
	slices.SortFunc(rules, func(a, b timing) int { return cmp.Or(cmp.Compare(b.time, a.time), strings.Compare(a.name, b.name)) })
	stage := func(name string) timing { return timing{name, c.timings.spent[name]} }
	stages := []timing{stage("read"), stage("parse"), all, stage("replay"), {"report", report}}
	fmt.Fprintf(c.std.err, "brennerlint: time of all workers: %s; %s from start to end\n", spent(stages), milliseconds(time.Since(c.started)))
	if len(rules) > 0 {
		fmt.Fprintf(c.std.err, "brennerlint: slowest rules: %s\n", spent(rules[:min(len(rules), slowestRules)]))
	}
}

func spent(list []timing) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = s.name + " " + milliseconds(s.time)
	}
	return strings.Join(words, ", ")
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}
