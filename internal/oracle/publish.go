package oracle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Artifact is what a COMPILED publishes, as data.
type Artifact struct {
	Items   map[string][]map[string]any // by section, as the state hash has them
	Columns []string                    // the hypotheses that the predictions table shows
}

// Publish returns the artifact that shows a state, to be changed as a publisher errs.
func (w *Window) Publish() *Artifact {
	a := &Artifact{Items: w.merged.clone()}
	for _, it := range a.Items["hypothesis_slate"] {
		a.Columns = append(a.Columns, it["id"].(string))
	}
	return a
}

// Item returns a published item, nil if there is none.
func (a *Artifact) Item(id string) map[string]any { return state(a.Items).item(id) }

// Markdown writes the artifact as docs/artifact_format.md says.
func (a *Artifact) Markdown(thread string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Brenner Protocol Artifact: %s\n", thread)
	for n, title := range []string{"Research Thread", "Hypothesis Slate", "Predictions Table", "Discriminative Tests", "Assumption Ledger", "Anomaly Register", "Adversarial Critique"} {
		fmt.Fprintf(&b, "\n## %d. %s\n\n", n+1, title)
		if items := a.Items[Sections[n].ID]; Sections[n].ID == "predictions_table" {
			a.table(&b, items)
		} else {
			for _, it := range items {
				writeItem(&b, it)
			}
		}
	}
	return b.String()
}

func (a *Artifact) table(b *strings.Builder, items []item) {
	fmt.Fprintf(b, "| ID | Condition |%s\n|---|---|%s\n", strings.Join(append(a.Columns, ""), " | "), strings.Repeat("---|", len(a.Columns)))
	for _, it := range items {
		fmt.Fprintf(b, "| %s | %s |", it["id"], it["condition"])
		outcomes, _ := it["predictions"].(map[string]any)
		for _, h := range a.Columns {
			fmt.Fprintf(b, " %s |", cmp.Or(plain(outcomes[h]), "—"))
		}
		b.WriteString("\n")
	}
}

// writeItem writes an item and its fields.
func writeItem(b *strings.Builder, it item) {
	heading := fmt.Sprintf("%s: %s", it["id"], plain(it["name"]))
	if it["killed"] == true {
		heading = "~~" + heading + "~~"
	}
	fmt.Fprintf(b, "### %s\n", heading)
	for _, key := range slices.Sorted(maps.Keys(it)) {
		if text := plain(it[key]); text != "" && key != "id" && key != "name" && key != "references" {
			label := strings.ReplaceAll(key, "_", " ")
			fmt.Fprintf(b, "**%s**: %s\n", strings.ToUpper(label[:1])+label[1:], text)
		}
	}
	b.WriteString("\n")
}

