package gen

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"text/template"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/brennerlint/brennerlint/brenner"
)

// perThread is how many messages a thread has: KICKOFF, ACK, six DELTA,
// COMPILED, CRITIQUE and ACK.
const (
	perThread   = 11
	deltaMails  = 6
	maxPerDelta = 4
)

//go:embed session.tmpl
var sessionText string

var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("session").Funcs(template.FuncMap{
		"add": func(a, b int) int { return a + b }, "join": strings.Join, "replace": strings.ReplaceAll,
		"json": encoded, "pretty": pretty, "stamp": stamp,
	}).Parse(sessionText))
})

//go:embed phrases.yaml
var phrasesText []byte

// phrases are what sessions choose from: lists of texts, or of texts by name.
var phrases = sync.OnceValue(func() (lists map[string][]any) {
	if err := yaml.Unmarshal(phrasesText, &lists); err != nil {
		panic(err)
	}
	return lists
})

// maker makes one session. All chance comes from its own generator, so that a
// session is the same however many others there are. What is exported is for the templates.
type maker struct {
	Chance
	Thread *Thread

	index  int
	topic  map[string]any
	words  *strings.Replacer // puts the topic in
	unused []any             // hypotheses for later rounds
	flawed float64           // the share of items with a finding
	now    time.Time

	Operator  string
	Agents    []*agent
	Start     time.Time
	Ops       []*op              // planned and not yet published
	Credits   map[*agent]*credit // of the deltas since the version before
	State     items
	Version   int    // the last published
	Rendered  string // the artifact of that version
	Published Mail   // the last message about it
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
	m := newMaker(r, Shape{Index: index})
	m.flawed = findings
	m.firstRound()
	if r.Float64() < defects {
		m.spoil()
	}
	return m.Thread
}

// newMaker begins a session.
func newMaker(c Chance, shape Shape) *maker {
	index := shape.Index
	m := &maker{Chance: c, index: index, Credits: map[*agent]*credit{}}
	topics := "topics"
	if shape.Brief {
		topics = "brief"
	}
	m.topic = m.One(topics).(map[string]any)
	m.now = time.Date(2025, 11, 3, 8, 0, 0, 0, time.UTC).Add(time.Duration(index) * 29 * time.Minute)
	p := &projects[m.IntN(len(projects))]
	slug, title := m.topic["slug"].(string), m.topic["title"].(string)
	m.Thread = &Thread{
		ID:      fmt.Sprintf("RS-%s-%s-%s", m.now.Format("20060102"), slug, letters(index)),
		Project: p.key, Agents: names(p.everybody()), project: p,
	}
	// The series names the session in its claims, so that none repeats what another killed (XR-004).
	words := []string{"{prior}", shape.Prior, "{series}", strings.ToUpper(letters(index)),
		"{Slug}", strings.ToUpper(slug[:1]) + slug[1:], "{topic}", strings.ToLower(title[:1]) + title[1:]}
	for name, text := range m.topic {
		words = append(words, "{"+name+"}", fmt.Sprint(text))
	}
	m.words = strings.NewReplacer(words...)
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

// text fills in a template, and the topic's words.
func (m *maker) text(name string, data any) string {
	var b strings.Builder
	b.Grow(16 << 10)
	if err := templates().ExecuteTemplate(&b, name, data); err != nil {
		panic(err)
	}
	return m.words.Replace(b.String())
}

// Texts are those of a list, of the topic or all.
func (m *maker) Texts(list string) []any {
	if own, ok := m.topic[list].([]any); ok {
		return own
	}
	return phrases()[list]
}

// One is a random text of a list.
func (m *maker) One(list string) any {
	all := m.Texts(list)
	return all[m.IntN(len(all))]
}

// Pick are n different texts of a list in a random order.
func (m *maker) Pick(list string, n int) (out []any) {
	all := m.Texts(list)
	for _, i := range m.Perm(len(all))[:n] {
		out = append(out, all[i])
	}
	return out
}

// Hypotheses are those of the first round.
func (m *maker) Hypotheses() []any {
	n := 3 + m.IntN(2)
	all := m.Pick("mechanisms", len(m.Texts("mechanisms")))
	m.unused = all[n:]
	return all[:n]
}

// Another is a hypothesis for a later round.
func (m *maker) Another() any {
	h := m.unused[0]
	m.unused = m.unused[1:]
	return h
}

// NextHypothesis is the id that the next one gets.
func (m *maker) NextHypothesis() string { return fmt.Sprint("H", len(m.State["hypothesis_slate"])+1) }

// Anchors are a few citations of the transcript.
func (m *maker) Anchors() []string {
	var out []string
	for range 1 + m.IntN(3) {
		n := 1 + m.IntN(233)
		cited := fmt.Sprintf("§%d", n)
		if m.IntN(4) == 0 {
			cited = fmt.Sprintf("§%d-§%d", n, n+1+m.IntN(3))
		}
		out = union(out, []string{cited})
	}
	return out
}

// AnchorsBesides are citations that an item with some lacks, one or more of them. A delta that
// adds what is there already changes nothing, and would not count as a contribution.
func (m *maker) AnchorsBesides(have []string) []string {
	for range 20 {
		if more := m.Anchors(); len(union(have, more)) > len(have) {
			return more
		}
	}
	return []string{"§234"} // beyond what Anchors draws
}

// OtherScore is a part of a score that differs from what it was.
func (m *maker) OtherScore(was float64) int { return (int(was) + 1 + m.IntN(3)) % 4 }

// Because is the rationale of a delta as JSON, "" if the delta is to be one with a finding.
func (m *maker) Because(rationale string) string {
	const of = 1000
	if m.flawed > 0 && m.IntN(of) < int(m.flawed*of) {
		rationale = ""
	}
	return encoded(rationale)
}

// plan lists the deltas of a round in order. One without a rationale also cites a section that
// the transcript does not have.
func (m *maker) plan(name string) {
	if err := json.Unmarshal([]byte(m.text(name, m)), &m.Ops); err != nil {
		panic(err)
	}
	added := map[string]int{}
	for _, o := range m.Ops {
		if o.ID, _ = o.Target.(string); o.ID == "" {
			added[o.Section]++
			o.ID = fmt.Sprint(brenner.SectionByID(o.Section).Prefix(), len(m.State[o.Section])+added[o.Section])
		}
		if o.Rationale == "" {
			main := regexp.MustCompile(`"` + brenner.SectionByID(o.Section).MainField() + `": "(?:[^"\\]|\\.)*`)
			o.Payload = main.ReplaceAll(o.Payload, []byte("$0 (§999)"))
		}
	}
}

// split cuts the deltas into the parts of the six mails, 2 to 4 each.
func (m *maker) split() [][]*op {
	sizes := [deltaMails]int{}
	for i := range sizes {
		sizes[i] = 2
	}
	for left := len(m.Ops) - 2*deltaMails; left > 0; {
		if i := m.IntN(deltaMails); sizes[i] < maxPerDelta {
			sizes[i]++
			left--
		}
	}
	var out [][]*op
	rest := m.Ops
	for _, n := range sizes {
		out = append(out, rest[:n])
		rest = rest[n:]
	}
	return out
}
