package oracle

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/conformance"
)

// publishing is a thread under construction with what its publisher writes.
type publishing struct {
	thread conformance.MergeInput
	shown  map[string]*artifact // by the ids of the COMPILED messages
	last   *artifact
}

type object = map[string]any

func add(section string, payload object) object {
	return object{"operation": "ADD", "section": section, "target_id": nil, "payload": payload, "rationale": "r"}
}

// edit and kill are of hypotheses, predictions and assumptions.
func edit(target string, payload object) object {
	section := map[byte]string{'H': "hypothesis_slate", 'P': "predictions_table", 'A': "assumption_ledger"}[target[0]]
	return object{"operation": "EDIT", "section": section, "target_id": target, "payload": payload, "rationale": "r"}
}

func kill(target string) object {
	d := edit(target, object{"reason": "it is refuted"})
	d["operation"] = "KILL"
	return d
}

func hypothesis(n int) object {
	return add("hypothesis_slate", object{
		"name": fmt.Sprint("Hypothesis ", n), "claim": fmt.Sprint("claim ", n), "mechanism": fmt.Sprint("mechanism ", n), "anchors": []string{fmt.Sprintf("§%d", n)},
	})
}

func prediction(n int, outcomes object) object {
	return add("predictions_table", object{"condition": fmt.Sprint("condition ", n), "predictions": outcomes})
}

func assumption(n int) object {
	return add("assumption_ledger", object{
		"name": fmt.Sprint("Assumption ", n), "statement": fmt.Sprint("statement ", n), "load": "load", "test": "test", "status": "unchecked",
	})
}

const publishedThread = "RS-20260302-plain-merge"

// replay is Replay, but each version is judged, and the next one starts from what it published.
func (p *publishing) replay() (out []judged) {
	now, floor, before := state{}, map[string]int{}, &published{}
	for _, w := range windowsOf(p.thread) {
		for _, d := range w.deltas { // after a renumbering (decisions.md 88)
			if id := before.renamed[d.target]; id != "" && now.item(d.target) == nil {
				d.target = id
			}
		}
		for _, d := range w.others {
			d.rejected = cmp.Or(d.rejected, "not in a DELTA message")
		}
		m := w.merge(&merger{priority: p.thread.Priority, base: now, floor: floor})
		j := judged{Window: w.result(m)}
		now, floor = m.state, m.numbers()
		if w.compiled != nil && p.shown[w.compiled.ID] != nil {
			found := m.judge(&j, slices.Concat(w.deltas, w.others), p.shown[w.compiled.ID], before.omitted)
			again := maps.Clone(found.renamed)
			for old, id := range before.renamed {
				found.renamed[old] = cmp.Or(again[id], id)
			}
			now, before = found.next, found
		}
		out = append(out, j)
	}
	return out
}

// numbers returns the highest numbers ever assigned, by section.
func (m *merger) numbers() map[string]int {
	out := map[string]int{}
	for _, sec := range Sections {
		out[sec.ID] = m.highest(sec.ID)
	}
	return out
}

func (p *publishing) send(subject, body string) *publishing {
	n := len(p.thread.Messages)
	p.thread.ThreadID = publishedThread
	p.thread.Messages = append(p.thread.Messages, conformance.Message{
		ID: fmt.Sprint(n + 1), Subject: subject, From: "Ada", Created: fmt.Sprintf("2026-03-02T09:%02d:00Z", n), Body: body,
	})
	return p
}

func (p *publishing) deltas(subject string, deltas ...object) *publishing {
	body := ""
	for _, d := range deltas {
		data, err := json.Marshal(d)
		if err != nil {
			panic(err)
		}
		body += "```delta\n" + string(data) + "\n```\n"
	}
	return p.send(subject, body)
}

func (p *publishing) delta(deltas ...object) *publishing {
	return p.deltas("DELTA[opus]: x", deltas...)
}

// compiled publishes what is merged, as changed; again publishes the same bytes.
func (p *publishing) compiled(change func(a *artifact)) *publishing {
	windows := p.replay()
	p.last = windows[len(windows)-1].publish()
	if change != nil {
		change(p.last)
	}
	return p.again()
}

