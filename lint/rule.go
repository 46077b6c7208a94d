// Package lint is the API for rule authors: what a rule is, what it can look at, and what
// it reports.
//
// A [Rule] is a plain, immutable value with one typed check. A check looks at a message, a
// delta, a thread, an artifact, all inputs together, or their faults, and reports [Diagnostic]
// values with byte spans. Package engine turns them into [Finding] values with lines and
// columns, applies severities, suppressions and the baseline, and sorts them into a [Report].
//
//	var noShouting = &lint.Rule{
//		ID: "ZZ-001", Name: "no-shouting", Severity: lint.Warning,
//		SpecRef: "custom rules", Summary: "A subject has no exclamation mark.",
//		Check: lint.MessageCheck(func(p *lint.MessagePass) {
//			if strings.Contains(p.Message.SubjectText, "!") {
//				p.Report(lint.Diagnostic{At: p.Message.Subject.WholePlace(), Message: "the subject shouts"})
//			}
//		}),
//	}
//
// Some types come in pairs: one with byte spans, which a check reports, and one with lines and
// columns, which a report shows.
//
//	Diagnostic       Finding
//	SuggestedFix     Fix
//	TextEdit         Edit
//	RelatedLocation  Related
//
// The types whose names end in View, and Draft, BaselineUse and Summary, are parts of a
// [Report]: a rule does not need them.
//
// Rules that run together are a [Catalogue]; package linttest tests a rule by its page.
package lint

import (
	"fmt"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/rulepage"
	"github.com/brennerlint/brennerlint/internal/text"
)

// Rule is one rule of the catalogue.
type Rule struct {
	ID       string   // MB-001
	Name     string   // subject-prefix
	Severity Severity // the default; the configuration may change it
	// DraftSeverity is the severity in a message that is not sent yet; 0 if it is the same.
	DraftSeverity Severity
	Code          string // the specification's own code; may be ""
	SpecRef       string // the specification passages, document#heading, separated by "; " (rules/testdata/headings.txt, docs/artifact_format.md)
	Summary       string // what is checked, one sentence
	About         Scope  // the scope, if it is not that of the check
	// Help says what to write instead, in general. presend shows it if a finding has no
	// suggestion. Every rule of severity Error has it.
	Help string

	// Types limits a MessageCheck to messages of these intended types; nil means
	// all.
	Types []brenner.MessageType

	Check Check
	// Rejects returns why the merge rejects a delta, or "" if another rule explains that. It is
	// nil if this rule explains no rejections.
	Rejects func(*replay.Rejection) string

	// Protocol reports a rule of the protocol's own catalogue, which package rules sets.
	// Only these count in the validation that a COMPILED claims (AP-019, decisions.md 27:
	// validation status).
	Protocol bool

	// URL is where the rule's documentation can be read; may be "".
	URL string

	// Page returns the rule's page: its documentation, examples and expected findings
	// (Markdown). It is only called when they are needed.
	Page func() []byte
}

// Fixable reports whether the rule's page shows a fix: the rule offers edits for some or
// all of its findings.
func (r *Rule) Fixable() bool { return r.Page != nil && rulepage.HasFix(r.Page()) }

// Severities returns the severity of the rule and, if it differs, the one for drafts.
func (r *Rule) Severities() string {
	if r.DraftSeverity == 0 {
		return r.Severity.String()
	}
	return r.Severity.String() + " (" + r.DraftSeverity.String() + " in drafts)"
}

// Scope is what a rule is about, as the catalogue writes it.
type Scope string

// The scopes of the catalogue.
const (
	MessageScope   Scope = "message"
	DeltaScope     Scope = "delta"
	ThreadScope    Scope = "thread"
	ArtifactScope  Scope = "artifact"
	WorkspaceScope Scope = "workspace"
	InputScope     Scope = "input"
	ItemScope      Scope = "item"
)

// Check is what a rule does: one of MessageCheck, DeltaCheck, ThreadCheck,
// MessageVisitor, ArtifactCheck, WorkspaceCheck and InputCheck. A check must not keep its
// pass (a MessageVisitor may, until the end of the thread) and must not change what the
// pass holds. It may run at the same time as other checks.
type Check interface{ scope() Scope }

type (
	// MessageCheck is called for each message in scope.
	MessageCheck func(*MessagePass)
	// DeltaCheck is called for each delta block of a DELTA message.
	DeltaCheck func(*DeltaPass)
	// ThreadCheck is called for each thread in scope, after its messages.
	ThreadCheck func(*ThreadPass)
	// MessageVisitor is called for each thread. The function that it returns is called with each
	// message, in order of time, after the message was replayed. Use it for a check that needs
	// the replay up to each message.
	MessageVisitor func(*ThreadPass) func(*session.Message)
	// ArtifactCheck is called for each artifact, whether a file or inline.
	ArtifactCheck func(*ArtifactPass)
	// WorkspaceCheck is called once, for all inputs together.
	WorkspaceCheck func(*WorkspacePass)
	// InputCheck is called with faults of the inputs: for the inputs as a whole, for each thread
	// that could not be read cleanly, and last for the suppressions without effect.
	InputCheck func(*InputPass)
)

func (MessageCheck) scope() Scope   { return MessageScope }
func (DeltaCheck) scope() Scope     { return DeltaScope }
func (ThreadCheck) scope() Scope    { return ThreadScope }
func (MessageVisitor) scope() Scope { return ThreadScope }
func (ArtifactCheck) scope() Scope  { return ArtifactScope }
func (WorkspaceCheck) scope() Scope { return WorkspaceScope }
func (InputCheck) scope() Scope     { return InputScope }

var (
	ruleID   = text.Pattern(`^[A-Z]{2,5}-[A-Z]?[0-9]{2,3}$`)
	ruleName = text.Pattern(`^[a-z0-9]+(-[a-z0-9]+)*$`)
)

// IsRuleID reports whether a rule can have an id: two to five letters, a hyphen and two or three
// digits, as in MB-001; in a few families of the protocol with a letter before the digits, as in
// EP-P01.
func IsRuleID(id string) bool { return ruleID().MatchString(id) }

// IsRuleName reports whether a rule can have a name: lower-case words joined by hyphens.
func IsRuleName(name string) bool { return ruleName().MatchString(name) }

// Scope returns About, or else the scope of the check. It is "" for a rule without a check.
func (r *Rule) Scope() Scope {
	if r.About != "" || r.Check == nil {
		return r.About
	}
	return r.Check.scope()
}

// Validate returns an error if the rule is not usable.
func (r *Rule) Validate() error {
	switch {
	case !IsRuleID(r.ID):
		return fmt.Errorf("rule id %q does not look like MB-001", r.ID)
	case !IsRuleName(r.Name):
		return fmt.Errorf("rule %s: name %q is not lower-case words joined by hyphens", r.ID, r.Name)
	case r.Severity < Error || r.Severity > Info || r.DraftSeverity > Info:
		return fmt.Errorf("rule %s has no severity", r.ID)
	case r.Summary == "" || r.SpecRef == "":
		return fmt.Errorf("rule %s lacks Summary or SpecRef", r.ID)
	case (r.Severity == Error || r.DraftSeverity == Error) && r.Help == "":
		return fmt.Errorf("rule %s is an error without Help", r.ID)
	case r.Check == nil:
		return fmt.Errorf("rule %s has no check", r.ID)
	case r.Types != nil && r.Check.scope() != MessageScope:
		return fmt.Errorf("rule %s has Types, which a %T does not use", r.ID, r.Check)
	}
	return nil
}
