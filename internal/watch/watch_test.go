package watch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
)

// TestLookAt checks what a look includes: files that a check would look at, databases with
// their logs, shares with all their files, and nothing that is excluded.
func TestLookAt(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(path, text string) {
		t.Helper()
		must.Write(t, path, text)
	}
	for _, path := range []string{"mail/a.json", "mail/old/b.json", "mail/out/c.json", "db/storage.sqlite3", "db/storage.sqlite3-wal", "db/storage.sqlite3-shm", "db/storage.sqlite3-journal"} {
		write(path, "x")
	}
	look := func(paths ...string) Look {
		t.Helper()
		l, err := LookAt(t.Context(), paths, engine.Options{Files: engine.Files{Exclude: []string{"out"}}})
		must.OK(t, err)
		return l
	}
	for paths, want := range map[string][]string{
		"mail":               {"mail/a.json", "mail/old/b.json"},
		"./mail/...":         {"./mail/a.json", "./mail/old/b.json"},
		"mail/*.json":        {"mail/a.json"},
		"db":                 {"db/storage.sqlite3", "db/storage.sqlite3-journal", "db/storage.sqlite3-wal"},
		"db/storage.sqlite3": {"db/storage.sqlite3", "db/storage.sqlite3-journal", "db/storage.sqlite3-wal"},
	} {
		if got := slices.Sorted(maps.Keys(look(paths))); !reflect.DeepEqual(got, want) {
			t.Errorf("a look at %s sees %q, want %q", paths, got, want)
		}
	}
	before := look("mail", "db")
	changed := func() []string {
		now := look("mail", "db")
		out := before.Changed(now)
		before = now
		return out
	}
	if got := changed(); len(got) > 0 {
		t.Errorf("without a change, %q changed", got)
	}
	day := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for what, change := range map[string]func() error{
		"mail/a.json":            func() error { return os.Chtimes("mail/a.json", day, day) },
		"db/storage.sqlite3-wal": func() error { return os.WriteFile("db/storage.sqlite3-wal", []byte("longer"), 0o600) },
		"mail/new.json":          func() error { return os.WriteFile("mail/new.json", nil, 0o600) },
		"mail/old/b.json":        func() error { return os.Remove("mail/old/b.json") },
		"db/storage.sqlite3": func() error {
			info, err := os.Stat("db/storage.sqlite3")
			if err != nil {
				return err
			}
			write("other", "x")
			if err := os.Chtimes("other", info.ModTime(), info.ModTime()); err != nil {
				return err
			}
			return os.Rename("other", "db/storage.sqlite3")
		},
	} {
		must.OK(t, change())
		if got := changed(); !reflect.DeepEqual(got, []string{what}) {
			t.Errorf("%q changed, want %s", got, what)
		}
	}
	if _, err := LookAt(t.Context(), []string{"-"}, engine.Options{}); err == nil || !strings.Contains(err.Error(), "can be read only once") {
		t.Errorf("a look at standard input gives %v", err)
	}
	if _, err := LookAt(t.Context(), []string{"nothing"}, engine.Options{}); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("a look at nothing gives %v", err)
	}
}

// TestNotifier checks that a change is hinted at, also in a folder that a look has found.
func TestNotifier(t *testing.T) {
	root := t.TempDir()
	n, err := NewNotifier(time.Hour)
	if err != nil {
		t.Skip(err)
	}
	defer n.Close()
	n.Follow(Look{}, []string{root})
	must.OK(t, os.Mkdir(filepath.Join(root, "new"), 0o700))
	n.Wait(t.Context())
	n.Follow(Look{filepath.Join(root, "new", "a.json"): nil, filepath.Join(root, "gone", "b.json"): nil}, []string{root})
	must.Write(t, filepath.Join(root, "new", "c.json"), "")
	n.Wait(t.Context())
}

// world is the state of the files at one time.
type world struct {
	files    map[string]int64 // sizes, which distinguish their versions
	findings []*lint.Finding
	messages []string // ids, or projects and ids
	err      error
	unread   bool // an input is unreadable, and no finding says so
}

