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

// timings add up where the time of a check went, of all workers: by stage or rule id.
type timings struct {
	mu    sync.Mutex
	spent map[string]time.Duration
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
	spent := map[string]time.Duration{"report": report}
	var rules []string // the slowest first
	for name, took := range c.timings.spent {
		spent[name] = took
		if name != "read" && name != "parse" && name != "replay" {
			rules = append(rules, name)
			spent["rules"] += took
		}
	}
	slices.SortFunc(rules, func(a, b string) int { return cmp.Or(cmp.Compare(spent[b], spent[a]), strings.Compare(a, b)) })
	list := func(names ...string) string {
		for i, name := range names {
			names[i] = name + " " + milliseconds(spent[name])
		}
		return strings.Join(names, ", ")
	}
	fmt.Fprintf(c.std.err, "brennerlint: time of all workers: %s; %s from start to end\n",
		list("read", "parse", "rules", "replay", "report"), milliseconds(time.Since(c.started)))
	if len(rules) > 0 {
		fmt.Fprintf(c.std.err, "brennerlint: slowest rules: %s\n", list(rules[:min(len(rules), slowestRules)]...))
	}
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}
