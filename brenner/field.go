package brenner

import (
	"slices"
	"strings"
)

// FieldKind is the type that a field's value has in JSON.
type FieldKind uint8

// The kinds of fields.
const (
	TextField      FieldKind = iota + 1 // a string
	ListField                           // an array of strings: anchors, conflicts_with, labels
	FlagField                           // true or false
	OutcomesField                       // an object from hypothesis id to text
	ScoreField                          // an object of the four score parts, each an integer 0 to 3
	ReferenceField                      // an array of references to items of other sessions
	RecordField                         // an object with its own schema: last_run
)

// Field is one field of the items of a section.
type Field struct {
	Key      string   // the JSON key
	Label    string   // as rendered, `**Label**: value`; "" if it is never rendered as a field line
	Synonyms []string // other labels that are read
	Aliases  []string // names that writers use by mistake, in lower case with underscores
	Hint     string   // the placeholder of a text
	Kind     FieldKind
	Required bool     // an ADD must have it (delta_output_format, Failure Mode 5)
	Values   []string // the allowed values; nil if any text is
	// Unlisted reports that writers use the field and the merge keeps it, although neither
	// a payload schema nor artifact_format.md lists it for the section.
	Unlisted bool
}

// ScoreParts are the keys of a test's score, in the order of a rendering.
var ScoreParts = [...]string{"likelihood_ratio", "cost", "speed", "ambiguity"}

// ScoreLabels are the short labels of ScoreParts (`LR=2, Cost=3, …`).
var ScoreLabels = [...]string{"LR", "Cost", "Speed", "Ambiguity"}

// Relations are the kinds of references (delta_output_format, Reference Relation Types).
var Relations = []string{"extends", "refines", "refutes", "informed_by", "supersedes", "replicates"}

var (
	anchors    = &Field{Key: "anchors", Label: "Anchors", Kind: ListField}
	references = &Field{Key: "references", Kind: ReferenceField}
	labels     = &Field{Key: "labels", Label: "Labels", Kind: ListField}
)