func finding(id string) *lint.Finding {
	return &lint.Finding{Fingerprint: id, Path: "a.json", Thread: "T", MessageID: id}
}

func broken(path string) *lint.Finding {
	return &lint.Finding{Fingerprint: "broken " + path, Path: path, Unreadable: true}
}

func inProject(project, id string) *lint.Finding {
	return &lint.Finding{Fingerprint: project + "/" + id, Path: "a.json", Mail: &lint.MailInfo{Project: project, ID: id}, Thread: "T", MessageID: id}
}

// play runs a loop on worlds, one after the other, and returns what it reports.
func play(t *testing.T, worlds ...world) []string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	at := 0
	var out []string
	t.Chdir(t.TempDir())
	last, err := Run(ctx, Options{
		Wait: func(context.Context) {
			if at++; at == len(worlds) {
				cancel()
			}
		},
		Look: func(context.Context) (Look, error) {
			look := Look{}
			if at == len(worlds) {
				return look, ctx.Err()
			}
			for path, size := range worlds[at].files {
				if info, err := os.Stat(path); err != nil || info.Size() != size {
					if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
						t.Error(err)
					}
				}
				look.Add(path)
			}
			return look, nil
		},
		Check: func(context.Context) (*lint.Report, map[mail.Ref]bool, error) {
			w := worlds[at]
			if w.err != nil {
				return nil, nil, w.err
			}
			messages := map[mail.Ref]bool{}
			for _, id := range w.messages {
				project, id, named := strings.Cut(id, "/")
				if !named {
					project, id = "", project
				}
				messages[mail.Ref{Project: project, Thread: "T", ID: id}] = true
			}
			return &lint.Report{Findings: w.findings, Unreadable: w.unread}, messages, nil
		},
		Report: func(_ context.Context, r *Round) (bool, error) {
			line := fmt.Sprint(r.Changed)
			for _, f := range r.Resolved {
				line += " -" + f.Fingerprint
			}
			for _, f := range r.Appeared {
				line += " +" + f.Fingerprint
			}
			for _, m := range r.Replies {
				line += fmt.Sprintf(" reply to %s: %d", m.Message.ID, len(m.Findings))
			}
			out = append(out, line)
			return false, nil
		},
		OnError: func(err error) { out = append(out, err.Error()) },
	})
	if err != nil || last == nil {
		t.Fatalf("the loop ended with %v, %v", last, err)
	}
	return out
}

