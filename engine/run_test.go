package engine_test

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
	"github.com/brennerlint/brennerlint/source"
)

// write makes a folder of files.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		must.Write(t, filepath.Join(dir, filepath.FromSlash(name)), data)
	}
	return dir
}

const shortArtifact = "---\nsession_id: RS-20251230-cell-fate\nversion: 1\n---\n\n# Brenner Protocol Artifact: RS-20251230-cell-fate\n\n## 2. Hypothesis Slate\n\n### H1: Lineage\n**Claim**: c\n"

// ruleOf returns a rule with a check.
func ruleOf(check lint.Check) *lint.Rule {
	return &lint.Rule{ID: "ZZ-001", Name: "test", Severity: lint.Warning, SpecRef: "x", Summary: "x", Check: check}
}

// TestBrokenCountedRule: where a rule that is switched off panics while AP-019 asks what it
// finds, the failure is its own, and AP-019 goes on.
func TestBrokenCountedRule(t *testing.T) {
	breaks := ruleOf(lint.ArtifactCheck(func(*lint.ArtifactPass) { panic("broken") }))
	breaks.Protocol = true
	var opts engine.Options
	opts.Severities.Ignore = map[string]bool{breaks.ID: true}
	rep, err := engine.Check(context.Background(), append(rules.All(), breaks), opts, filepath.Join("..", "examples", "mail"))
	must.OK(t, err)
	if len(rep.Failures) != 1 || rep.Failures[0].Rule != breaks.ID {
		t.Errorf("failures are %v", rep.Failures)
	}
}