// fieldTable lists the known fields of each section in the order in which they
// are rendered: the payload schemas of delta_output_format, the keys of
// artifact_format.md, Items, and decisions.md 10 (known fields). The aliases come from real
// sessions and from other sections.
var fieldTable = [...][]*Field{
	ResearchThread: {
		{Key: "statement", Label: "RT", Kind: TextField, Hint: "<the statement in one sentence>",
			Aliases: words("question research_question research_thread problem thread rt text content contents body")},
		{Key: "context", Label: "Context", Kind: TextField, Hint: "<background in two sentences>", Aliases: words("background")},
		{Key: "why_it_matters", Label: "Why it matters", Kind: TextField, Hint: "<why it matters>",
			Aliases: words("motivation importance significance why")},
		anchors, labels, references,
	},
	HypothesisSlate: {
		{Key: "name", Kind: TextField, Required: true, Hint: "<short name>", Aliases: words("title")},
		{Key: "claim", Label: "Claim", Kind: TextField, Required: true, Hint: "<the claim in one sentence>",
			Aliases: words("statement hypothesis assertion description text content contents body")},
		{Key: "mechanism", Label: "Mechanism", Kind: TextField, Required: true, Hint: "<how it works>",
			Aliases: words("basis how how_it_works explanation")},
		{Key: "how_this_could_be_true", Label: "How this could be true", Kind: TextField, Hint: "<how it could be true>"},
		{Key: "anchors", Label: "Anchors", Kind: ListField, Required: true, Aliases: words("citations sources")},
		{Key: "third_alternative", Label: "Third alternative", Kind: FlagField, Aliases: words("is_third_alternative")},
		labels, references,
	},
	PredictionsTable: {
		{Key: "condition", Kind: TextField, Required: true, Hint: "<observable condition>", Aliases: words("observation name")},
		{Key: "predictions", Kind: OutcomesField, Required: true, Aliases: words("prediction outcomes expected_outcomes")},
		unlisted(anchors), labels, references,
	},
	DiscriminativeTests: {
		{Key: "name", Kind: TextField, Required: true, Hint: "<short name>", Aliases: words("title")},
		{Key: "test_id", Label: "Test ID", Kind: TextField},
		{Key: "procedure", Label: "Procedure", Kind: TextField, Required: true, Hint: "<what is done>",
			Aliases: words("design protocol method methods description text content contents body")},
		{Key: "discriminates", Label: "Discriminates", Kind: TextField, Required: true, Hint: "<which hypotheses, such as H1 vs H2>",
			Aliases: words("hypotheses discriminates_between")},
		{Key: "expected_outcomes", Label: "Expected outcomes", Kind: OutcomesField, Required: true,
			Aliases: words("outcomes expected_results expected predictions")},
		{Key: "potency_check", Label: "Potency check", Kind: TextField, Hint: "<how you verify that the assay worked>",
			Aliases: words("potency potency_control controls control")},
		{Key: "feasibility", Label: "Feasibility", Kind: TextField, Hint: "<how feasible it is>"},
		{Key: "score", Label: "Evidence-per-week score", Synonyms: []string{"Score"}, Kind: ScoreField, Aliases: words("scores scoring evidence_per_week evidence_per_week_score")},
		{Key: "status", Label: "Status", Kind: TextField, Values: []string{"untested", "passed", "failed", "blocked", "error"}},
		{Key: "last_run", Label: "Last run", Kind: RecordField},
		{Key: "actual_outcomes", Label: "Actual outcomes", Kind: OutcomesField},
		unlisted(anchors), labels, references,
	},
	AssumptionLedger: {
		{Key: "name", Kind: TextField, Required: true, Hint: "<short name>", Aliases: words("title")},
		{Key: "statement", Label: "Statement", Kind: TextField, Required: true, Hint: "<the statement in one sentence>",
			Aliases: words("assumption claim description text content contents body")},
		{Key: "load", Label: "Load", Kind: TextField, Required: true, Hint: "<what breaks if it is wrong>",
			Aliases: words("if_wrong impact load_bearing consequence what_breaks")},
		{Key: "test", Label: "Test", Kind: TextField, Required: true, Hint: "<how to check it>", Aliases: words("check how_to_check verification")},
		{Key: "status", Label: "Status", Kind: TextField, Required: true, Values: []string{"unchecked", "verified", "falsified"}},
		{Key: "scale_check", Label: "Scale check", Kind: FlagField, Aliases: words("physics_check scale/physics_check scale")},
		{Key: "calculation", Label: "Calculation", Kind: TextField, Hint: "<the calculation with its numbers>"},
		{Key: "implication", Label: "Implication", Kind: TextField, Hint: "<what follows>"},
		unlisted(anchors), labels, references,
	},
	AnomalyRegister: {
		{Key: "name", Kind: TextField, Required: true, Hint: "<short name>", Aliases: words("title")},
		{Key: "observation", Label: "Observation", Kind: TextField, Required: true, Hint: "<what was observed>", Aliases: words("anomaly description text content contents body")},
		{Key: "conflicts_with", Label: "Conflicts with", Kind: ListField, Required: true, Aliases: words("conflicts contradicts")},
		{Key: "status", Label: "Quarantine status", Synonyms: []string{"Status"}, Kind: TextField, Required: true, Values: []string{"active", "resolved", "deferred"},
			Aliases: words("quarantine_status")},
		{Key: "resolution_plan", Label: "Resolution plan", Kind: TextField, Hint: "<what will be done>", Aliases: words("resolution plan")},
		unlisted(anchors), labels, references,
	},
	AdversarialCritique: {
		{Key: "name", Kind: TextField, Required: true, Hint: "<short name>", Aliases: words("title")},
		{Key: "attack", Label: "Attack", Kind: TextField, Required: true, Hint: "<how the framing could be wrong>",
			Aliases: words("critique challenge objection argument description text content contents body")},
		{Key: "evidence", Label: "Evidence", Synonyms: []string{"Evidence that would confirm this", "Evidence that would confirm"}, Kind: TextField, Required: true, Hint: "<what would confirm it>",
			Aliases: words("support supporting_evidence confirming_evidence evidence_that_would_confirm evidence_that_would_confirm_this")},
		{Key: "why_it_might_be_right", Label: "Why it might be right", Kind: TextField, Hint: "<why it might be right>"},
		{Key: "current_status", Label: "Current status", Kind: TextField, Required: true, Hint: "<how seriously it is taken>",
			Aliases: words("status response")},
		{Key: "real_third_alternative", Label: "Real third alternative", Kind: FlagField, Aliases: words("third_alternative is_third_alternative")},
		{Key: "proposed_alternative", Label: "Proposed alternative", Kind: TextField, Hint: "<the alternative>", Aliases: words("alternative")},
		unlisted(anchors), labels, references,
	},
}

func words(s string) []string { return strings.Fields(s) }

func unlisted(f *Field) *Field { g := *f; g.Unlisted = true; return &g }

// Fields lists the known fields of a section's items, in rendering order. They are shared: do not
// change them.
func (s Section) Fields() []*Field {
	if int(s) < len(fieldTable) {
		return fieldTable[s]
	}
	return nil
}

// Field returns the field with a JSON key, or nil.
func (s Section) Field(key string) *Field {
	for _, f := range s.Fields() {
		if f.Key == key {
			return f
		}
	}
	return nil
}

// Keys lists the JSON keys of the section's fields, in rendering order.
func (s Section) Keys() []string {
	keys := make([]string, len(s.Fields()))
	for i, f := range s.Fields() {
		keys[i] = f.Key
	}
	return keys
}

// IsArray reports whether the value of the field is an array. An EDIT adds to an array
// instead of replacing it (decisions.md 20: arrays are united).
func (f *Field) IsArray() bool { return f.Kind == ListField || f.Kind == ReferenceField }

// SystemFields are the keys that only the merge sets (decisions.md 20: their values in
// payloads are ignored).
var SystemFields = []string{"id", "killed", "killed_by", "killed_at", "kill_reason"}

// IsSystemField reports whether a key is one of SystemFields.
func IsSystemField(key string) bool { return slices.Contains(SystemFields, key) }
