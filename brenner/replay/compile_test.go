package replay_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/internal/must"
)

// exampleThread returns the example's thread.
func exampleThread(t *testing.T) *mailThread {
	t.Helper()
	data := must.Read(t, filepath.Join("..", "..", "examples", "mail", "RS-20251230-cell-fate.json"))
	var mail struct {
		Messages []struct {
			ID      int       `json:"id"`
			Subject string    `json:"subject"`
			From    string    `json:"from"`
			Body    string    `json:"body_md"`
			Created time.Time `json:"created_ts"`
		} `json:"messages"`
	}
	must.OK(t, json.Unmarshal(data, &mail))
	out := &mailThread{id: "RS-20251230-cell-fate"}
	for _, m := range mail.Messages {
		out.messages = append(out.messages, gen.Mail{ID: m.ID, From: m.From, Subject: m.Subject, Body: m.Body, Created: m.Created})
	}
	return out
}

// editBody returns the body of a DELTA that edits the claim of a hypothesis.
func editBody(target, claim string) string {
	return "# Delta Contribution\n\n**Base Version**: v1\n\n## Deltas\n\n```delta\n" +
		fmt.Sprintf(`{"operation": "EDIT", "section": "hypothesis_slate", "target_id": %q, "payload": {"claim": %q}, "rationale": "r"}`, target, claim) + "\n```\n"
}

// TestCompileAfter compiles the version after the example's, whose COMPILED and messages
// differ in one thing: the message, its obstacles and notes, or why nothing is compiled.
func TestCompileAfter(t *testing.T) {
	h1, h2 := editBody("H1", "Fate follows ancestry alone."), editBody("H2", "Fate follows ancestry alone.")
	const claim, conflict = "**Claim**: Fate follows ancestry.", `CONFLICT: "a" | "b"`
	const left = "conflict: H1 claim was left in conflict by an earlier version: "
	const kept = `kept from v1: H1 claim is published as "Fate follows nothing.", but the deltas give "Fate follows ancestry."; send one EDIT with the correct value`
	for _, tt := range []struct {
		name     string
		old, new string   // in the body of v1
		sent     []string // bodies, after their subjects, of RedCreek, BlueLake and GreenDog
		want     []string
		not      string
	}{
		{name: "what v1 left out is new", old: "### C2:", sent: []string{"DELTA[opus]: H1", h1}, want: []string{
			"COMPILED: v2 added C2; edited H1", "1 item added, 1 item edited.",
			"### New items\n- **C2** Transplants injure (GreenDog, message 15)\n\n### Modified items\n- **H1** Lineage\n  - claim: ",
		}},
		{name: "all deltas are rejected", sent: []string{"DELTA[opus]: H9", editBody("H9", "c")}, want: []string{"1 of 1 not applied", "H9"}},
		{name: "deltas that no merge reads", sent: []string{"DELTA[opus]: H1", h1, "INFO: H1 too", h1, "DELTA[gemini]: H1 again", strings.Replace(h1, "```delta", "```json", 1)}, want: []string{
			"- Message 20 (BlueLake): 1 delta block is not read, because the subject is not that of a DELTA. Ask BlueLake to send it in a DELTA message, in delta fences.",
			"- Message 21 (GreenDog): 1 delta is outside a delta fence and not read. Ask GreenDog", "| RedCreek | 1 | H1 |",
		}},
		{name: "a conflict that v1 left", old: claim, new: "**Claim**: " + conflict, sent: []string{"DELTA[opus]: H2", h2}, want: []string{"publishable: false", left}},
		{name: "one that is set since", old: claim, new: "**Claim**: " + conflict, sent: []string{"DELTA[opus]: H2", h2, "DELTA[opus]: H1", h1}, want: []string{"publishable: true"}},
		{name: "a claim that reads like one", sent: []string{"DELTA[opus]: H1", editBody("H1", conflict)}, want: []string{"publishable: true"}, not: left},
		{name: "what v1 has against its deltas", old: claim, new: "**Claim**: Fate follows nothing.", sent: []string{"DELTA[opus]: H2", h2},
			want: []string{"publishable: true", kept, "### Kept from v1\n- **H1** claim: published as "}},
		{name: "what is set since", old: claim, new: "**Claim**: Fate follows nothing.", sent: []string{"DELTA[opus]: H2", h2, "DELTA[opus]: H1", h1},
			want: []string{"publishable: true"}, not: "claim: published as"},
	} {
		th := exampleThread(t)
		v1 := &th.messages[len(th.messages)-1]
		before, after, found := strings.Cut(v1.Body, tt.old)
		switch {
		case !found:
			t.Fatalf("%s: v1 has no %q", tt.name, tt.old)
		case tt.new != "":
			v1.Body = before + tt.new + after
		case tt.old != "":
			v1.Body = before
		}
		for i := 0; i < len(tt.sent); i += 2 {
			th.post([]string{"RedCreek", "BlueLake", "GreenDog"}[i/2], tt.sent[i], tt.sent[i+1], th.last().Created.Add(time.Hour))
		}
		r, err := th.compile(replay.CompileOptions{})
		var nothing *replay.NothingError
		var shown string
		switch {
		case errors.As(err, &nothing):
			shown = fmt.Sprintf("%d of %d not applied: %s", len(nothing.NotApplied), nothing.Deltas, nothing.NotApplied[0].Why)
		case err != nil:
			t.Fatalf("%s: %v", tt.name, err)
		default:
			shown = strings.Join(slices.Concat([]string{fmt.Sprint("publishable: ", r.Publishable()), r.Subject, r.Body}, r.Obstacles(), r.Notes()), "\n")
		}
		for _, want := range tt.want {
			if !strings.Contains(shown, want) {
				t.Errorf("%s: it lacks %q:\n%s", tt.name, want, shown)
			}
		}
		if tt.not != "" && strings.Contains(shown, tt.not) {
			t.Errorf("%s: it has %q:\n%s", tt.name, tt.not, shown)
		}
	}
}
