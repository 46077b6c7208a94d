package replay

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// checkClaims checks what the body of a COMPILED says of its artifact (decisions.md 27).
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
	if a, published := w.Compiled.Artifact, w.Compiled.Version.Number; a != nil && published > 0 && !w.foreign {
		if n, at, ok := version(a, func(n int) bool { return n == published }); ok && n != published {
			r.found(VersionDiff{Site: Site{In: w.Compiled, At: a.Text.Place(at)}, Stated: n, Published: published})
		}
	}
}

// repeats reports whether a window only sends a version a second time: that is AP-002,
// and its claims are those of the first time.
func (r *Thread) repeats(w *Window) bool {
	n := w.Compiled.Version.Number
	return n > 0 && len(w.contributions) == 0 && r.Version(n) != nil
}

// maxHints bounds how often a name is compared with that of an agent, to find the one that it most likely means.
const maxHints = 200_000

// meant returns the agent that a name most likely means, "" if none or if too many were compared.
func (r *Thread) meant(name string, agents []string) string {
	if r.hinted += len(agents); r.hinted > maxHints {
		return ""
	}
	return text.Nearest(name, agents)
}

// counts counts the deltas of the window by agent: those that should have been applied, and the
// fewest and the most that the publisher did apply, by what was published.
func (p *publication) counts() (due, fewest, most map[string]int) {
	due, fewest, most = map[string]int{}, map[string]int{}, map[string]int{}
	for e := range applied(p.w.correct) {
		due[e.Delta.Agent]++
	}
	for e := range applied(p.w.asPublished) {
		most[e.Delta.Agent]++
		if !p.ignored[e.Delta] && !p.reading.Omitted[e.Item] {
			fewest[e.Delta.Agent]++
		}
	}
	return due, fewest, most
}

// checkContributors compares the listed contributors with the agents whose deltas
// were applied.
func (r *Thread) checkContributors(p *publication, s *session.Section) {
	w := p.w
	due, fewest, most := p.counts()
	agents := slices.Sorted(maps.Keys(due)) // who should be listed
	listed := s.Contributors(longNames(agents))
	if len(listed) == 0 || w.Compiled.Garbled && strings.ContainsRune(s.Text(s.Content), utf8.RuneError) {
		return // AP-004, or IN-001 of a byte of a name (decisions.md 90)
	}
	listed = slices.DeleteFunc(listed, func(c session.Contributor) bool { return c.Name == "" })
	meant := map[string]string{}  // by names that no agent has
	isListed := map[string]bool{} // also those that are meant
	misplaced := w.misplaced()
	for _, c := range listed {
		isListed[c.Name] = true
		if due[c.Name]+most[c.Name] == 0 && !r.credited[c.Name] && misplaced[c.Name] == 0 {
			meant[c.Name] = r.meant(c.Name, agents)
			isListed[meant[c.Name]] = true
		}
	}
	omitted := OmittedContributors{Site: w.inBody(s.Heading)}
	for _, agent := range agents {
		if strings.TrimSpace(agent) != "" && fewest[agent] > 0 && !isListed[agent] {
			omitted.Agents = append(omitted.Agents, Contributor{Agent: agent, Deltas: due[agent]})
		}
	}
	if len(omitted.Agents) > 0 {
		r.found(omitted)
	}
	anonymous := most[""] // deltas of messages without a sender (IN-003), sent by any agent
	for i := range listed {
		c := &listed[i]
		nearest, nobody := meant[c.Name]
		isRole := nearest == "" && slices.Contains(brenner.Roles, c.Name) && (len(omitted.Agents) > 0 || c.Alone)
		// What was published in part may be counted or not.
		low, high := min(due[c.Name], fewest[c.Name]), max(due[c.Name], most[c.Name])
		within := func(extra int) bool { return low+extra <= c.Count && c.Count <= high+extra }
		switch {
		case anonymous > 0 && low <= c.Count && c.Count <= high+anonymous:
		case nobody && isRole: // of an agent before it, or of those left out
		case nobody:
			r.found(UnknownContributor{Site: w.inBody(c.Span), Agent: c.Name, Nearest: nearest})
		case c.HasCount && !within(0) && !within(misplaced[c.Name]):
			r.found(ContributorCount{Site: w.inBody(c.CountSpan), Agent: c.Name, Listed: c.Count, Applied: due[c.Name]})
		}
	}
}

// longNames returns the agents by names of more than one word, or behind a role, as a list may write them.
func longNames(agents []string) map[string]string {
	names := map[string]string{}
	for _, agent := range agents {
		for _, role := range brenner.Roles {
			names[role+" ("+agent+")"], names[role+": "+agent] = agent, agent
		}
		if name := strings.TrimSpace(agent); !session.IsAgentName(name) || session.SaysTotal(name) {
			names[name], names[text.Markdown(name)] = agent, agent
		}
	}
	return names
}

// misplaced counts by agent the deltas outside of a delta fence. They were never merged (DL-012, DL-013). If a publisher
// merged them anyway, the result is unexplained (MR-012).
func (w *Window) misplaced() map[string]int {
	out := map[string]int{}
	for _, m := range w.contributions {
		for _, x := range m.UnfencedDeltas {
			out[m.From.String()] += x.Count
		}
	}
	return out
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
		if sec == 0 || digits == 0 || !isCount(f.Text[digits:]) {
			continue
		}
		active, all := count(a, sec)
		if n == active || n == all || !w.Unread && (n == w.State.Active(sec) || n == w.State.Len(sec)) {
			continue
		}
		span := source.Span{Start: f.Value.Start, End: f.Value.Start + digits}
		r.found(StatisticsCount{Site: w.inBody(span), Section: sec, Stated: n, Active: active, All: all})
	}
}

// isCount reports whether a number before some text counts items: not only those of a kind (1 killed),
// or what they were (2 → 3).
func isCount(after string) bool {
	after = strings.TrimLeft(after, " \t*`_")
	kind := ofKind().FindStringIndex(after)
	return (kind == nil || kind[0] > 0) && !slices.ContainsFunc(arrows, func(arrow string) bool { return strings.HasPrefix(after, arrow) })
}

var arrows = strings.Fields("→ ⇒ ➔ ➜ ⟶ -> --> => ==>")

// counted returns the section that a line of the statistics counts: all of its items, or the active ones.
func counted(label string) brenner.Section {
	if sec := brenner.SectionByTitle(label); sec != 0 {
		return sec
	}
	label = strings.TrimSpace(label)
	for _, sec := range brenner.Sections {
		n := len(label) - len(sec.Plural())
		if n >= 0 && strings.EqualFold(label[n:], sec.Plural()) && !ofKind().MatchString(label[:n]) {
			return sec
		}
	}
	return 0
}

// ofKind matches a word about items that are not all, nor all active ones.
var ofKind = text.Pattern(`(?i)\b(?:killed|new|added|removed|rejected|retired|changed|edited|updated|modified|verified|unchecked|falsified|resolved|deferred|open|addressed)\b`)

// count counts the items of a published section.
func count(a *artifact.Artifact, sec brenner.Section) (active, all int) {
	items := a.ItemsOf(sec)
	if sec == brenner.ResearchThread { // its section has an item even if it is empty
		items = slices.Collect(a.Items(sec))
	}
	for _, it := range items {
		all++
		if !it.Killed {
			active++
		}
	}
	return active, all
}
