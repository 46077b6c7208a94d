package customrules

import (
	"cmp"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/expr-lang/expr/vm"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/lint"
)

// task is what custom rules share in one task of a check (lint.Shared): the machine that
// runs them, and what they saw last.
type task struct {
	vm   vm.VM
	env  map[string]any // the variables and functions of expressions, by their names
	made int            // bytes of texts that the run has made
	err  error          // why a program of the rule cannot be evaluated
}

// taskOf returns the task that a pass belongs to.
func taskOf(p *lint.Pass) *task {
	t := lint.Shared[task](p)
	if t.env == nil {
		t.env = t.functions()
		t.env["message"], t.env["artifact"], t.env["thread"], t.env["workspace"] = noMessage, noArtifact, noThread, &Workspace{}
	}
	return t
}

// setMessage sets the variable message, and the functions on it.
func (t *task) setMessage(m *session.Message, inThread bool) *Message {
	out := t.env["message"].(*Message)
	if out.of != m || (out.Number > 0) != inThread {
		out = &Message{Envelope: *readEnvelope(m, inThread), Artifact: noArtifact}
		if m.BodyState == mail.BodyPresent {
			out.Body = m.Body.String()
		}
		for i := range m.Sections {
			out.Sections = append(out.Sections, readSection(m, &m.Sections[i]))
		}
		if m.Artifact != nil {
			out.Artifact = t.artifactOf(m.Artifact, "")
		}
	}
	t.env["message"], t.env["section"], t.env["field"] = out, out.section, out.field
	return out
}

func readSection(m *session.Message, s *session.Section) *Section {
	return &Section{Title: s.Title, Level: s.Level, Text: m.Body.Slice(s.Content), Empty: s.Empty()}
}

