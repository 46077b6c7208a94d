// Package brenner is the vocabulary of the Brenner Protocol: sections and their
// fields, item ids, message types and subjects, thread ids, anchors, timestamps. A [State] is an
// artifact as data.
//
// It has the small grammars and tables that all other packages share, but no rules: it says what
// a text is, never whether it is wrong.
package brenner

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"
)

// ArtifactTitle begins the H1 of an artifact, `Brenner Protocol Artifact: ID`
// (artifact_format.md, File).
const ArtifactTitle = "Brenner Protocol Artifact"

// Section is one of the seven sections of an artifact, in canonical order.
type Section uint8

// The seven sections (delta_output_format, Valid Section Values). The zero
// Section is not a section.
const (
	ResearchThread Section = iota + 1
	HypothesisSlate
	PredictionsTable
	DiscriminativeTests
	AssumptionLedger
	AnomalyRegister
	AdversarialCritique
)

// Sections lists the seven in canonical order.
var Sections = [...]Section{
	ResearchThread, HypothesisSlate, PredictionsTable, DiscriminativeTests,
	AssumptionLedger, AnomalyRegister, AdversarialCritique,
}

type sectionFacts struct {
	id, prefix, title, noun, singular, main string
	minimum, maximum                        int
}

var sectionTable = [...]sectionFacts{
	ResearchThread:      {"research_thread", "RT", "Research Thread", "research threads", "research thread", "statement", 0, 0},
	HypothesisSlate:     {"hypothesis_slate", "H", "Hypothesis Slate", "hypotheses", "hypothesis", "claim", 3, 6},
	PredictionsTable:    {"predictions_table", "P", "Predictions Table", "predictions", "prediction", "condition", 3, 0},
	DiscriminativeTests: {"discriminative_tests", "T", "Discriminative Tests", "tests", "test", "procedure", 2, 0},
	AssumptionLedger:    {"assumption_ledger", "A", "Assumption Ledger", "assumptions", "assumption", "statement", 3, 0},
	AnomalyRegister:     {"anomaly_register", "X", "Anomaly Register", "anomalies", "anomaly", "observation", 0, 0},
	AdversarialCritique: {"adversarial_critique", "C", "Adversarial Critique", "critiques", "critique", "attack", 2, 0},
}

// facts returns the facts of a section, or empty ones if it is not a section.
func (s Section) facts() *sectionFacts {
	if int(s) < len(sectionTable) {
		return &sectionTable[s]
	}
	return &sectionTable[0]
}

// ID returns the section id that deltas and JSON artifacts use.
func (s Section) ID() string { return s.facts().id }

// String is ID, for messages.
func (s Section) String() string { return s.ID() }

// Prefix returns the letters that the ids of the section's items begin with.
func (s Section) Prefix() string { return s.facts().prefix }

// Title returns the section's heading without its number.
func (s Section) Title() string { return s.facts().title }

// Plural returns the plural noun for the section's items in messages.
func (s Section) Plural() string { return s.facts().noun }

// Singular returns the singular noun for the section's items in messages.
func (s Section) Singular() string { return s.facts().singular }

// MainField returns the field that says what an item of the section is.
func (s Section) MainField() string { return s.facts().main }

// Minimum returns how many active items the section needs (artifact_format.md, File).
func (s Section) Minimum() int { return s.facts().minimum }

// Maximum returns how many active items the section may have, or 0 if any number.
func (s Section) Maximum() int { return s.facts().maximum }

// SectionByID finds a section by its exact id; 0 if there is none.
func SectionByID(id string) Section {
	for _, s := range Sections {
		if s.ID() == id {
			return s
		}
	}
	return 0
}

// SectionByTitle finds a section by its heading, with or without its number
// ("2. Hypothesis Slate"), in any case (decisions.md 30: section headings), emphasised or
// not. It returns 0 if there is none.
func SectionByTitle(heading string) Section {
	h := withoutNumber(heading)
	if h == "" || strings.IndexByte("adhprADHPR", h[0]) < 0 { // no title begins so, as most lines that are checked
		return 0
	}
	h = FoldSpace(h)
	for _, s := range Sections {
		if strings.EqualFold(s.Title(), h) {
			return s
		}
	}
	return 0
}

