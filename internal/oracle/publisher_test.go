package oracle

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
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

// compare checks that the program says of each version what the oracle does.
func (p *publishing) compare(t *testing.T) {
	t.Helper()
	compare(t, p.thread, p.replay())
}

// TestRandomPublishers has random publishers err in random threads.
func TestRandomPublishers(t *testing.T) {
	for n := range publishers {
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
		hypothesis(n), assumption(n), prediction(n, object{"H1": fmt.Sprint(n), "H2": "x"}), kill(h), edit(h, object{"claim": []any{fmt.Sprint("claim ", n), []string{fmt.Sprint("claim ", n), "too"}}[r.IntN(2)]}),
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