func readEnvelope(m *session.Message, inThread bool) *Envelope {
	out := &Envelope{
		ID: m.ID, Type: string(m.Intended), Role: m.SubjectText[m.Role.Start:m.Role.End],
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
	for _, d := range m.Deltas {
		out.Deltas = append(out.Deltas, readDelta(d, out.From))
	}
	return out
}

func readDelta(d *delta.Delta, from string) *Delta {
	out := &Delta{
		Fields: noFields, Number: d.Index, Valid: d.Rejected() == nil, Operation: string(d.Operation), Section: d.Section.ID(),
		Target: d.TargetID, Agent: cmp.Or(d.Agent, from), Rationale: d.Root.Get("rationale").StringOr(""), Reason: d.Reason,
	}
	payload, _ := d.Payload.Value().(map[string]any)
	out.readStored(payload)
	return out
}

// deltaOf returns a delta of a message as expressions see it: where it can be, that of its list.
func deltaOf(m *Message, d *delta.Delta) *Delta {
	if i := d.Index - 1; i >= 0 && i < len(m.Deltas) && m.of.Deltas[i].Fence == d.Fence {
		return m.Deltas[i]
	}
	return readDelta(d, m.From)
}

// setArtifact sets the variable artifact, and the functions on it.
func (t *task) setArtifact(p *lint.ArtifactPass) *Artifact {
	path := ""
	if p.Message == nil {
		path = p.Path
	}
	out := t.artifactOf(p.Artifact, path)
	t.env["section"], t.env["meta"] = out.section, out.meta
	return out
}

// artifactOf returns an artifact as expressions see it; an inline one has no path.
func (t *task) artifactOf(a *artifact.Artifact, path string) *Artifact {
	out := t.env["artifact"].(*Artifact)
	if out.of != a {
		out = readArtifact(a, path)
	}
	t.env["artifact"] = out
	return out
}

func readArtifact(a *artifact.Artifact, path string) *Artifact {
	out := &Artifact{Session: metaText(a, "session_id"), Status: metaText(a, "status"), Path: path, Inline: path == "", of: a}
	out.Version, _ = brenner.ParseNumber(metaText(a, "version"))
	lists := map[brenner.Section]*[]*Item{
		brenner.HypothesisSlate: &out.Hypotheses, brenner.PredictionsTable: &out.Predictions, brenner.DiscriminativeTests: &out.Tests,
		brenner.AssumptionLedger: &out.Assumptions, brenner.AnomalyRegister: &out.Anomalies, brenner.AdversarialCritique: &out.Critiques,
	}
	for _, s := range a.Sections {
		for _, it := range s.Items {
			made := &Item{
				Fields: noFields, ID: it.ID.String(), Number: int(it.ID.Number), Section: it.ID.Section.ID(),
				Killed: it.Killed, KilledBy: it.KilledBy, KillReason: it.KillReason, of: it,
			}
			made.readItem(it)
			out.Items = append(out.Items, made)
			if list := lists[it.ID.Section]; list != nil {
				*list = append(*list, made)
			}
		}
	}
	for _, c := range a.Citations() {
		out.Citations = append(out.Citations, c.Place.Text.Slice(c.Place.Span))
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

// setThread sets the variable thread, and the function on it.
func (t *task) setThread(p *lint.ThreadPass) *Thread {
	out, messages := t.env["thread"].(*Thread), p.Thread.Messages
	if out.merges != p.Replay || len(out.Messages) != len(messages) || out.Messages[0].of != messages[0] {
		out = readThread(p.Thread, p.Replay)
	}
	t.env["thread"], t.env["age"] = out, out.age
	return out
}

func readThread(thread *session.Thread, merges *replay.Thread) *Thread {
	out := &Thread{ID: thread.ID, merges: merges}
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
	if merges != nil && merges.Pending != nil && merges.Pending.State != nil {
		for _, sec := range brenner.Sections {
			for _, it := range merges.Pending.State.Items(sec) {
				out.Items = append(out.Items, readStored(it))
			}
		}
	}
	return out
}

func readStored(it *brenner.Item) *Item {
	out := &Item{Fields: noFields, ID: it.ID.String(), Number: int(it.ID.Number), Section: it.ID.Section.ID(), Killed: it.Killed != nil}
	out.readStored(it.Fields())
	if it.Killed != nil {
		out.KilledBy, out.KillReason = it.Killed.By, it.Killed.Reason
	}
	return out
}

// setWorkspace sets the variable workspace.
func (t *task) setWorkspace(w *session.Workspace) *Workspace {
	out := t.env["workspace"].(*Workspace)
	if out.of != w {
		out = &Workspace{of: w}
		for _, s := range w.Sessions() {
			out.Sessions = append(out.Sessions, &Session{
				ID: s.ID, Path: s.Path, Items: texts(s.Items, brenner.ItemID.String),
				Killed:     texts(s.Killed, func(k session.ItemRecord) string { return k.Item.String() }),
				References: texts(s.References, func(r session.Reference) string { return r.Session + "/" + r.Target }),
			})
		}
	}
	t.env["workspace"] = out
	return out
}

// texts returns a list of texts.
func texts[T any](list []T, text func(T) string) []string {
	out := make([]string, 0, len(list))
	for _, v := range list {
		out = append(out, text(v))
	}
	return out
}

// Fields are the fields of items and of the payloads of deltas, by their JSON keys.
// Not all sections have all of them: one that is not there is empty.
type Fields struct {
	Name                 string     `expr:"name" doc:"The title; of the research thread and predictions it is empty."`
	Statement            string     `expr:"statement" doc:"Research thread, assumptions."`
	Context              string     `expr:"context" doc:"Research thread."`
	WhyItMatters         string     `expr:"why_it_matters" doc:"Research thread."`
	Claim                string     `expr:"claim" doc:"Hypotheses."`
	Mechanism            string     `expr:"mechanism" doc:"Hypotheses."`
	HowThisCouldBeTrue   string     `expr:"how_this_could_be_true" doc:"Hypotheses (third alternatives)."`
	ThirdAlternative     bool       `expr:"third_alternative" doc:"Hypotheses."`
	Condition            string     `expr:"condition" doc:"Predictions."`
	Predictions          []*Outcome `expr:"predictions" doc:"Predictions: one for each hypothesis."`
	TestID               string     `expr:"test_id" doc:"Tests."`
	Procedure            string     `expr:"procedure" doc:"Tests."`
	Discriminates        string     `expr:"discriminates" doc:"Tests."`
	ExpectedOutcomes     []*Outcome `expr:"expected_outcomes" doc:"Tests."`
	ActualOutcomes       []*Outcome `expr:"actual_outcomes" doc:"Tests."`
	PotencyCheck         string     `expr:"potency_check" doc:"Tests."`
	Feasibility          string     `expr:"feasibility" doc:"Tests."`
	LastRun              string     `expr:"last_run" doc:"Tests; in an artifact in Markdown only."`
	LikelihoodRatio      int        `expr:"likelihood_ratio" doc:"Tests: a part of the score, 0 to 3; -1 if it is not there."`
	Cost                 int        `expr:"cost" doc:"Tests: a part of the score, or -1."`
	Speed                int        `expr:"speed" doc:"Tests: a part of the score, or -1."`
	Ambiguity            int        `expr:"ambiguity" doc:"Tests: a part of the score, or -1."`
	Status               string     `expr:"status" doc:"Tests, assumptions, anomalies."`
	Load                 string     `expr:"load" doc:"Assumptions."`
	Test                 string     `expr:"test" doc:"Assumptions."`
	ScaleCheck           bool       `expr:"scale_check" doc:"Assumptions."`
	Calculation          string     `expr:"calculation" doc:"Assumptions."`
	Implication          string     `expr:"implication" doc:"Assumptions."`
	Observation          string     `expr:"observation" doc:"Anomalies."`
	ConflictsWith        []string   `expr:"conflicts_with" doc:"Anomalies."`
	ResolutionPlan       string     `expr:"resolution_plan" doc:"Anomalies."`
	Attack               string     `expr:"attack" doc:"Critiques."`
	Evidence             string     `expr:"evidence" doc:"Critiques."`
	WhyItMightBeRight    string     `expr:"why_it_might_be_right" doc:"Critiques."`
	CurrentStatus        string     `expr:"current_status" doc:"Critiques."`
	RealThirdAlternative bool       `expr:"real_third_alternative" doc:"Critiques."`
	ProposedAlternative  string     `expr:"proposed_alternative" doc:"Critiques."`
	Anchors              []string   `expr:"anchors" doc:"The anchors, one a text, such as §57 [inference]."`
	Labels               []string   `expr:"labels" doc:"The labels."`
}

// scoreKey is the field that holds the parts of a score.
const scoreKey = "score"

// noFields are those of an item that has none.
var noFields = Fields{LikelihoodRatio: -1, Cost: -1, Speed: -1, Ambiguity: -1}

// itemFields are the fields by their keys.
var _, itemFields = FieldsOf(reflect.TypeFor[Fields](), "expr")

// at returns a pointer to the field with a key, by which it is set: *string, *bool,
// *[]string, *[]*Outcome, or *int for a part of a score. It is nil if there is none.
func (f *Fields) at(key string) any {
	field, ok := itemFields[key]
	if !ok {
		return nil
	}
	return reflect.ValueOf(f).Elem().FieldByIndex(field.Index).Addr().Interface()
}

// setScore sets the parts of a score.
func (f *Fields) setScore(parts map[string]any) {
	for _, name := range brenner.ScoreParts {
		*f.at(name).(*int) = number(brenner.Plain(parts[name]))
	}
}

// readItem reads the fields of an item of an artifact. If a field is given several times, the
// first counts.
func (f *Fields) readItem(it *artifact.Item) {
	for _, written := range slices.Backward(it.Fields) {
		switch to := f.at(written.Key).(type) {
		case *string:
			*to = written.Text
		case *bool:
			*to = written.Node == nil && brenner.IsTrue(written.Text) || written.Node.True()
		case *[]string:
			*to = texts(written.Entries, func(e artifact.Entry) string { return e.Text })
		case *[]*Outcome:
			*to = nil
			for _, e := range written.Entries {
				if e.Text != "" {
					*to = append(*to, &Outcome{e.Key, e.Text})
				}
			}
		}
		if written.Key == scoreKey {
			parts := map[string]any{}
			for _, e := range slices.Backward(written.Entries) {
				parts[e.Key] = e.Text
			}
			f.setScore(parts)
		}
	}
	f.Name = it.Name
}

// readStored reads the fields of an item of a merged state, or of the payload of a delta.
func (f *Fields) readStored(fields map[string]any) {
	for key, v := range fields {
		switch to := f.at(key).(type) {
		case *string:
			*to, _ = v.(string)
		case *bool:
			*to = brenner.IsTrue(v)
		case *[]string:
			list, _ := v.([]any)
			*to = elements[string](list)
		case *[]*Outcome:
			of, _ := v.(map[string]any)
			for _, hypothesis := range slices.SortedFunc(maps.Keys(of), byID) {
				if s, ok := of[hypothesis].(string); ok {
					*to = append(*to, &Outcome{hypothesis, s})
				}
			}
		}
		if key == scoreKey {
			parts, _ := v.(map[string]any)
			f.setScore(parts)
		}
	}
}

// byID orders the ids of hypotheses by their numbers.
func byID(a, b string) int {
	x, _ := brenner.ParseItemID(a)
	y, _ := brenner.ParseItemID(b)
	return cmp.Or(x.Compare(y), strings.Compare(a, b))
}

// number returns a whole number of a score; -1 if the text is not one.
func number(text string) int {
	if n, ok := brenner.Number(strings.TrimSpace(text)).(float64); ok && n == math.Trunc(n) && math.Abs(n) < 1000 {
		return int(n)
	}
	return -1
}
