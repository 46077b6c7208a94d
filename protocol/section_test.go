package protocol

import (
	"testing"
)

// TestSectionByTitle: case and number do not count (decisions.md 30).
func TestSectionByTitle(t *testing.T) {
	for heading, want := range map[string]Section{
		"Hypothesis Slate": HypothesisSlate, " HYPOTHESIS slate ": HypothesisSlate, "2. Hypothesis Slate": HypothesisSlate,
		"2) Hypothesis Slate": HypothesisSlate, "2 Hypothesis Slate": HypothesisSlate, "10. Hypothesis Slate": HypothesisSlate,
		"9. Hypothesis Slate": HypothesisSlate, "09. Hypothesis Slate": HypothesisSlate,
		". Hypothesis Slate": 0, ") Hypothesis Slate": 0, "2-Hypothesis Slate": 0, "Hypothesis Slate 2": 0, "2": 0, "": 0, "Hypotheses": 0,
	} {
		if got := SectionByTitle(heading); got != want {
			t.Errorf("SectionByTitle(%q) = %v, want %v", heading, got, want)
		}
	}
}

func TestSectionByID(t *testing.T) {
	for _, s := range Sections {
		if got := SectionByID(s.ID()); got != s {
			t.Errorf("SectionByID(%q) = %v", s.ID(), got)
		}
		if got := SectionByID(s.Title()); got != 0 {
			t.Errorf("SectionByID(%q) = %v", s.Title(), got)
		}
	}
}
