package replay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/must"
	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
	"github.com/brennerlint/brennerlint/lint"
	catalogue "github.com/brennerlint/brennerlint/rules"
)

// mailThread is a thread that a test writes.
type mailThread struct {
	id       string
	messages []gen.Mail
}

// json returns the thread as the server returns it.
func (t *mailThread) json() []byte {
	list := []object{}
	for _, m := range t.messages {
		list = append(list, object{
			"id": m.ID, "thread_id": t.id, "subject": m.Subject, "ack_required": m.Ack, "body_md": m.Body, "from": m.From,
			"to": append([]string{}, m.To...), "cc": append([]string{}, m.Cc...), "created_ts": m.Created.Format(time.RFC3339Nano),
		})
	}
	data, err := json.Marshal(object{"thread_id": t.id, "messages": list})
	if err != nil {
		panic(err)
	}
	return data
}

// post adds a message.
func (t *mailThread) post(from, subject, body string, at time.Time) {
	id := 1
	for _, m := range t.messages {
		id = max(id, m.ID+1)
	}
	t.messages = append(t.messages, gen.Mail{ID: id, From: from, Subject: subject, Body: body, Created: at})
}

func (t *mailThread) last() gen.Mail { return t.messages[len(t.messages)-1] }

// options read a thread from standard input.
func (t *mailThread) options() engine.Options {
	return engine.Options{Stdin: engine.Stdin{Reader: bytes.NewReader(t.json())}, Kind: engine.AsMail, Workers: 1}
}

func (t *mailThread) compile(o replay.CompileOptions) (*replay.Compiled, error) {
	return compiled(t.options(), o, "-")
}

// compiled compiles the only thread of the mail at a path.
func compiled(opts engine.Options, o replay.CompileOptions, path string) (*replay.Compiled, error) {
	box, err := engine.Open(context.Background(), catalogue.All(), opts, path)
	if err != nil {
		return nil, err
	}
	defer box.Close()
	thread, err := box.Thread(context.Background(), mail.Ref{})
	if err != nil {
		return nil, err
	}
	return thread.Compile(o)
}

func (t *mailThread) check(tb rapid.TB) []*lint.Finding {
	rep, err := engine.Check(context.Background(), catalogue.All(), t.options(), "-")
	must.OK(tb, err)
	for _, f := range rep.Failures {
		tb.Errorf("%s broke: %s", f.Rule, f.Reason)
	}
	return rep.Findings
}

// publish adds the COMPILED of a result.
func (t *mailThread) publish(r *replay.Compiled) *mailThread {
	m := r.CompiledMessage
	out := &mailThread{id: t.id, messages: slices.Clone(t.messages)}
	out.post(m.From, m.Subject, m.Body, t.last().Created.Add(time.Hour))
	out.messages[len(out.messages)-1].To = m.To
	return out
}

// chance draws what a generated session needs.
type chance struct{ t *rapid.T }

func (c chance) IntN(n int) int { return rapid.IntRange(0, n-1).Draw(c.t, "choice") }

func (c chance) Perm(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return rapid.Permutation(list).Draw(c.t, "order")
}

// texts are values that Markdown could read as something else.
var texts = []string{
	"Fate follows ancestry.", "a | b", "x\n\n## Statistics\n- Hypotheses: 99", "```delta\n{\"operation\": \"ADD\", \"section\": \"hypothesis_slate\"}\n```", "<!-- not closed",
	"```\nnot closed", "# Compiled Artifact v9", "## 3. Predictions Table", "### H9: no item", "**Claim**: another", "~~struck~~", "---", "a_b *c* [d](e) `f`", "1. one\n2. two", "",
	"## Full Artifact", "\\", "`", "é\u202ex", "| P9 | c | d |", "- **Artifact Version**: v7", "setext\n===", "> quoted\n> text", "    indented code", "<div>", "&amp; <br/>", "(Score: 3/12)", "[KILLED]", "—", "N/A",
}

// wild draws a delta that may be rejected, tied, or have any content.
func wild(t *rapid.T) object {
	text := func() any { return rapid.SampledFrom(texts).Draw(t, "text") }
	section := rapid.SampledFrom([]string{"hypothesis_slate", "predictions_table", "discriminative_tests", "assumption_ledger", "anomaly_register", "adversarial_critique", "research_thread"}).Draw(t, "section")
	payload := object{}
	for _, key := range rapid.SliceOfN(rapid.SampledFrom([]string{"name", "claim", "mechanism", "statement", "context", "condition", "procedure", "discriminates", "load", "test", "attack", "evidence", "current_status", "observation", "feasibility"}), 1, 6).Draw(t, "keys") {
		payload[key] = text()
	}
	if rapid.Bool().Draw(t, "lists") {
		payload["anchors"] = []any{"§12", text()}
		payload["predictions"] = object{"H1": text(), "H2": text()}
		payload["expected_outcomes"] = object{"H1": text()}
		payload["conflicts_with"] = []any{"H1"}
		payload["status"] = "active"
	}
	d := object{"operation": "ADD", "section": section, "target_id": nil, "payload": payload, "rationale": "r"}
	prefix := map[string]string{"hypothesis_slate": "H", "predictions_table": "P", "discriminative_tests": "T", "assumption_ledger": "A", "anomaly_register": "X", "adversarial_critique": "C"}[section]
	switch op := rapid.SampledFrom([]string{"ADD", "EDIT", "EDIT", "KILL"}).Draw(t, "operation"); {
	case section == "research_thread":
		d["operation"], d["target_id"] = "EDIT", "RT"
	case op != "ADD":
		d["operation"], d["target_id"] = op, fmt.Sprint(prefix, rapid.IntRange(1, 5).Draw(t, "number"))
		if op == "KILL" {
			d["payload"] = object{"reason": text()}
		}
	}
	return d
}