// withoutNumber returns a heading without emphasis and its number: `1. `, `1) ` or `1\. `.
func withoutNumber(heading string) string {
	h, _ := Unmark(strings.TrimSpace(heading))
	if i := strings.IndexFunc(h, func(r rune) bool { return r < '0' || r > '9' }); i > 0 {
		h = strings.TrimLeftFunc(h[i:], func(r rune) bool { return r == '.' || r == ')' || r == '\\' || unicode.IsSpace(r) })
		h, _ = Unmark(h)
	}
	return h
}

// ItemID is the id of an item: H2, P1, P1.H1, RT.
type ItemID struct {
	Section Section
	Number  int32 // 0 for RT; an index of many sessions keeps all ids
	// Hypothesis is the number n of a scoped prediction id Pk.Hn, else 0.
	Hypothesis int32
}

// MaxItemNumber bounds item numbers: an id such as H999999999999999999999 is well formed
// but names no item that a session can have.
const MaxItemNumber = 1_000_000_000

// sectionByLetter maps the first letter of item ids to their section.
var sectionByLetter = func() (out [256]Section) {
	for _, s := range Sections[1:] {
		out[s.Prefix()[0]] = s
	}
	return out
}()

// ParseItemID reads an item id. Numbers count from 1 and have no leading zero.
func ParseItemID(s string) (ItemID, bool) {
	if s == "RT" {
		return ItemID{Section: ResearchThread}, true
	}
	id, n := itemIDAt(s)
	if n == 0 || n < len(s) {
		return ItemID{}, false
	}
	return id, true
}

// itemIDAt reads the id, other than RT, that begins a text, and returns its length; 0 if there is none.
func itemIDAt(s string) (id ItemID, n int) {
	if s == "" || sectionByLetter[s[0]] == 0 {
		return ItemID{}, 0
	}
	id.Section = sectionByLetter[s[0]]
	id.Number, n = itemNumber(s[1:])
	n++
	isItem := id.Number > 0
	if scope, ok := strings.CutPrefix(s[n:], ".H"); ok && id.Section == PredictionsTable {
		if h, digits := itemNumber(scope); digits > 0 {
			id.Hypothesis, n, isItem = h, n+len(".H")+digits, isItem && h > 0
		}
	}
	if !isItem {
		return ItemID{}, 0
	}
	return id, n
}

// itemNumber reads the digits that begin a text: 0 with a leading zero, and MaxItemNumber+1 beyond
// MaxItemNumber.
func itemNumber(s string) (n int32, digits int) {
	number, digits := numberUpTo(MaxItemNumber+1, s)
	if digits > 0 && s[0] == '0' {
		number = 0
	}
	return int32(number), digits
}

// InRange reports whether an item can have the id: its numbers are at most
// MaxItemNumber.
func (id ItemID) InRange() bool {
	return id.Number <= MaxItemNumber && id.Hypothesis <= MaxItemNumber
}

// String returns the id as written. For an id that is not InRange, it returns only its
// form.
func (id ItemID) String() string {
	if id.Section == ResearchThread {
		return "RT"
	}
	s := id.Section.Prefix() + strconv.Itoa(int(id.Number))
	if id.Hypothesis > 0 {
		s += ".H" + strconv.Itoa(int(id.Hypothesis))
	}
	return s
}

// Compare orders ids of one section by number, then by hypothesis.
func (id ItemID) Compare(o ItemID) int {
	switch {
	case id.Section != o.Section:
		return cmp.Compare(id.Section, o.Section)
	case id.Number != o.Number:
		return cmp.Compare(id.Number, o.Number)
	}
	return cmp.Compare(id.Hypothesis, o.Hypothesis)
}
