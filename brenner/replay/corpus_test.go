package replay_test

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/must"
	catalogue "github.com/brennerlint/brennerlint/rules"
	"github.com/brennerlint/brennerlint/source"
)

var update = flag.Bool("update", false, "write the golden files")

const realmail = "../../testdata/corpus/realmail/"

// threads loads all threads of exports.
func threads(t testing.TB, paths ...string) []*session.Thread {
	t.Helper()
	store := export.NewStore(export.Options{})
	defer store.Close()
	set, err := input.Discover(context.Background(), paths, input.Options{}, func(in *input.Input) {
		if err := store.Add(context.Background(), in, nil); err != nil {
			t.Error(err)
		}
	})
	must.OK(t, err)
	defer set.Close()
	var out []*session.Thread
	for _, info := range store.Threads() {
		mt, _ := store.Load(info)
		out = append(out, session.NewThread(mt, artifact.Limits{}))
	}
	return out
}

// TestRealThreads replays the threads of real sessions. The golden file was
// reviewed by hand, finding by finding.
func TestRealThreads(t *testing.T) {
	var out strings.Builder
	for _, th := range threads(t, realmail+"archive") {
		show(&out, replay.New(th, replay.Options{}))
	}
	golden := filepath.Join("testdata", "realmail.golden")
	if *update {
		must.Write(t, golden, out.String())
	}
	want := must.Read(t, golden)
	if diff := gocmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// show writes a replay for people to read.
func show(out *strings.Builder, r *replay.Thread) {
	fmt.Fprintf(out, "thread %s %s\n", r.Thread.Project, r.Thread.ID)
	for _, w := range append(r.Windows, r.Pending) {
		name := "pending"
		if w.Compiled != nil {
			name = fmt.Sprintf("v%d (message %s)", w.Compiled.Version.Number, w.Compiled.ID)
		}
		fmt.Fprintf(out, "  %s from %s: %d deltas, %d applied, order-sensitive %v\n", name, w.Base, len(w.Deltas), w.Applied, w.OrderSensitive)
		for _, d := range w.Rejected {
			rule, reason := catalogue.All().RejectedBy(d.Rejection)
			fmt.Fprintf(out, "    rejected: message %s, delta %d by %s: %s %s\n", d.In.ID, d.Index, d.Agent, rule, reason)
		}
		fmt.Fprintf(out, "    hash %.15s", w.Hash())
		if w.Matches != nil {
			fmt.Fprintf(out, ", published %.15s, matches %v", w.PublishedHash(), *w.Matches)
		}
		out.WriteByte('\n')
	}
	for _, p := range findings(r) {
		where := p.Path
		if p.In != nil {
			where = "message " + p.In.ID
		}
		fmt.Fprintf(out, "  %s at %s, %s\n    %s\n", p.Rule, where, place(p.At), p.Message)
		if p.Item+p.Field != "" || p.Delta > 0 {
			fmt.Fprintf(out, "    item %q, field %q, delta %d\n", p.Item, p.Field, p.Delta)
		}
		if p.Suggestion != "" {
			fmt.Fprintf(out, "    = %s\n", p.Suggestion)
		}
		for _, n := range p.Related {
			fmt.Fprintf(out, "    see %s: %s\n", place(n.At), n.Message)
		}
	}
}

// place returns a place in its file with the text there.
func place(at source.Place) string {
	if !at.Known() {
		return "nowhere"
	}
	text := at.Text.Slice(at.Span)
	if r := []rune(text); len(r) > 60 {
		text = string(r[:60]) + "…"
	}
	span, ok := at.Text.ToFile(at.Span)
	if !ok {
		return fmt.Sprintf("%q", text)
	}
	pos := at.Text.File.Position(span.Start)
	return fmt.Sprintf("%d:%d %q", pos.Line, pos.Column, text)
}

// What has no bodies is not judged. (That every form gives the same is tested in internal/export.)
func TestWithoutBodies(t *testing.T) {
	for _, path := range []string{"bundle-strict", "json/thread-RS-20260102-round2-nanochat.nobodies.json"} {
		for _, th := range threads(t, realmail+path) {
			if got := faults(replay.New(th, replay.Options{})); strings.HasPrefix(th.ID, "RS-") && th.Complete && got != nil {
				t.Errorf("%s: %s is judged without its bodies: %q", path, th.ID, got)
			}
		}
	}
}
