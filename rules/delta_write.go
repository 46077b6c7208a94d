package rules

import (
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/lint"
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
	op, id := meantBy(tag + " " + said) // DELTA[test]: names the section
	if op == 0 || op != brenner.Add && id.Number == 0 {
		op, id = brenner.Add, brenner.ItemID{Section: id.Section}
	}
	return blockTemplate(op, id, said)
}

// meantBy returns the operation, and the section or the item of it, that a text names first: an
// item counts before a section.
func meantBy(said string) (op brenner.Operation, id brenner.ItemID) {
	for _, word := range strings.FieldsFunc(said, func(r rune) bool { return !isWordRune(r) }) {
		if op == 0 {
			op = operationNamed(word)
		}
		if named, ok := delta.SuggestTarget(word); ok && id.Number == 0 && word == strings.ToUpper(word) {
			id = named
		}
		if section, sure := delta.SuggestSection(word); sure && id.Section == 0 && len(word) > 2 {
			id.Section = section
		}
	}
	return op, id
}

// templateFor returns the block that a text is to be written as: with the operation, and the
// section or the item, that it names. Where it names none, the suggestion says that the
// section is an example.
func templateFor(out *lint.Diagnostic, said string) string {
	op, id := meantBy(said)
	switch {
	case id.Section == 0:
		op, id.Section = brenner.Add, brenner.HypothesisSlate
		out.Suggestion += ", as shown here for " + id.Section.ID()
	case op == 0 || op != brenner.Add && id.Number == 0:
		op = brenner.Add
	}
	rationale := brenner.RationalePlaceholder
	if op == brenner.Kill {
		rationale = brenner.KillReasonPlaceholder
	}
	return blockTemplate(op, id, rationale)
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
	if op, sure := delta.SuggestOperation(word); sure {
		return op
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
		keys := append(requiredKeys(section), section.Keys()...)
		payload, target = "{"+templates(section, keys[min(1, len(keys)-1):][:1])+"}", jsontree.Quote(id.String())
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
