package customrules

import (
	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/expression"
	"github.com/brennerlint/brennerlint/lint"
)

// taskState is what house rules share in one task of a check (lint.Shared): the
// frame in which they run, and lists that were made for one of them.
type taskState struct {
	frame expression.Frame

	message  *session.Message // of the scopes message and delta
	bodyText *string
	headings []any
	blocks   map[*session.Message][]any

	inThread bool
	thread   *thread

	sessions *sessions

	art       *artifact.Artifact
	path      string // of the artifact's file
	itemList  []any
	citedList []any
	bySection map[brenner.Section][]any
}

// task returns the state of a frame.
func task(f *expression.Frame) *taskState { return f.Data.(*taskState) }

// stateOf returns the state of the task that a pass belongs to.
func stateOf(p *lint.Pass) *taskState {
	t := lint.Shared[taskState](p)
	if t.blocks == nil {
		t.blocks, t.frame.Data = map[*session.Message][]any{}, t
	}
	return t
}

// The steps that a rule may take on one message, delta, thread, artifact or workspace: some, and more for each byte or element of
// what the rule is about, so that a check takes time in proportion to its input.
const (
	baseSteps       = 50_000
	stepsPerByte    = 50
	stepsPerElement = 10_000
)

// showMessage makes a message what expressions are about.
func (t *taskState) showMessage(m *session.Message, inThread bool) {
	size := len(m.SubjectText)
	if m.Body != nil {
		size += m.Body.Len()
	}
	t.frame.Begin(baseSteps + stepsPerByte*size)
	if t.message == m && t.thread == nil && t.art == m.Artifact {
		return
	}
	clear(t.blocks)
	t.show(m, m.Artifact)
	t.inThread = inThread
}

// show turns to another message or artifact: the lists of the one before are dropped.
func (t *taskState) show(m *session.Message, a *artifact.Artifact) {
	t.message, t.bodyText, t.headings = m, nil, nil
	t.art, t.path, t.itemList, t.citedList, t.bySection = a, "", nil, nil, nil
	t.thread = nil
}

func (t *taskState) body(m *session.Message) string {
	if m != t.message {
		return m.Body.String()
	}
	if t.bodyText == nil {
		s := m.Body.String()
		t.bodyText = &s
	}
	return *t.bodyText
}

func (t *taskState) sections(m *session.Message) []any {
	if m == t.message && t.headings != nil {
		return t.headings
	}
	out := make([]any, len(m.Sections))
	for i := range m.Sections {
		out[i] = &m.Sections[i]
	}
	if m == t.message {
		t.headings = out
	}
	return out
}

func (t *taskState) deltas(m *session.Message) []any {
	if len(m.Deltas) == 0 {
		return none
	}
	if known, ok := t.blocks[m]; ok {
		return known
	}
	from := m.From.String()
	out := make([]any, len(m.Deltas))
	for i, d := range m.Deltas {
		out[i] = &block{Delta: d, from: from}
	}
	t.blocks[m] = out
	return out
}

// delta returns what expressions see as a delta of the message.
func (t *taskState) delta(m *session.Message, d *delta.Delta) any {
	i := d.Index - 1
	if i < 0 || i >= len(m.Deltas) || m.Deltas[i].Fence != d.Fence {
		return &block{Delta: d, from: m.From.String()}
	}
	return t.deltas(m)[i]
}

// showArtifact makes an artifact what expressions are about.
func (t *taskState) showArtifact(p *lint.ArtifactPass) {
	if t.art != p.Artifact {
		clear(t.blocks)
		t.show(p.Message, p.Artifact)
		if p.Message == nil {
			t.path = p.Path
		}
	}
	t.frame.Begin(baseSteps + stepsPerByte*p.Artifact.Span.Len() + stepsPerElement*len(t.items(p.Artifact)))
}

func (t *taskState) items(a *artifact.Artifact) []any {
	if a == t.art && t.itemList != nil {
		return t.itemList
	}
	out := []any{}
	for _, s := range a.Sections {
		for _, it := range s.Items {
			out = append(out, &item{it, s})
		}
	}
	if a == t.art {
		t.itemList = out
	}
	return out
}

// itemsOf returns the items of a section.
func (t *taskState) itemsOf(a *artifact.Artifact, sec brenner.Section) []any {
	if known, ok := t.bySection[sec]; ok && a == t.art {
		return known
	}
	out := []any{}
	for _, v := range t.items(a) {
		if v.(*item).ID.Section == sec {
			out = append(out, v)
		}
	}
	if a == t.art {
		if t.bySection == nil {
			t.bySection = map[brenner.Section][]any{}
		}
		t.bySection[sec] = out
	}
	return out
}

func (t *taskState) citations(a *artifact.Artifact) []any {
	if a == t.art && t.citedList != nil {
		return t.citedList
	}
	out := []any{}
	for _, c := range a.Citations() {
		if c.Item == nil || !c.Item.Killed {
			out = append(out, c.Place.Text.Slice(c.Place.Span))
		}
	}
	if a == t.art {
		t.citedList = out
	}
	return out
}

// thread is what expressions see as a Thread.
type thread struct {
	*session.Thread
	replay   *replay.Thread // nil where the thread is not complete
	messages []any
	versions int // how many COMPILED
	size     int // how many messages, deltas and recipients

	wrote  []any
	stored []any
}

// showThread makes a thread what expressions are about.
func (t *taskState) showThread(p *lint.ThreadPass) {
	if t.thread == nil || t.thread.Thread != p.Thread || t.thread.replay != p.Replay || len(t.thread.messages) != len(p.Thread.Messages) {
		clear(t.blocks)
		t.show(nil, nil)
		t.inThread = true
		t.thread = newThread(p)
	}
	t.frame.Begin(baseSteps + stepsPerElement*t.thread.size)
}

func newThread(p *lint.ThreadPass) *thread {
	th := &thread{Thread: p.Thread, replay: p.Replay, messages: make([]any, len(p.Thread.Messages))}
	for i, m := range p.Thread.Messages {
		th.messages[i] = m
		th.size += 1 + len(m.Deltas) + len(m.Recipients)
		if m.Intended == brenner.Compiled {
			th.versions++
		}
	}
	return th
}

func (t *thread) agents() []any {
	if t.wrote == nil {
		t.wrote = []any{}
		seen := map[string]bool{}
		for _, m := range t.Messages {
			if from := m.From.String(); from != "" && !seen[from] {
				seen[from] = true
				t.wrote = append(t.wrote, from)
			}
		}
	}
	return t.wrote
}

// items returns those of the merged state.
func (t *thread) items() []any {
	if t.stored == nil {
		t.stored = []any{}
		if t.replay == nil || t.replay.Pending == nil || t.replay.Pending.State == nil {
			return t.stored
		}
		for _, sec := range brenner.Sections {
			for _, it := range t.replay.Pending.State.Items(sec) {
				t.stored = append(t.stored, &stored{Item: it})
			}
		}
	}
	return t.stored
}