// plain returns a value as text.
func plain(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
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

// merging is the family of the rules that judge what is published.
const merging = "MR-"

// published is how an artifact differs from a merged state, and what follows.
type published struct {
	findings []string // `MR-013 H1 claim`
	cost     int      // how much of it differs
	next     state    // where the next window starts (decisions.md 24)
	shown    state    // what is published: next without what is left out
	renamed  map[string]string
	omitted  map[string]bool
	pairs    map[string]item // published items by the ids of the state
	aside    map[string]bool // hypotheses that are killed on one side only
}

func (p *published) find(cost int, rule, id, field string) {
	p.findings = append(p.findings, strings.TrimSpace(rule+" "+id+" "+field))
	p.cost += cost
}

// mainFields are the texts by which an item is known besides its name.
var mainFields = map[string]string{
	"research_thread": "statement", "hypothesis_slate": "claim", "predictions_table": "condition", "discriminative_tests": "procedure",
	"assumption_ledger": "statement", "anomaly_register": "observation", "adversarial_critique": "attack",
}

// likeness counts how many of name and main text two items have in common.
func likeness(sec string, a, b map[string]any) (n int) {
	for _, key := range []string{"name", mainFields[sec]} {
		if text := plain(a[key]); text != "" && text == plain(b[key]) {
			n++
		}
	}
	return n
}

// wholeItem is the cost of an item on one side only.
const wholeItem = 10

// compare compares an artifact with what was merged; omitted are the items that the version
// before left out (decisions.md 82).
func (a *Artifact) compare(m *merger, omitted map[string]bool) *published {
	st := m.state
	p := &published{next: state{}, shown: state{}, renamed: map[string]string{}, omitted: map[string]bool{}, pairs: map[string]item{}, aside: map[string]bool{}}
	for _, sec := range Sections {
		p.pair(sec.ID, st[sec.ID], a.Items[sec.ID])
	}
	for _, it := range st["hypothesis_slate"] {
		if shown := p.pairs[it["id"].(string)]; shown != nil && it["killed"] != shown["killed"] {
			p.aside[it["id"].(string)], p.aside[shown["id"].(string)] = true, true
		}
	}
	again := false
	for _, sec := range Sections {
		explained := map[string]bool{}
		for _, it := range st[sec.ID] {
			id := it["id"].(string)
			shown := p.pairs[id]
			if shown == nil {
				again = again || omitted[id]
				if p.cost += wholeItem; !omitted[id] {
					p.find(0, merging+"011", id, "")
				}
				p.omitted[id] = true
				continue
			}
			now := shown["id"].(string)
			explained[now] = true
			p.shown[sec.ID] = append(p.shown[sec.ID], p.item(a, st, sec.ID, it, shown))
			if now != id {
				if p.renamed[id] = now; !p.follows(m, sec.ID, id, numberOf(shown)) {
					p.find(1, merging+"015", now, "")
				}
			}
		}
		for _, shown := range a.Items[sec.ID] {
			if !explained[shown["id"].(string)] {
				p.find(wholeItem, merging+"012", shown["id"].(string), "")
				p.shown[sec.ID] = append(p.shown[sec.ID], shown)
			}
		}
		p.next[sec.ID] = slices.Clone(p.shown[sec.ID])
		for _, it := range st[sec.ID] { // what is left out remains (decisions.md 48)
			if id := it["id"].(string); p.omitted[id] && p.shown.find(sec.ID, id) == nil {
				p.next[sec.ID] = append(p.next[sec.ID], it)
			}
		}
		for _, it := range p.shown[sec.ID] { // another item has the id now
			delete(p.omitted, it["id"].(string))
		}
		for _, items := range [][]item{p.shown[sec.ID], p.next[sec.ID]} {
			slices.SortFunc(items, func(a, b item) int { return numberOf(a) - numberOf(b) })
		}
	}
	if again {
		p.find(0, merging+"011", "", "")
	}
	return p
}

// follows reports whether the number with which an item of this window is published follows
// from another fault: its ADD had to be rejected, or others before it were left out or had to
// be rejected (decisions.md 25).
func (p *published) follows(m *merger, sec, id string, number int) bool {
	own := numberOf(item{"id": id})
	rejected, left, inWindow := 0, 0, false
	for d, added := range m.added {
		n := numberOf(item{"id": added})
		forced := slices.Contains(m.forced, d)
		switch {
		case d.section != sec:
		case added == id && forced:
			return true
		case added == id:
			inWindow = true
		case n < own && forced:
			rejected++
		case n < own && p.pairs[added] == nil:
			left++
		}
	}
	return inWindow && slices.Contains([]int{own - left, own - rejected, own - left - rejected}, number)
}

func numberOf(it item) int {
	n, _ := strconv.Atoi(strings.TrimLeft(it["id"].(string), "RTHPAXC"))
	return n
}

// pair pairs the items of a section: by id if they are alike, then by name and text, then by
// id alone.
func (p *published) pair(sec string, wants, shown []item) {
	taken := map[string]bool{}
	for _, fits := range []func(want, got item) bool{
		func(want, got item) bool { return want["id"] == got["id"] && likeness(sec, want, got) > 0 },
		func(want, got item) bool {
			texts := 2
			if sec == "predictions_table" {
				texts = 1 // they have no names
			}
			return likeness(sec, want, got) == texts
		},
		func(want, got item) bool { return want["id"] == got["id"] },
	} {
		for _, want := range wants {
			for _, got := range shown {
				if id := want["id"].(string); p.pairs[id] == nil && !taken[got["id"].(string)] && fits(want, got) {
					p.pairs[id], taken[got["id"].(string)] = got, true
				}
			}
		}
	}
}

// item compares a published item with the merged one. It returns what the next window starts
// with: the merged item with the published values where they differ.
func (p *published) item(a *Artifact, st state, sec string, want, shown item) item {
	next, id := maps.Clone(want), shown["id"].(string)
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
		p.find(1, merging+"014", id, "")
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
		case isSystem(key), key == "references", sec == "predictions_table" && key != "condition" && key != "predictions": // not shown
		case key == "predictions":
			if p.outcomes(a, st, want, shown, id) {
				if next[key] = a.visible(shown); len(a.visible(shown)) == 0 {
					delete(next, key)
				}
			}
		case plain(shown[key]) == "" && (killed || key == "labels" || key == "anchors" && sec != "hypothesis_slate" && sec != "research_thread"):
		case !sameShown(want[key], shown[key]):
			p.find(1, merging+"013", id, key)
			publish(key)
		}
	}
	return next
}

