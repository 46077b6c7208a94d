package rules

import (
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// Corrected deltas as reports of drafts show them.

// deltaBlocks is deltaBlock for several objects.
func deltaBlocks(json [][]byte) string {
	var out []string
	size := 0
	for _, one := range json {
		if size += len(one); size > maxBlock {
			return ""
		}
		out = append(out, deltaBlock(one))
	}
	return strings.Join(out, "\n\n")
}

// bodyLine returns the line that a span of the body is on.
func bodyLine(m *session.Message, s source.Span) string {
	line := m.Body.Line(m.Body.LineAt(s.Start))
	return m.Body.Slice(source.Span{Start: s.Start, End: max(s.End, line.End)})
}

// lineAsBlock returns the delta block that a line `DELTA[opus]: Kill H2, refuted` may
// mean: the operation and the item that it names, and placeholders for the rest.
func lineAsBlock(line string) string {
	tag, said, _ := strings.Cut(line, ":")
	said = strings.Trim(said, "*_ \t\r\n")
	_, tag, _ = strings.Cut(strings.TrimRight(tag, "*_] \t"), "[")
	section, _ := delta.SuggestSection(tag) // DELTA[test]: names the section
	op, id, named := brenner.Operation(0), brenner.ItemID{}, false
	for _, word := range strings.FieldsFunc(said, func(r rune) bool { return !isWordRune(r) }) {
		if op == 0 {
			op = operationNamed(word)
		}
		if !named && word == strings.ToUpper(word) {
			id, named = delta.SuggestTarget(word)
		}
	}
	if op == 0 || op == brenner.Add || !named {
		op, id = brenner.Add, brenner.ItemID{Section: section}
	}
	return blockTemplate(op, id, said)
}

func isWordRune(r rune) bool {
	return r == '_' || r == '.' || r < 0x80 && (isLetter(byte(r)) || '0' <= r && r <= '9')
}

// operationNamed returns the operation that a word of prose names, 0 if none.
func operationNamed(word string) brenner.Operation {
	word = strings.ToLower(word)
	for _, form := range []string{word, strings.TrimSuffix(word, "ed"), strings.TrimSuffix(word, "d"), strings.TrimSuffix(word, "ing")} {
		for _, op := range []brenner.Operation{brenner.Add, brenner.Edit, brenner.Kill} {
			if strings.EqualFold(form, op.String()) {
				return op
			}
		}
	}
	return 0
}

// blockTemplate returns a delta block with everything required, and placeholders for
// what only the writer knows.
func blockTemplate(op brenner.Operation, id brenner.ItemID, rationale string) string {
	section, target := brenner.HypothesisSlate, "null"
	if id.Section != 0 {
		section = id.Section
	}
	var payload string
	switch op {
	case brenner.Kill:
		payload, target = `{"reason": `+jsontree.Quote(rationale)+`}`, jsontree.Quote(id.String())
	case brenner.Edit:
		payload, target = "{"+templates(section, section.Keys()[1:2])+"}", jsontree.Quote(id.String())
	default:
		payload = "{" + templates(section, requiredKeys(section)) + "}"
	}
	return deltaBlock([]byte(`{
  "operation": "` + op.String() + `",
  "section": "` + section.ID() + `",
  "target_id": ` + target + `,
  "payload": ` + payload + `,
  "rationale": ` + jsontree.Quote(rationale) + `
}`))
}
