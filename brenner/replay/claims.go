package replay

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// checkClaims checks what the body of a COMPILED says of its artifact (decisions.md
// 27).
func (r *Thread) checkClaims(p *publication) {
	w := p.w
	if w.Compiled == nil {
		return
	}
	if s := w.Compiled.Section("Contributors"); s != nil && !w.Unread && !r.repeats(w) {
		r.checkContributors(p, s)
	}
	if s := w.Compiled.Section("Statistics"); s != nil {
		if a, _ := r.artifactOf(w); a != nil {
			r.checkStatistics(w, a, s)
		}
	}
}

// repeats reports whether a window only sends a version a second time: that is AP-002,
// and its claims are those of the first time.
func (r *Thread) repeats(w *Window) bool {
	n := w.Compiled.Version.Number
	return n > 0 && len(w.contributions) == 0 &&
		slices.ContainsFunc(r.Windows, func(o *Window) bool { return o.Compiled.Version.Number == n })
}

// maxHints bounds the agents searched for the one that a name most likely means.
const maxHints = 1000

// deltaCount has the numbers of applied deltas of an agent: of those that should have been
// applied, and the fewest and the most that the publisher did apply, by what was published.
type deltaCount struct{ due, fewest, most int }

// counts counts the applied deltas of the window by agent.
func (p *publication) counts() map[string]deltaCount {
	out := map[string]deltaCount{}
	for e := range applied(p.w.correct) {
		n := out[e.Delta.Agent]
		n.due++
		out[e.Delta.Agent] = n
	}
	for e := range applied(p.w.asPublished) {
		n := out[e.Delta.Agent]
		n.most++
		if !p.ignored[e.Delta] && !p.reading.Omitted[e.Item] {
			n.fewest++
		}
		out[e.Delta.Agent] = n
	}
	return out
}

// checkContributors compares the listed contributors with the agents whose deltas
// were applied.
func (r *Thread) checkContributors(p *publication, s *session.Section) {
	w := p.w
	listed := s.Contributors()
	if len(listed) == 0 || w.Compiled.Garbled && strings.ContainsRune(s.Text(s.Content), utf8.RuneError) {
		return // AP-004, or IN-001 of a byte of a name (decisions.md 90)
	}
	counts := p.counts()
	var agents []string // who should be listed
	for agent, n := range counts {
		if n.due > 0 {
			agents = append(agents, agent)
		}
	}
	slices.Sort(agents)
	// The deltas outside of a delta fence were never merged (DL-012, DL-013). If a publisher
	// merged them anyway, the result is unexplained (MR-012).
	misplaced := map[string]int{}
	for _, m := range w.contributions {
		for _, x := range m.UnfencedDeltas {
			misplaced[m.From.String()] += x.Count
		}
	}
	meant := map[string]string{}  // by names that no agent has
	isListed := map[string]bool{} // also those that are meant
	for _, c := range listed {
		isListed[c.Name] = true
		if n := counts[c.Name]; n.due == 0 && n.most == 0 && !r.credited[c.Name] && misplaced[c.Name] == 0 {
			meant[c.Name] = text.Nearest(c.Name, agents[:min(len(agents), maxHints)])
			isListed[meant[c.Name]] = true
		}
	}
	omitted := OmittedContributors{Site: w.inBody(s.Heading)}
	for _, agent := range agents {
		if n := counts[agent]; agent != "" && n.fewest > 0 && !isListed[agent] {
			omitted.Agents = append(omitted.Agents, Contributor{Agent: agent, Deltas: n.due})
		}
	}
	if len(omitted.Agents) > 0 {
		r.Facts.OmittedContributors = append(r.Facts.OmittedContributors, omitted)
	}
	anonymous := counts[""].most // deltas of messages without a sender (IN-003), sent by any agent
	for i := range listed {
		c := &listed[i]
		nearest, nobody := meant[c.Name]
		n := counts[c.Name]
		low, high := min(n.due, n.fewest), max(n.due, n.most) // what was published in part may be counted or not
		within := func(extra int) bool { return low+extra <= c.Count && c.Count <= high+extra }
		switch {
		case anonymous > 0 && low <= c.Count && c.Count <= high+anonymous:
		case nobody:
			r.Facts.UnknownContributors = append(r.Facts.UnknownContributors, UnknownContributor{
				Site: w.inBody(c.Span), Agent: c.Name, Nearest: nearest,
			})
		case c.HasCount && !within(0) && !within(misplaced[c.Name]):
			r.Facts.ContributorCounts = append(r.Facts.ContributorCounts, ContributorCount{
				Site: w.inBody(c.CountSpan), Agent: c.Name, Listed: c.Count, Applied: n.due,
			})
		}
	}
}

// inBody returns a place in the body of the COMPILED.
func (w *Window) inBody(span source.Span) Site {
	return Site{In: w.Compiled, At: w.Compiled.InBody(span)}
}

// checkStatistics compares the counts with the published artifact: the number of
// active or of all items is right. Where it is the replay's, the artifact is what is
// wrong, and its items are reported.
func (r *Thread) checkStatistics(w *Window, a *artifact.Artifact, s *session.Section) {
	for _, f := range s.Pairs() {
		sec := counted(f.Name)
		n, digits := brenner.ParseNumber(f.Text)
		if sec == 0 || digits == 0 {
			continue
		}
		active, all := count(a, sec)
		if n == active || n == all || !w.Unread && (n == w.State.Active(sec) || n == w.State.Len(sec)) {
			continue
		}
		span := source.Span{Start: f.Value.Start, End: f.Value.Start + digits}
		r.Facts.StatisticsCounts = append(r.Facts.StatisticsCounts, StatisticsCount{
			Site: w.inBody(span), Section: sec, Stated: n, Active: active, All: all,
		})
	}
}

// counted returns the section that a line of the statistics counts.
func counted(label string) brenner.Section {
	if sec := brenner.SectionByTitle(label); sec != 0 {
		return sec
	}
	label = strings.TrimSpace(label)
	for _, sec := range brenner.Sections {
		if n := len(label) - len(sec.Plural()); n >= 0 && strings.EqualFold(label[n:], sec.Plural()) {
			return sec
		}
	}
	return 0
}

// count counts the items of a published section.
func count(a *artifact.Artifact, sec brenner.Section) (active, all int) {
	for _, it := range a.ItemsOf(sec) {
		if sec == brenner.ResearchThread && len(it.Fields) == 0 {
			continue
		}
		all++
		if !it.Killed {
			active++
		}
	}
	return active, all
}
