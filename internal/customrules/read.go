package customrules

import (
	"cmp"
	"time"

	"github.com/expr-lang/expr/vm"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/brenner/workspace"
	"github.com/brennerlint/brennerlint/lint"
)

// task is what custom rules share in one task of a check (lint.Shared): the machine that
// runs them, and the last of each object that they saw. Of an object only what some rule reads
// is filled.
type task struct {
	functions
	vm vm.VM

	message  *Message
	inThread bool
	artifact *Artifact
	written  *artifact.Artifact // what artifact was read from
	thread   *Thread
	replay   *replay.Thread // of thread
	length   int            // messages of thread
	sessions *Workspace
	read     *workspace.Workspace // what sessions was read from
}

// taskOf returns the task that a pass belongs to.
func taskOf(p *lint.Pass) *task {
	t := lint.Shared[task](p)
	if t.functions.Words == nil {
		t.functions = newFunctions()
	}
	return t
}

// messageOf returns a message as the expressions of a rule see it.
func (t *task) messageOf(r *rule, m *session.Message, inThread bool) *Message {
	if t.message == nil || t.message.of != m || t.inThread != inThread {
		t.message, t.inThread = &Message{Envelope: *readEnvelope(m, inThread), Artifact: noArtifact}, inThread
	}
	out := t.message
	if r.reads("deltas") || r.about == lint.DeltaScope {
		out.readDeltas()
	}
	if out.Body == "" && r.reads("body") && m.BodyState == mail.BodyPresent {
		out.Body = m.Body.String()
	}
	if out.Sections == nil && r.reads("sections") {
		for i := range m.Sections {
			out.Sections = append(out.Sections, readSection(m, &m.Sections[i]))
		}
	}
	if m.Artifact != nil && r.reads("artifact") {
		out.Artifact = t.artifactOf(r, m.Artifact, "")
	}
	return out
}

func readSection(m *session.Message, s *session.Section) *Section {
	return &Section{Title: s.Title, Level: s.Level, Text: m.Body.Slice(s.Content), Empty: s.Empty()}
}

func readEnvelope(m *session.Message, inThread bool) *Envelope {
	out := &Envelope{
		ID: m.ID, Type: m.Intended.String(), Role: m.SubjectText[m.Role.Start:m.Role.End],
		Subject: m.SubjectText, Description: m.SubjectText[m.Description.Start:m.Description.End],
		From: m.From.String(), Thread: m.ThreadID, AckRequired: m.AckRequired, Version: m.Version.Number,
		Draft: m.Form == mail.Draft, of: m,
	}
	if m.HasTime {
		out.Time = m.Time.UTC().Format(time.RFC3339)
	}
	if inThread {
		out.Number = m.Index + 1
	}
	for i := range m.Recipients {
		out.Recipients = append(out.Recipients, m.Recipients[i].Name)
	}
	return out
}

// readDeltas reads the deltas of a message, once.
func (e *Envelope) readDeltas() {
	if e.Deltas == nil {
		for _, d := range e.of.Deltas {
			e.Deltas = append(e.Deltas, readDelta(d, e.From))
		}
	}
}

func readDelta(d *delta.Delta, from string) *Delta {
	out := &Delta{
		Fields: noFields, Number: d.Index, Valid: d.Rejected() == nil, Operation: d.Operation.String(), Section: d.Section.ID(),
		Target: d.TargetID, Agent: cmp.Or(d.Agent, from), Rationale: d.Root.Get("rationale").StringOr(""), Reason: d.Reason,
	}
	out.readPayload(d.Payload)
	return out
}

// deltaOf returns a delta of a message as expressions see it: where it can be, that of its list.
func deltaOf(m *Message, d *delta.Delta) *Delta {
	if i := d.Index - 1; i >= 0 && i < len(m.Deltas) && m.of.Deltas[i].Fence == d.Fence {
		return m.Deltas[i]
	}
	return readDelta(d, m.From)
}

// artifactOf returns an artifact as the expressions of a rule see it; an inline one has no path.
func (t *task) artifactOf(r *rule, a *artifact.Artifact, path string) *Artifact {
	if t.written != a {
		t.artifact, t.written = readArtifact(a, path), a
	}
	if t.artifact.Citations == nil && r.reads("citations") {
		for _, c := range a.Citations() {
			if c.Item == nil || !c.Item.Killed {
				t.artifact.Citations = append(t.artifact.Citations, c.Place.Text.Slice(c.Place.Span))
			}
		}
	}
	return t.artifact
}