func (p *publishing) again() *publishing {
	n := len(p.replay())
	p.send(fmt.Sprintf("COMPILED: v%d artifact", n), "# Compiled Artifact\n\n## Full Artifact\n\n"+p.last.markdown(publishedThread))
	if p.shown == nil {
		p.shown = map[string]*artifact{}
	}
	p.shown[fmt.Sprint(len(p.thread.Messages))] = p.last
	return p
}

// found returns what the oracle finds in each version.
func (p *publishing) found() (out []string) {
	for _, w := range p.replay() {
		out = append(out, strings.Join(w.findings, "; "))
	}
	return out
}

// compare checks that the program says of each version what the oracle does.
func (p *publishing) compare(t *testing.T) {
	t.Helper()
	compare(t, p.thread, p.replay())
}

// TestPublishers checks what is found in versions whose publisher erred (decisions.md 82 to
// 91), each beside one that did not: the decisions, the oracle and the program say the same.
func TestPublishers(t *testing.T) {
	third := hypothesis(3)
	third["payload"].(object)["name"], third["payload"].(object)["third_alternative"] = "Third alternative", true
	begin := func() *publishing {
		return new(publishing).delta(hypothesis(1), hypothesis(2), third, prediction(1, object{"H1": "up", "H2": "down", "H3": "none"}), assumption(1), assumption(2))
	}
	killed := func() *publishing { return begin().compiled(nil).delta(kill("H2")) }
	put := func(id, key string, v any) func(*artifact) {
		return func(a *artifact) { a.item(id)[key] = v }
	}
	outcome := func(h string, v any) func(*artifact) {
		return func(a *artifact) { a.item("P1")["predictions"].(map[string]any)[h] = v }
	}
	revived := func(a *artifact) {
		for _, key := range []string{"killed", "killed_by", "killed_at", "kill_reason"} {
			delete(a.item("H2"), key)
		}
		outcome("H2", "down")(a)
	}
	dropped := func(ids ...string) func(*artifact) {
		return func(a *artifact) {
			for sec := range a.items {
				a.items[sec] = slices.DeleteFunc(a.items[sec], func(it map[string]any) bool { return slices.Contains(ids, it["id"].(string)) })
			}
		}
	}
	renumbered := func(a *artifact) { a.item("A2")["id"] = "A4" }
	without := func(columns ...string) func(*artifact) {
		return func(a *artifact) {
			a.columns = slices.DeleteFunc(a.columns, func(h string) bool { return slices.Contains(columns, h) })
		}
	}
	invented := func(sec, id string, fields object) func(*artifact) {
		return func(a *artifact) {
			fields["id"] = id
			a.items[sec] = append(a.items[sec], fields)
		}
	}
	claim := func(h string) object { return edit(h, object{"claim": "better"}) }
	lacking := func(n int, load string) object { // rejected by DL-006
		return add("assumption_ledger", object{"name": fmt.Sprint("Lacking ", n), "statement": fmt.Sprint("lacks ", n), "load": load, "test": "t"})
	}
	shown := func(n int, load string) object {
		return object{"name": fmt.Sprint("Lacking ", n), "statement": fmt.Sprint("lacks ", n), "load": load, "test": "t"}
	}
	for _, e := range []struct {
		name   string
		thread *publishing
		want   []string // the findings of each version
	}{
		{"as merged", begin().compiled(nil).delta(claim("H1")).compiled(nil), []string{"", ""}},

		{"82: an item left out twice, then shown", begin().compiled(dropped("A1")).again().compiled(nil), []string{"MR-011 A1", "MR-011", ""}},
		{"82: left out and named", begin().compiled(dropped("A1")).delta(edit("A1", object{"load": "l"})).compiled(nil), []string{"MR-011 A1", ""}},
		{"82: an N/A forgotten, then written", killed().compiled(outcome("H2", "down")).compiled(outcome("H2", "N/A")), []string{"", "MR-016 P1", ""}},
		{"82: forgotten, then forgotten again", killed().compiled(outcome("H2", "down")).again(), []string{"", "MR-016 P1", ""}},
		{"82: forgotten, then its column left out", killed().compiled(outcome("H2", "down")).compiled(without("H2")), []string{"", "MR-016 P1", ""}},
		{"91: forgotten, then another", killed().compiled(outcome("H2", "down")).compiled(outcome("H2", "else")), []string{"", "MR-016 P1", "MR-013 P1 predictions"}},

		{"83: a KILL skipped, the same bytes again, an EDIT of it", killed().compiled(revived).again().delta(claim("H2")).compiled(nil), []string{"", "MR-014 H2", "", ""}},
		{"83: a KILL published, an EDIT of it", killed().compiled(nil).again().delta(claim("H2")).compiled(nil), []string{"", "", "", ""}},
		{"83: killed, shown with less", killed().compiled(put("H2", "mechanism", nil)), []string{"", ""}},
		{"83: killed, shown with another value", killed().compiled(put("H2", "mechanism", "other")), []string{"", "MR-013 H2 mechanism"}},

		{"85: a column left out", begin().compiled(without("H2")).delta(claim("H1")).compiled(nil), []string{"MR-013 P1 predictions", ""}},
		{"85: its cell empty", begin().compiled(outcome("H2", nil)), []string{"MR-013 P1 predictions"}},
		{"85: that of a killed hypothesis left out", killed().compiled(without("H2")), []string{"", ""}},
		{"85: of a hypothesis that the slate lacks", begin().delta(edit("P1", object{"predictions": object{"H1": "up", "H9": "more"}})).compiled(nil), []string{"MR-013 P1 predictions"}},

		{"87: a reply published", begin().compiled(nil).deltas("Re: DELTA[opus]: x", claim("H1")).compiled(put("H1", "claim", "better")), []string{"", "MR-022 H1"}},
		{"87: a reply left out", begin().compiled(nil).deltas("Re: DELTA[opus]: x", claim("H1")).compiled(nil), []string{"", ""}},
		{"87: an ADD of a reply published", begin().compiled(nil).deltas("INFO: x", assumption(3)).compiled(invented("assumption_ledger", "A3", assumption(3)["payload"].(object))), []string{"", "MR-022 A3"}},
		{"87: another item than that of a reply", begin().compiled(nil).deltas("INFO: x", assumption(3)).compiled(invented("assumption_ledger", "A3", shown(7, "l"))), []string{"", "MR-012 A3"}},

		{"88: the old id after a renumbering", begin().compiled(renumbered).delta(edit("A2", object{"load": "l"})).compiled(nil), []string{"MR-015 A4", ""}},
		{"88: the new id after a renumbering", begin().compiled(renumbered).delta(edit("A4", object{"load": "l"})).compiled(nil), []string{"MR-015 A4", ""}},
		{"88: no id after a renumbering", begin().compiled(renumbered).delta(edit("A3", object{"load": "l"})).compiled(nil), []string{"MR-015 A4", ""}},
		{"88: an ADD after a renumbering", begin().compiled(renumbered).delta(assumption(5), kill("A2")).compiled(nil), []string{"MR-015 A4", ""}},

		{"89: a flag left out, which the name seems to say", begin().compiled(put("H3", "third_alternative", nil)), []string{"MR-013 H3 third_alternative"}},
		{"89: a flag added, which the name seems to say", begin().delta(add("assumption_ledger", object{"name": "Scale check", "statement": "s", "load": "l", "test": "t", "status": "unchecked"})).
			compiled(put("A3", "scale_check", true)), []string{"MR-013 A3 scale_check"}},
		{"89: a rejected ADD published", begin().delta(lacking(1, "l")).compiled(invented("assumption_ledger", "A3", shown(1, "l"))), []string{"MR-022 A3"}},
		{"89: a rejected ADD published under a low id, an ADD", begin().compiled(renumbered).delta(lacking(1, "l")).compiled(invented("assumption_ledger", "A3", shown(1, "l"))).
			delta(assumption(3)).compiled(nil), []string{"MR-015 A4", "MR-022 A3", ""}},
		{"89: under the next id, an ADD", begin().compiled(renumbered).delta(lacking(1, "l")).compiled(invented("assumption_ledger", "A5", shown(1, "l"))).
			delta(assumption(3)).compiled(nil), []string{"MR-015 A4", "MR-022 A5", ""}},
		{"89: a rejected ADD left out", begin().delta(lacking(1, "l")).compiled(nil), []string{""}},
		{"89: a rejected ADD whose id is named", begin().delta(lacking(1, "l"), edit("A3", object{"load": "m"})).compiled(invented("assumption_ledger", "A3", shown(7, "l"))), []string{"MR-012 A3"}},
		{"89: an EDIT of no item, published as one", begin().delta(edit("A9", object{"statement": "lacks 7", "load": "m"})).compiled(invented("assumption_ledger", "A9", shown(7, "m"))), []string{"MR-022 A9"}},
		{"89: nothing else published", begin().delta(edit("A9", object{"load": "m"})).compiled(invented("assumption_ledger", "A9", object{"load": "m"})), []string{"MR-022 A9"}},
		{"87: an EDIT of no item, in one that is not like it", begin().delta(edit("A9", object{"load": "m"})).compiled(invented("assumption_ledger", "A9", shown(7, "m"))), []string{"MR-012 A9"}},
		{"87: like it but for a value", begin().delta(edit("A9", object{"statement": "lacks 7", "load": "m"})).compiled(invented("assumption_ledger", "A9", shown(7, "l"))), []string{"MR-012 A9"}},
		{"89: of two EDITs of no item the one that fits", begin().delta(edit("A9", object{"name": "Lacking 7"}), edit("A9", object{"statement": "lacks 7", "load": "m"})).
			compiled(invented("assumption_ledger", "A9", shown(7, "m"))), []string{"MR-022 A9"}},
		{"89: of two rejected ADDs the one that fits", begin().delta(lacking(1, "k"), lacking(1, "l")).compiled(invented("assumption_ledger", "A3", shown(1, "l"))), []string{"MR-022 A3"}},
	} {
		t.Run(e.name, func(t *testing.T) {
			found := e.thread.found()
			if found = found[:len(found)-1]; !slices.Equal(found, e.want) {
				t.Errorf("the oracle finds %q, want %q", found, e.want)
			}
			e.thread.compare(t)
		})
	}
}

