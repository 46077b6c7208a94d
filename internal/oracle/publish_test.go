package oracle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// artifact is what a COMPILED publishes, as data.
type artifact struct {
	items   map[string][]map[string]any // by section, as the state hash has them
	columns []string                    // the hypotheses that the predictions table shows
}

// publish returns the artifact that shows the merged state, to be changed as a publisher errs.
func (w *Window) publish() *artifact {
	a := &artifact{items: state(w.Items).clone()}
	for _, it := range a.items["hypothesis_slate"] {
		a.columns = append(a.columns, it["id"].(string))
	}
	return a
}

// item returns a published item, nil if there is none.
func (a *artifact) item(id string) map[string]any { return state(a.items).item(id) }

// markdown writes the artifact as docs/artifact_format.md says.
func (a *artifact) markdown(thread string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Brenner Protocol Artifact: %s\n", thread)
	for n, sec := range Sections {
		fmt.Fprintf(&b, "\n## %d. %s\n\n", n+1, label(sec.ID))
		if sec.Prefix == "P" {
			a.table(&b, a.items[sec.ID])
			continue
		}
		for _, it := range a.items[sec.ID] {
			heading := fmt.Sprintf("%s: %s", it["id"], plain(it["name"]))
			if it["killed"] == true {
				heading = "~~" + heading + "~~"
			}
			fmt.Fprintf(&b, "### %s\n", heading)
			for _, key := range slices.Sorted(maps.Keys(it)) {
				if text := plain(it[key]); text != "" && key != "id" && key != "name" && key != "references" {
					fmt.Fprintf(&b, "**%s**: %s\n", label(key), text)
				}
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// label returns a key as it is shown.
func label(key string) string {
	return strings.ToUpper(key[:1]) + strings.ReplaceAll(key[1:], "_", " ")
}

func (a *artifact) table(b *strings.Builder, items []item) {
	fmt.Fprintf(b, "| ID | Condition |%s\n|---|---|%s\n", strings.Join(append(a.columns, ""), " | "), strings.Repeat("---|", len(a.columns)))
	for _, it := range items {
		fmt.Fprintf(b, "| %s | %s |", it["id"], it["condition"])
		outcomes, _ := it["predictions"].(map[string]any)
		for _, h := range a.columns {
			fmt.Fprintf(b, " %s |", cmp.Or(plain(outcomes[h]), "—"))
		}
		b.WriteString("\n")
	}
}

// plain returns a value as it is shown. A flag that is not set is absent; no name stands for
// it (decisions.md 89).
func plain(v any) string {
	if v == nil || v == false {
		return ""
	}
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var texts []string
		for _, e := range v {
			texts = append(texts, plain(e))
		}
		return strings.Join(texts, ", ")
	}
	return canonical(v)
}

// published is how an artifact differs from a merged state, and what follows.
type published struct {
	findings []string // `MR-013 H1 claim`
	cost     int      // how much of it differs
	next     state    // where the next window starts (decisions.md 24)
	renamed  map[string]string
	omitted  map[string]bool
	pairs    map[string]item // published items by the ids of the state
	aside    map[string]bool // hypotheses that are killed on one side only
}

// The costs of differences. Of two explanations with the same differences the one counts
// that has the publisher apply fewer deltas.
const (
	wholeItem  = 100 // an item on one side only
	oneField   = 10
	oneApplied = 1
)

func (p *published) find(cost int, rule string, place ...string) {
	p.findings = append(p.findings, strings.Join(append([]string{"MR-" + rule}, place...), " "))
	p.cost += cost
}

func id(it item) string { return it["id"].(string) }

// byNumber returns items in the order of their numbers.
func byNumber(items []item) []item {
	return slices.SortedStableFunc(slices.Values(items), func(a, b item) int { return numberOf(a["id"]) - numberOf(b["id"]) })
}

// known are the texts by which the items of a section are known.
var known = map[string][]string{
	"research_thread":      {"statement"},
	"hypothesis_slate":     {"name", "claim"},
	"predictions_table":    {"condition"},
	"discriminative_tests": {"name", "procedure"},
	"assumption_ledger":    {"name", "statement"},
	"anomaly_register":     {"name", "observation"},
	"adversarial_critique": {"name", "attack"},
}

// likeness counts how many of the texts by which items are known two items have in common.
func likeness(sec Section, a, b map[string]any) (n int) {
	for _, key := range known[sec.ID] {
		if text := plain(a[key]); text != "" && text == plain(b[key]) {
			n++
		}
	}
	return n
}

// compare compares an artifact with what was merged; omitted are the items that the version
// before left out (decisions.md 82).
func (a *artifact) compare(m *merger, omitted map[string]bool) *published {
	p := &published{next: state{}, renamed: map[string]string{}, omitted: map[string]bool{}, pairs: map[string]item{}, aside: map[string]bool{}}
	for _, sec := range Sections {
		p.pair(sec, m.state[sec.ID], a.items[sec.ID])
	}
	for _, it := range m.state["hypothesis_slate"] {
		if shown := p.pairs[id(it)]; shown != nil && it["killed"] != shown["killed"] {
			p.aside[id(it)], p.aside[id(shown)] = true, true
		}
	}
	again := false
	for _, sec := range Sections {
		explained := map[string]bool{}
		var items, left []item
		for _, it := range m.state[sec.ID] {
			shown := p.pairs[id(it)]
			switch {
			case shown != nil:
				explained[id(shown)] = true
				items = append(items, p.item(a, m.state, sec, it, shown))
				if id(it) != id(shown) {
					p.renamed[id(it)] = id(shown)
					if !p.follows(m, it, numberOf(shown["id"])) {
						p.find(oneField, "015", id(shown))
					}
				}
				continue
			case omitted[id(it)]:
				again = true
				p.cost += wholeItem
			default:
				p.find(wholeItem, "011", id(it))
			}
			left = append(left, it)
		}
		for _, shown := range a.items[sec.ID] {
			if explained[id(shown)] {
				continue
			}
			if items = append(items, shown); m.makes(sec, shown) {
				p.pairs[id(shown)] = shown
			} else {
				p.find(wholeItem, "012", id(shown))
			}
		}
		p.next[sec.ID] = items
		for _, it := range left { // what is left out remains (decisions.md 48), unless another item has the id now
			if p.next.item(id(it)) == nil {
				p.omitted[id(it)] = true
				items = append(items, it)
			}
		}
		p.next[sec.ID] = byNumber(items)
	}
	if again {
		p.find(0, "011")
	}
	return p
}

// shown returns what the artifact shows, whatever was merged (decisions.md 91).
func (a *artifact) shown() state {
	out := state(a.items).clone()
	for sec, items := range out {
		for _, it := range items {
			delete(it, "references")
			if it["claim"] != nil {
				it["claim"] = plain(it["claim"])
			}
			if sec == "predictions_table" {
				if it["predictions"] = a.visible(it); len(a.visible(it)) == 0 {
					delete(it, "predictions")
				}
			}
		}
		out[sec] = slices.CompactFunc(byNumber(items), func(a, b item) bool { return id(a) == id(b) })
	}
	return out
}

// follows reports whether the number with which an item of this window is published follows
// from another fault: its ADD had to be rejected, or others before it were left out or had to
// be rejected (decisions.md 25).
func (p *published) follows(m *merger, it item, number int) bool {
	own := numberOf(it["id"])
	rejected, left, inWindow := 0, 0, false
	for d, added := range m.added {
		forced := slices.Contains(m.forced, d)
		switch before := added[:1] == id(it)[:1] && numberOf(added) < own; {
		case added == id(it) && forced:
			return true
		case added == id(it):
			inWindow = true
		case before && forced:
			rejected++
		case before && p.pairs[added] == nil:
			left++
		}
	}
	return inWindow && slices.Contains([]int{own - left, own - rejected, own - left - rejected}, number)
}

// makes reports whether the content of a published item that does not exist is that of an EDIT
// which the publisher applied: it has all of it, and its name or main text is the EDIT's if it has
// one (decisions.md 87 and 89).
func (m *merger) makes(sec Section, shown item) bool {
	return slices.ContainsFunc(m.forced, func(d *delta) bool {
		if d.operation != "EDIT" || d.target != id(shown) || m.state.item(d.target) != nil {
			return false
		}
		for key, v := range d.payload {
			if !isSystem(key) && plain(v) != plain(shown[key]) {
				return false
			}
		}
		isKnown := slices.ContainsFunc(known[sec.ID], func(key string) bool { return plain(shown[key]) != "" })
		return !isKnown || likeness(sec, d.payload, shown) > 0
	})
}

// pair pairs the items of a section: by id if they are alike, then by all their texts, then
// by id alone.
func (p *published) pair(sec Section, wants, shown []item) {
	taken := map[string]bool{}
	for _, fits := range []func(same bool, alike int) bool{
		func(same bool, alike int) bool { return same && alike > 0 },
		func(_ bool, alike int) bool { return alike == len(known[sec.ID]) },
		func(same bool, _ int) bool { return same },
	} {
		for _, want := range wants {
			for _, got := range shown {
				if p.pairs[id(want)] == nil && !taken[id(got)] && fits(id(want) == id(got), likeness(sec, want, got)) {
					p.pairs[id(want)], taken[id(got)] = got, true
				}
			}
		}
	}
}

// item compares a published item with the merged one. It returns what the next window starts
// with: the merged item with the published values where they differ.
func (p *published) item(a *artifact, st state, sec Section, want, shown item) item {
	next := maps.Clone(want)
	publish := func(key string) {
		if next[key] = shown[key]; shown[key] == nil {
			delete(next, key)
		}
	}
	publish("id")
	killed := shown["killed"] == true
	differs := want["killed"] != shown["killed"]
	for _, key := range []string{"killed_by", "killed_at", "kill_reason"} {
		differs = differs || killed && shown[key] != nil && shown[key] != want[key]
	}
	if differs {
		p.find(oneField, "014", id(shown))
		for _, key := range []string{"killed", "killed_by", "killed_at", "kill_reason"} {
			if !killed || shown[key] != nil {
				publish(key)
			}
		}
	}
	keys := maps.Clone(want)
	maps.Copy(keys, shown)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		switch {
		case isSystem(key), key == "references", sec.Prefix == "P" && key != "condition" && key != "predictions": // not shown
		case key == "predictions":
			if outcomes := a.visible(shown); p.outcomes(a, st, want, outcomes, id(shown)) {
				if next[key] = outcomes; len(outcomes) == 0 {
					delete(next, key)
				}
			}
		case plain(shown[key]) == "" && (killed || key == "labels" || key == "anchors" && sec.Prefix != "H" && sec.Prefix != "RT"):
		case plain(want[key]) != plain(shown[key]):
			p.find(oneField, "013", id(shown), key)
			publish(key)
		case key == "claim" && shown[key] != nil: // perhaps a list, shown as a text
			next[key] = plain(shown[key])
		}
	}
	return next
}

// visible returns the outcomes of a prediction for which the table has a column.
func (a *artifact) visible(it item) map[string]any {
	out := map[string]any{}
	outcomes, _ := it["predictions"].(map[string]any)
	for _, h := range a.columns {
		if plain(outcomes[h]) != "" {
			out[h] = outcomes[h]
		}
	}
	return out
}

// outcomes compares the outcomes of a prediction with the published ones, by column. It
// reports whether these are others, even where that is no difference.
func (p *published) outcomes(a *artifact, st state, want item, shown map[string]any, prediction string) (moved bool) {
	wants, _ := want["predictions"].(map[string]any)
	own := map[string]string{} // the ids of columns in the state
	for h, now := range p.pairs {
		own[id(now)] = h
	}
	gots := map[string]any{} // by the ids in the state
	for h := range wants {
		gots[h] = shown[h]
	}
	for _, column := range a.columns {
		gots[cmp.Or(own[column], column)] = shown[column]
	}
	differs, stale := false, false
	for h, got := range gots {
		w, g := plain(wants[h]), plain(got)
		killed := st.item(h)["killed"] == true
		dead := func(v string) bool { return v == "" || killed && v == "N/A" }
		if w == g || dead(w) && dead(g) {
			continue
		}
		moved = true
		switch {
		case p.aside[h]:
		case killed && w == "N/A":
			stale = true
		case killed && dead(g): // what a version before forgot is corrected (decisions.md 82)
		default:
			differs = true
		}
	}
	if differs {
		p.find(oneField, "013", prediction, "predictions")
	}
	if stale {
		p.find(oneField, "016", prediction)
	}
	return moved
}

// meant are the operations that a lenient publisher reads as others (decisions.md 49).
var meant = map[string]string{"ADD": "ADD", "EDIT": "EDIT", "KILL": "KILL", "UPDATE": "EDIT", "DELETE": "KILL"}

// judged is a window with what is found in its version.
type judged struct {
	Window
	matches   *bool    // whether it shows what was merged; nil without an artifact
	published string   // the hash of what it shows
	findings  []string // of the rules MR-011 to MR-016 and MR-022, `MR-013 H1 claim`
}

// judge compares what a window published with what it merged. The publisher may have merged
// rejected deltas, or ones outside DELTA messages, or tied ones in another order: of all ways
// the one counts that leaves the least (decisions.md 25, 84, 87 and 89).
func (m *merger) judge(w *judged, deltas []*delta, a *artifact, omitted map[string]bool) *published {
	best := a.compare(m, omitted)
	matches := best.cost == 0
	try := func(order, with []*delta) {
		trial := m.try(order, with)
		p := a.compare(trial, omitted)
		for _, d := range with {
			shown := p.pairs[cmp.Or(trial.added[d], d.target)]
			if shown == nil || d.operation == "ADD" && likeness(sectionOf(d.section), d.payload, shown) == 0 {
				return
			}
			p.find(oneApplied, "022", id(shown))
		}
		if p.cost < best.cost {
			best = p
		}
	}
	for _, swapped := range m.swaps(m.order) {
		try(swapped, nil)
	}
	var valid, rest []*delta
	for _, d := range deltas {
		switch {
		case d.rejected == "":
			valid = append(valid, d)
		case len(d.payload) > 0 && len(rest) < 8:
			d.operation = cmp.Or(meant[strings.ToUpper(d.operation)], d.operation)
			rest = append(rest, d)
		}
	}
	for bits := range 1 << len(rest) {
		var with []*delta
		for i, d := range rest {
			if bits>>i&1 == 1 {
				with = append(with, d)
			}
		}
		try(m.ordered(slices.Concat(valid, with)), with)
	}
	slices.Sort(best.findings)
	w.matches, w.published, w.findings = &matches, a.shown().hash(), slices.Compact(best.findings)
	return best
}
