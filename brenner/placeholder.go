package brenner

import (
	"slices"
	"strconv"
	"strings"
)

// Placeholders in suggestions stand for text that only the writer knows. They are never valid
// data: if one is left in a message, the rule for its field reports it.
const (
	NowPlaceholder        = "<now>"
	RolePlaceholder       = "<role>"
	SubjectPlaceholder    = "<what the message is about>"
	RationalePlaceholder  = "<why the change is made>"
	KillReasonPlaceholder = "<why the item is killed>"
	AgentPlaceholder      = "<name of an agent>"
	ThreadPlaceholder     = "<thread id>"
	ItemPlaceholder       = "<id of an item>"
	HypothesisPlaceholder = "<id of its hypothesis>" // of an outcome
	ScorePlaceholder      = "<0 to 3>"               // without quotation marks, as the number must be
)

// RelationPlaceholder is that of the relation of a reference.
var RelationPlaceholder = valuesPlaceholder(Relations)

// sectionPlaceholders represent the content of sections of a message.
var sectionPlaceholders = map[string]string{
	"Research Question": "<the problem in one sentence>", "Context": "<2 to 4 sentences of essential background>",
	"Excerpt": "<a transcript excerpt with §n citations>", "Requested Outputs": "<the expected artifacts or deliverables>",
	"Target": "<the version, section and item that is criticised>", "Attack": "<the substantive challenge>",
	"Message ID": "<the id of the acknowledged message>",
	"Item":       "<the bead id or the task>",
	"Agent":      AgentPlaceholder, "From": AgentPlaceholder, "To": AgentPlaceholder, "State": "<the progress of the work>",
	"Blocker":      "<what blocks the work>",
	"Question":     "<the specific question>",
	"Contributors": "- " + AgentPlaceholder, "Statistics": "<the number of items in each section>",
	"Validation Status": "<the linter's result>", "Full Artifact": "<the artifact, or a link to its file>",
}

// isPlaceholder contains every placeholder.
var isPlaceholder = func() map[string]bool {
	all := map[string]bool{"<§n, or inference>": true, ScorePlaceholder: true, RelationPlaceholder: true}
	for _, p := range []string{NowPlaceholder, RolePlaceholder, SubjectPlaceholder, RationalePlaceholder, KillReasonPlaceholder, AgentPlaceholder, ThreadPlaceholder, ItemPlaceholder, HypothesisPlaceholder} {
		all[p] = true
	}
	for _, p := range sectionPlaceholders {
		all[strings.TrimPrefix(p, "- ")] = true
	}
	for _, f := range slices.Concat(fieldTable[:]...) {
		if len(f.Values) > 0 {
			all[valuesPlaceholder(f.Values)] = true
		}
		all[f.Hint] = true
	}
	return all
}()

// IsPlaceholder reports whether a text is one of the placeholders of suggestions,
// unchanged.
func IsPlaceholder(text string) bool {
	if text = strings.TrimSpace(text); !strings.HasPrefix(text, "<") {
		return false // as most
	}
	_, isOutcome := ParseItemID(strings.TrimSuffix(strings.TrimPrefix(text, outcomeUnder), ">"))
	return isPlaceholder[text] || isOutcome
}

const outcomeUnder = "<outcome under "

// OutcomePlaceholder is that of the outcome under a hypothesis.
func OutcomePlaceholder(id string) string { return outcomeUnder + id + ">" }

// SectionPlaceholder returns the placeholder for the content of a section of a message;
// "" if it has none.
func SectionPlaceholder(title string) string { return sectionPlaceholders[title] }

// Placeholder returns JSON as a placeholder for the value of a field.
func (f *Field) Placeholder() string {
	switch {
	case f.Key == "anchors":
		return `["<§n, or inference>"]`
	case f.Kind == ListField:
		return `["` + ItemPlaceholder + `"]`
	case f.Kind == OutcomesField:
		return `{"H1": "` + OutcomePlaceholder("H1") + `", "H2": "` + OutcomePlaceholder("H2") + `"}`
	case f.Kind == ScoreField:
		parts := make([]string, len(ScoreParts))
		for i, part := range ScoreParts {
			parts[i] = strconv.Quote(part) + ": " + ScorePlaceholder
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case f.Kind == ReferenceField:
		return `[{"session": "` + ThreadPlaceholder + `", "item": "` + ItemPlaceholder + `", "relation": "` + RelationPlaceholder + `"}]`
	case f.Kind == FlagField:
		return "true"
	case len(f.Values) > 0:
		return `"` + valuesPlaceholder(f.Values) + `"`
	}
	return `"` + f.Hint + `"`
}

func valuesPlaceholder(values []string) string {
	last := len(values) - 1
	return "<" + strings.Join(values[:last], ", ") + " or " + values[last] + ">"
}
