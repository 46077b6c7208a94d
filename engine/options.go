package engine

import (
	"cmp"
	"context"
	"io"
	"maps"
	"runtime"
	"time"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/bundle"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/lint"
)

// Files says which files of folders are read.
type Files struct {
	Exclude []string // globs of paths to leave out, which begin in the working folder or where a walk begins
	// Folder is where the globs of ConfigExclude, overrides and suppressions begin; "" is the
	// working folder.
	Folder        string
	ConfigExclude []string
	// GitIgnore leaves out what .gitignore files ignore, unless it is named itself.
	GitIgnore bool
}

// Options are what a user configures. The zero Options are those of the program without
// flags and configuration.
type Options struct {
	RuleConfig lint.RuleConfig
	Severities Severities
	Limits     Limits

	Kind  Kind
	Mail  MailScope // which mail of a whole mailbox is read (contract.md, --scope)
	Files Files
	// SkipUnrecognized makes a named file that is not recognised a notice instead
	// of an error (contract.md, --skip-unrecognized).
	SkipUnrecognized bool
	Stdin            Stdin
	// Contents are read instead of the files that have these paths, which need not exist.
	Contents map[string][]byte

	Suppressions []Suppression
	Baseline     *Baseline
	// OnlyNew, if given, chooses the findings that are new (contract.md, --new-from);
	// the others are counted only.
	OnlyNew func(context.Context, *Mailbox, []*lint.Finding) ([]*lint.Finding, error)

	// Workers is how many inputs and threads are read at once; 0 means as many as there are
	// processors.
	Workers int
	// Trace is called while mail is read and checked; nil if nobody follows.
	Trace *Trace
}

// Stdin is what the path - reads.
type Stdin struct {
	io.Reader
	Name string // how it is shown; "-" by default
}

// Trace observes a mailbox. Its functions may be nil; several goroutines call them at once.
type Trace struct {
	// Progress is called with how far a check is: how many inputs were read (total is 0
	// then), later how many of all threads were checked.
	Progress func(done, total int)
	// Message is called with each message of a thread that is checked, but not of one
	// that Previous knows.
	Message func(mail.Ref)
	// Timed is called with the time that a stage (read, parse, replay) or a rule took.
	Timed func(stage string, took time.Duration)
}

// Kind says what the inputs are, instead of their content.
type Kind uint8

// The kinds of inputs, in the order of input.As.
const (
	Auto Kind = iota // what the content says
	AsArtifact
	AsMail
	AsDraft
)

// MailScope says which mail of a whole mailbox is read (decisions.md 15: only threads of the
// protocol).
type MailScope string

// The scopes, as --scope and the configuration name them.
const (
	AutoMail     MailScope = "auto" // or "": of a mailbox the threads of the protocol; of other exports everything
	ProtocolMail MailScope = "protocol"
	AllMail      MailScope = "all"
)

// Limits bound what is read, so that every run ends. What exceeds a limit is a finding. A limit
// of 0 means that of DefaultLimits. Package config reads limits by their tags.
type Limits struct {
	FileSize     int64 `yaml:"file-size,omitempty" max:"4095MB" doc:"Maximum size of a file; at most 4095MB (128MB)."`
	ExpandedSize int64 `yaml:"expanded-size,omitempty" doc:"Maximum expanded size of a zip archive (4GB)."`
	Entries      int   `yaml:"entries,omitempty" min:"1" doc:"Maximum number of entries in a zip archive (100000)."`
	JSONDepth    int   `yaml:"json-depth,omitempty" min:"1" max:"10000" doc:"Maximum nesting of JSON in deltas, artifacts and drafts (512)."`
	YAMLDepth    int   `yaml:"yaml-depth,omitempty" min:"1" max:"1000" doc:"Maximum nesting of an artifact's front matter (32)."`
	YAMLAliases  int   `yaml:"yaml-aliases,omitempty" min:"1" doc:"Maximum number of aliases in an artifact's front matter (1000)."`
	Findings     int   `yaml:"findings,omitempty" min:"1" doc:"Maximum number of findings reported for a file (10000)."`
	FrameLine    int   `yaml:"frame-line,omitempty" min:"80" max:"1000000" doc:"Maximum number of bytes kept of a source line (2048)."`
}

// DefaultLimits are the limits if Options have none.
var DefaultLimits = Limits{
	FileSize: input.DefaultMaxFileSize, ExpandedSize: bundle.DefaultLimits.Expanded, Entries: bundle.DefaultLimits.Entries,
	JSONDepth: artifact.DefaultLimits.JSONDepth, YAMLDepth: artifact.DefaultLimits.YAMLDepth, YAMLAliases: artifact.DefaultLimits.YAMLAliases,
	Findings: 10_000, FrameLine: 2048,
}

