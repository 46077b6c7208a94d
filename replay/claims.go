package replay

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/internal/wording"
	"github.com/brennerlint/brennerlint/merge"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/session"
)

// claims checks what the body of a COMPILED says of its artifact (decisions.md
// 27).
func (r *Thread) claims(w *Window) {
	if w.Compiled == nil {
		return
	}
	if s := w.Compiled.Section("Contributors"); s != nil && !w.Unread && !r.repeats(w) {
		r.contributors(w, s)
	}
	if s := w.Compiled.Section("Statistics"); s != nil {
		if a, _ := r.published(w); a != nil {
			r.statistics(w, a, s)
		}
	}
}

// repeats reports whether a window is nothing but a version that is sent a second
// time: that is AP-002, and its claims are those of the first time.
func (r *Thread) repeats(w *Window) bool {
	n := w.Compiled.Version.Number
	return n > 0 && len(w.contributions) == 0 &&
		slices.ContainsFunc(r.Windows, func(o *Window) bool { return o.Compiled.Version.Number == n })
}

// maxHints bounds the agents among whom the one is looked for whom a name means.
const maxHints = 1000

// contributors holds the listed contributors against the agents whose deltas
// were applied.
func (r *Thread) contributors(w *Window, s *session.Section) {
	listed := s.Contributors()
	if len(listed) == 0 {
		return // AP-004
	}
	strict, shown := w.counts()
	isListed := map[string]bool{}
	for i := range listed {
		isListed[listed[i].Name] = true
	}
	misplaced := sync.OnceValue(w.misplaced)
	agents := slices.Sorted(maps.Keys(strict))
	meant, isMeant := map[string]string{}, map[string]bool{} // by names that nobody has
	for i := range listed {
		name := listed[i].Name
		if strict[name] == 0 && shown[name] == 0 && !r.credited[name] && misplaced()[name] == 0 {
			meant[name] = wording.Nearest(name, agents[:min(len(agents), maxHints)])
			isMeant[meant[name]] = true
		}
	}
	var missing []string
	for agent, n := range strict {
		if agent != "" && n > 0 && shown[agent] > 0 && !isListed[agent] && !isMeant[agent] {
			missing = append(missing, fmt.Sprintf("%s (%s)", agent, wording.Count(n, "delta", "deltas")))
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		r.claim(w, Problem{
			At:      w.Compiled.InBody(s.Heading),
			Message: fmt.Sprintf("Contributors leaves out %s, whose deltas were applied", wording.And(short(missing))),
		})
	}
	anonymous := shown[""] // deltas of messages without a sender (IN-003), perhaps of anybody
	for i := range listed {
		c := &listed[i]
		n, m := strict[c.Name], shown[c.Name]
		known, nobody := meant[c.Name]
		switch {
		case anonymous > 0 && c.Count >= m && c.Count <= m+anonymous:
			continue
		case nobody:
			p := Problem{At: w.Compiled.InBody(c.Span), Message: fmt.Sprintf("%s is listed as contributor, but no delta of that agent was applied", wording.Quote(c.Name))}
			if known != "" {
				p.Suggestion = fmt.Sprintf("did you mean %s?", known)
			}
			r.claim(w, p)
		case c.HasCount && c.Count != n && c.Count != m && c.Count != m+misplaced()[c.Name]:
			r.claim(w, Problem{
				At: w.Compiled.InBody(c.CountSpan),
				Message: fmt.Sprintf("%s is listed with %s, but %s applied since the version before", c.Name,
					wording.Count(c.Count, "delta", "deltas"), wording.Count(n, "delta of that agent was", "deltas of that agent were")),
			})
		}
	}
}

func (r *Thread) claim(w *Window, p Problem) {
	p.Rule, p.In = "MR-018", w.Compiled
	r.Problems = append(r.Problems, p)
}

// counts are the numbers of deltas that were applied, by agent: those that had
// to be, and those that the publisher, from what it published, did apply. A
// count that follows from a fault reported already is no second one.
func (w *Window) counts() (strict, shown map[string]int) {
	strict, shown = map[string]int{}, map[string]int{}
	for i := range w.strict.Log {
		if e := &w.strict.Log[i]; e.Outcome == merge.Applied {
			strict[e.Delta.Agent]++
		}
	}
	for i := range w.result.Log {
		if e := &w.result.Log[i]; e.Outcome == merge.Applied && !w.missed[e.Delta] {
			shown[e.Delta.Agent]++
		}
	}
	return strict, shown
}

// misplaced counts, by agent, the deltas that stand outside of a delta fence. They
// were never merged (DL-012, DL-013); a publisher who read them all the same is
// told so by MR-012.
func (w *Window) misplaced() map[string]int {
	out := map[string]int{}
	for _, m := range w.contributions {
		for _, x := range m.UnfencedDeltas() {
			out[m.From.String()] += x.Count
		}
	}
	return out
}

// statistics holds the counts against the published artifact: that of the
// active items or that of all is right. Where it is the replay's, the artifact is
// what is wrong, and its items are reported.
func (r *Thread) statistics(w *Window, a *artifact.Artifact, s *session.Section) {
	for _, f := range s.Pairs() {
		sec := counted(f.Name)
		n, digits := session.ParseNumber(f.Text)
		if sec == 0 || digits == 0 {
			continue
		}
		active, all := count(a, sec)
		if n == active || n == all || !w.Unread && (n == w.State.Active(sec) || n == w.State.Len(sec)) {
			continue
		}
		has := fmt.Sprint(all)
		if active != all {
			has = fmt.Sprintf("%d, %d of them active", all, active)
		}
		span := f.Value
		span.End = span.Start + digits
		r.Problems = append(r.Problems, Problem{
			Rule: "MR-019", In: w.Compiled, At: w.Compiled.InBody(span),
			Message: fmt.Sprintf("Statistics counts %d %s, but the published artifact has %s", n, sec.Plural(), has),
		})
	}
}

// counted is the section that a line of the statistics counts.
func counted(label string) protocol.Section {
	if sec := protocol.SectionByTitle(label); sec != 0 {
		return sec
	}
	label = strings.ToLower(strings.TrimSpace(label))
	for _, sec := range protocol.Sections {
		if strings.HasSuffix(label, sec.Plural()) {
			return sec
		}
	}
	return 0
}

// count counts the items of a published section.
func count(a *artifact.Artifact, sec protocol.Section) (active, all int) {
	s := a.Section(sec)
	if s == nil {
		return 0, 0
	}
	for _, it := range s.Items {
		if sec == protocol.ResearchThread && len(it.Fields) == 0 {
			continue
		}
		all++
		if !it.Killed {
			active++
		}
	}
	return active, all
}