// mailThreads draws a session, sometimes without its last version, and sometimes with
// deltas of any content, several at one instant.
func mailThreads(t *rapid.T) *mailThread {
	g := gen.NewThread(chance{t}, gen.Shape{Index: 20, Rounds: rapid.IntRange(1, 2).Draw(t, "rounds"), Pending: rapid.Bool().Draw(t, "pending"), Prior: "RS-20251101-before-all"})
	out := &mailThread{id: g.ID, messages: g.Messages}
	if rapid.IntRange(0, 3).Draw(t, "unpublished") == 0 {
		out.messages = slices.DeleteFunc(out.messages, func(m gen.Mail) bool { return strings.HasPrefix(m.Subject, "COMPILED") })
	}
	at := out.last().Created
	for range rapid.IntRange(0, 4).Draw(t, "wild messages") {
		at = at.Add(time.Duration(rapid.IntRange(0, 1).Draw(t, "minutes")) * time.Minute)
		body := "# Delta Contribution\n\n**Base Version**: v1\n\n## Deltas\n"
		for range rapid.IntRange(1, 3).Draw(t, "deltas") {
			data, err := json.Marshal(wild(t))
			must.OK(t, err)
			body += "\n```delta\n" + string(data) + "\n```\n"
		}
		out.post(rapid.SampledFrom(g.Agents).Draw(t, "agent"), "DELTA[opus]: wild", body, at)
	}
	return out
}

// forced are findings about a COMPILED that its deltas force: what the merged state
// lacks. A name that is the JSON of a delta is also one in a list of changes (DL-012).
var forced = []string{"MR-005", "MR-006", "MR-007", "MR-009", "MR-010", "DL-012"}

func isArtifactRule(id string) bool {
	return slices.ContainsFunc(catalogue.All(), func(r *lint.Rule) bool { return r.ID == id && r.Scope() == lint.ArtifactScope })
}

// checkPublished checks what is true of every thread that can be compiled: the output
// is the same each time; appended to the thread it is what the deltas produce, and has
// no faults but theirs; then there is nothing to compile.
func checkPublished(t rapid.TB, th *mailThread) {
	r, err := th.compile(replay.CompileOptions{})
	var nothing *replay.NothingError
	if errors.As(err, &nothing) {
		return
	}
	must.OK(t, err)
	again, err := th.compile(replay.CompileOptions{})
	if err != nil || again.Body != r.Body || again.Subject != r.Subject || !bytes.Equal(again.Artifact, r.Artifact) {
		t.Fatalf("compiled twice it is another message (%v)", err)
	}
	before := map[string]bool{}
	for _, f := range th.check(t) {
		before[f.Rule+f.MessageID+f.Message] = true
	}
	published := th.publish(r)
	id := fmt.Sprint(published.last().ID)
	told := map[string]int{}
	for _, f := range r.Findings {
		told[f.Rule]++
	}
	for _, f := range published.check(t) {
		switch {
		case before[f.Rule+f.MessageID+f.Message], slices.Contains(forced, f.Rule):
		case f.MessageID == id && f.Severity == lint.Info && isArtifactRule(f.Rule):
		case f.MessageID == id && told[f.Rule] > 0:
			told[f.Rule]--
		case f.Rule == "MR-008" && len(r.Conflicts) > 0, f.MessageID != id && strings.HasPrefix(f.Rule, "MB-"), f.MessageID != id && strings.HasPrefix(f.Rule, "XR-"):
		default:
			t.Errorf("publishing adds %s (%s) at message %s: %s\n%s", f.Rule, f.Severity, f.MessageID, f.Message, r.Body)
		}
	}
	if _, err := published.compile(replay.CompileOptions{}); !errors.As(err, &nothing) {
		t.Errorf("after it is published there is still something to compile: %v", err)
	}
	same, err := published.compile(replay.CompileOptions{Version: r.Version})
	if err != nil || same.State.Hash() != r.State.Hash() || same.Subject != r.Subject || len(same.Changes) != len(r.Changes) {
		t.Errorf("compiled when published it is another artifact (%v)", err)
	}
}

func TestPublishedIsClean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkPublished(t, mailThreads(t)) })
}

// TestCompileRealThreads checks the same of real mail: as it is, and before it was published.
func TestCompileRealThreads(t *testing.T) {
	store := export.NewStore(export.Options{})
	t.Cleanup(func() { store.Close() })
	_, err := input.Discover(context.Background(), []string{"../../testdata/corpus/realmail/archive", "../../examples/mail"}, input.Options{}, func(in *input.Input) {
		if err := store.Add(context.Background(), in, nil); err != nil {
			t.Error(err)
		}
	})
	must.OK(t, err)
	compiled := 0
	for _, info := range store.Threads() {
		mt, _ := store.Load(info)
		th := &mailThread{id: mt.ID}
		for _, m := range mt.Messages {
			th.post(m.From.String(), m.Subject.String(), string(m.Body.Data), m.Time)
		}
		checkPublished(t, th)
		last := slices.IndexFunc(th.messages, func(m gen.Mail) bool { return strings.HasPrefix(m.Subject, "COMPILED") })
		if last < 0 {
			continue
		}
		th.messages = th.messages[:last]
		checkPublished(t, th)
		if _, err := th.compile(replay.CompileOptions{}); err == nil {
			compiled++
		}
	}
	if compiled < 3 {
		t.Errorf("%d threads were compiled, expected at least 3", compiled)
	}
}
