package brenner

import (
	"regexp"
	"strings"
	"testing"
)

// threadPatterns are those of thread_subject_conventions, Thread ID Validation.
var threadPatterns = map[ThreadKind]*regexp.Regexp{
	EngineeringThread:  regexp.MustCompile(`^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$`),
	ResearchSession:    regexp.MustCompile(`^RS-\d{8}-[a-z0-9-]{2,40}$`),
	CoordinationThread: regexp.MustCompile(`^COORD-[a-z0-9-]{2,30}$`),
}

var threadIDs = []struct {
	id   string
	kind ThreadKind
	ok   bool
}{
	// The examples of thread_subject_conventions.
	{"brenner_bot-5so.1.4.1", EngineeringThread, true},
	{"brenner_bot-5so.3.4.2", EngineeringThread, true},
	{"RS-20251230-cell-fate-dichotomy", ResearchSession, true},
	{"RS-20251230-gradient-vs-lineage", ResearchSession, true},
	{"RS-20251102-c-elegans-coordinate-system", ResearchSession, true},
	{"RS-20251230-cell-fate", ResearchSession, true},
	{"RS-20251215-mRNA-decay-paradox", ResearchSession, false}, // breaks its own rule
	{"COORD-agent-handoff", CoordinationThread, true},
	{"COORD-daily-sync", CoordinationThread, true},
	{"COORD-file-reservations", CoordinationThread, true},
	// The shortest and longest ids.
	{"RS-20251230-a", ResearchSession, false},
	{"RS-20251230-ab", ResearchSession, true},
	{"RS-20251230-" + strings.Repeat("a", 40), ResearchSession, true},
	{"RS-20251230-" + strings.Repeat("a", 41), ResearchSession, false},
	{"COORD-a", CoordinationThread, false},
	{"COORD-ab", CoordinationThread, true},
	{"COORD-" + strings.Repeat("a", 30), CoordinationThread, true},
	{"COORD-" + strings.Repeat("a", 31), CoordinationThread, false},
	// A prefix in another case announces a kind before what only that kind has (decisions.md 66).
	{"rs-20251230-", ResearchSession, false},
	{"Rs-20251230-Cell.Fate", ResearchSession, false},
	{"rs-20251230", EngineeringThread, true},
	{"rs-2025123-cell-fate", EngineeringThread, true},
	{"rs-20251230_cell", EngineeringThread, true},
	{"rs-5so.1", EngineeringThread, true},
	{"Rs-5so.1", EngineeringThread, false},
	{"coord-5so.1", EngineeringThread, true},
	{"coord-daily_sync", EngineeringThread, true},
	{"coord-a1", EngineeringThread, true},
	{"coord-", EngineeringThread, true},
	{"Coord-5so.1", EngineeringThread, false},
	{"coord-Kelvin", EngineeringThread, false},
	{"COORD-5so.1", CoordinationThread, false},
	{"coord-Daily", CoordinationThread, false},
	{"coord--", CoordinationThread, false},
	// Other faults.
	{"rs-20251230-cell-fate", ResearchSession, false},
	{"Coord-daily-sync", CoordinationThread, false},
	{"coord-daily-sync", CoordinationThread, false},
	{"RS-2025123-cell-fate", ResearchSession, false},
	{"RS-202512301-cell-fate", ResearchSession, false},
	{"RS-cell-fate", ResearchSession, false},
	{"RS-20251230", ResearchSession, false},
	{"RS-2025.230-ab", ResearchSession, false},
	{"RS-20251230-az09", ResearchSession, true},
	{"RS-", ResearchSession, false},
	{"RS-20251230-cell_fate", ResearchSession, false},
	{"RS-20251230-cell-fate\n", ResearchSession, false},
	{"RS20251230-cell-fate", EngineeringThread, false},
	{"brenner_bot-5so.", EngineeringThread, false},
	{".5so", EngineeringThread, false},
	{"a..b", EngineeringThread, false},
	{"Brenner", EngineeringThread, false},
	{"a/b", EngineeringThread, false},
	{"a b", EngineeringThread, false},
	{"é", EngineeringThread, false},
	{"", EngineeringThread, false},
	{"947", EngineeringThread, true},
	{"demo-bio-nanochat-001", EngineeringThread, true},
}

func TestClassifyThreadID(t *testing.T) {
	for _, tt := range threadIDs {
		if kind, ok := ClassifyThreadID(tt.id); kind != tt.kind || ok != tt.ok {
			t.Errorf("ClassifyThreadID(%q) = %v, %v; want %v, %v", tt.id, kind, ok, tt.kind, tt.ok)
		}
	}
}

func TestSplitResearchID(t *testing.T) {
	if date, slug, ok := SplitResearchID("rs-20251399-Cell-Fate"); date != "20251399" || slug != "Cell-Fate" || !ok {
		t.Errorf("got %q, %q, %v", date, slug, ok)
	}
	for _, id := range []string{"", "RS-20251230", "RS-2025123x-ab", "RS-2025.230-ab", "xx-20251230-ab", "COORD-20251230-ab"} {
		if _, _, ok := SplitResearchID(id); ok {
			t.Errorf("%q is taken apart", id)
		}
	}
}

func FuzzClassifyThreadID(f *testing.F) {
	for _, tt := range threadIDs {
		f.Add(tt.id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		kind, ok := ClassifyThreadID(id)
		if matches := threadPatterns[kind].MatchString(id); matches != ok {
			t.Errorf("%q: kind %v, ok %v, but pattern matches: %v", id, kind, ok, matches)
		}
	})
}
