package gen

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
)

// perThread is how many messages a thread has: KICKOFF, ACK, six DELTA,
// COMPILED, CRITIQUE and ACK.
const (
	perThread   = 11
	deltaMails  = 6
	maxPerDelta = 4
)

// maker makes one session. All chance comes from its own generator, so that a
// session is the same however many others there are.
type maker struct {
	Chance
	topic
	index int
	words *strings.Replacer
	// series names the session in its claims, so that none repeats what another
	// killed (XR-004).
	series string

	ops    []op           // planned and not yet published
	count  map[string]int // items added so far, by section
	unused []mechanism    // hypotheses for later rounds
	flawed float64        // the share of items with a finding
	state  items
	credit map[*agent]*credit // of the deltas since the version before
	now    time.Time
	s      *Thread

	operator string
	agents   []*agent
	start    time.Time
	version  int // the last published
}

// Chance makes the choices of a session. A random generator is one; a property
// test gives one whose draws it can shrink.
type Chance interface {
	IntN(n int) int
	Perm(n int) []int
}

// newSession makes session number index of a seed, with a defect in so many of
// all cases, and a finding in so many of all items.
func newSession(seed uint64, index int, defects, findings float64) *Thread {
	r := rand.New(rand.NewPCG(seed, uint64(index)))
	m := newMaker(r, index)
	m.flawed = findings
	m.plan()
	m.write()
	if r.Float64() < defects {
		m.spoil()
	}
	return m.s
}

func newMaker(c Chance, index int) *maker {
	m := &maker{Chance: c, index: index, count: map[string]int{}, state: items{}, credit: map[*agent]*credit{}}
	m.topic = topics[m.IntN(len(topics))]
	m.words = strings.NewReplacer("{unit}", m.unit, "{outcome}", m.outcome, "{signal}", m.signal, "{readout}", m.readout)
	m.now = time.Date(2025, 11, 3, 8, 0, 0, 0, time.UTC).Add(time.Duration(index) * 29 * time.Minute)
	p := &projects[m.IntN(len(projects))]
	m.s = &Thread{
		ID:      fmt.Sprintf("RS-%s-%s-%s", m.now.Format("20060102"), m.slug, letters(index)),
		Project: p.key, Agents: names(p.everybody()), project: p,
	}
	m.series = strings.ToUpper(letters(index))
	return m
}

// letters numbers sessions in a thread id, by three letters or more.
func letters(n int) string {
	word := ""
	for n > 0 || len(word) < 3 {
		word = string(rune('a'+n%26)) + word
		n /= 26
	}
	return word
}

// pick are n different elements in a random order.
func pick[T any](m *maker, list []T, n int) []T {
	out := make([]T, 0, n)
	for _, i := range m.Perm(len(list))[:n] {
		out = append(out, list[i])
	}
	return out
}

func (m *maker) add(section string, payload object, rationale string) {
	payload, rationale = m.flaw(section, payload, rationale)
	m.count[section]++
	m.ops = append(m.ops, op{operation: "ADD", section: section, payload: payload, rationale: rationale,
		added: fmt.Sprintf("%s%d", brenner.SectionByID(section).Prefix(), m.count[section])})
}

func (m *maker) edit(section, target string, payload object, rationale string) {
	m.ops = append(m.ops, op{operation: "EDIT", section: section, target: target, payload: payload, rationale: rationale})
}

// say fills the topic's words into a text.
func (m *maker) say(text string) string { return m.words.Replace(text) }

// anchors returns a few citations of the transcript.
func (m *maker) anchors() []string {
	out := make([]string, 0, 3)
	for range 1 + m.IntN(3) {
		n := 1 + m.IntN(233)
		if m.IntN(4) == 0 {
			out = union(out, []string{fmt.Sprintf("§%d-§%d", n, n+1+m.IntN(3))})
		} else {
			out = union(out, []string{fmt.Sprintf("§%d", n)})
		}
	}
	return out
}

// newAnchors returns anchors; the planned item lacks one or more of them. A delta that adds
// what is there already changes nothing, and would not count as a contribution.
func (m *maker) newAnchors(id string) []string {
	for _, o := range m.ops {
		if o.added != id {
			continue
		}
		have, _ := o.payload.get("anchors").([]string)
		for range 20 {
			if more := m.anchors(); len(union(have, more)) > len(have) {
				return more
			}
		}
		return []string{"§234"} // beyond what anchors draws
	}
	panic("the generator has planned no " + id)
}

