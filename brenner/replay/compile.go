package replay

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/session"
)

// CompileOptions are what a compilation needs in addition to the replay.
type CompileOptions struct {
	// Version is the version to compile; 0 means the next. For a published version the result is
	// what it should have been.
	Version int
	// Compiler is who publishes; "" for the publisher of the previous version, else the
	// sender of the KICKOFF.
	Compiler string
	// At is the time of the compilation. Zero means the time of the latest message or, for a
	// published version, of its COMPILED.
	At time.Time
	// Roster are the agents to send the message to; nil for the registered agents that
	// take part in the thread.
	Roster []string
	// ArtifactsDir is the folder of persisted artifacts, "artifacts" by default.
	ArtifactsDir string
	// RejectedBy returns the rule for which a delta is rejected, and the reason.
	RejectedBy func(*Rejection) (rule, reason string)
	// Validate checks the artifact in a COMPILED with a body.
	Validate func(body string) Validation
}

// Validation is what checking an artifact finds.
type Validation struct {
	Errors, Warnings int
	// Findings are the errors and warnings, in the order of the artifact.
	Findings []ValidationFinding
}

// ValidationFinding is an error or warning that checking an artifact finds.
type ValidationFinding struct {
	Rule, Severity, Item, Message string
}

// Compiled is a version of a thread, ready to be published.
type Compiled struct {
	Thread, Project string
	Version         int
	Compiler        string
	At              time.Time
	To              []string
	// Published is the COMPILED that published the version; nil if it is the next.
	Published *session.Message

	Window  *Window
	State   *brenner.State
	Changes []diff.Change // since the previous version
	// Contributors are the agents whose deltas were applied since the previous version,
	// by first contribution.
	Contributors []Contributor
	// NotApplied are the deltas that the merge rejects or skips, and Unread the
	// messages with deltas that are not read at all.
	NotApplied []NotApplied
	Unread     []UnreadDeltas
	// Conflicts are between deltas of the window, Unresolved left from earlier versions.
	Conflicts  []Conflict
	Unresolved []UnresolvedField
	Kept       []FieldDiff
	Shortages  []SectionShortage
	Validation Validation

	// Artifact is the canonical Markdown with front matter, as a file has it.
	Artifact []byte
	// Subject and Body are those of the message.
	Subject, Body string

	replay *Thread
}

// NothingError reports that there is no version to publish.
type NothingError struct {
	Thread  string
	Version int    // the last version, 0 if none was published
	Message string // that published it
	// NotApplied are the deltas since then without an effect. Deltas counts all deltas since
	// then.
	NotApplied []NotApplied
	Deltas     int
}

func (e *NothingError) Error() string {
	since := ""
	if e.Version > 0 {
		since = fmt.Sprintf(" since v%d", e.Version)
	} else if e.Message != "" {
		since = " since the last COMPILED"
	}
	if e.Message != "" {
		since += fmt.Sprintf(" (message %s)", e.Message)
	}
	if e.Deltas == 0 {
		return fmt.Sprintf("nothing to compile: thread %s has no deltas%s", e.Thread, since)
	}
	if e.Deltas == 1 {
		return fmt.Sprintf("nothing to compile: the only delta of thread %s%s was not applied", e.Thread, since)
	}
	return fmt.Sprintf("nothing to compile: of the %d deltas of thread %s%s none was applied", e.Deltas, e.Thread, since)
}

