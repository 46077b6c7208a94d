package replay_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
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
	for _, w := range r.All() {
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

// What has no bodies is not judged. (That every form gives the same is tested in rules.)
func TestWithoutBodies(t *testing.T) {
	for _, path := range []string{"bundle-strict", "json/thread-RS-20260102-round2-nanochat.nobodies.json"} {
		for _, th := range threads(t, realmail+path) {
			if got := faults(replay.New(th, replay.Options{})); strings.HasPrefix(th.ID, "RS-") && th.Complete && got != nil {
				t.Errorf("%s: %s is judged without its bodies: %q", path, th.ID, got)
			}
		}
	}
}

// erring returns a thread whose publisher errs in all ways at random: some versions are
// published as they were before.
func erring(r *rand.Rand) []post {
	posts := first()
	anyOf := func(st *brenner.State) *brenner.Item {
		var all []*brenner.Item
		for _, sec := range brenner.Sections {
			all = append(all, st.Items(sec)...)
		}
		return all[r.IntN(len(all))]
	}
	values := []any{"one", "two", nil, []any{"§1", "§2"}, true}
	change := func(st *brenner.State) {
		for range r.IntN(4) {
			it := anyOf(st)
			name := it.ID.String()
			switch r.IntN(9) {
			case 0, 7, 8:
				drop(st, name)
			case 1:
				fields := it.ID.Section.Fields()
				set(st, name, fields[r.IntN(len(fields))].Key, values[r.IntN(len(values))])
			case 2:
				if it.ID.Section != brenner.ResearchThread {
					setKilled(st, name, &brenner.Killing{By: "Bob", Reason: "it is refuted"})
				}
			case 3:
				setKilled(st, name, nil)
			case 4:
				if it.ID.Section != brenner.ResearchThread {
					renumber(name, fmt.Sprint(name[:1], 1+r.IntN(9)))(st)
				}
			case 5:
				if it.ID.Section == brenner.PredictionsTable {
					set(st, name, "predictions", object{"H1": "other", "H3": "N/A"})
				}
			case 6:
				st.Add(itemOf(brenner.ItemID{Section: it.ID.Section, Number: 7}, it.Fields(), nil))
			}
			if st.Len(brenner.HypothesisSlate) == 0 || st.Len(brenner.PredictionsTable) == 0 {
				st.Add(itemOf(id("H1"), object{"name": "n"}, nil))
				st.Add(itemOf(id("P1"), object{"condition": "c", "predictions": object{"H1": "x"}}, nil))
			}
		}
	}
	targets := []string{"H1", "H2", "H3", "A1", "A2", "T1", "P1", "P2"}
	for version := 1; version < 5; version++ {
		if version > 1 && r.IntN(3) == 0 {
			again := posts[len(posts)-1]
			for i := len(posts) - 1; !strings.HasPrefix(again.subject, "COMPILED"); i-- {
				again = posts[i]
			}
			again.at = 0
			posts = append(posts, again)
		} else {
			posts = publish(posts, version, change)
		}
		target := targets[r.IntN(len(targets))]
		payload := object{"name": fmt.Sprint("name ", r.IntN(3))}
		if target[0] == 'P' {
			payload = object{"condition": fmt.Sprint("condition ", r.IntN(3))}
		}
		deltas := []object{edit(target, payload), kill(target), assumption(4 + r.IntN(3)), prediction(3, object{"H1": "x", "H2": "y"})}
		deltas = deltas[r.IntN(len(deltas)):]
		if r.IntN(3) == 0 {
			deltas[0]["operation"] = strings.ToLower(deltas[0]["operation"].(string))
		}
		posts = append(posts, post{from: "Cyd", subject: "DELTA[opus]: x", deltas: deltas[:1+r.IntN(len(deltas))]})
	}
	return posts
}

// TestErringPublishers checks that no version differs in silence, and that artifacts of the
// same bytes have the same hash, whatever was merged in between (decisions.md 82 and 83).
func TestErringPublishers(t *testing.T) {
	differing, again := 0, 0
	for seed := range uint64(200) {
		if !testenv.Sampled(int(seed), 2) {
			continue
		}
		posts := erring(rand.New(rand.NewPCG(seed, 0)))
		r := replay.New(thread(posts), replay.Options{})
		said := map[string]bool{}
		for _, f := range findings(r) {
			if f.In != nil {
				said[f.In.ID] = true
			}
		}
		hashes := map[string]string{}
		for n, w := range r.Windows {
			if w.Matches != nil && !*w.Matches {
				differing++
				if !said[w.Compiled.ID] {
					t.Errorf("seed %d: version %d differs in silence: %q", seed, n+1, faults(r))
				}
			}
			body := w.Compiled.Body.String()
			if known, ok := hashes[body]; ok {
				again++
				if known != w.PublishedHash() {
					t.Errorf("seed %d: version %d has the same bytes, but another hash", seed, n+1)
				}
			}
			hashes[body] = w.PublishedHash()
		}
	}
	if differing < 100 || again < 25 {
		t.Errorf("%d versions differ, %d are published again: the threads are too tame", differing, again)
	}
}
