package brenner

import (
	"bufio"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/source"
)

// subjectPattern is that of thread_subject_conventions, Subject Validation.
var subjectPattern = regexp.MustCompile(`^(KICKOFF|DELTA\[[a-z]+\]|COMPILED|CRITIQUE|ACK|CLAIM|HANDOFF|BLOCKED|QUESTION|INFO):`)

func TestParseSubject(t *testing.T) {
	type parts struct {
		Type, Intended            MessageType
		Reply                     bool
		Prefix, Role, Description string
	}
	for _, tt := range []struct {
		subject string
		want    parts
	}{
		// As the specification writes them.
		{"KICKOFF: Cell fate (RS-20251230-cell-fate)", parts{Kickoff, Kickoff, false, "KICKOFF:", "", "Cell fate (RS-20251230-cell-fate)"}},
		{"DELTA[opus]: Added H4", parts{Delta, Delta, false, "DELTA[opus]:", "opus", "Added H4"}},
		{"COMPILED: v3 artifact", parts{Compiled, Compiled, false, "COMPILED:", "", "v3 artifact"}},
		{"CRITIQUE: A2", parts{Critique, Critique, false, "CRITIQUE:", "", "A2"}},
		{"ACK: BLOCKED: x", parts{Ack, Ack, false, "ACK:", "", "BLOCKED: x"}},
		{"CLAIM: x", parts{Claim, Claim, false, "CLAIM:", "", "x"}},
		{"HANDOFF: x to y", parts{Handoff, Handoff, false, "HANDOFF:", "", "x to y"}},
		{"BLOCKED: x", parts{Blocked, Blocked, false, "BLOCKED:", "", "x"}},
		{"QUESTION: x?", parts{Question, Question, false, "QUESTION:", "", "x?"}},
		{"INFO: x", parts{Info, Info, false, "INFO:", "", "x"}},
		{"INFO:", parts{Info, Info, false, "INFO:", "", ""}},
		{"INFO: \t ", parts{Info, Info, false, "INFO:", "", ""}},
		{"INFO:x", parts{Info, Info, false, "INFO:", "", "x"}},
		// Read leniently (decisions.md 4: intended type): case, spaces, any or no tag.
		{"kickoff: x", parts{"", Kickoff, false, "kickoff:", "", "x"}},
		{"Compiled : v1", parts{"", Compiled, false, "Compiled :", "", "v1"}},
		{" KICKOFF: x ", parts{"", Kickoff, false, "KICKOFF:", "", "x"}},
		{"\u00a0INFO: x", parts{"", Info, false, "INFO:", "", "x"}},
		{"DELTA: x", parts{"", Delta, false, "DELTA:", "", "x"}},
		{"DELTA[]: x", parts{"", Delta, false, "DELTA[]:", "", "x"}},
		{"DELTA [opus] : x", parts{"", Delta, false, "DELTA [opus] :", "opus", "x"}},
		{"DELTA[Test Designer]: x", parts{"", Delta, false, "DELTA[Test Designer]:", "Test Designer", "x"}},
		{"DELTA[hypothesis_generator]: x", parts{"", Delta, false, "DELTA[hypothesis_generator]:", "hypothesis_generator", "x"}},
		{"delta[opus]: x", parts{"", Delta, false, "delta[opus]:", "opus", "x"}},
		// Replies have no type.
		{"Re: KICKOFF: x", parts{Reply: true, Prefix: "Re:", Description: "KICKOFF: x"}},
		{"RE : x", parts{Reply: true, Prefix: "RE :", Description: "x"}},
		{" fwd: x", parts{Reply: true, Prefix: "fwd:", Description: "x"}},
		// Other mail.
		{"", parts{}},
		{"Re the plan", parts{Description: "Re the plan"}},
		{"reservation released", parts{Description: "reservation released"}},
		{"KICKOFF Cell fate", parts{Description: "KICKOFF Cell fate"}},
		{"KICKOFFS: x", parts{Description: "KICKOFFS: x"}},
		{"KICKOFF[x]: y", parts{Description: "KICKOFF[x]: y"}},
		{"DELTA[opus: x", parts{Description: "DELTA[opus: x"}},
		{"DELTA[a]b]: x", parts{Description: "DELTA[a]b]: x"}},
		{"\u200bINFO: x", parts{Description: "\u200bINFO: x"}},
		{"\x1b[2J", parts{Description: "\x1b[2J"}},
		{"\xff: x", parts{Description: "\xff: x"}},
	} {
		s := ParseSubject(tt.subject)
		got := parts{s.Type, s.Intended, s.Reply, cut(tt.subject, s.Prefix), cut(tt.subject, s.Role), cut(tt.subject, s.Description)}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("ParseSubject(%q): %s", tt.subject, diff)
		}
	}
}