// ofArtifacts returns those that bound what is read of an artifact or a delta.
func (l *Limits) ofArtifacts() artifact.Limits {
	return artifact.Limits{JSONDepth: l.JSONDepth, YAMLDepth: l.YAMLDepth, YAMLAliases: l.YAMLAliases}
}

// SetDefaults sets the limits that are 0, and lowers those that are too high: places in files have
// 32 bits, and trees are walked by recursion, whose stack must be bounded.
func (l *Limits) SetDefaults() {
	l.FileSize = min(cmp.Or(l.FileSize, DefaultLimits.FileSize), 4095<<20)
	l.ExpandedSize = cmp.Or(l.ExpandedSize, DefaultLimits.ExpandedSize)
	l.Entries = cmp.Or(l.Entries, DefaultLimits.Entries)
	l.JSONDepth = min(cmp.Or(l.JSONDepth, DefaultLimits.JSONDepth), 10_000)
	l.YAMLDepth = min(cmp.Or(l.YAMLDepth, DefaultLimits.YAMLDepth), 1000)
	l.YAMLAliases = cmp.Or(l.YAMLAliases, DefaultLimits.YAMLAliases)
	l.Findings = cmp.Or(l.Findings, DefaultLimits.Findings)
	l.FrameLine = cmp.Or(l.FrameLine, DefaultLimits.FrameLine)
}

// maxWorkers limits parallel checks: each keeps one thread in memory.
const maxWorkers = 256

func (o *Options) setDefaults() {
	o.RuleConfig.SetDefaults()
	o.Limits.SetDefaults()
	if o.Contents = maps.Clone(o.Contents); o.Contents == nil {
		o.Contents = map[string][]byte{}
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.Workers = min(o.Workers, maxWorkers)
	if o.Trace == nil {
		o.Trace = &Trace{}
	}
}

// The parts of a check that are timed besides rules, and others that may fail.
const (
	readStage   = "read"
	parseStage  = "parse"
	replayStage = "replay"

	threadStage = "the check of a thread"
	inputStage  = "the check of an input"
	draftStage  = "the check of a draft"
)

// time starts to time a stage; the function that it returns ends that.
func (t *Trace) time(stage string) (end func()) {
	if t.Timed == nil {
		return func() {}
	}
	start := time.Now()
	return func() { t.Timed(stage, time.Since(start)) }
}

// Severities decides which rules run, and how severe their findings are. The zero
// Severities runs every rule at its own severity.
type Severities struct {
	// Select, if not nil, are the only rules that run; Ignore are rules that do
	// not. Both hold rule ids.
	Select, Ignore map[string]bool
	// Severity holds the severities of rules that shall not have their own.
	Severity map[string]lint.Severity
	// Overrides apply to findings in some paths, the later over the earlier.
	Overrides []SeverityOverride
	// Fixed holds the ids of rules that no override applies to.
	Fixed map[string]bool
}

// SeverityOverride changes levels for findings in paths that match a glob.
type SeverityOverride struct {
	Paths    []string // doublestar globs
	Ignore   map[string]bool
	Severity map[string]lint.Severity
}

// runs reports whether a rule runs at all.
func (l *Severities) runs(r *lint.Rule) bool {
	return (l.Select == nil || l.Select[r.ID]) && !l.Ignore[r.ID]
}

// at returns the overrides that apply to a file, by its Folder.Spellings and by their globs.
func (l *Severities) at(globs []input.Globs, spellings []string) (out []*SeverityOverride) {
	for i := range l.Overrides {
		if globs[i].Match(spellings) {
			out = append(out, &l.Overrides[i])
		}
	}
	return out
}

// of returns the severity of a rule's findings, perhaps in a draft, where overrides
// apply; false if they are off.
func (l *Severities) of(r *lint.Rule, overrides []*SeverityOverride, draft bool) (lint.Severity, bool) {
	level := r.Severity
	if draft {
		level = cmp.Or(r.DraftSeverity, level)
	}
	if s, ok := l.Severity[r.ID]; ok {
		level = s
	}
	on := true
	if l.Fixed[r.ID] {
		return level, on
	}
	for _, o := range overrides {
		if s, ok := o.Severity[r.ID]; ok {
			level, on = s, true
		}
		if o.Ignore[r.ID] {
			on = false
		}
	}
	return level, on
}
