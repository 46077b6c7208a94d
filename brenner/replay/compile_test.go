package replay_test

import (
	"encoding/json"
	"errors"
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

const (
	editH1 = "# Delta Contribution\n\n**Base Version**: v1\n\n## Deltas\n\n```delta\n" +
		`{"operation": "EDIT", "section": "hypothesis_slate", "target_id": "H1", "payload": {"claim": "Fate follows ancestry alone."}, "rationale": "r"}` + "\n```\n"
	editH9 = "# Delta Contribution\n\n**Base Version**: v1\n\n## Deltas\n\n```delta\n" +
		`{"operation": "EDIT", "section": "hypothesis_slate", "target_id": "H9", "payload": {"claim": "c"}, "rationale": "r"}` + "\n```\n"
)

// What the previous version left out is in the next one, and new there.
func TestOmittedItemsReturn(t *testing.T) {
	th := exampleThread(t)
	published := &th.messages[len(th.messages)-1]
	head, c2, _ := strings.Cut(published.Body, "### C2:")
	if c2 == "" {
		t.Fatal("the example has no C2")
	}
	published.Body = head
	th.post("RedCreek", "DELTA[opus]: H1", editH1, published.Created.Add(time.Hour))
	r, err := th.compile(replay.CompileOptions{})
	must.OK(t, err)
	for _, want := range []string{"### New items\n- **C2** Transplants injure (GreenDog, message 15)\n\n### Modified items\n- **H1** Lineage\n  - claim: ", "1 item added, 1 item edited."} {
		if !strings.Contains(r.Body, want) {
			t.Errorf("the body lacks %q:\n%s", want, r.Body)
		}
	}
	if r.Subject != "COMPILED: v2 added C2; edited H1" {
		t.Errorf("the subject is %q", r.Subject)
	}
}

// A version in which every delta is rejected is not made; the deltas are reported.
func TestNothingApplied(t *testing.T) {
	th := exampleThread(t)
	th.post("RedCreek", "DELTA[opus]: H9", editH9, th.last().Created.Add(time.Hour))
	_, err := th.compile(replay.CompileOptions{})
	var nothing *replay.NothingError
	if !errors.As(err, &nothing) || nothing.Deltas != 1 || len(nothing.NotApplied) != 1 || !strings.Contains(nothing.NotApplied[0].Why(), "H9") {
		t.Errorf("the error is %v", err)
	}
}

// Deltas that no merge reads are reported, with whom to ask.
func TestUnreadDeltas(t *testing.T) {
	th := exampleThread(t)
	at := th.last().Created
	th.post("RedCreek", "DELTA[opus]: H1", editH1, at.Add(time.Hour))
	th.post("BlueLake", "INFO: H1 too", editH1, at.Add(2*time.Hour))
	th.post("GreenDog", "DELTA[gemini]: H1 again", strings.Replace(editH1, "```delta", "```json", 1), at.Add(3*time.Hour))
	r, err := th.compile(replay.CompileOptions{})
	must.OK(t, err)
	for _, want := range []string{
		"- Message 20 (BlueLake): 1 delta block is not read, because the subject is not that of a DELTA. Ask BlueLake to send it in a DELTA message, in delta fences.",
		"- Message 21 (GreenDog): 1 delta is outside a delta fence and not read. Ask GreenDog",
		"| RedCreek | 1 | H1 |",
	} {
		if !strings.Contains(r.Body, want) {
			t.Errorf("the body lacks %q:\n%s", want, r.Body)
		}
	}
}

// A conflict that an earlier version has left is an obstacle as long as it is left.
func TestConflictOfEarlierVersion(t *testing.T) {
	th := exampleThread(t)
	published := &th.messages[len(th.messages)-1]
	before, after, _ := strings.Cut(published.Body, "### H1:")
	_, after, _ = strings.Cut(after, "**Claim**: ")
	_, after, found := strings.Cut(after, "\n")
	if !found {
		t.Fatal("the example has no claim of H1")
	}
	published.Body = before + "### H1: Lineage\n**Claim**: CONFLICT: \"a\" | \"b\"\n" + after
	th.post("RedCreek", "DELTA[opus]: H2", strings.Replace(editH1, `"H1"`, `"H2"`, 1), published.Created.Add(time.Hour))
	r, err := th.compile(replay.CompileOptions{})
	must.OK(t, err)
	if o := r.Obstacles(); r.Publishable() || len(o) != 1 || !strings.HasPrefix(o[0], "conflict: H1 claim was left in conflict by an earlier version: ") {
		t.Errorf("obstacles %q", o)
	}
	th.post("RedCreek", "DELTA[opus]: H1", editH1, published.Created.Add(2*time.Hour))
	if r, err = th.compile(replay.CompileOptions{}); err != nil || !r.Publishable() {
		t.Errorf("once it is set: obstacles %q, error %v", r.Obstacles(), err)
	}
}

// What the version before was published with against its deltas is said as long as it stays.
func TestKeptDifference(t *testing.T) {
	th := exampleThread(t)
	published := &th.messages[len(th.messages)-1]
	body := strings.Replace(published.Body, "**Claim**: Fate follows ancestry.", "**Claim**: Fate follows nothing.", 1)
	if body == published.Body {
		t.Fatal("the example has another claim of H1")
	}
	published.Body = body
	th.post("RedCreek", "DELTA[opus]: H2", strings.Replace(editH1, `"H1"`, `"H2"`, 1), published.Created.Add(time.Hour))
	r, err := th.compile(replay.CompileOptions{})
	must.OK(t, err)
	const note = `kept from v1: H1 claim is published as "Fate follows nothing.", but the deltas give "Fate follows ancestry."; send one EDIT with the correct value`
	if n := r.Notes(); !r.Publishable() || !slices.Contains(n, note) {
		t.Errorf("notes %q", n)
	}
	if !strings.Contains(r.Body, "### Kept from v1\n- **H1** claim: published as ") {
		t.Errorf("the body does not say so:\n%s", r.Body)
	}
	th.post("RedCreek", "DELTA[opus]: H1", editH1, published.Created.Add(2*time.Hour))
	if r, err = th.compile(replay.CompileOptions{}); err != nil || slices.Contains(r.Notes(), note) || strings.Contains(r.Body, "- **H1** claim: published as") {
		t.Errorf("once it is set: notes %q, error %v", r.Notes(), err)
	}
}

// A claim that is literally a conflict was left by no earlier version.
func TestLiteralConflict(t *testing.T) {
	th := exampleThread(t)
	published := &th.messages[len(th.messages)-1]
	literal := strings.Replace(editH1, "Fate follows ancestry alone.", `CONFLICT: \"a\" | \"b\"`, 1)
	th.post("RedCreek", "DELTA[opus]: H1", literal, published.Created.Add(time.Hour))
	r, err := th.compile(replay.CompileOptions{})
	must.OK(t, err)
	if o := r.Obstacles(); len(o) > 0 || !r.Publishable() {
		t.Errorf("obstacles %q", o)
	}
}