func readArtifact(a *artifact.Artifact, path string) *Artifact {
	out := &Artifact{Session: metaText(a, "session_id"), Status: metaText(a, "status"), Path: path, Inline: path == ""}
	out.Version, _ = session.ParseNumber(metaText(a, "version"))
	lists := map[brenner.Section]*[]*Item{
		brenner.HypothesisSlate: &out.Hypotheses, brenner.PredictionsTable: &out.Predictions, brenner.DiscriminativeTests: &out.Tests,
		brenner.AssumptionLedger: &out.Assumptions, brenner.AnomalyRegister: &out.Anomalies, brenner.AdversarialCritique: &out.Critiques,
	}
	for _, s := range a.Sections {
		for _, it := range s.Items {
			made := &Item{
				Fields: noFields, ID: it.ID.String(), Number: it.ID.Number, Section: it.ID.Section.ID(),
				Killed: it.Killed, KilledBy: it.KilledBy, KillReason: it.KillReason, of: it,
			}
			made.readItem(it)
			out.Items = append(out.Items, made)
			if list := lists[it.ID.Section]; list != nil {
				*list = append(*list, made)
			}
		}
	}
	return out
}

// metaText returns a single value of the front matter.
func metaText(a *artifact.Artifact, key string) string {
	if v := a.Meta.Get(key); v != nil {
		return v.Text
	}
	return ""
}

// threadOf returns a thread as the expressions of a rule see it.
func (t *task) threadOf(r *rule, p *lint.ThreadPass) *Thread {
	if t.thread == nil || t.replay != p.Replay || t.length != len(p.Thread.Messages) || t.thread.Messages[0].of != p.Thread.Messages[0] {
		t.thread, t.replay, t.length = readThread(p.Thread), p.Replay, len(p.Thread.Messages)
	}
	out := t.thread
	if r.reads("deltas") {
		for _, m := range out.Messages {
			m.readDeltas()
		}
	}
	if p := p.Replay; out.Items == nil && r.reads("items") && p != nil && p.Pending != nil && p.Pending.State != nil {
		for _, sec := range brenner.Sections {
			for _, it := range p.Pending.State.Items(sec) {
				out.Items = append(out.Items, readStored(it))
			}
		}
	}
	return out
}

func readThread(thread *session.Thread) *Thread {
	out := &Thread{ID: thread.ID}
	seen := map[string]bool{}
	for _, m := range thread.Messages {
		made := readEnvelope(m, true)
		out.Messages = append(out.Messages, made)
		if made.From != "" && !seen[made.From] {
			seen[made.From] = true
			out.Agents = append(out.Agents, made.From)
		}
		if m.Intended == brenner.Compiled {
			out.Versions++
		}
	}
	return out
}

func readStored(it *state.Item) *Item {
	out := &Item{Fields: noFields, ID: it.ID.String(), Number: it.ID.Number, Section: it.ID.Section.ID(), Killed: it.Killed != nil}
	out.readStored(it.Fields())
	if it.Killed != nil {
		out.KilledBy, out.KillReason = it.Killed.By, it.Killed.Reason
	}
	return out
}

// sessionsOf returns a workspace as expressions see it.
func (t *task) sessionsOf(w *workspace.Workspace) *Workspace {
	if t.read != w {
		t.read, t.sessions = w, &Workspace{}
		for _, s := range w.Sessions() {
			t.sessions.Sessions = append(t.sessions.Sessions, &Session{
				ID: s.ID, Path: s.Path, Items: texts(s.Items, brenner.ItemID.String),
				Killed:     texts(s.Killed, func(k workspace.KilledItem) string { return k.Item.String() }),
				References: texts(s.References, func(r workspace.Reference) string { return r.Session + "/" + r.Target }),
			})
		}
	}
	return t.sessions
}

// texts returns a list of texts.
func texts[T any](list []T, text func(T) string) []string {
	out := make([]string, 0, len(list))
	for _, v := range list {
		out = append(out, text(v))
	}
	return out
}
