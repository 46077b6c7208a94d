package rules_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/rewrite"
	"github.com/brennerlint/brennerlint/rules"
)

const (
	slate       = "# Brenner Protocol Artifact: RS-20251230-x\n\n## 2. Hypothesis Slate\n\n"
	claimField  = slate + "### H1: x\n**Claim**: "
	anchorField = slate + "### H1: x\n**Anchors**: "
	predictions = "# Brenner Protocol Artifact: x\n\n## 3. Predictions Table\n\n"
)

// adversarialArtifacts are written as Markdown that is repeated, with %d for the number.
var adversarialArtifacts = []struct{ name, head, unit, tail string }{
	{"nested quotes", slate, "> ", "x"},
	{"lines of nested quotes", slate, strings.Repeat("> ", 20) + "x\n", ""},
	{"nested lists", slate, "- ", "x"},
	{"list items", slate, "1. x\n", ""},
	{"quotes with tabs", slate, ">\t>\t>\tx\n", ""},
	{"fences", slate, "```delta\n{}\n```\n", ""},
	{"open fences", slate, "````\n```x\n", ""},
	{"one long line", claimField, "x [y]( * _ ` &amp <a ", ""},
	{"one long word", slate, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", ""},
	{"one long anchor", anchorField, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", ""},
	{"ids in one text", "## 4. Discriminative Tests\n### T1: x\n**Discriminates**: ", "H1 ", ""},
	{"citations in one text", claimField, "§5 ", ""},
	{"huge anchors", anchorField, "§1-§999999999, ", ""},
	{"open quotations", anchorField, "§1 (\"", ""},
	{"open brackets in anchors", anchorField, "[", ""},
	{"open parentheses in anchors", anchorField, "((", ""},
	{"open labels in anchors", anchorField, "[inference", ""},
	{"curly quotes in anchors", anchorField, "“", ""},
	{"ranges of anchors", anchorField, "§1-", ""},
	{"remarks on anchors", anchorField, "§1 — a, ", ""},
	{"mis-decoded anchors", anchorField, "¬ß1 - ", ""},
	{"evidence in anchors", anchorField, "EV-", ""},
	{"anchor lines", anchorField + "\n", "- §999999999 [inference\n", ""},
	{"table columns", predictions + "|ID|H1|\n|-|-|\n", "|x", "|"},
	{"table rows", predictions + "|ID|Observation|H1|H2|\n|-|-|-|-|\n", "|P%d|x|y|z|\n", ""},
	{"tables", predictions, "|ID|H1|\n|-|-|\n|P1|x|\n\n", ""},
	{"bars", predictions, "a|b\\|\n", "-|-\n"},
	{"open comments", slate, "<!-- \n\n", ""},
	{"comments", slate, "<!-- x -->\n", ""},
	{"suppressions", slate, "<!-- brennerlint:ignore WH-001 -- x -->\n### H1: x\n", ""},
	{"suppressions of one item", slate, "<!-- brennerlint:ignore WH-001 -- x -->\n", "### H1: x\n"},
	{"suppressions of one line", slate, "<!-- brennerlint:ignore WH-001 -- x --> ", "\n"},
	{"suppressions of tables", "", "## 3. Predictions Table\n<!-- brennerlint:ignore WP-001 -- x -->\n|ID|H1|\n|-|-|\n|P1|x|\n", ""},
	{"suppressed rules", slate + "<!-- brennerlint:ignore WH-001", ",WH-001", " -- x -->\n### H1: x\n"},
	{"emphasis", claimField, "*a_ **", ""},
	{"brackets", slate + "### H1: ", "[", "]"},
	{"link definitions", slate, "[a%d]: /u\n", "[a1]\n"},
	{"open link definitions", slate, "[a]: <u 'x\n", ""},
	{"open links", slate, "[a\n", ""},
	{"headings", slate, "### H%d: x\n", ""},
	{"headings of one item", slate, "### H1: x\n**Claim**: x\n", ""},
	{"setext headings", slate, "a\n===\n", ""},
	{"lines before a setext line", slate, "a\n", "===\n"},
	{"sections", "", "## 2. Hypothesis Slate\n\n### H1: x\n", ""},
	{"sections by turns", "", "## 2. Hypothesis Slate\n### H1: x\n## 5. Assumption Ledger\n### A1: x\n", ""},
	{"fields", slate + "### H1: x\n", "**F%d**: x\n", ""},
	{"lines of a field", claimField, "x\n", ""},
	{"references", slate, "### H%d: x\n**Anchors**: EV-%[1]d\n**References**: H%[1]d, A%[1]d\n", ""},
	{"tests", "## 4. Discriminative Tests\n", "### T%d: x\n**Score**: 12\n**Discriminates**: H%[1]d vs. H2\n", ""},
	{"scores", "## 4. Discriminative Tests\n### T1: x\n**Score**: ", "LR: 1, ", ""},
	{"rules of front matter", "", "---\n", ""},
	{"YAML lists of mappings", "---\n", "- a: b\n  c: d\n", "---\n" + slate},
	{"YAML questions", "---\n", "? ", "\n---\n" + slate},
	{"YAML escapes", "---\na: \"", "\\\\", "\"\n---\n" + slate},
	{"struck headings", slate, "### H1: ~~\n", ""},
	{"scores in a heading", "## 4. Discriminative Tests\n### T1: ", "(score: ", ""},
	{"one field", "## 4. Discriminative Tests\n### T1: n\n", "**Procedure**: y\n", ""},
	{"labels in a field", "## 4. Discriminative Tests\n### T1: n\n**Procedure**: x\n", "**a**: ", ""},
	{"escaped fences", slate, "\\```\n````\n", ""},
	{"backslashes and breaks", claimField, "\\<br/>", ""},
	{"outcomes", "## 4. Discriminative Tests\n### T1: n\n**Expected outcomes**:\n", "- a: b\n", ""},
	{"colons of an outcome", "## 4. Discriminative Tests\n### T1: n\n**Expected outcomes**:\n- a", ": ", ""},
	{"delimiter rows", predictions, "|---|\n", ""},
	{"YAML lists in lists", "---\na: ", "[", "\n---\n" + slate},
	{"YAML mapping", "---\n", "k%d: {a: 'x'}\n", "---\n" + slate},
	{"YAML anchors", "---\n", "a%d: &a%[1]d x\n", "b: *a1\n---\n" + slate},
	{"YAML flow", "---\na: {", "k%d: 1, ", "}\n---\n" + slate},
	{"YAML aliases", "---\na0: &a0 [x]\n", "b%d: [*a0, *a0]\n", "---\n" + slate},
	{"front matter that is none", "---\n", "a: b\n", slate},
	{"bytes that are no text", slate, "\xff\xfe\n", ""},
	{"carriage returns", slate, "### H1: x\r", ""},
}

// post returns a message of a mailbox; its number gives its time.
func post(i int, subject, body string) map[string]any {
	return map[string]any{
		"id": i, "from": fmt.Sprintf("A%d", i%50), "to": []string{"B"}, "thread_id": "RS-20251230-x", "subject": subject, "body_md": body,
		"created_ts": time.Date(2025, 12, 30, 10, 0, i, 0, time.UTC).Format(time.RFC3339), "ack_required": true,
	}
}

// inbox returns mail of n messages, all of one instant if tied, and a COMPILED.
func inbox(n int, tied bool, write func(i int) (subject, body string)) string {
	var list []any
	for i := range n {
		subject, body := write(i)
		m := post(i+1, subject, body)
		if tied {
			m["created_ts"] = "2025-12-30T10:00:00Z"
		}
		list = append(list, m)
	}
	return mailbox(append(list, post(10*n+1, "COMPILED: v1 x", "# Compiled Artifact v1\n")))
}

func mailbox(messages []any) string {
	data, _ := json.Marshal(map[string]any{"messages": messages})
	return string(data)
}

func deltaBlock(op, target, payload string) string {
	return fmt.Sprintf("```delta\n{\"operation\": %q, \"section\": \"hypothesis_slate\", \"target_id\": %s, \"payload\": %s, \"reason\": \"r\"}\n```\n", op, target, payload)
}

// assumption returns a block of deltas about assumptions.
func assumption(block string) string {
	return strings.ReplaceAll(block, "hypothesis_slate", "assumption_ledger")
}

func deltas(tied bool, op, target, payload string) func(int) string {
	return func(n int) string {
		return inbox(1+n/4, tied, func(i int) (string, string) {
			return "DELTA[gpt]: x", deltaBlock(op, strings.ReplaceAll(target, "%d", fmt.Sprint(i)), strings.ReplaceAll(payload, "%d", fmt.Sprint(i)))
		})
	}
}

// bodyOf returns mail of one message whose body repeats a text.
func bodyOf(subject, head, unit, tail string) func(int) string {
	return func(n int) string {
		return inbox(1, false, func(int) (string, string) { return subject, repeated(head, unit, tail, n) })
	}
}

func repeated(head, unit, tail string, n int) string {
	var b strings.Builder
	b.WriteString(head)
	for i := range n {
		if strings.Contains(unit, "%") {
			fmt.Fprintf(&b, unit, i)
		} else {
			b.WriteString(unit)
		}
	}
	return b.String() + tail
}

// adversaries returns shapes on which careless code takes quadratic time.
func adversaries() []shape {
	var out []shape
	for _, a := range adversarialArtifacts {
		out = append(out, shape{a.name, 200, oneFile("artifacts/RS-20251230-x.md", func(n int) string { return repeated(a.head, a.unit, a.tail, n) }), checkStdin(engine.AsArtifact)})
	}
	for name, make := range map[string]func(int) string{
		"tied ADDs":           deltas(true, "ADD", "null", `{"name": "n%d", "claim": "c", "mechanism": "m", "anchors": ["§1"]}`),
		"tied EDITs":          deltas(true, "EDIT", `"H1"`, `{"claim": "v%d"}`),
		"tied EDITs of many":  deltas(true, "EDIT", `"H%d"`, `{"claim": "v%d"}`),
		"tied unions":         deltas(true, "EDIT", `"H1"`, `{"labels": ["l%d"]}`),
		"tied KILLs":          deltas(true, "KILL", `"H1"`, `null`),
		"ADDs":                deltas(false, "ADD", "null", `{"name": "n%d", "claim": "c", "mechanism": "m", "anchors": ["§1"]}`),
		"unions":              deltas(false, "EDIT", `"H1"`, `{"labels": ["l%d"]}`),
		"KILLs":               deltas(false, "KILL", `"H%d"`, `null`),
		"deltas of a message": bodyOf("DELTA[gpt]: x", "", deltaBlock("ADD", "null", `{"name": "n%d"}`), ""),
		"broken deltas":       bodyOf("DELTA[gpt]: x", "", "```delta\n{\"a\": [\"\n```\n", ""),
		"deltas in sequence":  bodyOf("DELTA[gpt]: x", "```delta\n", "{\"operation\": \"ADD\"}\n", "```\n"),
		"quotes in a text":    bodyOf("DELTA[gpt]: x", "```delta\n{\"a\": \"", `x"y`, "\"}\n```\n"),
		"keys of a KILL":      bodyOf("DELTA[gpt]: x", "```delta\n{\"operation\": \"KILL\", \"section\": \"hypothesis_slate\", \"payload\": {\"a\": 1", `, "reaso%d": "x"`, "}}\n```\n"),
		"names of outcomes":   bodyOf("DELTA[gpt]: x", "```delta\n{\"operation\": \"ADD\", \"section\": \"predictions_table\", \"payload\": {\"condition\": \"c\", \"predictions\": {\"a\": \"\"", `, "h%d": "x"`, "}}}\n```\n"),
		"deep deltas":         bodyOf("DELTA[gpt]: x", "```delta\n", `{"a": [`, "\n```\n"),
		"fences in a delta":   bodyOf("DELTA[gpt]: x", "````delta\n", "```json\n{\"a\": 1}\n```\n", "````\n"),
		"empty deltas":        bodyOf("DELTA[gpt]: x", "", "```delta\n```\n", ""),
		"changes by path":     bodyOf("DELTA[gpt]: x", "```delta\n[", `{"op": "replace", "path": "/hypothesis_slate/H%d/claim", "value": "x"},`, "{}]\n```\n"),
		"changes by place":    bodyOf("DELTA[gpt]: x", "```delta\n[", `{"op": "replace", "path": "/hypothesis_slate/%d/claim", "value": "x"},`, "{}]\n```\n"),
		"targets of a KILL":   bodyOf("DELTA[gpt]: x", "```delta\n{\"KILL\": [", `{"id": "H%d"},`, "{}]}\n```\n"),
		"deltas as XML":       bodyOf("DELTA[gpt]: x", "```delta\n", "<delta><operation>ADD</operation></delta>\n", "```\n"),
		"deltas outside":      bodyOf("DELTA[gpt]: x", "", "{\"operation\": \"ADD\", \"section\": \"x\"}\n\n:::delta\n{}\n:::\n", ""),
		"keys twice":          bodyOf("DELTA[gpt]: x", "```delta\n{", `"operation": "ADD", `, "\"section\": \"x\"}\n```\n"),
		"unknown keys":        bodyOf("DELTA[gpt]: x", "```delta\n{\"payload\": {", `"k%d": 1, `, "\"section\": \"x\"}}\n```\n"),
		"comments in JSON":    bodyOf("DELTA[gpt]: x", "```delta\n[", "1, // c\n", "x]\n```\n"),
		"open comments, JSON": bodyOf("DELTA[gpt]: x", "```delta\n[1,", "/*", "\n```\n"),
		"single quotes":       bodyOf("DELTA[gpt]: x", "```delta\n[", "'", "]\n```\n"),
		"addresses in JSON":   bodyOf("DELTA[gpt]: x", "```delta\n{\"operation\": ", "http://a.b", "\n```\n"),
		"open strings":        bodyOf("DELTA[gpt]: x", "```delta\n[", "\"\n", "]\n```\n"),
		"a long string":       bodyOf("DELTA[gpt]: x", "```delta\n{\"a\": \"", "x", "\n\"}\n```\n"),
		"words and digits":    bodyOf("DELTA[gpt]: x", "```delta\n[0", "0w", " ]\n```\n"),
		"names of members":    bodyOf("DELTA[gpt]: x", "```delta\n{", "x:", "}\n```\n"),
		"blanks in a list":    bodyOf("DELTA[gpt]: x", "```delta\n[1", " ", ",]\n```\n"),
		"stray commas":        bodyOf("DELTA[gpt]: x", "```delta\n{\"a\": [", `1,, "x" `, "]}\n```\n"),
		"sections of a body":  bodyOf("KICKOFF: x", "", "## Context\n", ""),
		"inline items":        bodyOf("COMPILED: v1 x", "# Compiled Artifact v1\n"+slate, "### H%d: x\n", ""),
		"contributors":        bodyOf("COMPILED: v1 x", "# Compiled Artifact v1\n## Contributors\n|Agent|Delta Count|\n|-|-|\n", "|a%d|1|\n", ""),
		"names of agents":     bodyOf("COMPILED: v1 x", "## Contributors\n", "a and ", ""),
		"numbers of an agent": bodyOf("COMPILED: v1 x", "## Contributors\nBlueLake: ", "1 ,", ""),
		"fields of a body":    bodyOf("COMPILED: v1 x", "", "**a**: b\n", ""),
		"full artifacts":      bodyOf("COMPILED: v1 x", "", "## Full Artifact\n", ""),
		"rules in a body":     bodyOf("COMPILED: v1 x", "## Full Artifact\n", "---\na:\n", ""),
		"blank fences":        bodyOf("KICKOFF: x", "## Research Question\n", "```\n```\n", ""),
		"fences in a body":    bodyOf("COMPILED: v1 x", "", "```\n#\n```\n", ""),
		"deeper headings":     bodyOf("COMPILED: v1 x", "", "# a\n## b\n### c\n#### d\n##### e\n###### f\n", ""),
		"comments in a body":  bodyOf("KICKOFF: x", "## Context\n", "x <!-- -->", ""),
		"open comments, body": bodyOf("KICKOFF: x", "## Context\n", "<!-- ", ""),
		"emphasis in a body":  bodyOf("ACK: x", "## Status\n", "*", ""),
		"acknowledged ids":    bodyOf("ACK: x", "## Message ID\n", "%d, ", ""),
		"subject": func(n int) string {
			return inbox(1, false, func(int) (string, string) { return "KICKOFF: " + strings.Repeat("[x] ", n), "x" })
		},
		"role": func(n int) string {
			return inbox(1, false, func(int) (string, string) { return "DELTA[" + strings.Repeat("x", n) + "]: x", "x" })
		},
		"messages": func(n int) string {
			return inbox(n/4, false, func(i int) (string, string) { return "KICKOFF: x", "# Q\n" })
		},
		"acknowledgements": func(n int) string {
			return inbox(n/4, false, func(i int) (string, string) { return "ACK: x", fmt.Sprintf("## Message ID\n%d\n", i/2) })
		},
		"versions": func(n int) string {
			return inbox(n/8, false, func(i int) (string, string) { return fmt.Sprintf("COMPILED: v%d x", i+1), "# Compiled Artifact\n" })
		},
		"windows":                 func(n int) string { return inbox(n/8, false, versionEach) },
		"ties on a long list":     func(n int) string { return longList(n, 2, nil) },
		"unions with a long list": func(n int) string { return longList(n, 1, nil) },
		"windows on a long list": func(n int) string {
			return longList(n, 1, func(i int) (string, string) { return fmt.Sprintf("COMPILED: v%d x", i+1), "# Compiled Artifact\n" })
		},
		"windows on many fields": func(n int) string {
			var list []any
			add := repeated(`{"name": "n", "statement": "s", "load": "l", "test": "t", "status": "unchecked"`, `, "k%d": 1`, "}", 8*n)
			list = append(list, post(1, "DELTA[gpt]: x", assumption(deltaBlock("ADD", "null", add))))
			for i := range n / 4 {
				edit := assumption(deltaBlock("EDIT", `"A1"`, fmt.Sprintf(`{"load": "l%d"}`, i)))
				list = append(list, post(2+2*i, "DELTA[gpt]: x", edit), post(3+2*i, fmt.Sprintf("COMPILED: v%d x", i+1), "# Compiled Artifact\n"))
			}
			return mailbox(list)
		},
		"hidden EDITs of many fields": func(n int) string {
			add := repeated(`{"name": "n", "statement": "s", "load": "l", "test": "t", "status": "unchecked"`, `, "k%d": 1`, "}", 8*n)
			return mailbox([]any{
				post(1, "DELTA[gpt]: x", assumption(deltaBlock("ADD", "null", add))),
				post(2, "KICKOFF: x", repeated("", assumption(deltaBlock("EDIT", `"A1"`, `{"load": "l"}`)), "", n)),
				post(3, "COMPILED: v1 x", "# Compiled Artifact\n# Brenner Protocol Artifact: RS-20251230-x\n\n## 5. Assumption Ledger\n\n### A1: n\n**Load**: x\n"),
			})
		},
		"contributors that nobody is": func(n int) string {
			var list []any
			for i := range n {
				list = append(list, post(1+i, "DELTA[gpt]: x", assumption(deltaBlock("ADD", "null", `{"name": "n", "statement": "s", "load": "l", "test": "t", "status": "unchecked"}`))))
				list[i].(map[string]any)["from"] = fmt.Sprintf("BlueLake%05d", i)
			}
			return mailbox(append(list, post(n+1, "COMPILED: v1 x", repeated("## Contributors\n", "- BlueLakf%05d: 1\n", "", n))))
		},
		"sessions that nobody has": func(n int) string {
			var list []any
			for i := range n {
				m := post(1+i, "DELTA[gpt]: x", deltaBlock("ADD", "null", fmt.Sprintf(`{"name": "n", "claim": "c", "mechanism": "m", "anchors": ["inference"], "references": [{"session": "RS-20251229-cell-fbte-%d", "item": "H1", "relation": "extends"}]}`, i)))
				m["thread_id"] = fmt.Sprintf("RS-20251229-cell-fate-%d", i)
				list = append(list, m)
			}
			return mailbox(list)
		},
		"items of two sessions again": func(n int) string {
			var list []any
			for i := range n {
				add := assumption(deltaBlock("ADD", "null", fmt.Sprintf(`{"name": "n%d", "statement": "s", "load": "l", "test": "t", "status": "unchecked"}`, i)))
				m := post(1+i, "DELTA[gpt]: x", add+assumption(deltaBlock("KILL", fmt.Sprintf(`"A%d"`, i/2+1), `{"reason": "r"}`)))
				m["thread_id"] = fmt.Sprintf("RS-20251229-cell-fate-%d", i%2)
				list = append(list, m, post(10_000+i, "DELTA[gpt]: x", add))
			}
			return mailbox(list)
		},
		"threads": threads,
		"copies":  copies,
		"nested arrays": func(n int) string {
			return `{"messages": [{"id": 1, "subject": "x", "body_md": "x"}], "x": ` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}"
		},
		"backslashes": func(n int) string {
			return `{"messages": [{"id": 1, "subject": "x", "body_md": "` + strings.Repeat(`\\\n\u00a7`, n) + "```delta\\n{]\"}]}"
		},
		"broken lines": func(n int) string {
			return `{"id": 1, "subject": "KICKOFF: x", "body_md": "x"}` + "\n" + strings.Repeat("{]\n", n)
		},
		"events": func(n int) string {
			return repeated("", "data: {\"messages\": [{\"id\": %d, \"subject\": \"KICKOFF: x\", \"body_md\": \"x\"}]}\n\n", "", n/4)
		},
		"lines of an event": func(n int) string {
			return "data: {\"messages\": [{\"id\": 1, \"subject\": \"x\", \"body_md\": \"x\"}\n" + strings.Repeat("data: \n", n) + "data: ]}\n\n"
		},
		"strings in strings": stringsInStrings,
	} {
		out = append(out, shape{name, 200, oneFile("thread.json", make), checkStdin(engine.AsMail)})
	}
	replies := func(n int) string {
		return inbox(1, false, func(int) (string, string) { return strings.Repeat("Re: ", n) + "x", "x" })
	}
	out = append(out, shape{"replies", 50_000, oneFile("thread.json", replies), checkStdin(engine.AsMail)}) // of fewer, searches to the end of the subject would not show
	again := func(n int) string {
		return "{" + strings.Repeat(`"messages": [], "uri": "x", `, n) + repeated(`"messages": [`, `{"subject": "x", "body_md": "x"},`, "{}]", n/100) + strings.Repeat(`, "id": 1`, n) + "}"
	}
	out = append(out, shape{"members again", 20_000, oneFile("thread.json", again), checkStdin(engine.AsMail)})
	out = append(out, shape{"omitted items", 800, oneFile("thread.json", func(n int) string { return inbox(n/4, false, omitting) }), checkStdin(engine.AsMail)})
	slices.SortFunc(out, func(a, b shape) int { return strings.Compare(a.name, b.name) })
	return out
}

// omitting alternates deltas and versions, all with one item that no delta adds.
func omitting(i int) (subject, body string) {
	if i%2 == 0 {
		add := strings.ReplaceAll(deltaBlock("ADD", "null", `{"name": "n%d", "statement": "s", "load": "l", "test": "t", "status": "unchecked"}`), "hypothesis_slate", "assumption_ledger")
		return "DELTA[gpt]: x", repeated("", add, "", 8)
	}
	return fmt.Sprintf("COMPILED: v%d x", i/2+1), "# Compiled Artifact\n# Brenner Protocol Artifact: RS-20251230-x\n\n## 5. Assumption Ledger\n\n### A9999: x\n"
}

// longList returns an ADD with an array of n values, and EDITs that each add one; tied
// of them have one instant. between, if not nil, writes what follows each.
func longList(n, tied int, between func(i int) (subject, body string)) string {
	values := make([]string, 8*n)
	for i := range values {
		values[i] = fmt.Sprintf("l%d", i)
	}
	first, _ := json.Marshal(map[string]any{"name": "n", "claim": "c", "mechanism": "m", "anchors": values})
	list := []any{post(1, "DELTA[gpt]: x", deltaBlock("ADD", "null", string(first)))}
	for i := range n / 4 {
		m := post(2+2*i, "DELTA[gpt]: x", deltaBlock("EDIT", `"H1"`, fmt.Sprintf(`{"anchors": ["m%d"]}`, i)))
		m["created_ts"] = time.Date(2025, 12, 30, 11, 0, 2*(i/tied), 0, time.UTC).Format(time.RFC3339)
		list = append(list, m)
		if between != nil {
			subject, body := between(i)
			m := post(3+2*i, subject, body)
			m["created_ts"] = time.Date(2025, 12, 30, 11, 0, 2*(i/tied)+1, 0, time.UTC).Format(time.RFC3339)
			list = append(list, m)
		}
	}
	return mailbox(list)
}

func threads(n int) string {
	var list []any
	for i := range n / 4 {
		m := post(i+1, "KICKOFF: x", "x")
		m["thread_id"] = fmt.Sprintf("RS-20251230-cell-fate-%d", i)
		list = append(list, m)
	}
	return mailbox(list)
}

// copies returns mail with one id.
func copies(n int) string {
	var list []any
	for i := range n / 4 {
		list = append(list, post(1, "KICKOFF: x", fmt.Sprintf("x%d", i)))
	}
	return mailbox(list)
}

// stringsInStrings returns mail in tool results in tool results.
func stringsInStrings(n int) string {
	s := inbox(1, false, func(int) (string, string) { return "KICKOFF: x", strings.Repeat("x", n) })
	for range 2 {
		text, _ := json.Marshal(s)
		s = `{"content": [{"type": "text", "text": ` + string(text) + `}]}`
	}
	return s
}

// checkStdin checks one file from standard input by all rules, and formats it if it is an artifact.
func checkStdin(kind engine.Kind) func(testing.TB, string, []txtar.File) {
	return func(tb testing.TB, _ string, files []txtar.File) {
		tb.Helper()
		if kind == engine.AsArtifact {
			_, _ = rewrite.Format(files[0].Data, artifact.DefaultLimits) // it may be refused
		}
		opts := everything()
		opts.Kind, opts.Stdin = kind, engine.Stdin{Reader: bytes.NewReader(files[0].Data), Name: files[0].Name}
		rep, err := engine.Check(context.Background(), rules.All(), opts, "-")
		must.OK(tb, err)
		for _, failure := range rep.Failures {
			tb.Errorf("rule %s: %s", failure.Rule, failure.Reason)
		}
	}
}