// plan lists the deltas of the session in order.
func (m *maker) plan() {
	payload, rationale := m.flaw("research_thread", object{
		{"statement", m.question}, {"context", m.context}, {"why_it_matters", m.why}, {"anchors", m.anchors()},
	}, "States the question that all contributions refer to.")
	m.edit("research_thread", "RT", payload, rationale)
	hypotheses := m.planHypotheses()
	m.planPredictions(hypotheses)
	tests := m.planTests()
	m.planAssumptions()
	if m.IntN(3) > 0 {
		x := anomalyPlans[m.IntN(len(anomalyPlans))]
		m.add("anomaly_register", object{{"name", x.name}, {"observation", m.say(x.observation)}, {"conflicts_with", []string{"H1", "A1"}},
			{"status", "active"}, {"resolution_plan", m.say(x.plan)}}, "Keeps an exception in sight that neither account explains.")
	}
	m.planCritiques()
	if m.IntN(2) == 0 {
		m.edit("discriminative_tests", "T1", object{{"potency_check", m.say("As before, and verify by a vital dye that each {unit} is alive at the last time point (§50).")}},
			"Adds a viability control to the potency check.")
	}
	if m.IntN(2) == 0 {
		m.edit("hypothesis_slate", "H2", object{{"anchors", m.newAnchors("H2")}}, "Adds the passages found in review.")
	}
	if hypotheses > 3 && m.IntN(2) == 0 {
		m.ops = append(m.ops, op{operation: "KILL", section: "hypothesis_slate", target: "H4",
			payload:   object{{"reason", "Subsumed by H2: where the two differ, the pilot gave the outcome of H2 in all nine cases"}},
			rationale: fmt.Sprintf("The pilot of T%d leaves no room for a separate account.", 1+m.IntN(tests))})
	}
}

func (m *maker) planHypotheses() int {
	n := 3 + m.IntN(2)
	planned := pick(m, mechanisms, len(mechanisms))
	m.unused = planned[n:]
	for i, h := range planned[:n] {
		third := i == 2
		if third {
			h = thirdAlternatives[m.IntN(len(thirdAlternatives))]
			h.name += " (Third Alternative)"
		}
		payload := object{{"name", h.name}, {"claim", m.say(h.claim) + " (Series " + m.series + ".)"}, {"mechanism", m.say(h.how)}, {"anchors", m.anchors()}}
		if third {
			payload = append(payload, field{"third_alternative", true})
		}
		m.add("hypothesis_slate", payload, m.say("An account of the {outcome} that the others cannot imitate under perturbation."))
	}
	return n
}

func (m *maker) planPredictions(hypotheses int) {
	for _, condition := range pick(m, m.perturbed, 4) {
		said := pick(m, outcomes, hypotheses)
		predictions := object{}
		for i := range hypotheses {
			predictions = append(predictions, field{fmt.Sprintf("H%d", i+1), said[i]})
		}
		predictions[2].value = "indeterminate"
		m.add("predictions_table", object{{"condition", condition}, {"predictions", predictions}}, "Separates the accounts by one observable.")
	}
}

func (m *maker) planTests() int {
	const n = 3
	for _, t := range pick(m, testPlans, n) {
		a, b := 1, 2+m.IntN(2)
		fill := func(s string) string {
			return strings.NewReplacer("{a}", fmt.Sprint("H", a), "{b}", fmt.Sprint("H", b)).Replace(m.say(s))
		}
		said := pick(m, outcomes, 2)
		m.add("discriminative_tests", object{
			{"name", t.name}, {"procedure", fill(t.procedure)}, {"discriminates", fill("{a} vs {b}")},
			{"expected_outcomes", object{{fmt.Sprint("H", a), said[0]}, {fmt.Sprint("H", b), said[1]}}},
			{"potency_check", m.say("A positive control in which all accounts expect a change of the {readout} (§50), and a sham arm in which none does.")},
			{"feasibility", m.say(t.feasibility)},
			{"score", object{{"likelihood_ratio", 1 + m.IntN(3)}, {"cost", m.IntN(4)}, {"speed", m.IntN(4)}, {"ambiguity", m.IntN(4)}}},
		}, fill("Forces {a} and {b} apart within a week."))
	}
	return n
}

func (m *maker) planAssumptions() {
	for _, a := range pick(m, assumptionPlans, 3) {
		m.add("assumption_ledger", object{{"name", a.name}, {"statement", m.say(a.statement)}, {"load", m.say(a.load)}, {"test", m.say(a.test)}, {"status", "unchecked"}},
			"All tests stand on it.")
	}
	m.add("assumption_ledger", object{
		{"name", "Scale check"}, {"statement", m.say("The {signal} is fast and strong enough to decide the {outcome}.")},
		{"load", "If it is wrong, H2 is excluded by arithmetic."}, {"test", "Repeat the estimate with measured constants."},
		{"status", "verified"}, {"scale_check", true}, {"calculation", m.number},
	}, "Does the arithmetic before the experiment.")
}

func (m *maker) planCritiques() {
	c := critiquePlans[m.IntN(len(critiquePlans))]
	r := realThirds[m.IntN(len(realThirds))]
	m.add("adversarial_critique", object{{"name", c.name}, {"attack", m.say(c.attack)}, {"evidence", m.say(c.evidence)}, {"current_status", c.status}},
		"The strongest objection to the framing so far.")
	m.add("adversarial_critique", object{{"name", r.name}, {"attack", m.say(r.attack)}, {"evidence", m.say(r.evidence)}, {"current_status", r.status}, {"real_third_alternative", true}},
		"Offers a framing outside the two accounts.")
}

// split cuts the deltas into the parts of the six mails, 2 to 4 each.
func (m *maker) split() [][]op {
	sizes := [deltaMails]int{}
	for i := range sizes {
		sizes[i] = 2
	}
	for left := len(m.ops) - 2*deltaMails; left > 0; {
		if i := m.IntN(deltaMails); sizes[i] < maxPerDelta {
			sizes[i]++
			left--
		}
	}
	var out [][]op
	rest := m.ops
	for _, n := range sizes {
		out = append(out, rest[:n])
		rest = rest[n:]
	}
	return out
}