// TestNothingToReplay checks what Replay and Blame say where the inputs do not
// hold what is asked for.
func TestNothingToReplay(t *testing.T) {
	dir := write(t, map[string]string{
		"artifacts/RS-20251230-cell-fate.md": shortArtifact,
		"artifacts/RS-20251230-other.md":     strings.ReplaceAll(shortArtifact, "cell-fate", "other"),
		"notes.md":                           "# Notes\n",
		"mail.jsonl": `{"id": 1, "thread_id": "RS-20251230-cell-fate", "from": "A", "to": ["B"], "created": "2025-12-30T10:00:00Z", "ack_required": true, "subject": "KICKOFF: x", "body_md": "# x"}` + "\n" +
			`{"id": 2, "thread_id": "RS-20251230-cell-fate", "from": "B", "to": ["A"], "created": "2025-12-30T11:00:00Z", "ack_required": false, "subject": "ACK: x", "body_md": "x"}` + "\n",
		"part.jsonl": `{"id": 1, "thread_id": "RS-20251230-cell-fate", "from": "A", "to": ["B"], "created": "2025-12-30T10:00:00Z", "ack_required": true, "subject": "KICKOFF: x", "body_md": "# x"}` + "\n",
	})
	in := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	ctx := context.Background()
	if _, err := mailboxAt(t, in("mail.jsonl")).Replay(ctx, engine.ReplayOptions{Thread: "RS-20251230-worm"}); err == nil || !strings.Contains(err.Error(), `"RS-20251230-worm"`) {
		t.Errorf("a thread that is not there: %v", err)
	}
	for _, c := range []struct{ file, mail, want string }{
		{"notes.md", "mail.jsonl", "not recognised as an artifact"},
		{"mail.jsonl", "mail.jsonl", "not an artifact"},
		{"artifacts/RS-20251230-other.md", "mail.jsonl", `"RS-20251230-other"`},
		{"artifacts/RS-20251230-cell-fate.md", "part.jsonl", "only part of it"},
		{"gone.md", "mail.jsonl", "gone.md"},
		{"artifacts/RS-20251230-cell-fate.md", "gone.jsonl", "gone.jsonl"},
	} {
		box, err := engine.Open(ctx, rules.All(), engine.Options{}, in(c.mail))
		if err == nil {
			_, err = box.Blame(ctx, in(c.file), "", false)
			box.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("blame of %s by %s: %v, want %s", c.file, c.mail, err, c.want)
		}
	}
	got, err := mailboxAt(t, in("mail.jsonl")).Blame(ctx, in("artifacts/RS-20251230-cell-fate.md"), "", false)
	must.OK(t, err)
	if len(got.Fields) == 0 || got.Unexplained() != len(got.Fields) {
		t.Errorf("no delta explains anything, but %d of %d are unexplained", got.Unexplained(), len(got.Fields))
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := engine.Check(stopped, rules.All(), engine.Options{}, in("mail.jsonl")); err == nil {
		t.Error("a check that was stopped has a report")
	}
}

// TestFindingsOfAFile checks that of a file with too many findings the most severe are
// kept, and a notice counts the others.
func TestFindingsOfAFile(t *testing.T) {
	dir := write(t, map[string]string{"artifacts/RS-20251230-cell-fate.md": shortArtifact})
	all, err := engine.Check(context.Background(), rules.All(), engine.Options{}, dir)
	must.OK(t, err)
	most := all.Summary.Errors - 1
	opts := engine.Options{}
	opts.Limits.Findings = most
	rep, err := engine.Check(context.Background(), rules.All(), opts, dir)
	must.OK(t, err)
	if len(rep.Findings) != most {
		t.Fatalf("%d findings are kept, want %d", len(rep.Findings), most)
	}
	for _, f := range rep.Findings {
		if f.Severity != lint.Error {
			t.Errorf("%s is kept before an error", f.Rule)
		}
	}
	if text := strings.Join(rep.Notices, "\n"); !strings.Contains(text, "not shown") {
		t.Errorf("notices are %q", text)
	}
}

// TestBrokenRuleOfEachKind checks that whatever a rule looks at, it is reported once
// for an input that it breaks, however often it does.
func TestBrokenRuleOfEachKind(t *testing.T) {
	fail := func() { panic("broken") }
	var dirs []string
	for _, thread := range []string{"RS-20251230-cell-fate", "RS-20251231-other"} {
		line := `{"id": %ID, "thread_id": "` + thread + `", "from": "A", "to": ["B"], "created": "2025-12-30T10:00:0%IDZ", "ack_required": true, "subject": "DELTA[gpt]: x", "body_md": "` + "```delta\\n{}\\n```" + `"}` + "\n"
		dirs = append(dirs, write(t, map[string]string{
			"mail.jsonl":  strings.ReplaceAll(line, "%ID", "1") + strings.ReplaceAll(line, "%ID", "2"),
			"broken.json": `{"thread_id": "RS-1", "messages": [`,
		}))
	}
	for name, check := range map[string]lint.Check{
		"message":    lint.MessageCheck(func(*lint.MessagePass) { fail() }),
		"delta":      lint.DeltaCheck(func(*lint.DeltaPass) { fail() }),
		"thread":     lint.ThreadCheck(func(*lint.ThreadPass) { fail() }),
		"walk":       lint.MessageVisitor(func(*lint.ThreadPass) func(*session.Message) { fail(); return nil }),
		"walk, step": lint.MessageVisitor(func(*lint.ThreadPass) func(*session.Message) { return func(*session.Message) { fail() } }),
		"workspace":  lint.WorkspaceCheck(func(*lint.WorkspacePass) { fail() }),
		"input":      lint.InputCheck(func(*lint.InputPass) { fail() }),
	} {
		scope := map[string]lint.Scope{"workspace": lint.WorkspaceScope, "input": lint.InputScope}[name]
		rule := ruleOf(check)
		rule.About = cmp.Or(scope, lint.MessageScope)
		rep, err := engine.Check(context.Background(), lint.Catalogue{rule}, engine.Options{Workers: 2}, dirs...)
		must.OK(t, err)
		want := 2 // one for each mailbox
		if name == "workspace" || name == "input" {
			want = 1
		}
		if len(rep.Failures) != want || rep.Summary.Valid {
			t.Errorf("%s: valid is %t, failures are %v", name, rep.Summary.Valid, rep.Failures)
		}
		for _, f := range rep.Failures {
			if f.Rule != "ZZ-001" || f.Reason != "broken" {
				t.Errorf("%s: the failure is %v", name, f)
			}
		}
	}
}

// TestSpanOutsideText checks that a rule that reports what is not in its text is a fault of
// the program, wherever it does.
func TestSpanOutsideText(t *testing.T) {
	outside := func(t *source.Text) source.Place { return t.Place(source.Span{Start: 3, End: t.Len() + 1}) }
	for name, diagnostic := range map[string]func(*source.Text) lint.Diagnostic{
		"finding": func(t *source.Text) lint.Diagnostic { return lint.Diagnostic{At: outside(t)} },
		"reversed": func(t *source.Text) lint.Diagnostic {
			return lint.Diagnostic{At: t.Place(source.Span{Start: 3, End: 2})}
		},
		"edit": func(t *source.Text) lint.Diagnostic {
			return lint.Diagnostic{Fix: &lint.SuggestedFix{Edits: []lint.TextEdit{{At: outside(t)}}}}
		},
		"related": func(t *source.Text) lint.Diagnostic {
			return lint.Diagnostic{Related: []lint.RelatedLocation{{At: outside(t)}}}
		},
	} {
		rule := ruleOf(lint.ArtifactCheck(func(p *lint.ArtifactPass) { p.Report(diagnostic(p.Artifact.Text)) }))
		dir := write(t, map[string]string{"artifacts/RS-20251230-cell-fate.md": shortArtifact})
		rep, err := engine.Check(t.Context(), lint.Catalogue{rule}, engine.Options{}, dir)
		must.OK(t, err)
		if len(rep.Failures) != 1 || !strings.Contains(rep.Failures[0].Reason, "of a text of") || len(rep.Findings) != 0 {
			t.Errorf("%s: the failures are %v, the findings %v", name, rep.Failures, rep.Findings)
		}
	}
}

// TestCancelWithinThread cancels a check while it reads a thread: the messages that
// follow are not checked.
func TestCancelWithinThread(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var checked atomic.Int64
	opts := engine.Options{Trace: &engine.Trace{Message: func(mail.Ref) { checked.Add(1); cancel() }}}
	rep, err := engine.Check(ctx, rules.All(), opts, filepath.Join("..", "examples", "mail"))
	if !errors.Is(err, context.Canceled) || rep != nil {
		t.Errorf("the check gives %v, %v; expected that it is cancelled", rep, err)
	}
	if n := checked.Load(); n != 1 {
		t.Errorf("%d messages are checked, expected 1", n)
	}
}

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
		"blame":  {func(b *engine.Mailbox) error { _, err := b.Blame(ctx, artifact, "", false); return err }, nil},
		"draft": {func(b *engine.Mailbox) error { _, err := b.CheckDraft(ctx, "draft.json", draft); return err },
			map[string]int64{"message": 1, "thread": 3, "visitor": 2, "workspace": 2}}, // of the thread alone, without the draft, and with it
	} {
		rules, calls := counting()
		box, err := engine.Open(ctx, rules, engine.Options{}, export)
		must.OK(t, err)
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

// TestNoGoroutineIsLeft ends runs in every way: complete, by a limit, by an
// error, and by cancelling while files are read and while threads are checked. Each
// leaves no goroutine and no file open.
func TestNoGoroutineIsLeft(t *testing.T) {
	const corpus = "../testdata/corpus/realmail"
	damaged := filepath.Join(t.TempDir(), "storage.sqlite3")
	data := must.Read(t, corpus+"/storage.sqlite3")
	must.Write(t, damaged, data[:len(data)/2])
	tight := engine.Limits{FileSize: 1000, ExpandedSize: 1000, Entries: 2, JSONDepth: 1, YAMLDepth: 1, Findings: 1}
	for _, c := range []struct {
		name  string
		paths []string
		opts  engine.Options
		stop  func(done, total int) bool // when the run is cancelled
	}{
		{"whole", []string{corpus}, engine.Options{}, nil},
		{"limits", []string{corpus, "../testdata/corpus/artifacts"}, engine.Options{Limits: tight}, nil},
		{"limit of zip", []string{corpus + "/bundle.zip"}, engine.Options{Limits: tight}, nil},
		{"damaged", []string{damaged}, engine.Options{}, nil},
		{"missing", []string{corpus, "no such"}, engine.Options{}, nil},
		{"no input", []string{corpus + "/../../../go.mod"}, engine.Options{}, nil},
		{"stdin fails", []string{"-", corpus}, engine.Options{Stdin: engine.Stdin{Reader: failingReader{}}}, nil},
		{"while reading", []string{corpus}, engine.Options{}, func(_, total int) bool { return total == 0 }},
		{"while checking", []string{corpus}, engine.Options{}, func(_, total int) bool { return total > 0 }},
	} {
		before, files := runtime.NumGoroutine(), openFiles()
		run := func(what func(context.Context, *engine.Mailbox) error) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			opts := c.opts
			opts.Workers = 8
			if c.stop != nil {
				opts.Trace = &engine.Trace{Progress: func(done, total int) {
					if c.stop(done, total) {
						cancel()
					}
				}}
			}
			box, err := engine.Open(ctx, rules.All(), opts, c.paths...)
			if err == nil {
				err = what(ctx, box)
				box.Close()
			}
			if c.stop != nil && err == nil && ctx.Err() != nil {
				t.Errorf("%s: cancelled, and no error", c.name)
			}
		}
		run(func(ctx context.Context, b *engine.Mailbox) error { _, err := b.Check(ctx); return err })
		run(func(ctx context.Context, b *engine.Mailbox) error {
			_, err := b.Replay(ctx, engine.ReplayOptions{Permutations: 2})
			return err
		})
		run(func(ctx context.Context, b *engine.Mailbox) error {
			_, err := b.CheckDraft(ctx, "draft", []byte("Subject: INFO: x\nThread: RS-20251230-x\n\nx\n"))
			return err
		})
		for n := 0; runtime.NumGoroutine() > before || openFiles() > files; n++ {
			if n == 500 { // what ends by itself has ended long since
				stacks := make([]byte, 1<<16)
				t.Fatalf("%s: %d goroutines before, %d after; %d open files before, %d after\n%s", c.name, before, runtime.NumGoroutine(), files, openFiles(), stacks[:runtime.Stack(stacks, true)])
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// openFiles returns how many files the process has open, where it can be known.
func openFiles() int {
	list, _ := os.ReadDir("/proc/self/fd")
	return len(list)
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) {
	return 0, os.ErrClosed
}
