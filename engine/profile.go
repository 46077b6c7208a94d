package engine

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"
)

// Profile is where the time of a check went, that of all workers added up. The
// zero Profile is ready for use; several checks may add to it. A nil one costs
// nothing.
type Profile struct {
	mu    sync.Mutex
	spent map[string]time.Duration // by stage or rule id
}

// The stages of a check that are no rules.
const (
	readStage   = "read"
	parseStage  = "parse"
	replayStage = "replay"
)

// Further parts of a check, which may fail but are not timed.
const (
	threadStage = "the check of a thread"
	inputStage  = "the check of an input"
	draftStage  = "the check of a draft"
)

// Timing is the time that one stage or rule took.
type Timing struct {
	Name string // read, parse, rules, replay, or a rule's id
	Time time.Duration
}

// start returns the time at which something begins, for add.
func (p *Profile) start() time.Time {
	if p == nil {
		return time.Time{}
	}
	return time.Now()
}

func (p *Profile) add(name string, start time.Time) {
	if p == nil {
		return
	}
	d := time.Since(start)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.spent == nil {
		p.spent = map[string]time.Duration{}
	}
	p.spent[name] += d
}

// Stages returns the four stages in their order.
func (p *Profile) Stages() []Timing {
	rules := Timing{Name: "rules"}
	for _, r := range p.Rules() {
		rules.Time += r.Time
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return []Timing{{readStage, p.spent[readStage]}, {parseStage, p.spent[parseStage]}, rules, {replayStage, p.spent[replayStage]}}
}

// Rules returns the rules that ran, the slowest first.
func (p *Profile) Rules() []Timing {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []Timing
	for name, d := range p.spent {
		if name != readStage && name != parseStage && name != replayStage {
			out = append(out, Timing{name, d})
		}
	}
	slices.SortFunc(out, func(a, b Timing) int { return cmp.Or(cmp.Compare(b.Time, a.Time), strings.Compare(a.Name, b.Name)) })
	return out
}
