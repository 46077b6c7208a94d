package customrules

import (
	"fmt"
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

// TestLimits checks that what could take forever is refused when it is compiled, and that
// what is within the limits is not.
func TestLimits(t *testing.T) {
	two := `any(message.deltas, any(.labels, %s))`
	for _, c := range []struct{ when, want string }{
		{fmt.Sprintf(two, `# contains "x"`), ""},
		{fmt.Sprintf(two, `# in message.recipients`), ""},
		{fmt.Sprintf(two, `any(message.deltas, true)`), "33-36 more than 2 loops over lists in each other"},
		{`any(message.deltas, len(map(filter(.labels, # == find(message.recipients, true)), #)) > 0)`, "49-53 more than 2 loops over lists in each other"},
		// A list of a loop is not in it; one after the other is not either.
		{`any(filter(filter(filter(message.deltas, .valid), .number > 1), .number > 2), .agent == "") or any(message.deltas, .valid)`, ""},
		{`let l = filter(message.deltas, any(.labels, true)); any(l, count(.labels, true) > 1)`, ""},
	} {
		_, faults := Compile(definition("message", c.when, "x"))
		got := ""
		for _, f := range faults {
			got += fmt.Sprintf("%d-%d %s", f.Span.Start, f.Span.End, f.Message)
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.when, got, c.want)
		}
	}
	// What is reported is bounded as the condition is.
	if _, faults := Compile(definition("message", "true", "{"+fmt.Sprintf(two, `any(message.deltas, true)`)+"}")); len(faults) != 1 || faults[0].Key != "report" {
		t.Errorf("three loops in a report: %v", faults)
	}
}

// TestMemory checks that a run that makes ever longer texts or lists is given up.
func TestMemory(t *testing.T) {
	large := message("x", strings.Repeat("word\n", 50_000))
	for when, want := range map[string]string{
		`let a = message.body + message.body; let b = a + a; let c = b + b; let d = c + c; let e = d + d; let f = e + e; let g = f + f; let h = g + g; let i = h + h; let j = i + i; j == "x"`: "it cannot be evaluated: it makes more than 256 MB of text",
		`len(map(lines(message.body), lower(message.body))) == 7`:  "it cannot be evaluated: it makes more than 256 MB of text",
		`let l = lines(message.body); any(l, len(map(l, #)) == 7)`: "it cannot be evaluated: it makes lists of more than 4194304 elements",
		`len(map(lines(message.body), lower(#))) == 7`:             "",
		`lower(message.body) == upper(message.body)`:               "",
	} {
		for range 2 { // again: a run does not pay for the one before
			if found, stopped := run(t, compiled(t, definition("message", when, "x")), large); len(found) > 0 || stopped != want {
				t.Errorf("%.80s: found %d, stopped %q", when, len(found), stopped)
			}
		}
	}
}

// TestEvaluationErrors: what cannot be computed stops the rule, and what is absent is
// empty.
func TestEvaluationErrors(t *testing.T) {
	m := message("x", "y")
	for _, d := range []*Definition{
		definition("message", `1 % (len(message.body) - 1) == 1`, "x"), definition("message", "true", "{1 % (len(message.body) - 1)}"),
	} {
		if found, stopped := run(t, compiled(t, d), m); len(found) > 0 || stopped != "it cannot be evaluated: it divides by zero" {
			t.Errorf("found %d, stopped %q", len(found), stopped)
		}
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
