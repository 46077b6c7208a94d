package oracle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/conformance"
)

// Generator draws threads in which deltas meet: few instants, agents, items
// and values.
type Generator struct {
	*rand.Rand
	// Deltas counts those drawn so far.
	Deltas int

	agents []string
	added  map[string]int // ADDs in the thread, by section
	met    []string       // section and target of the last EDIT
}

// NewGenerator makes a generator that draws the same threads for the same seed.
func NewGenerator(seed uint64) *Generator {
	return &Generator{Rand: rand.New(rand.NewPCG(seed, 0))}
}

func pick[T any](g *Generator, from ...T) T { return from[g.IntN(len(from))] }

// one reports true once in n times.
func (g *Generator) one(n int) bool { return g.IntN(n) == 0 }

// Thread draws a thread, its messages in no order.
func (g *Generator) Thread() conformance.MergeInput {
	g.agents = []string{"Ada", "Bob", "Cyd", "Zoe"}[:2+g.IntN(3)]
	g.added, g.met = map[string]int{}, nil
	in := conformance.MergeInput{ThreadID: "RS-20260302-plain-merge", Priority: map[string]int{}}
	if g.one(12) {
		in.Roster = append(slices.Clone(g.agents[1:]), "Operator")
	}
	for _, agent := range g.agents {
		if g.one(3) {
			in.Priority[agent] = pick(g, -1, 1, 1, 3)
		}
	}
	var out []conformance.Message
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	if !g.one(4) {
		out = append(out, g.opening(now.Add(-time.Hour)))
	}
	for version := range 1 + g.IntN(3) {
		instants := pick(g, 1, 1, 1, 2, 3)
		for range 1 + g.IntN(6) {
			at := now.Add(time.Duration(g.IntN(instants)) * time.Second)
			out = append(out, g.message(len(out), at))
		}
		now = now.Add(time.Duration(instants) * time.Second)
		if g.one(2) {
			out = append(out, conformance.Message{ID: fmt.Sprint(len(out) + 1), Subject: fmt.Sprintf("COMPILED: v%d artifact", version+1), From: "Operator", Created: now.Format(time.RFC3339), Body: "# Compiled Artifact\n"})
		}
	}
	if g.one(6) && len(out) > 1 { // a duplicate id
		twin := g.message(len(out), now)
		twin.ID = out[g.IntN(len(out))].ID
		if twin.ID != "" {
			out = append(out, twin)
		}
	}
	g.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	in.Messages = out
	return in
}

// opening draws a message that adds items for those that follow.
func (g *Generator) opening(at time.Time) conformance.Message {
	m := conformance.Message{ID: "1", Subject: "DELTA[opus]: opening", From: g.agents[1], Created: g.time(at)}
	for _, section := range []string{"hypothesis_slate", "hypothesis_slate", "predictions_table", "assumption_ledger"} {
		for range 1 + g.IntN(3) {
			m.Body += "\n```delta\n" + canonical(map[string]any{"operation": "ADD", "section": section, "payload": g.addition(section)}) + "\n```\n"
			g.Deltas++
		}
	}
	return m
}

// message draws a DELTA message.
func (g *Generator) message(n int, at time.Time) conformance.Message {
	m := conformance.Message{ID: fmt.Sprint(n + 1), Subject: "DELTA[" + pick(g, "opus", "gpt") + "]: round " + fmt.Sprint(g.IntN(3)), From: pick(g, g.agents...), Created: g.time(at), Body: "# Delta Contribution\n"}
	if g.one(6) {
		m.ID = ""
	} else if g.one(6) {
		m.ID = pick(g, "m", "x") + m.ID
	}
	for range 1 + g.IntN(4) {
		m.Body += "\n```delta\n" + g.delta(at) + "\n```\n"
		g.Deltas++
	}
	return m
}

// time writes an instant in some form.
func (g *Generator) time(at time.Time) string {
	return pick(g, at.Format(time.RFC3339), at.Format(time.RFC3339), at.In(time.FixedZone("", 2*60*60)).Format(time.RFC3339),
		at.Format("2006-01-02T15:04:05.000Z"), at.Format("2006-01-02T15:04:05"))
}

