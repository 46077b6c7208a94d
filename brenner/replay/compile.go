package replay

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
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
	// Validate checks the artifact in a COMPILED with a body, and returns the errors and warnings in
	// the order of the artifact.
	Validate func(body string) []ValidationFinding
}

// ValidationFinding is an error or warning that checking an artifact finds.
type ValidationFinding struct {
	Rule, Severity, Message string
	At                      int // where it begins in the body
}

// Compiled is a version of a thread, ready to be published.
type Compiled struct {
	CompiledMessage

	Version int
	At      time.Time
	// Published is the COMPILED that published the version; nil if it is the next.
	Published *session.Message

	Window  *Window
	State   *brenner.State
	Changes []diff.Change // since the previous version
	// Contributors are the agents whose deltas were applied since the previous version,
	// by first contribution.
	Contributors []Contributor
	// NotApplied are the deltas that the merge rejects or skips, then the messages with deltas that
	// are not read at all.
	NotApplied []NotApplied
	// Conflicts are between deltas of the window, then those left from earlier versions.
	Conflicts []Conflict
	Kept      []FieldDiff
	Shortages []SectionShortage
	Findings  []ValidationFinding

	// Artifact is the canonical Markdown with front matter, as a file has it.
	Artifact []byte

	replay *Thread
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
	switch e.Deltas {
	case 0:
		return fmt.Sprintf("nothing to compile: thread %s has no deltas%s", e.Thread, since)
	case 1:
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
	c := &Compiled{Version: version, At: at.UTC(), Published: w.Compiled, Window: w, State: w.State, replay: r}
	c.Thread, c.Project, c.NotApplied = r.Thread.ID, r.Thread.Project, notApplied(w, o.RejectedBy)
	if w.Compiled == nil && w.Applied == 0 {
		none := &NothingError{Thread: c.Thread, Version: LatestVersion(r.Windows), NotApplied: c.NotApplied, Deltas: len(w.Deltas)}
		if w.previous != nil {
			none.Message = w.previous.Compiled.ID
		}
		return nil, none
	}
	before := w.base
	if w.previous != nil && w.previous.Published != nil {
		before = w.previous.Published // what it left out, and this version restores, is new (decisions.md 48)
	}
	c.From = cmp.Or(o.Compiler, compilerOf(r, w))
	c.To = recipients(r, c.From, o.Roster)
	c.Contributors = contributors(w.correct)
	c.NotApplied = append(c.NotApplied, unread(r, w)...)
	c.Changes = slices.Collect(diff.States(before, w.State))
	own := w.Conflicts()
	c.Conflicts, c.Shortages = slices.Concat(own, unresolved(w, own)), w.Shortages()
	c.Kept = keptDifferences(r, w)
	c.Artifact = c.render(nil)
	c.Subject = c.subject()
	full := "## Full Artifact\n\n" + c.embedded()
	c.Findings = o.Validate(full)
	c.Body = (&body{c, cmp.Or(o.ArtifactsDir, "artifacts")}).write() + full
	return c, nil
}

// render returns the artifact of the version, with its front matter; details are what else is known
// of contributors, by their names.
func (c *Compiled) render(details map[string]artifact.Contributor) []byte {
	at := brenner.FormatTime(c.At)
	meta := artifact.RenderMeta{SessionID: c.Thread, Version: c.Version, CreatedAt: at, UpdatedAt: at, CompiledAt: at, CompiledBy: c.From, Status: "active"}
	for _, m := range c.replay.Thread.Messages {
		if m.HasTime {
			meta.CreatedAt = brenner.FormatTime(m.Time)
			break
		}
	}
	if c.Published != nil {
		meta.MessageID = c.Published.ID
	}
	for _, agent := range c.replay.Contributors(c.Window) {
		one := details[agent]
		one.Agent = agent
		meta.Contributors = append(meta.Contributors, one)
	}
	return artifact.Render(c.State, meta)
}

// embedded returns the artifact as the message has it: raw, as in the protocol's own
// messages; in a fence only if its readers would not find it there unchanged, or would
// find more, such as a delta in the text of an item.
func (c *Compiled) embedded() string {
	inline := string(c.Artifact)
	file := artifact.ParseMarkdown(source.NewText(c.Artifact), artifact.Limits{})
	m := session.Begin(&mail.Thread{}, artifact.Limits{}).Add(&mail.Message{
		Subject: source.NewText([]byte("COMPILED: v1")), Body: source.NewText([]byte("## Full Artifact\n\n" + inline)), BodyState: mail.BodyPresent,
	})
	if a := m.Artifact; a != nil && len(m.Deltas)+len(m.UnfencedDeltas) == 0 && bytes.Equal(a.Text.Bytes(a.Span), c.Artifact) && a.State().Equal(file.State()) {
		return inline
	}
	return text.Fence("markdown", inline)
}

// Publishable reports whether the version can be published as it is: no field is left
// at a conflict, and no section has too few items.
func (c *Compiled) Publishable() bool {
	return len(c.Conflicts)+len(c.Shortages) == 0
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
