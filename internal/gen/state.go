package gen

import (
	"slices"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
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

// items is the state of a session, by section. It is kept here by the few lines that the
// deltas of the generator need, so that what is generated can be used to test
// the real merge.
type items map[string][]*item

// apply merges a delta of a message into the state.
func (a items) apply(o op, agent string, at time.Time) {
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

func (a items) find(section, id string) *item {
	for _, it := range a[section] {
		if it.id == id {
			return it
		}
	}
	panic("delta of the generator names no item: " + id)
}

func (a items) active(section string) int {
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

// sections returns the state as a reference compiler writes it in JSON: tests by score, highest
// first.
func (a items) sections() object {
	total := func(it *item) (sum int) {
		score, _ := it.fields.get("score").(object)
		for _, part := range score {
			sum += part.value.(int)
		}
		return sum
	}
	slices.SortStableFunc(a["discriminative_tests"], func(x, y *item) int { return total(y) - total(x) })
	var out object
	for _, sec := range brenner.Sections {
		all := list{}
		for _, it := range a[sec.ID()] {
			o := append(object{{"id", it.id}}, it.fields...)
			if it.killed() {
				o = append(o, object{{"killed", true}, {"killed_by", it.killedBy}, {"killed_at", stamp(it.killedAt)}, {"kill_reason", it.reason}}...)
			}
			all = append(all, o)
		}
		if sec == brenner.ResearchThread {
			out = append(out, field{sec.ID(), all[0]})
		} else {
			out = append(out, field{sec.ID(), all})
		}
	}
	return out
}

// render returns the artifact as Markdown.
func (a items) render(meta artifact.RenderMeta) string {
	st, err := artifact.ReadState(appendJSON(nil, a.sections(), ""))
	if err != nil {
		panic(err) // the generator makes what ReadState reads
	}
	return string(artifact.Render(st, meta))
}

// stamp returns a time as the server writes it in JSON: microseconds, UTC.
func stamp(t time.Time) string { return t.Format("2006-01-02T15:04:05.000000Z07:00") }