// sameShown reports whether two values are shown alike. A flag that is not set is absent; no
// name stands for it (decisions.md 89).
func sameShown(a, b any) bool {
	absent := func(v any) string {
		if v == false {
			return ""
		}
		return plain(v)
	}
	return absent(a) == absent(b)
}

// visible returns the outcomes of a prediction for which the table has a column.
func (a *Artifact) visible(it item) map[string]any {
	out := map[string]any{}
	outcomes, _ := it["predictions"].(map[string]any)
	for _, h := range a.Columns {
		if plain(outcomes[h]) != "" {
			out[h] = outcomes[h]
		}
	}
	return out
}

// outcomes compares the outcomes of a prediction, and reports whether the published ones are
// others, even where that is no difference.
func (p *published) outcomes(a *Artifact, st state, want, shown item, id string) (moved bool) {
	wants, _ := want["predictions"].(map[string]any)
	gots := a.visible(shown)
	own := map[string]string{} // the ids of columns in the state
	for h, now := range p.pairs {
		own[now["id"].(string)] = h
	}
	all := map[string]string{}
	for h := range wants {
		all[h] = h
	}
	for _, column := range a.Columns {
		all[cmp.Or(own[column], column)] = column
	}
	differs, stale := false, false
	for h, column := range all {
		w, g := plain(wants[h]), plain(gots[column])
		killed := st.find("hypothesis_slate", h)["killed"] == true
		dead := func(v string) bool { return v == "" || killed && v == "N/A" }
		moved = moved || w != g && !(dead(w) && dead(g))
		switch {
		case p.aside[h] || w == g || dead(w) && dead(g):
		case killed && w == "N/A":
			stale = true
		case killed && dead(g): // what a version before forgot is corrected (decisions.md 82)
		default:
			differs = true
		}
	}
	if differs {
		p.find(1, merging+"013", id, "predictions")
	}
	if stale {
		p.find(1, merging+"016", id, "")
	}
	return moved
}

// meant are the operations that a lenient publisher reads as others (decisions.md 49).
var meant = map[string]string{"ADD": "ADD", "EDIT": "EDIT", "KILL": "KILL", "UPDATE": "EDIT", "DELETE": "KILL"}

// judge compares what a window published with what it merged. The publisher may have merged
// rejected deltas, or ones outside DELTA messages, or tied ones in another order: of all ways
// the one counts that leaves the least (decisions.md 25, 84, 87 and 89).
func (m *merger) judge(w *Window, base state, deltas, hidden []*delta, a *Artifact, omitted map[string]bool) *published {
	var valid, rest []*delta
	for _, d := range slices.Concat(deltas, hidden) {
		switch {
		case d.rejected == "" && m.rejected[d] == "" && !slices.Contains(hidden, d):
			valid = append(valid, d)
		case len(d.payload) > 0 && len(rest) < 8:
			d.operation = cmp.Or(meant[strings.ToUpper(d.operation)], d.operation)
			rest = append(rest, d)
		}
	}
	strict := m.instants(slices.DeleteFunc(slices.Clone(deltas), func(d *delta) bool { return d.rejected != "" }))
	best := a.compare(m, omitted)
	cost, plainly := best.cost, best.cost
	var applied []*delta
	try := func(instants [][]*delta, with []*delta) {
		trial := &merger{priority: m.priority, floor: m.floor, forced: with}
		trial.run(base, instants)
		p := a.compare(trial, omitted)
		for _, d := range with {
			id := cmp.Or(trial.added[d], d.target)
			shown := p.pairs[id]
			if shown == nil || d.operation == "ADD" && likeness(d.section, d.payload, shown) == 0 {
				return
			}
			p.find(0, merging+"022", shown["id"].(string), "")
		}
		if p.cost < cost {
			best, cost, applied = p, p.cost, with
		}
	}
	for n, instant := range strict {
		for j, b := range m.partsOf(instant) {
			for _, c := range m.partsOf(instant)[:j] {
				for _, order := range m.swaps(instant, c, b) {
					try(slices.Concat(strict[:n], [][]*delta{order}, strict[n+1:]), nil)
				}
			}
		}
	}
	for size := 1; size <= len(rest); size++ {
		for bits := range 1 << len(rest) {
			var with []*delta
			for i, d := range rest {
				if bits>>i&1 == 1 {
					with = append(with, d)
				}
			}
			if len(with) == size {
				try(m.instants(slices.Concat(valid, with)), with)
			}
		}
	}
	matches := len(best.findings) == 0 && len(best.omitted) == 0 && len(applied) == 0 && cost == plainly
	w.Matches, w.Published = &matches, best.shown.hash()
	slices.Sort(best.findings)
	w.Findings = slices.Compact(best.findings)
	return best
}