// Compile makes the COMPILED message that publishes a version of a thread, and the artifact in it
// (artifact_publish_spec). It is pure: the same replay and options produce the same bytes, and no
// clock is read. It knows no rules: functions of the caller say why a delta is rejected, and check
// the artifact. The error is a [*NothingError], or describes what
// is wrong with the thread or the options.
func Compile(r *Thread, o CompileOptions) (*Compiled, error) {
	w, version, err := chooseWindow(r, o.Version)
	switch {
	case err != nil:
		return nil, err
	case len(r.Untimed) > 0:
		return nil, fmt.Errorf("thread %s cannot be replayed whole: %s has no valid timestamp", r.Thread.ID, nameOf(r.Untimed[0]))
	case w.Unread:
		return nil, fmt.Errorf("thread %s cannot be replayed whole: the export lacks the bodies of DELTA messages", r.Thread.ID)
	}
	latest := latestTime(r, w)
	at := cmp.Or(o.At, latest)
	if at.Before(latest) {
		return nil, fmt.Errorf("the time of compilation %s is before the latest message of thread %s (%s)", brenner.FormatTime(at), r.Thread.ID, brenner.FormatTime(latest))
	}
	c := &Compiled{Thread: r.Thread.ID, Project: r.Thread.Project, Version: version, At: at.UTC(), Published: w.Compiled, Window: w, State: w.State, replay: r}
	c.NotApplied = notApplied(w, o.RejectedBy)
	before := w.base
	if w.previous != nil && w.previous.Published != nil {
		before = w.previous.Published // what it left out, and this version restores, is new (decisions.md 48)
	}
	if w.Compiled == nil && w.Applied == 0 {
		none := &NothingError{Thread: c.Thread, Version: LatestVersion(r.Windows), NotApplied: c.NotApplied, Deltas: len(w.Deltas)}
		if w.previous != nil {
			none.Message = w.previous.Compiled.ID
		}
		return nil, none
	}
	c.Compiler = cmp.Or(o.Compiler, compilerOf(r, w))
	c.To = recipients(r, c.Compiler, o.Roster)
	c.Contributors = contributors(w)
	c.Unread = unreadDeltas(r, w)
	c.Changes = slices.Collect(diff.States(before, w.State))
	c.Conflicts, c.Shortages = w.Conflicts(), w.Shortages()
	c.Unresolved = unresolved(w, c.Conflicts)
	c.Kept = keptDifferences(r, w)
	c.Artifact = c.render()
	c.Subject = c.subject()
	embedded := c.embedded()
	if o.Validate != nil {
		c.Validation = o.Validate(fullArtifact + embedded)
	}
	c.Body = c.body(cmp.Or(o.ArtifactsDir, "artifacts"), embedded)
	return c, nil
}

// Publishable reports whether the version can be published as it is: no field is left
// at a conflict, and no section has too few items.
func (c *Compiled) Publishable() bool {
	return len(c.Conflicts)+len(c.Unresolved)+len(c.Shortages) == 0
}

// chooseWindow returns the window that a version publishes, and its number.
func chooseWindow(r *Thread, version int) (*Window, int, error) {
	next := 1 // the version of the coming COMPILED (decisions.md 58)
	if len(r.Windows) > 0 {
		next = max(1, LatestVersion(r.Windows)) + 1
	}
	if version == 0 || version == next {
		return r.Pending, next, nil
	}
	if w := r.Version(version); w != nil {
		return w, version, nil
	}
	if len(r.Windows) == 0 {
		return nil, 0, fmt.Errorf("thread %s has no version %d: none is published, and the next is v%d", r.Thread.ID, version, next)
	}
	return nil, 0, fmt.Errorf("thread %s has no version %d: the latest is v%d, and the next is v%d", r.Thread.ID, version, LatestVersion(r.Windows), next)
}

// LatestVersion returns the highest version that windows publish, 0 if none.
func LatestVersion(windows []*Window) (n int) {
	for _, w := range windows {
		n = max(n, w.Compiled.Version.Number)
	}
	return n
}

// nameOf names a message for readers.
func nameOf(m *session.Message) string {
	if m.ID == "" {
		return fmt.Sprintf("the message %q", m.SubjectText)
	}
	return "message " + m.ID
}

// latestTime returns the time of the COMPILED of a window, or of the thread's latest
// message.
func latestTime(r *Thread, w *Window) time.Time {
	if w.Compiled != nil {
		return w.Compiled.Time
	}
	var latest time.Time
	for _, m := range r.Thread.Messages {
		if m.HasTime && m.Time.After(latest) {
			latest = m.Time
		}
	}
	return latest
}

// CompiledMessage is the message that publishes a version, ready to be sent. It requires no
// acknowledgement, like every COMPILED. Its JSON is the arguments of Agent Mail's send_message.
type CompiledMessage struct {
	Project string   `json:"project_key,omitempty"` // "" if the mail does not name it
	From    string   `json:"sender_name"`
	To      []string `json:"to"`
	Subject string   `json:"subject"`
	Body    string   `json:"body_md"`
	Thread  string   `json:"thread_id"`
}

// Message returns the message that publishes the version.
func (c *Compiled) Message() CompiledMessage {
	return CompiledMessage{Project: c.Project, From: c.Compiler, To: c.To, Subject: c.Subject, Body: c.Body, Thread: c.Thread}
}
