package gen

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/must"
)

// generate makes what o asks for in a new folder.
func generate(t testing.TB, o Options) string {
	t.Helper()
	o.Out = t.TempDir()
	must.OK(t, Generate(o))
	return o.Out
}

// sums returns the hashes of all files below a folder.
func sums(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, p))
		out[p] = fmt.Sprintf("%d bytes, %x", len(data), sha256.Sum256(data))
		return err
	})
	must.OK(t, err)
	return out
}

func TestSameSeedSameBytes(t *testing.T) {
	o := Options{Seed: 7, Artifacts: 5, Threads: 3, Defects: 0.5, Forms: Forms}
	first, second := sums(t, generate(t, o)), sums(t, generate(t, o))
	if d := cmp.Diff(first, second); d != "" {
		t.Errorf("two runs differ:\n%s", d)
	}
	if len(first) < 100 {
		t.Errorf("only %d files", len(first))
	}
}

// A session is the same however many others are made, and another one with
// another seed.
func TestSessionsAreIndependent(t *testing.T) {
	few := sums(t, generate(t, Options{Seed: 7, Artifacts: 2, Threads: 2, Forms: []string{"json"}}))
	many := sums(t, generate(t, Options{Seed: 7, Artifacts: 100, Threads: 90, Forms: []string{"json"}}))
	other := sums(t, generate(t, Options{Seed: 8, Artifacts: 100, Threads: 90, Forms: []string{"json"}}))
	for name, sum := range few {
		if many[name] != sum {
			t.Errorf("%s: %s alone, %s among others", name, sum, many[name])
		}
		if other[name] == sum {
			t.Errorf("%s is the same with another seed", name)
		}
	}
}

// The same mails come out of every form.
func TestFormsHoldTheSame(t *testing.T) {
	const threads = 4
	dir := generate(t, Options{Seed: 3, Threads: threads, Defects: 0.5, Forms: Forms})
	want := tell(t, filepath.Join(dir, "storage.sqlite3"))
	if len(want) != threads*perThread {
		t.Fatalf("%d messages in the database, want %d", len(want), threads*perThread)
	}
	for _, form := range []string{"bundle", "bundle-chunked", "bundle.zip"} {
		if d := cmp.Diff(want, tell(t, filepath.Join(dir, form))); d != "" {
			t.Errorf("%s (-database +%[1]s):\n%s", form, d)
		}
	}
	forgetAcks(want)
	if d := cmp.Diff(want, tell(t, filepath.Join(dir, "archive"))); d != "" {
		t.Errorf("archive (-database +archive):\n%s", d)
	}
	for key, m := range tell(t, filepath.Join(dir, "json")) {
		w := want[key]
		w.Recipients = nil // not in the JSON of a thread
		if d := cmp.Diff(w, m); d != "" {
			t.Errorf("%s (-database +json):\n%s", key, d)
		}
	}
}

type told struct {
	Thread, Subject, From, Body, Time string
	Ack                               bool
	Recipients                        []string
}

// forgetAcks drops the times of acknowledgement, which the archive lacks.
func forgetAcks(list map[string]told) {
	for _, m := range list {
		for i, r := range m.Recipients {
			m.Recipients[i], _, _ = strings.Cut(r, " acked")
		}
	}
}

// tell reads all mail of an export.
func tell(t testing.TB, path string) map[string]told {
	t.Helper()
	s := export.NewStore(export.Options{})
	defer s.Close()
	_, err := input.Discover(context.Background(), []string{path}, input.Options{}, func(in *input.Input) {
		if err := s.Add(context.Background(), in, nil); err != nil && !errors.Is(err, export.ErrNoMail) {
			t.Errorf("%s: %v", in.Path(), err)
		}
	})
	must.OK(t, err)
	facts := export.Facts{Faults: s.Faults()}
	out := map[string]told{}
	for _, info := range s.Threads() {
		thread, more := s.Load(info)
		facts.Add(more)
		for _, m := range thread.Messages {
			one := told{thread.ID, string(m.Subject.Data), string(m.From.Data), strings.TrimSpace(string(m.Body.Data)), m.Time.String(), m.AckRequired, nil}
			for _, r := range m.Recipients {
				line := r.Kind + " " + r.Name
				if r.Acknowledged {
					line += " acked"
				}
				one.Recipients = append(one.Recipients, line)
			}
			slices.Sort(one.Recipients) // no form but the archive keeps an order
			out[m.ID] = one
		}
	}
	if facts.Count() > 0 {
		t.Errorf("%+v", facts)
	}
	return out
}
