package brenner

import (
	"iter"
	"strings"

	"github.com/brennerlint/brennerlint/source"
)

// NamesThirdAlternative reports whether the name of a hypothesis or critique marks it
// as a third alternative (`Third Alternative - Timing`, artifact_format.md, File).
func NamesThirdAlternative(name string) bool { return containsWords(name, "third", "alternative") }

// NamesScaleCheck reports whether the name of an assumption marks it as a scale or
// physics check (`Scale check: diffusion`, `Scale/physics check`).
func NamesScaleCheck(name string) bool {
	return containsWords(name, "scale", "check") || containsWords(name, "physics", "check")
}

// containsWords reports whether s contains two words in any case, separated by a space, a
// hyphen or an underscore.
func containsWords(s, first, second string) bool {
	for i := 0; i+len(first)+1+len(second) <= len(s); i++ {
		at := i + len(first)
		if strings.IndexByte(" -_", s[at]) >= 0 && HasPrefixFold(s[i:], first) && HasPrefixFold(s[at+1:], second) {
			return true
		}
	}
	return false
}

// fieldAliases maps names that writers use for fields, in lower case with underscores, to
// the JSON keys of those fields. The names come from real sessions and from other
// sections.
var fieldAliases = [...]map[string]string{
	ResearchThread: {
		"question": "statement", "research_question": "statement", "research_thread": "statement", "problem": "statement", "thread": "statement",
		"background": "context", "motivation": "why_it_matters", "importance": "why_it_matters", "significance": "why_it_matters", "why": "why_it_matters",
	},
	HypothesisSlate: {
		"title": "name", "statement": "claim", "hypothesis": "claim", "assertion": "claim", "description": "claim",
		"basis": "mechanism", "how": "mechanism", "how_it_works": "mechanism", "explanation": "mechanism",
		"citations": "anchors", "sources": "anchors", "is_third_alternative": "third_alternative",
	},
	PredictionsTable: {
		"observation": "condition", "name": "condition", "prediction": "predictions", "outcomes": "predictions", "expected_outcomes": "predictions",
	},
	DiscriminativeTests: {
		"title": "name", "design": "procedure", "protocol": "procedure", "method": "procedure", "methods": "procedure", "description": "procedure",
		"hypotheses": "discriminates", "discriminates_between": "discriminates",
		"outcomes": "expected_outcomes", "expected_results": "expected_outcomes", "expected": "expected_outcomes", "predictions": "expected_outcomes",
		"potency": "potency_check", "potency_control": "potency_check", "controls": "potency_check", "control": "potency_check",
		"scores": "score", "scoring": "score", "evidence_per_week": "score",
	},
	AssumptionLedger: {
		"title": "name", "assumption": "statement", "claim": "statement", "description": "statement",
		"if_wrong": "load", "impact": "load", "load_bearing": "load", "consequence": "load",
		"check": "test", "how_to_check": "test", "verification": "test", "physics_check": "scale_check", "scale": "scale_check",
	},
	AnomalyRegister: {
		"title": "name", "anomaly": "observation", "description": "observation",
		"conflicts": "conflicts_with", "contradicts": "conflicts_with", "quarantine_status": "status", "resolution": "resolution_plan", "plan": "resolution_plan",
	},
	AdversarialCritique: {
		"title": "name", "critique": "attack", "challenge": "attack", "objection": "attack", "argument": "attack", "description": "attack",
		"support": "evidence", "confirming_evidence": "evidence", "status": "current_status", "response": "current_status",
		"third_alternative": "real_third_alternative", "is_third_alternative": "real_third_alternative", "alternative": "proposed_alternative",
	},
}

// Suggest returns the field that an unknown label or key most likely means: `Statement` in
// a hypothesis means its claim. It returns nil if the name is a field of the section, or
// if no field is close.
func (s Section) Suggest(name string) *Field {
	if len(name) > 64 {
		return nil
	}
	key := strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(name)))
	if s.Field(key) != nil && s.Field(key).Key == name {
		return nil
	}
	if meant, ok := fieldAliases[s][key]; ok {
		return s.Field(meant)
	}
	return s.Field(key)
}

// ItemMention is an item id in prose.
type ItemMention struct {
	ID   ItemID
	Span source.Span
}

// ItemMentions returns the item ids in prose, in order. It finds ids in `H1 vs H3` and
// `T1-roles`, but not in `H3K27me3`, `EV-001#E1` or `A1.2`, and never RT.
func ItemMentions(s string) iter.Seq[ItemMention] {
	return func(yield func(ItemMention) bool) {
		for i := 0; i+1 < len(s); {
			if sectionByLetter[s[i]] == 0 || s[i+1] < '1' || s[i+1] > '9' || wordBefore(s, i) {
				i++
				continue
			}
			end := mentionEnd(s, i)
			id, ok := ParseItemID(s[i:end])
			if ok && !wordAt(s, end) && !decimalAt(s, end) && !yield(ItemMention{ID: id, Span: source.Span{Start: i, End: end}}) {
				return
			}
			i = end
		}
	}
}

// mentionEnd returns the end of the id at i, including a suffix such as `.H2`.
func mentionEnd(s string, i int) int {
	end := skipDigits(s, i+1)
	if s[i] == 'P' && strings.HasPrefix(s[end:], ".H") {
		if scope := skipDigits(s, end+2); scope > end+2 {
			return scope
		}
	}
	return end
}

// decimalAt reports whether a decimal point and a digit are at i: `A1.2` is not an id.
func decimalAt(s string, i int) bool {
	return i+1 < len(s) && s[i] == '.' && '0' <= s[i+1] && s[i+1] <= '9'
}
