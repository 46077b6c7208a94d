package engine

import (
	"cmp"
	"io"
	"time"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/bundle"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/lint"
)

// Kind says what inputs are, where content should not decide.
type Kind = input.As

// The choices of Kind.
const (
	Auto       = input.Auto
	AsArtifact = input.AsArtifact
	AsMail     = input.AsMail
	AsDraft    = input.AsDraft
)

// MailScope says which mail of a whole mailbox is checked (decisions.md 15).
type MailScope = export.Scope

// The choices of MailScope.
const (
	AutoMail     = export.AutoScope     // of mailboxes the threads of the protocol; what is named alone whole
	ProtocolMail = export.ProtocolScope // threads of the protocol only
	AllMail      = export.AllScope
)

// Limits bound what is read. Beyond a limit there is a finding, never an
// endless run. A limit of 0 is that of DefaultLimits.
type Limits struct {
	FileSize     int64 // bytes of one file, up to MaxFileSize
	ExpandedSize int64 // bytes of an expanded zip archive
	Entries      int   // of a zip archive
	JSONDepth    int   // nesting of deltas, artifacts and drafts in JSON
	YAMLDepth    int   // nesting of an artifact's front matter
	YAMLAliases  int   // of an artifact's front matter
	Findings     int   // reported of one file
	FrameLine    int   // bytes of a line of source that a finding keeps
}

// DefaultLimits hold where Options name none.
var DefaultLimits = Limits{
	FileSize: input.DefaultMaxFileSize, ExpandedSize: bundle.DefaultLimits.Expanded, Entries: bundle.DefaultLimits.Entries,
	JSONDepth: artifact.DefaultLimits.JSONDepth, YAMLDepth: artifact.DefaultLimits.YAMLDepth, YAMLAliases: artifact.DefaultLimits.YAMLAliases,
	Findings: 10_000, FrameLine: 2048,
}

// The highest limits. Trees are walked by recursion, whose stack must not grow without end,
// and places in files have 32 bits. Those of Options are held to them.
const (
	MaxFileSize  = 4095 << 20
	MaxJSONDepth = 10_000
	MaxYAMLDepth = 1000
)

// ofArtifacts returns those that bound what is read of an artifact or a delta.
func (l *Limits) ofArtifacts() artifact.Limits {
	return artifact.Limits{JSONDepth: l.JSONDepth, YAMLDepth: l.YAMLDepth, YAMLAliases: l.YAMLAliases}
}

func (l *Limits) setDefaults() {
	l.FileSize = min(cmp.Or(l.FileSize, DefaultLimits.FileSize), MaxFileSize)
	l.ExpandedSize = cmp.Or(l.ExpandedSize, DefaultLimits.ExpandedSize)
	l.Entries = cmp.Or(l.Entries, DefaultLimits.Entries)
	l.JSONDepth = min(cmp.Or(l.JSONDepth, DefaultLimits.JSONDepth), MaxJSONDepth)
	l.YAMLDepth = min(cmp.Or(l.YAMLDepth, DefaultLimits.YAMLDepth), MaxYAMLDepth)
	l.YAMLAliases = cmp.Or(l.YAMLAliases, DefaultLimits.YAMLAliases)
	l.Findings = cmp.Or(l.Findings, DefaultLimits.Findings)
	l.FrameLine = cmp.Or(l.FrameLine, DefaultLimits.FrameLine)
}

// Options say what a Linter checks and how. The zero Options check as the
// program does without flags and configuration.
type Options struct {
	RuleConfig lint.RuleConfig
	Severities Severities
	Limits     Limits

	Kind    Kind
	Exclude []string // globs of paths that are not checked
	// GitIgnore leaves out what .gitignore files ignore, unless it is named itself.
	GitIgnore bool
	// SkipUnrecognized makes a named file that is not recognised a notice instead
	// of an error (contract.md, --skip-unrecognized).
	SkipUnrecognized bool
	Stdin            io.Reader // what the path - reads
	StdinName        string    // how it is shown; "-" by default
	// Streams, if not nil, keeps what checks read from standard input and from pipes, so
	// that a later check with these options finds it again. Such checks run one by one.
	Streams map[string][]byte
	// Contents are checked instead of the files that have these paths, which need not
	// be there: a caller has the texts.
	Contents map[string][]byte
	// Mail says which mail of a whole mailbox is checked (contract.md, --scope).
	Mail MailScope

	Suppressions []Suppression
	// Baseline accepts findings; entries expire after Today; none does if it is zero.
	Baseline *Baseline
	Today    time.Time
	// BaselineUse, if given, records what the baseline's entries matched, and
	// KeepAccepted asks for the findings that they accept (Report.Accepted).
	BaselineUse  *BaselineUse
	KeepAccepted bool
	// OnlyNew, if given, chooses the findings that are new (contract.md, --new-from);
	// the others are counted only.
	OnlyNew func([]*lint.Finding) []*lint.Finding
	// ForBaseline asks for all findings, for a new baseline: Limits.Findings does not
	// hold. They have no fixes and related places.
	ForBaseline bool
	// ForStatistics asks for all findings, to count them: Limits.Findings does not hold.
	// Of their source they keep only what identifies them.
	ForStatistics bool

	// Previous, if given, is what the check before has left; it is replaced by what this
	// one leaves.
	Previous *Previous

	// Workers is the number of checks that run side by side; 0 means as many as
	// there are processors.
	Workers int
	// Progress, if given, is called with how far a check is: how many inputs were read
	// (total is 0 then), later how many of all threads were checked. Several
	// goroutines call it at once.
	Progress func(done, total int)
	// Message, if given, is called with each message of a thread that is checked; not of
	// one whose results are known.
	// It may be called concurrently.
	Message func(MessageID)
	// Input, if given, is called with each input that was recognised, in order.
	Input func(path string)
	// Profile, if given, records where the time went.
	Profile *Profile
	// Outputs are the files that the caller writes afterwards. One that is an input
	// is an error.
	Outputs []string
	// Origins, if given, records where the artifact files were found.
	Origins *Origins
	// Data selects what the report has in addition to findings: what its formats need
	// (report.Format.Needs).
	Data lint.Data
	// SkipFingerprints leaves out Finding.Fingerprint, where neither a baseline nor the
	// results that are kept depend on it, and Data does not select it.
	SkipFingerprints bool
}
