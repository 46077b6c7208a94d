package lint

import "github.com/brennerlint/brennerlint/source"

// SuppressionFault is why a suppression has no effect.
type SuppressionFault uint8

// The reasons.
const (
	Unused           SuppressionFault = iota + 1 // its rules ran, and it matches no finding of theirs
	UnknownDirective                             // Word is neither of the directives
	UnknownRule                                  // Word names no rule
	NoRuleNamed
	NoReasonGiven
	NotFirstComment // it is for the whole file, and not in its first comment
	NothingFollows  // no item or section follows it
)

// IdleSuppression is a suppression that has no effect, or whose Ids have none: a
// directive in an artifact, or an entry of the configuration.
type IdleSuppression struct {
	At        source.Place // the directive with its comment, or the entry
	Directive bool
	Fault     SuppressionFault
	Word      string
	Reason    bool // it gives a reason, or may do so
	// Ids are where the words of a directive's list are that are at fault; nil if all
	// that it says is. Others remain if Rest.
	Ids  []source.Span
	Rest bool
	// Meant is the directive that an unknown one probably is, and MeantFor what it
	// would replace, if it would have an effect then.
	Meant    string
	MeantFor source.Span
}
