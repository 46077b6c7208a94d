package oracle

import (
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	artifacts "github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/rules"
)

var (
	plainSeed  = flag.Uint64("plain.seed", 1, "seed of the threads that the plain merge is compared with; 0 draws one")
	plainCount = flag.Int("plain.deltas", 2000, "how many deltas the plain merge is compared with")
	// publishers is in how many threads publishers err: more every night.
	publishers = map[bool]uint64{false: 100, true: 300}[testenv.Nightly()]
)

// TestPlainMerge checks the program against the plain merge, on random threads and for any
// order of the messages in an export.
func TestPlainMerge(t *testing.T) {
	seed := *plainSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("go test ./internal/oracle -run TestPlainMerge -plain.seed %d -plain.deltas %d", seed, *plainCount)
	g := NewGenerator(seed)
	seen := map[string]int{}
	for n := 0; g.Deltas < *plainCount; n++ {
		in := g.Thread()
		var windows []judged
		for _, w := range Replay(in) {
			windows = append(windows, judged{Window: w})
		}
		for range 2 {
			said := compare(t, in, windows)
			if t.Failed() {
				t.Fatalf("thread %d", n)
			}
			for _, word := range []string{"rejected", "MR-008", "order shows", "order settled"} {
				seen[word] += strings.Count(said, word)
			}
			g.Shuffle(len(in.Messages), func(i, j int) { in.Messages[i], in.Messages[j] = in.Messages[j], in.Messages[i] })
		}
	}
	t.Logf("%d deltas: %v", g.Deltas, seen)
	for word, n := range seen {
		if n < *plainCount/100 {
			t.Errorf("only %d times %q: the threads are too tame", n, word)
		}
	}
}

// compare checks that the program says of each window what the oracle does, and returns it.
func compare(t *testing.T, in conformance.MergeInput, windows []judged) string {
	t.Helper()
	var want, got strings.Builder
	var found []string
	for i, w := range windows {
		show(&want, i, w.Hash, w.Applied, w.merged.orderShows(), w.matches, w.published)
		for _, d := range w.Rejected {
			fmt.Fprintf(&want, "  rejected %s.%d\n", d.MessageID, d.Delta)
		}
		for _, c := range w.Conflicts {
			found = append(found, fmt.Sprintf("MR-008 %s %s", c.Item, c.Field))
		}
		for _, f := range w.findings {
			found = append(found, w.Compiled.ID+" "+f)
		}
	}
	replayed, reported := program(t, in)
	for i, w := range replayed.All() {
		show(&got, i, w.Hash(), w.Applied, w.OrderSensitive, w.Matches, w.PublishedHash())
		for _, d := range w.Rejected {
			fmt.Fprintf(&got, "  rejected %s.%d\n", d.In.ID, d.Index)
		}
	}
	slices.Sort(found)
	fmt.Fprintln(&want, strings.Join(slices.Compact(found), "\n"))
	fmt.Fprintln(&got, strings.Join(reported, "\n"))
	if diff := cmp.Diff(want.String(), got.String()); diff != "" {
		data, _ := json.MarshalIndent(in, "", " ")
		t.Errorf("(-oracle +program):\n%s\n%s", diff, data)
	}
	return want.String()
}

func show(out *strings.Builder, window int, hash string, applied int, tied bool, matches *bool, published string) {
	fmt.Fprintf(out, "%d: %s applied %d, order %s", window, hash, applied, map[bool]string{true: "shows", false: "settled"}[tied])
	if matches != nil {
		fmt.Fprintf(out, ", matches %t, published %s", *matches, published)
	}
	out.WriteString("\n")
}

// program returns what the program makes of a thread: its replay, and the findings about merges
// and published artifacts, `MR-008 H1 claim` or `5 MR-011 A1` with the COMPILED.
func program(t *testing.T, in conformance.MergeInput) (*replay.Thread, []string) {
	t.Helper()
	data, err := json.Marshal(in)
	must.OK(t, err)
	const file = "thread.json"
	store := export.NewStore(export.Options{})
	must.OK(t, store.Add(t.Context(), input.NewBytes(input.JSON, file, data), nil))
	mail, _ := store.Load(store.Threads()[0])
	replayed := replay.New(session.NewThread(mail, artifacts.Limits{}), replay.Options{Roster: in.Roster, Priority: in.Priority})
	opts := engine.Options{Contents: map[string][]byte{file: data}, Workers: 1}
	opts.RuleConfig.Roster, opts.RuleConfig.Priority = in.Roster, in.Priority
	report, err := engine.Check(t.Context(), rules.All(), opts, file)
	must.OK(t, err)
	var found []string
	for _, f := range report.Findings {
		line := f.Rule + " " + f.Item
		if f.Rule == "MR-008" || f.Rule == "MR-013" {
			line += " " + f.Field
		}
		switch {
		case f.Rule == "MR-008":
			found = append(found, line)
		case f.Rule == "MR-022", "MR-011" <= f.Rule && f.Rule <= "MR-016":
			found = append(found, strings.TrimSpace(f.MessageID+" "+line))
		}
	}
	slices.Sort(found)
	return replayed, slices.Compact(found)
}
