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

// definition returns a rule of a scope. Only what a test sets in it can be wrong.
func definition(scope, when, report string) *Definition {
	return &Definition{ID: "GRP-001", Name: "some-rule", Scope: scope, When: when, Report: report}
}

// TestConditions compiles conditions of each scope.
func TestConditions(t *testing.T) {
	for _, c := range []struct{ scope, when, report string }{
		{"message", `message.subject contains "!"`, "{message.subject} is loud"},
		{"message", `message.type == "DELTA" && len(message.deltas) > 5`, "{len(message.deltas)} deltas"},
		{"message", `any(message.deltas, .operation == "KILL" and words(.reason) < 5)`, "x"},
		{"message", `section("Question").empty or not (message.subject matches "^[A-Z]+-\\d+")`, "{section('Question').title}"},
		{"message", `message.from in ["A", "B"] or message.from in message.recipients`, "{join(message.recipients, '; ')}"},
		{"message", `let s = section("Tests"); s == nil or s.text == message.body`, "x"},
		{"message", `1 < len(message.body) and len(message.body) < 7`, "x"},
		{"message", `find(["a", "b"], # == message.from) == ""`, "x"},
		{"message", `message.deltas[0].claim == message.deltas[-1].claim`, "x"},
		{"delta", `delta.operation == "ADD" && delta.procedure != "" && not (delta.procedure contains "budget")`, "{delta.procedure}"},
		{"delta", `message.number > 1 and message.deltas[0] == delta`, "x"},
		{"thread", `filter(thread.messages, .type == "QUESTION" && age(#) > 72)`, "{message.id}: {age(message)} hours"},
		{"thread", `none(thread.messages, .type == "CRITIQUE") and any(thread.items, killed(#))`, "{thread.id}: {thread.agents}"},
		{"artifact", `filter(artifact.hypotheses, let h = #; count(artifact.tests, .discriminates contains h.id) == 0)`, "{item.id} {meta('status')}"},
		{"artifact", `section("tests").empty`, "{section('Discriminative Tests').text}"},
		{"item", `item.section == "discriminative_tests" and not item.killed and lower(item.procedure) not contains "budget"`, "{item.id} has no budget"},
		{"item", `any(item.expected_outcomes, .text == "") or item.likelihood_ratio > 3 or capture(item.name, "(a)b") == "a"`, "{{{item.id}}}"},
		{"workspace", `filter(workspace.sessions, len(.items) > 40)`, "{session.id}"},
	} {
		if _, faults := Compile(definition(c.scope, c.when, c.report)); len(faults) > 0 {
			t.Errorf("%s: %s: %v", c.scope, c.when, faults)
		}
	}
}

// TestFaults checks the words and places of what is wrong.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ scope, when, want string }{
		{"message", `mesage.subject == ""`, `0-6 unknown name "mesage"; did you mean "message"?`},
		{"message", `message.subjct == ""`, `8-14 the message has no field "subjct"; did you mean "subject"?`},
		{"message", `word(message.body) > 3`, `0-4 unknown name "word"; did you mean "words"?`},
		{"message", `words(3) > 3`, `6-7 cannot use number as argument (type text) to call words`},
		{"message", `words(message.body)`, `0-19 expected a condition`},
		{"message", `now() == nil`, `0-3 unknown name "now"; expected message or a function`},
		{"message", `age(message) > 3`, `0-3 unknown name "age"; expected message or a function`},
		{"message", `message.subject matches message.body`, `32-36 expected a literal regular expression after matches`},
		{"message", `message.subject matches "a("`, "16-23 invalid regular expression: missing closing ): `a(`"},
		{"message", `message.subject matches "(a{1000}b{1000})"`, `24-42 the regular expression is too large: it has 2004 instructions; expected at most 500`},
		{"message", `message?.subject == ""`, `9-16 write . instead of ?.: the fields of what is absent are empty`},
		{"message", `len(1..1000000) > 3`, `5-7 unknown operator ".."`},
		{"message", `message.deltas == message.deltas`, `15-17 lists cannot be compared; use in, any or all`},
		{"message", `(true ? 1 : "a") == 1`, `15-16 the values of a condition have different types`},
		{"message", `$env == nil`, `0-4 unknown name "$env"; expected message or a function`},
		{"message", ``, `0-0 the expression is empty`},
		{"message", `message.subject ==`, `17-18 unexpected end of the expression`},
		{"message", strings.Repeat("(", 5000), `4096-4097 the expression is longer than 4096 bytes`},
		{"message", strings.Repeat("true and ", 400) + "true", `2255-2258 the expression is too long`},
		{"message", `"é" == mesage.body`, `8-14 unknown name "mesage"; did you mean "message"?`},
		{"message", `{"a": 1}`, `0-1 expected a condition or a value`},
		{"message", `message.subject[0:3] == "abc"`, `15-16 slices are not supported`},
		{"message", `reduce([1], #acc + #) == 1`, `0-6 unknown name "reduce"; expected message or a function`},
		{"message", `any(sortBy(message.deltas, .number), true)`, `4-10 unknown name "sortBy"; expected message or a function`},
		{"artifact", `section("anomaly_registr").empty`, `8-25 unknown section "anomaly_registr"; did you mean "anomaly_register"?`},
		{"message", `message.subject == 3`, `16-18 invalid operation: == (mismatched types text and number)`},
		{"message", `message.subject + 3`, `16-17 invalid operation: + (mismatched types text and number)`},
		{"message", `any(message.deltas, .claim)`, `20-21 expected a condition (got text)`},
		{"message", `message`, `0-7 expected a condition`},
		{"message", `words`, `0-5 words is a function; write words(…)`},
		{"message", `[1, "a"][0] == 1`, `4-7 the elements of a list are all texts or all numbers`},
		{"message", `let message = 3; true`, `4-11 cannot redeclare message`},
		{"message", `1 < len(message.body) < 7`, `4-7 write a < b and b < c instead of a < b < c`},
		{"message", "len([" + strings.Repeat("1 < len([", 60) + "1" + strings.Repeat("]) < 2", 60) + "]) > 0", `540-543 write a < b and b < c instead of a < b < c`},
		{"message", `1 % 0 == 1`, `4-5 this divides by zero`},
		{"message", `len(message.body) / -0.0 > 1`, `20-21 this divides by zero`},
		{"message", `len(3) == 1`, `0-3 len expects a text or a list`},
		{"message", `join("a", "b") == ""`, `0-4 join expects a list of texts and a text`},
		{"message", `true; false`, `0-4 expected one expression; got several`},
	} {
		_, faults := Compile(definition(c.scope, c.when, "x"))
		got := ""
		for _, f := range faults {
			got += fmt.Sprintf("%d-%d %s", f.Span.Start, f.Span.End, f.Message)
		}
		if got != c.want {
			t.Errorf("%.60s\n got %s\nwant %s", c.when, got, c.want)
		}
	}
}

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
	record := func(_ *lint.Rule, d lint.Diagnostic) { found = append(found, d) }
	stop := func(_ *lint.Rule, reason string) { stopped = reason }
	p := &lint.MessagePass{Pass: lint.NewPass(nil, record, stop), Message: m}
	p.Rule = r
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
		if found, stopped := run(t, compiled(t, definition("message", when, "x")), large); len(found) > 0 || stopped != want {
			t.Errorf("%.80s: found %d, stopped %q", when, len(found), stopped)
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