// TestLoop checks what the loop reports as files change.
func TestLoop(t *testing.T) {
	type findings = []*lint.Finding
	a := func(size int64) map[string]int64 { return map[string]int64{"a.json": size} }
	x, y, bad := finding("x"), finding("y"), broken("a.json")
	gone := errors.New("a.json does not exist")
	for name, tt := range map[string]struct {
		worlds []world
		want   []string
	}{
		"a finding is resolved and another appears": {
			[]world{{files: a(1), findings: findings{x}}, {files: a(2), findings: findings{y}}}, []string{"[] +x", "[a.json] -x +y"}},
		"a finding at another level appears again": {
			[]world{{files: a(1), findings: findings{x, y}}, {files: a(2), findings: findings{{Fingerprint: "x", Path: "a.json", Severity: lint.Info}, y}}},
			[]string{"[] +x +y", "[a.json] -x +x"}},
		"what did not change is not checked": {
			[]world{{files: a(1), findings: findings{x}}, {files: a(1), err: gone}, {files: a(1), err: gone}}, []string{"[] +x"}},
		"a tick finds what no hint named": {
			[]world{{files: a(1)}, {files: a(2), findings: findings{x}}}, []string{"[]", "[a.json] +x"}},
		"what cannot be read is reported, and resolves nothing": {
			[]world{{files: a(1), findings: findings{x}}, {files: a(2), findings: findings{bad}}, {files: a(3), findings: findings{y}}},
			[]string{"[] +x", "[a.json] +broken a.json", "[a.json] -broken a.json -x +y"}},
		"what cannot be read resolves nothing, though no finding says what it is": {
			[]world{{files: a(1), findings: findings{x}}, {files: a(2), unread: true}, {files: a(3), findings: findings{x}}}, []string{"[] +x", "[a.json]", "[a.json]"}},
		"what another file says is resolved all the same": {
			[]world{{files: a(1), findings: findings{x}}, {files: map[string]int64{"a.json": 2, "b.json": 1}, findings: findings{broken("b.json")}}},
			[]string{"[] +x", "[a.json b.json] -x +broken b.json"}},
		"the findings of a file that was removed are resolved": {
			[]world{{files: a(1), findings: findings{x}}, {}}, []string{"[] +x", "[a.json] -x"}},
		"an error is reported, and the next change awaited": {
			[]world{{files: a(1), findings: findings{x}}, {files: a(2), err: gone}, {files: a(2)}, {files: a(3), err: gone}, {files: map[string]int64{"a.json": 4, "b.json": 1}}},
			[]string{"[] +x", "a.json does not exist", "[a.json b.json] -x"}},
		"a reply goes to each new message, once": {
			[]world{{files: a(1), findings: findings{x}, messages: []string{"x"}}, {files: a(2), findings: findings{x, y}, messages: []string{"x", "y"}}, {files: a(3), findings: findings{x, y, finding("z")}, messages: []string{"x", "y"}}},
			[]string{"[] +x", "[a.json] +y reply to y: 1", "[a.json] +z"}},
		"a message of another project is new": {
			[]world{{files: a(1), findings: findings{inProject("p", "x")}, messages: []string{"p/x"}}, {files: a(2), findings: findings{inProject("p", "x"), inProject("q", "x")}, messages: []string{"p/x", "q/x"}}},
			[]string{"[] +p/x", "[a.json] +q/x reply to x: 1"}},
		"a fault of the input names no project": {
			[]world{{files: a(1)}, {files: a(2), findings: findings{x}, messages: []string{"p/x"}}},
			[]string{"[]", "[a.json] +x reply to x: 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := play(t, tt.worlds...); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("it reports %q, want %q", got, tt.want)
			}
		})
	}
}

// TestChangedMeanwhile checks that a file which changes while it is checked is checked again, a
// few times, and that what a check misses meanwhile is not resolved.
func TestChangedMeanwhile(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, changes := range []int{1, maxChecks - 1, 10 * maxChecks} {
		size := 0
		write := func() {
			size++
			must.Write(t, "a.json", make([]byte, size))
		}
		write()
		checks := 0
		last, err := Run(t.Context(), Options{
			Look: func(context.Context) (Look, error) {
				look := Look{}
				look.Add("a.json")
				return look, nil
			},
			Check: func(context.Context) (*lint.Report, map[mail.Ref]bool, error) {
				if checks++; checks <= changes {
					write()
					return &lint.Report{}, nil, nil
				}
				return &lint.Report{Findings: []*lint.Finding{finding("x")}}, nil, nil
			},
			Report: func(context.Context, *Round) (bool, error) { return true, nil },
		})
		if want := min(changes+1, maxChecks); err != nil || checks != want || (len(last.Findings) == 1) != (changes < maxChecks) {
			t.Errorf("%d changes are checked %d times, expected %d; the report is %v (%v)", changes, checks, want, last, err)
		}
	}
}

// TestFirstCheck checks that Run returns the error that prevents the first check.
func TestFirstCheck(t *testing.T) {
	failed := errors.New("failed")
	look := func(context.Context) (Look, error) { return Look{}, nil }
	if _, err := Run(t.Context(), Options{Look: func(context.Context) (Look, error) { return nil, failed }}); !errors.Is(err, failed) {
		t.Errorf("a look that fails gives %v", err)
	}
	if _, err := Run(t.Context(), Options{Look: look, Check: func(context.Context) (*lint.Report, map[mail.Ref]bool, error) { return nil, nil, failed }}); !errors.Is(err, failed) {
		t.Errorf("a check that fails gives %v", err)
	}
}
