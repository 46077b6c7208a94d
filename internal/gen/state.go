package gen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
)

// op is one delta.
type op struct {
	operation, section, target string // target "" for an ADD
	payload                    object
	rationale                  string
	added                      string // the id that an ADD gets
}

// id returns the item that the delta touches.
func (o op) id() string {
	if o.operation == "ADD" {
		return o.added
	}
	return o.target
}

// item is an item of the artifact.
type item struct {
	id     string
	fields object

	killedBy, reason string
	killedAt         time.Time
}

func (it *item) killed() bool { return it.killedBy != "" }

// artifact is the state of a session. It is kept here by the few lines that the
// deltas of the generator need, so that what is generated can be used to test
// the real merge.
type artifact map[string][]*item

// apply merges a delta of a message into the state.
func (a artifact) apply(o op, agent string, at time.Time) {
	switch o.operation {
	case "ADD":
		a[o.section] = append(a[o.section], &item{id: o.added, fields: o.payload})
	case "EDIT":
		if o.section == "research_thread" && len(a[o.section]) == 0 {
			a[o.section] = []*item{{id: "RT", fields: o.payload}}
			return
		}
		it := a.find(o.section, o.target)
		for _, f := range o.payload {
			if f.key == "anchors_replace" {
				continue
			}
			if list, ok := f.value.([]string); ok && o.payload.get("anchors_replace") == nil {
				f.value = union(it.fields.get(f.key).([]string), list)
			}
			it.fields = it.fields.with(object{f})
		}
	case "KILL":
		it := a.find(o.section, o.target)
		it.killedBy, it.killedAt, it.reason = agent, at, o.payload.str("reason")
		for _, p := range a["predictions_table"] {
			if outcomes := p.fields.get("predictions").(object); outcomes.get(o.target) != nil {
				p.fields = p.fields.with(object{{"predictions", outcomes.with(object{{o.target, "N/A"}})}})
			}
		}
	}
}

func (a artifact) find(section, id string) *item {
	for _, it := range a[section] {
		if it.id == id {
			return it
		}
	}
	panic("delta of the generator names no item: " + id)
}

func (a artifact) active(section string) int {
	n := 0
	for _, it := range a[section] {
		if !it.killed() {
			n++
		}
	}
	return n
}

func union(have, more []string) []string {
	out := slices.Clone(have)
	for _, s := range more {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// total returns the score of a test.
func (it *item) total() int {
	sum := 0
	score, _ := it.fields.get("score").(object)
	for _, part := range score {
		sum += part.value.(int)
	}
	return sum
}

// labels are the fields of the sections with headings, in the order in which
// they are rendered (artifact_format.md, Items).
var labels = map[string][][2]string{
	"research_thread":      {{"statement", "RT"}, {"context", "Context"}, {"why_it_matters", "Why it matters"}, {"anchors", "Anchors"}},
	"hypothesis_slate":     {{"claim", "Claim"}, {"mechanism", "Mechanism"}, {"anchors", "Anchors"}, {"third_alternative", "Third alternative"}},
	"discriminative_tests": {{"procedure", "Procedure"}, {"discriminates", "Discriminates"}, {"expected_outcomes", "Expected outcomes"}, {"potency_check", "Potency check"}, {"feasibility", "Feasibility"}, {"score", "Evidence-per-week score"}},
	"assumption_ledger":    {{"statement", "Statement"}, {"load", "Load"}, {"test", "Test"}, {"status", "Status"}, {"scale_check", "Scale check"}, {"calculation", "Calculation"}},
	"anomaly_register":     {{"observation", "Observation"}, {"conflicts_with", "Conflicts with"}, {"status", "Quarantine status"}, {"resolution_plan", "Resolution plan"}},
	"adversarial_critique": {{"attack", "Attack"}, {"evidence", "Evidence"}, {"current_status", "Current status"}, {"real_third_alternative", "Real third alternative"}},
}

// render returns the artifact as Markdown, without front matter.
func (a artifact) render(session string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Brenner Protocol Artifact: %s\n\n", session)
	slices.SortStableFunc(a["discriminative_tests"], func(x, y *item) int { return cmp.Compare(y.total(), x.total()) })
	for i, sec := range brenner.Sections {
		fmt.Fprintf(&b, "## %d. %s\n\n", i+1, sec.Title())
		switch items := a[sec.ID()]; {
		case sec == brenner.ResearchThread:
			renderFields(&b, labels[sec.ID()], items[0], "\n\n")
		case sec == brenner.PredictionsTable:
			a.renderPredictions(&b)
		case len(items) == 0:
			b.WriteString("None registered\n\n")
		default:
			a.renderItems(&b, sec.ID())
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func (a artifact) renderItems(b *strings.Builder, section string) {
	for _, it := range a[section] {
		name := it.fields.str("name")
		switch {
		case it.killed():
			fmt.Fprintf(b, "### ~~%s: %s~~ [KILLED]\n", it.id, name)
		case section == "discriminative_tests":
			fmt.Fprintf(b, "### %s: %s (Score: %d/12)\n", it.id, name, it.total())
		default:
			fmt.Fprintf(b, "### %s: %s\n", it.id, name)
		}
		renderFields(b, labels[section], it, "\n")
		b.WriteString("\n")
	}
}

func renderFields(b *strings.Builder, labels [][2]string, it *item, end string) {
	strike := ""
	if it.killed() {
		strike = "~~"
	}
	for _, l := range labels {
		switch v := it.fields.get(l[0]).(type) {
		case string:
			fmt.Fprintf(b, "**%s**: %s%s%s%s", l[1], strike, v, strike, end)
		case bool:
			fmt.Fprintf(b, "**%s**: %t%s", l[1], v, end)
		case []string:
			fmt.Fprintf(b, "**%s**: %s%s%s%s", l[1], strike, strings.Join(v, ", "), strike, end)
		case object:
			renderObject(b, l, v, end)
		}
	}
	if it.killed() {
		fmt.Fprintf(b, "**Killed by**: %s (%s)\n**Reason**: %s\n", it.killedBy, stamp(it.killedAt), it.reason)
	}
}

func renderObject(b *strings.Builder, label [2]string, v object, end string) {
	if label[0] == "score" {
		fmt.Fprintf(b, "**%s**: LR=%d, Cost=%d, Speed=%d, Ambiguity=%d%s", label[1], v[0].value, v[1].value, v[2].value, v[3].value, end)
		return
	}
	fmt.Fprintf(b, "**%s**:\n", label[1])
	for _, f := range v {
		fmt.Fprintf(b, "- %s: %s\n", f.key, f.value)
	}
}

func (a artifact) renderPredictions(b *strings.Builder) {
	b.WriteString("| ID | Observation/Condition |")
	for _, h := range a["hypothesis_slate"] {
		fmt.Fprintf(b, " %s |", h.id)
	}
	b.WriteString("\n| --- | --- |")
	for range a["hypothesis_slate"] {
		b.WriteString(" --- |")
	}
	b.WriteString("\n")
	for _, p := range a["predictions_table"] {
		fmt.Fprintf(b, "| %s | %s |", p.id, p.fields.str("condition"))
		outcomes := p.fields.get("predictions").(object)
		for _, h := range a["hypothesis_slate"] {
			fmt.Fprintf(b, " %s |", cmp.Or(outcomes.str(h.id), "—"))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

// stamp returns a time as the server writes it in JSON: microseconds, UTC.
func stamp(t time.Time) string { return t.Format("2006-01-02T15:04:05.000000Z07:00") }
