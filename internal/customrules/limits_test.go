package customrules

import (
	"runtime"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// message returns a message with a body.
func message(subject, body string) *session.Message {
	t := session.Begin(&mail.Thread{ID: "RS-20251230-x"}, artifact.Limits{})
	return t.Add(&mail.Message{
		ID: "1", Subject: source.NewText([]byte(subject)), Body: source.NewText([]byte(body)), BodyState: mail.BodyPresent,
		From: source.NewText([]byte("BlueLake")), ExportInfo: &mail.ExportInfo{},
	})
}

// run runs a rule on a message: what it reports, and why it was stopped.
func run(t testing.TB, r *lint.Rule, m *session.Message) (found []lint.Diagnostic, stopped string) {
	t.Helper()
	p := &lint.MessagePass{Message: m}
	p.Rule, p.Task = r, new(lint.Task)
	p.Record = func(_ *lint.Rule, d lint.Diagnostic) { found = append(found, d) }
	p.Halt = func(_ *lint.Rule, reason string) { stopped = reason }
	r.Check.(lint.MessageCheck)(p)
	return found, stopped
}

func compiled(t testing.TB, d *Definition) *lint.Rule {
	t.Helper()
	r, faults := Compile(d)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return r
}

// TestLimits checks that what would take forever is stopped.
func TestLimits(t *testing.T) {
	many := "[" + strings.Repeat(`"a",`, 150) + `"a"]`
	m := message("x", strings.Repeat("word ", 4000))
	for _, when := range []string{
		// Loops in loops.
		`let l = ` + many + `; any(l, any(l, any(l, any(l, any(l, false)))))`,
		`let l = ` + many + `; len(map(l, map(l, map(l, map(l, #))))) < 0`,
		// Texts that grow.
		`let a = message.body + message.body; let b = a + a; let c = b + b; let d = c + c; let e = d + d; let f = e + e; let g = f + f; let h = g + g; let i = h + h; let j = i + i; let k = j + j; let l = k + k; l == "x"`,
		`let l = ` + many + `; any(l, join(map(l, message.body), message.body) == "x")`,
		`let l = ` + many + `; any(l, any(l, any(l, lower(message.body) == "x")))`,
		// Searches.
		`let l = ` + many + `; any(l, any(l, message.body matches "(a|b|c|w.*o.*r.*d.*z)+$"))`,
		`let l = ` + many + `; any(l, any(l, any(l, message.body contains "wordz")))`,
		`let l = lines(message.body); let t = ` + many + `; any(t, any(t, any(t, message.body + "b" == message.body + #)))`,
		`let l = ` + many + `; any(l, any(l, any(l, words(message.body) == 3)))`,
		`let l = ` + many + `; any(l, any(l, any(l, message.body + # in map(l, message.body))))`,
	} {
		r := compiled(t, definition("message", when, "x"))
		found, stopped := run(t, r, m)
		if len(found) > 0 || !strings.Contains(stopped, "it takes more than 1050050 steps") {
			t.Errorf("%.80s: found %d, stopped %q", when, len(found), stopped)
		}
	}
	// A text that doubles is given up long before its steps are.
	r := compiled(t, definition("message", `let a = message.body + message.body; let b = a + a; let c = b + b; let d = c + c; let e = d + d; let f = e + e; let g = f + f; let h = g + g; let i = h + h; let j = i + i; i == "x"`, "x"))
	large := message("x", strings.Repeat("word ", 100_000))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, stopped := run(t, r, large); !strings.Contains(stopped, "it takes more than") {
		t.Errorf("a text that doubles: %q", stopped)
	}
	runtime.ReadMemStats(&after)
	if made := after.TotalAlloc - before.TotalAlloc; made > 64<<20 {
		t.Errorf("a text that doubles takes %d MB", made>>20)
	}
	// What is reported is bounded with the condition.
	r = compiled(t, definition("message", "true", `{let l = `+many+`; any(l, any(l, any(l, any(l, false))))}`))
	if _, stopped := run(t, r, m); !strings.Contains(stopped, "steps") {
		t.Errorf("a report takes forever: %q", stopped)
	}
}

// TestSteps checks that the steps depend on the input alone, and that a rule may take
// them again for the next input.
func TestSteps(t *testing.T) {
	r := compiled(t, definition("message", `any(lines(message.body), # contains "needle")`, "x"))
	small, large := message("x", "hay\nneedle\n"), message("x", strings.Repeat("hay\n", 20_000)+"needle\n")
	for range 3 {
		for _, m := range []*session.Message{small, large} {
			if found, stopped := run(t, r, m); len(found) != 1 || stopped != "" {
				t.Errorf("found %d, stopped %q", len(found), stopped)
			}
		}
	}
}

// TestEvaluationErrors: what cannot be computed stops the rule, and what is absent is
// empty.
func TestEvaluationErrors(t *testing.T) {
	m := message("x", "y")
	r := compiled(t, definition("message", `1 % (len(message.body) - 1) == 1`, "x"))
	if _, stopped := run(t, r, m); !strings.Contains(stopped, "it cannot be evaluated: ") {
		t.Errorf("stopped %q", stopped)
	}
	for _, when := range []string{
		`message.deltas[7].claim == "" and message.deltas[-3].valid == false and message.recipients[2] == ""`,
		`message.artifact == nil and message.artifact.items[0].anchors[0] == "" and message.artifact.version == 0`,
		`section("none").empty and section("none").title == "" and section("none") == nil and field("none") == ""`,
		`find(message.deltas, .claim == "x").expected_outcomes[0].text == "" and find(["a"], # == "b") == ""`,
		`message.deltas[0].likelihood_ratio == -1 and len(message.sections[3].text) == 0`,
	} {
		if found, stopped := run(t, compiled(t, definition("message", when, "x")), m); len(found) != 1 || stopped != "" {
			t.Errorf("%s: found %d, stopped %q", when, len(found), stopped)
		}
	}
}

// TestOutputIsBounded: a message repeats little of its input, on one line.
func TestOutputIsBounded(t *testing.T) {
	m := message("x", strings.Repeat("a\n\x1b[31m", 100_000))
	r := compiled(t, definition("message", "true", strings.Repeat("{message.body} ", maxHoles)))
	found, _ := run(t, r, m)
	if len(found) != 1 || len(found[0].Message) > maxHoles*(maxShown+4) || strings.ContainsAny(found[0].Message, "\n\x1b") {
		t.Errorf("%d findings: %+v", len(found), found)
	}
	if len(found[0].Quoted) != maxHoles {
		t.Errorf("quoted %d texts", len(found[0].Quoted))
	}
}

// TestAllocations: a condition that is false at its first fields allocates next to
// nothing, however large the message is.
func TestAllocations(t *testing.T) {
	m := message("INFO: x", strings.Repeat("word ", 10_000))
	r := compiled(t, definition("message", `message.type == "DELTA" and words(message.body) > 10`, "x"))
	p := &lint.MessagePass{Message: m}
	p.Rule, p.Task = r, new(lint.Task)
	p.Record = func(*lint.Rule, lint.Diagnostic) { t.Error("it reports") }
	check := r.Check.(lint.MessageCheck)
	if n := testing.AllocsPerRun(100, func() { check(p) }); n > 2 {
		t.Errorf("an evaluation allocates %v times", n)
	}
	// What one rule has read of a message the next one finds.
	long := compiled(t, definition("message", `message.body contains "wordy"`, "x")).Check.(lint.MessageCheck)
	if n := testing.AllocsPerRun(100, func() { long(p) }); n > 4 {
		t.Errorf("an evaluation allocates %v times", n)
	}
}

// TestListLimits checks that lists that are made again and again are paid for: those of
// fields, and those that are kept.
func TestListLimits(t *testing.T) {
	made := func(do func()) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		do()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	text := "## 2. Hypothesis Slate\n\n### H1: a\n**Anchors**: §1" + strings.Repeat(", §1", 50_000) + "\n\n" + strings.Repeat("### H2: b\n**Claim**: c\n\n", 300)
	a := artifact.ParseMarkdown(source.NewText([]byte(text)), artifact.Limits{})
	r := compiled(t, definition("artifact", `any(artifact.items, any(artifact.items, len(artifact.hypotheses[0].anchors) == -1))`, "x"))
	p := &lint.ArtifactPass{Artifact: a}
	p.Rule, p.Task, p.Record = r, new(lint.Task), func(*lint.Rule, lint.Diagnostic) {}
	var stopped string
	p.Halt = func(_ *lint.Rule, reason string) { stopped = reason }
	if size := made(func() { r.Check.(lint.ArtifactCheck)(p) }); !strings.Contains(stopped, "it takes more than") || size > 1<<30 {
		t.Errorf("lists of a field: stopped %q, %d MB made", stopped, size>>20)
	}
	m := message("x", strings.Repeat("## a\nx\n", 500)+strings.Repeat("y\n", 200_000))
	r = compiled(t, definition("message", `len(map(message.sections, lines(message.body))) == 7`, "x"))
	if size := made(func() { _, stopped = run(t, r, m) }); !strings.Contains(stopped, "it takes more than") || size > 128<<20 {
		t.Errorf("lists that are kept: stopped %q, %d MB made", stopped, size>>20)
	}
}