// TestRandomPublishers has random publishers err in random threads.
func TestRandomPublishers(t *testing.T) {
	for n := range uint64(300) {
		r := rand.New(rand.NewPCG(1, n))
		p := new(publishing).delta(hypothesis(1), hypothesis(2), hypothesis(3), prediction(1, object{"H1": "up", "H2": "down", "H3": "none"}),
			prediction(2, object{"H1": "a", "H2": "b"}), assumption(1), assumption(2))
		texts, kind := 3, r.IntN(len(temptations)+1) // no text is used twice
		for range 1 + r.IntN(3) {
			for range r.IntN(3) {
				var deltas []object
				for range 1 + r.IntN(3) {
					texts++
					deltas = append(deltas, randomDelta(r, texts))
				}
				p.delta(deltas...)
			}
			yield, misprints := func(*artifact) {}, r.IntN(3)
			if kind < len(temptations) {
				texts++
				yield = temptations[kind].offer(p, texts)
				if temptations[kind].alone {
					misprints = 0
				}
			}
			tempted := r.IntN(2) == 0
			p.compiled(func(a *artifact) {
				if tempted {
					yield(a)
				}
				for range misprints {
					texts++
					misprint(r, a, texts)
				}
			})
		}
		if p.compiled(nil).compare(t); t.Failed() {
			t.Fatalf("thread %d", n)
		}
	}
}

