package engine_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/lint"
)

// counting are rules that find nothing and count how often each kind is called.
func counting() (rules lint.Catalogue, calls map[string]*atomic.Int64) {
	calls = map[string]*atomic.Int64{}
	add := func(kind string, scope lint.Scope, check func(n *atomic.Int64) lint.Check) {
		n := new(atomic.Int64)
		calls[kind] = n
		rules = append(rules, &lint.Rule{
			ID: "ZZ-00" + string(rune('1'+len(rules))), Name: "counts-" + kind, About: scope,
			Severity: lint.Info, SpecRef: "test", Summary: "Counts.", Check: check(n),
		})
	}
	add("message", lint.MessageScope, func(n *atomic.Int64) lint.Check { return lint.MessageCheck(func(*lint.MessagePass) { n.Add(1) }) })
	add("delta", lint.DeltaScope, func(n *atomic.Int64) lint.Check { return lint.DeltaCheck(func(*lint.DeltaPass) { n.Add(1) }) })
	add("thread", lint.ThreadScope, func(n *atomic.Int64) lint.Check { return lint.ThreadCheck(func(*lint.ThreadPass) { n.Add(1) }) })
	add("visitor", lint.ThreadScope, func(n *atomic.Int64) lint.Check {
		return lint.MessageVisitor(func(*lint.ThreadPass) func(*session.Message) { n.Add(1); return func(*session.Message) {} })
	})
	add("artifact", lint.ArtifactScope, func(n *atomic.Int64) lint.Check { return lint.ArtifactCheck(func(*lint.ArtifactPass) { n.Add(1) }) })
	add("workspace", lint.WorkspaceScope, func(n *atomic.Int64) lint.Check { return lint.WorkspaceCheck(func(*lint.WorkspacePass) { n.Add(1) }) })
	return rules, calls
}

// Replay and blame run no rule; a draft with its thread runs those on messages and
// threads, those on the workspace for its thread alone, and none on what the
// thread's export holds besides.
func TestRuleCalls(t *testing.T) {
	const artifact, export = "../examples/artifacts/RS-20251230-cell-fate.md", "../examples"
	draft := []byte(`{"thread_id": "RS-20251230-cell-fate", "subject": "INFO: x", "body_md": "x"}`)
	ctx := context.Background()
	for name, c := range map[string]struct {
		run  func(*engine.Mailbox) error
		want map[string]int64
	}{
		"replay": {func(b *engine.Mailbox) error { _, err := b.Replay(ctx, engine.ReplayOptions{}); return err }, nil},
		"blame":  {func(b *engine.Mailbox) error { _, err := b.Blame(ctx, artifact, false); return err }, nil},
		"draft": {func(b *engine.Mailbox) error { _, err := b.CheckDraft(ctx, "draft.json", draft); return err },
			map[string]int64{"message": 1, "thread": 3, "visitor": 2, "workspace": 2}}, // of the thread alone, without the draft, and with it
	} {
		rules, calls := counting()
		box, err := engine.Open(ctx, rules, engine.Options{}, export)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.run(box); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		box.Close()
		for kind, n := range calls {
			if got := n.Load(); got != c.want[kind] {
				t.Errorf("%s: %d calls of rules on the %s, expected %d", name, got, kind, c.want[kind])
			}
		}
	}
}
