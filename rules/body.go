package rules

import (
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// bodyRules are about the required content of a body of each type
// (message_body_schema, Message Types and Body Schemas).
var bodyRules = []*lint.Rule{
	{ID: "MB-002", Name: "kickoff-research-question", Severity: lint.Error, SpecRef: "message_body_schema#MB-002",
		Summary: "KICKOFF has a non-empty H1 or a non-empty `Research Question` section.",
		Help:    "state the research question in one sentence, in the H1 or in a section ## Research Question",
		Types:   ofTypes(brenner.Kickoff), Check: orWrapper(checkResearchQuestion)},
	{ID: "MB-003", Name: "kickoff-context", Severity: lint.Error, SpecRef: "message_body_schema#MB-003",
		Summary: "KICKOFF has a non-empty `Context` section.",
		Help:    "add a section ## Context with 2 to 4 sentences of background",
		Types:   ofTypes(brenner.Kickoff), Check: lint.MessageCheck(checkContext)},
	firstSection("MB-006", "critique-target", "message_body_schema#MB-006", brenner.Critique,
		sectionReq{title: "Target", purpose: "the version, section and item that is criticised", aliases: []string{"Subject of critique"}},
		"name the version, section and item that you criticise under ## Target"),
	section("MB-007", "critique-attack", "message_body_schema#MB-007", brenner.Critique,
		sectionReq{title: "Attack", purpose: "the substantive challenge", aliases: []string{"Critique", "Challenge", "Objection", "Concern"}},
		"write the challenge under ## Attack"),
	firstSection("MB-018", "claim-item", "message_body_schema#CLAIM Messages", brenner.Claim,
		itemSection, "name the bead or task under ## Item"),
	{ID: "MB-019", Name: "claim-agent", Severity: lint.Error, SpecRef: "message_body_schema#CLAIM Messages",
		Summary: "CLAIM has an `Agent` section naming the claiming agent.",
		Help:    "name the claiming agent under ## Agent, such as BlueLake",
		Types:   ofTypes(brenner.Claim), Check: lint.MessageCheck(checkClaimAgent)},
	firstSection("MB-022", "blocked-item", "message_body_schema#BLOCKED Messages", brenner.Blocked,
		itemSection, "name the bead or task that is blocked under ## Item"),
	section("MB-023", "blocked-blocker", "message_body_schema#BLOCKED Messages", brenner.Blocked,
		sectionReq{title: "Blocker", purpose: "what blocks the work", aliases: []string{"Blocked by", "Blockers", "Reason"}},
		"describe what blocks the work under ## Blocker"),
	{ID: "MB-024", Name: "blocked-type", Severity: lint.Warning, SpecRef: "message_body_schema#BLOCKED Messages",
		Summary: "BLOCKED `Type` is one of Dependency, Question, Resource, External.",
		Types:   ofTypes(brenner.Blocked),
		Check: sectionOneOf(sectionReq{title: "Type", purpose: "Dependency, Question, Resource or External", aliases: []string{"Blocker Type", "Kind"}},
			"Dependency", "Question", "Resource", "External")},
	{ID: "MB-025", Name: "question-question", Severity: lint.Error, SpecRef: "message_body_schema#QUESTION Messages",
		Summary: "QUESTION has a non-empty section titled exactly `Question` (the H1 title does not count).",
		Help:    "write the question under a heading titled exactly ## Question",
		Types:   ofTypes(brenner.Question), Check: orWrapper(checkQuestion)},
	{ID: "MB-026", Name: "question-urgency", Severity: lint.Warning, SpecRef: "message_body_schema#QUESTION Messages",
		Summary: "QUESTION `Urgency` is one of Blocking, Soon, Whenever.",
		Types:   ofTypes(brenner.Question),
		Check: sectionOneOf(sectionReq{title: "Urgency", purpose: "Blocking, Soon or Whenever", aliases: []string{"Priority"}},
			"Blocking", "Soon", "Whenever")},
	{ID: "MB-027", Name: "kickoff-excerpt", Severity: lint.Warning, SpecRef: "message_body_schema#KICKOFF Messages",
		Summary: "KICKOFF has an `Excerpt` section (`Transcript Excerpt` counts) that cites at least one §n.",
		Types:   ofTypes(brenner.Kickoff), Check: lint.MessageCheck(checkExcerpt)},
	{ID: "MB-028", Name: "critique-severity", Severity: lint.Warning, SpecRef: "message_body_schema#CRITIQUE Messages",
		Summary: "CRITIQUE `Severity` is one of Critical, Major, Minor.",
		Types:   ofTypes(brenner.Critique),
		Check:   sectionOneOf(sectionReq{title: "Severity", purpose: "Critical, Major or Minor"}, "Critical", "Major", "Minor")},
	{ID: "MB-029", Name: "kickoff-requested-outputs", Severity: lint.Info, SpecRef: "message_body_schema#KICKOFF Messages",
		Summary: "KICKOFF has a `Requested Outputs` section.",
		Types:   ofTypes(brenner.Kickoff),
		Check: needSection(sectionReq{title: "Requested Outputs", purpose: "the expected artifacts or deliverables",
			aliases: []string{"Expected Outputs", "Outputs", "Deliverables", "Requested Output"}})},
}

var itemSection = sectionReq{title: "Item", purpose: "the bead id or the task", aliases: []string{"Bead", "Task", "Work Item"}}

// checkResearchQuestion requires an H1 or a section; a KICKOFF with neither is reported
// once, at the empty one if there is one.
func checkResearchQuestion(p *lint.MessagePass) {
	m := p.Message
	if m.Doc == nil || isWrapped(m) {
		return
	}
	w := sectionReq{title: "Research Question", purpose: "the problem in one sentence", aliases: []string{"Question", "Problem", "RQ"}}
	question := m.Section(w.title)
	if question != nil && !question.Empty() {
		return
	}
	var title *session.Section // empty
	for i := range m.Sections {
		s := &m.Sections[i]
		if s.Level != 1 || s.Nested {
			continue
		}
		if s.Title != "" && !session.IsPlaceholder(s.Title) {
			return
		}
		if title == nil {
			title = s
		}
	}
	switch {
	case question != nil:
		reportEmpty(p, question, w)
	case title != nil:
		p.Report(lint.Diagnostic{
			At:         m.InBody(title.Heading),
			Message:    "KICKOFF has neither a title nor a \"Research Question\" section: its H1 is empty or the template's placeholder",
			Suggestion: "write the session's title in the H1, and the question under ## Research Question",
		})
	default:
		reportMissing(p, w)
	}
}

// checkContext requires background; in later rounds the current state is enough
// (decisions.md 6).
func checkContext(p *lint.MessagePass) {
	if !hasCurrentState(p) {
		filledSection(p, sectionReq{title: "Context", purpose: "2 to 4 sentences of essential background", aliases: []string{"Background", "Motivation"}})
	}
}

// checkExcerpt requires a citation of the transcript; in later rounds the current state
// is enough (decisions.md 6).
func checkExcerpt(p *lint.MessagePass) {
	m := p.Message
	if m.Doc == nil || isWrapped(m) || hasCurrentState(p) {
		return
	}
	w := sectionReq{title: "Excerpt", purpose: "a transcript excerpt with §n citations", aliases: []string{"Brenner Anchors", "Brenner Anchor", "Anchors", "Transcript"}}
	var excerpt *session.Section
	for i := range m.Sections {
		s := &m.Sections[i]
		if !s.Is("Excerpt") && !s.Is("Transcript Excerpt") {
			continue
		}
		if text := brenner.WithoutComments(s.Text(s.Content)); citesSection(text) || citesSection(s.Title) && !s.Empty() {
			return
		}
		if excerpt == nil || excerpt.Empty() {
			excerpt = s
		}
	}
	switch {
	case excerpt == nil:
		reportMissing(p, w)
	case excerpt.Empty():
		reportEmpty(p, excerpt, w)
	default:
		p.Report(lint.Diagnostic{
			At:         m.InBody(excerpt.Heading),
			Message:    "section " + text.Quote(excerpt.Title) + " cites no transcript section",
			Suggestion: "name the transcript section of each excerpt, as in §42",
		})
	}
}

// citesSection reports whether a text cites a section of the transcript, §n.
func citesSection(text string) bool {
	for range brenner.SectionCitations(text) {
		return true
	}
	return false
}

// hasCurrentState reports whether a section `Current State` replaces the context and
// excerpt of a KICKOFF: after a version is published. If the rest of the thread is not
// available, it counts if it names a version.
func hasCurrentState(p *lint.MessagePass) bool {
	m := p.Message
	s := m.Section("Current State")
	if s == nil || s.Empty() {
		return false
	}
	if p.Thread != nil && p.Thread.Published(m) {
		return true
	}
	if p.Thread != nil && p.Thread.Complete {
		return false
	}
	_, _, names := session.FindVersion(s.Text(s.Content))
	return names
}

// checkQuestion requires a section of exactly that name below the title, which in the
// template is also `# Question`. Where sections are at H1, the title is the first heading, if
// it says something else.
func checkQuestion(p *lint.MessagePass) {
	m := p.Message
	if m.Doc == nil || isWrapped(m) {
		return
	}
	w := sectionReq{title: "Question", purpose: "the specific question"}
	var empty, title *session.Section
	headings := 0 // at H1
	for i := range m.Sections {
		if s := &m.Sections[i]; s.Level == 1 && !s.Nested {
			headings++
		}
	}
	for i := range m.Sections {
		s := &m.Sections[i]
		switch {
		case !strings.EqualFold(s.Title, w.title):
		case s.Level == 1 && headings < 2:
			title = s
		case !s.Empty():
			return
		case empty == nil:
			empty = s
		}
	}
	switch {
	case empty != nil:
		reportEmpty(p, empty, w)
	case title != nil:
		p.Report(lint.Diagnostic{
			At:         m.SubjectPlace(),
			Message:    `QUESTION has no "Question" section: the H1 is the title and does not count`,
			Suggestion: "add the line ## Question above the question",
		})
	default:
		p.Report(lint.Diagnostic{
			At:         m.SubjectPlace(),
			Message:    `QUESTION has no section titled exactly "Question" (the specific question)`,
			Suggestion: questionHint(m, w),
		})
	}
}

func questionHint(m *session.Message, w sectionReq) string {
	if s := m.Section("Question", "Questions", "The Question"); s != nil {
		return "rename the heading " + text.Quote(s.Title) + ` to "Question"`
	}
	if line := namedLine(m, "Question"); line != "" {
		return headingFromLine(line, w)
	}
	return newSection(w)
}
