package lint

import "github.com/brennerlint/brennerlint/source"

// SuppressionFault is why a suppression has no effect.
type SuppressionFault uint8

// The reasons.
const (
	Unused           SuppressionFault = iota + 1 // its rules ran, but it matches none of their findings
	UnknownDirective                             // Word is neither of the directives
	UnknownRule                                  // Word names no rule
	NoRuleNamed
	NoReasonGiven
	NotFirstComment // it is for the whole file, but not in its first comment
	NothingFollows  // no item or section follows it
	NotOnOwnLine    // other text is on its line
	// TooManyDirectives are in its file: it has no effect, and those after it have none.
	TooManyDirectives
)

// UnusedSuppression is a suppression that has no effect: a directive in an artifact, or an entry
// of the configuration. If it has Words, only they have none.
type UnusedSuppression struct {
	At        source.Place // the directive with its comment, or the entry
	Directive bool
	Fault     SuppressionFault
	Word      string
	Reason    bool // it gives or begins a reason, or may do so
	// Words are the words of a directive's list that are at fault, nil if the whole directive
	// is; LastValid is where the last of the other words begins, 0 if there are none.
	Words     []source.Span
	LastValid int
	// Suggestion is the directive that an unknown one probably is, and SuggestionAt what
	// it would replace, if it would have an effect then.
	Suggestion   string
	SuggestionAt source.Span
}