// temptations are what a publisher may err in because of what was sent: offer sends it, and
// returns what he then does. What he does else may have several explanations if it does not
// stand alone.
var temptations = []struct {
	alone bool
	offer func(p *publishing, n int) func(*artifact)
}{
	{false, func(p *publishing, n int) func(*artifact) { // an EDIT in a reply
		p.deltas("Re: DELTA[opus]: x", edit("H1", object{"claim": fmt.Sprint("claim ", n)}))
		return func(a *artifact) { a.item("H1")["claim"] = fmt.Sprint("claim ", n) }
	}},
	{false, func(p *publishing, n int) func(*artifact) { // an operation that does not exist
		update := edit("H2", object{"claim": fmt.Sprint("claim ", n)})
		update["operation"] = "UPDATE"
		p.delta(update)
		return func(a *artifact) { a.item("H2")["claim"] = fmt.Sprint("claim ", n) }
	}},
	{false, func(*publishing, int) func(*artifact) { // a KILL of his own
		return func(a *artifact) {
			if it := a.item("H3"); it["killed"] != true {
				maps.Copy(it, object{"killed": true, "killed_by": "Zoe", "killed_at": "2026-03-02T12:00:00Z", "kill_reason": "so"})
			}
		}
	}},
	{false, func(p *publishing, n int) func(*artifact) { // an ADD without a status
		lacking := assumption(n)
		delete(lacking["payload"].(object), "status")
		p.delta(lacking)
		return func(a *artifact) {
			it := maps.Clone(lacking["payload"].(object))
			it["id"] = fmt.Sprint("A", len(a.items["assumption_ledger"])+1)
			a.items["assumption_ledger"] = append(a.items["assumption_ledger"], it)
		}
	}},
	{false, func(p *publishing, n int) func(*artifact) { // an EDIT of no item
		own := assumption(n)["payload"].(object)
		p.delta(edit("A99", object{"statement": own["statement"], "load": own["load"]}))
		return func(a *artifact) {
			it := maps.Clone(own)
			if it["id"] = "A99"; n%2 == 0 {
				it["statement"] = "another"
			}
			a.items["assumption_ledger"] = append(a.items["assumption_ledger"], it)
		}
	}},
	{true, func(p *publishing, n int) func(*artifact) { // two ADDs of one instant
		p.delta(assumption(n)).delta(assumption(n + 1000))
		last := p.thread.Messages[len(p.thread.Messages)-2:]
		last[1].From, last[1].Created = "Bob", last[0].Created
		return func(a *artifact) { swapLast(a.items["assumption_ledger"]) }
	}},
	{true, func(*publishing, int) func(*artifact) { // two ids
		return func(a *artifact) { swapLast(a.items["assumption_ledger"]) }
	}},
}

