package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/engine"
)

// slowestRules is how many rules --verbose names.
const slowestRules = 5

// logTimings prints where the time went, for --verbose.
func (c *checkCommand) logTimings(p *engine.Profile, report time.Duration) {
	if p == nil {
		return
	}
	stages := append(p.Stages(), engine.Timing{Name: "report", Time: report})
	fmt.Fprintf(c.std.err, "brennerlint: time of all workers: %s; %s from start to end\n", spent(stages), milliseconds(time.Since(c.started)))
	if rules := p.Rules(); len(rules) > 0 {
		fmt.Fprintf(c.std.err, "brennerlint: slowest rules: %s\n", spent(rules[:min(len(rules), slowestRules)]))
	}
}

func spent(list []engine.Timing) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = s.Name + " " + milliseconds(s.Time)
	}
	return strings.Join(words, ", ")
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}