// delta draws the JSON of a delta; at is the time of its message.
func (g *Generator) delta(at time.Time) string {
	section := pick(g, "research_thread", "hypothesis_slate", "hypothesis_slate", "hypothesis_slate", "predictions_table", "assumption_ledger")
	out := map[string]any{"operation": pick(g, "ADD", "EDIT", "EDIT", "KILL"), "section": section, "rationale": "r"}
	if section == "research_thread" {
		out["operation"], out["target_id"] = "EDIT", pick[any](g, "RT", nil)
	}
	switch out["operation"] {
	case "ADD":
		out["payload"] = g.addition(section)
	case "EDIT":
		out["payload"] = g.change(section)
	case "KILL":
		out["payload"] = map[string]any{"reason": pick(g, "because", "so")}
	}
	if out["operation"] != "ADD" && section != "research_thread" {
		out["target_id"] = sectionOf(section).Prefix + fmt.Sprint(1+g.IntN(1+g.added[section]))
	}
	if out["operation"] == "EDIT" { // half of them have the previous target
		if g.met != nil && g.one(2) {
			out["section"], out["target_id"] = g.met[0], g.met[1]
		} else if target, ok := out["target_id"].(string); ok {
			g.met = []string{section, target}
		}
	}
	if g.one(5) {
		out["timestamp"] = g.time(at.Add(time.Duration(g.IntN(3)-1) * time.Second))
	}
	if g.one(6) {
		out["agent"] = pick(g, append(g.agents, "", " ")...)
	}
	return g.spoiled(out)
}

// spoiled writes a delta, sometimes one that must be rejected.
func (g *Generator) spoiled(d map[string]any) string {
	if !g.one(16) {
		return canonical(d)
	}
	switch g.IntN(8) {
	case 0:
		return strings.TrimSuffix(canonical(d), "}") + ",}"
	case 1:
		return "[" + canonical(d) + "]"
	case 2:
		delete(d, "payload")
	case 3:
		d["section"] = "hypotheses"
	case 4:
		d["operation"] = "UPDATE"
	case 5:
		d["target_id"] = pick[any](g, "h1", "H01", "Q1", 7, "H99")
	case 6:
		if payload, ok := d["payload"].(map[string]any); ok {
			delete(payload, pick(g, "claim", "predictions", "statement", "reason"))
		}
	default:
		return "{}"
	}
	return canonical(d)
}

func (g *Generator) addition(section string) map[string]any {
	g.added[section]++
	out := map[string]any{}
	for _, key := range sectionOf(section).Required {
		out[key] = pick(g, "x", "y")
	}
	if section == "hypothesis_slate" {
		out["anchors"] = append(g.list(), "§1")
	}
	if section == "predictions_table" {
		out["predictions"] = g.outcomes()
	}
	g.flags(out)
	return out
}

// change draws the payload of an EDIT, sometimes without anything to store.
func (g *Generator) change(section string) map[string]any {
	out := map[string]any{}
	for range 1 + g.IntN(2) {
		switch g.IntN(4) {
		case 0:
			out["anchors"] = g.list()
		case 1:
			out[pick(g, "labels", "references")] = g.list()
		case 2:
			out["claim"], out["name"] = g.value(), g.value()
		default:
			out["name"] = g.value()
		}
	}
	if section == "predictions_table" && g.one(2) {
		out["predictions"] = g.outcomes()
	}
	g.flags(out)
	return out
}

// flags adds replace flags and keys that are not stored.
func (g *Generator) flags(out map[string]any) {
	if g.one(4) {
		out[pick(g, "replace", "anchors_replace", "labels_replace", "claim_replace")] = pick[any](g, true, true, false, "yes")
	}
	if g.one(12) {
		out[pick(g, "id", "killed", "kill_reason")] = "z"
	}
	if g.one(48) {
		clear(out)
		out["replace"] = true
	}
}

func (g *Generator) value() any {
	return pick[any](g, "alpha", "alpha 7", "alpha 7", "a \"b\"", "é\n", "", 1, 1, 10, 9.5, true, false, nil, map[string]any{"cost": 1}, map[string]any{"cost": 2}, []any{"l"})
}

func (g *Generator) list() []any {
	out := []any{}
	for range g.IntN(3) {
		out = append(out, pick[any](g, "§1", "§2", "§3", map[string]any{"item": "H1", "session": "s"}))
	}
	if len(out) == 0 && g.one(2) {
		return []any{"§4"}
	}
	return out
}

func (g *Generator) outcomes() any {
	out := map[string]any{}
	for range 1 + g.IntN(3) {
		out[fmt.Sprint("H", 1+g.IntN(4))] = pick(g, "yes", "no", "N/A")
	}
	return out
}