// swapLast gives the last two items each other's id.
func swapLast(items []map[string]any) {
	if n := len(items); n > 1 {
		items[n-1]["id"], items[n-2]["id"] = items[n-2]["id"], items[n-1]["id"]
		items[n-1], items[n-2] = items[n-2], items[n-1]
	}
}

func randomDelta(r *rand.Rand, n int) object {
	h, a, p := fmt.Sprint("H", 1+r.IntN(4)), fmt.Sprint("A", 1+r.IntN(4)), fmt.Sprint("P", 1+r.IntN(2))
	return []object{
		hypothesis(n), assumption(n), prediction(n, object{"H1": fmt.Sprint(n), "H2": "x"}), kill(h), edit(h, object{"claim": fmt.Sprint("claim ", n)}),
		edit(a, object{"load": fmt.Sprint("load ", n), "anchors": []string{"§9"}}), edit(p, object{"predictions": object{"H1": fmt.Sprint(n), "H3": "y"}}),
	}[r.IntN(7)]
}

// misprint has a publisher err.
func misprint(r *rand.Rand, a *artifact, n int) {
	hypotheses, assumptions := a.items["hypothesis_slate"], a.items["assumption_ledger"]
	it := hypotheses[r.IntN(len(hypotheses))]
	switch r.IntN(6) {
	case 0: // a KILL is skipped
		for _, key := range []string{"killed", "killed_by", "killed_at", "kill_reason"} {
			delete(it, key)
		}
	case 1:
		it["mechanism"] = fmt.Sprint("other ", n)
	case 2: // an item is left out
		if i := r.IntN(2); len(assumptions) > 1 {
			a.items["assumption_ledger"] = slices.Delete(assumptions, i, i+1)
		}
	case 3: // a column is left out
		if i := r.IntN(len(a.columns)); len(a.columns) > 1 {
			a.columns = slices.Delete(a.columns, i, i+1)
		}
	case 4: // outcomes are others, or no longer N/A
		for _, p := range a.items["predictions_table"] {
			outcomes, _ := p["predictions"].(map[string]any)
			if h := fmt.Sprint("H", 1+r.IntN(3)); outcomes[h] != nil {
				outcomes[h] = fmt.Sprint("z ", n)
			}
		}
	case 5: // an item is given another id
		if len(assumptions) > 0 {
			assumptions[len(assumptions)-1]["id"] = fmt.Sprint("A", 20+n)
		}
	}
}