func cut(s string, span source.Span) string { return s[span.Start:span.End] }

// TestRecordedSubjects runs the reference compiler's recorded calls. It reads the same
// type, except where it is documented to be more lenient than the specifications: then it
// must read the intended type. No record shows its other departures: pages of rules do.
func TestRecordedSubjects(t *testing.T) {
	departures := map[string]string{
		"S1": "case counts: thread_subject_conventions, Subject Validation, `^(KICKOFF|…):`",
		"S2": "a tag is lower-case letters: thread_subject_conventions, Subject Validation, `DELTA\\[[a-z]+\\]`",
		"S3": "there are ten prefixes: thread_subject_conventions, Defined Prefixes",
	}
	f, err := os.Open("../testdata/corpus/vectors/subject.jsonl")
	must.OK(t, err)
	defer f.Close()
	seen := map[string]bool{}
	for in := bufio.NewScanner(f); in.Scan(); {
		var v struct {
			Input    string
			Output   struct{ Type, Shorthand string }
			Deviates []string
		}
		must.OK(t, json.Unmarshal(in.Bytes(), &v))
		s := ParseSubject(v.Input)
		want := typeByName(v.Output.Type)
		if want == Delta && strings.ToLower(cut(v.Input, s.Role)) != strings.ReplaceAll(v.Output.Shorthand, "_", " ") {
			t.Errorf("%q: role %q, the reference reads %q", v.Input, cut(v.Input, s.Role), v.Output.Shorthand)
		}
		for _, d := range v.Deviates {
			if departures[d] == "" {
				t.Errorf("%q: departure %s has no passage that decides", v.Input, d)
			}
			seen[d] = true
		}
		switch {
		case len(v.Deviates) == 0:
			if s.Type != want {
				t.Errorf("%q: type %v, want %v", v.Input, s.Type, want)
			}
		case slices.Contains(v.Deviates, "S3"):
			if s.Type != "" || s.Intended != "" {
				t.Errorf("%q has type %v, intended %v, but none of the ten prefixes", v.Input, s.Type, s.Intended)
			}
		default:
			if s.Type != "" || s.Intended != want {
				t.Errorf("%q: type %v, intended %v, want none and %v", v.Input, s.Type, s.Intended, want)
			}
		}
	}
	for d, passage := range departures {
		if !seen[d] {
			t.Errorf("departure %s (%s) is nowhere in the records", d, passage)
		}
	}
}

func FuzzParseSubject(f *testing.F) {
	for _, s := range []string{"KICKOFF: x", "DELTA[opus]: y", " delta [ A ] :", "Re: ACK: z", "DELTA[\u202e]: \x00", "INFO\u2003:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := ParseSubject(s)
		if matches := subjectPattern.MatchString(s); matches != (got.Type != "") {
			t.Errorf("%q: type %v, but pattern matches: %v", s, got.Type, matches)
		}
		if got.Type != "" && got.Type != got.Intended || got.Reply && got.Intended != "" {
			t.Errorf("%q: %+v contradicts itself", s, got)
		}
		for _, span := range []source.Span{got.Prefix, got.Role, got.Description} {
			if span.Start < 0 || span.End < span.Start || span.End > len(s) {
				t.Errorf("%q: span %v lies outside", s, span)
			}
			if utf8.ValidString(s) && !utf8.ValidString(cut(s, span)) {
				t.Errorf("%q: span %v cuts a character", s, span)
			}
		}
	})
}

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
