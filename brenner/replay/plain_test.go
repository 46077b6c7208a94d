package replay_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/oracle"
)

var (
	plainSeed  = flag.Uint64("plain.seed", 1, "seed of the threads that the plain merge is compared with; 0 draws one")
	plainCount = flag.Int("plain.deltas", 3000, "how many deltas the plain merge is compared with")
)

// TestPlainMerge checks the replay against the plain merge, on random threads and for
// any order of the messages in an export.
func TestPlainMerge(t *testing.T) {
	seed := *plainSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("go test ./brenner/replay -run TestPlainMerge -plain.seed %d -plain.deltas %d", seed, *plainCount)
	g := oracle.NewGenerator(seed)
	file := filepath.Join(t.TempDir(), "thread.json")
	seen := map[string]int{}
	for n := 0; g.Deltas < *plainCount; n++ {
		in := g.Thread()
		want := showPlain(oracle.Replay(in))
		for range 2 {
			got := showReplay(t, file, in)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("thread %d of seed %d, priorities %v, roster %v (-plain +replay):\n%s\n%s", n, seed, in.Priority, in.Roster, diff, plainExport(in))
			}
			g.Shuffle(len(in.Messages), func(i, j int) { in.Messages[i], in.Messages[j] = in.Messages[j], in.Messages[i] })
		}
		for _, word := range []string{"rejected", "conflict", "order shows", "order settled"} {
			seen[word] += strings.Count(want, word)
		}
	}
	t.Logf("%d deltas: %v", g.Deltas, seen)
	for word, n := range seen {
		if n < *plainCount/200 {
			t.Errorf("only %d times %q: the threads are too tame", n, word)
		}
	}
}

func showPlain(windows []oracle.Window) string {
	var out strings.Builder
	for _, w := range windows {
		compiled := "pending"
		if w.Compiled != nil {
			compiled = w.Compiled.ID
		}
		fmt.Fprintf(&out, "%s %s\n  applied %d\n", compiled, w.Hash, w.Applied)
		var rejected []string
		for _, d := range w.Rejected {
			rejected = append(rejected, fmt.Sprintf("%s.%d", d.MessageID, d.Delta))
		}
		var conflicts []string
		for _, c := range w.Conflicts {
			conflicts = append(conflicts, c.Item+" "+c.Field)
		}
		showOutcome(&out, rejected, conflicts, w.Sensitive)
	}
	return out.String()
}

func showOutcome(out *strings.Builder, rejected, conflicts []string, sensitive bool) {
	for _, d := range rejected {
		fmt.Fprintf(out, "  rejected %s\n", d)
	}
	for _, c := range conflicts {
		fmt.Fprintf(out, "  conflict %s\n", c)
	}
	fmt.Fprintf(out, "  order %s\n", map[bool]string{true: "shows", false: "settled"}[sensitive])
}

// showReplay replays a thread from an export in JSON.
func showReplay(t *testing.T, file string, in conformance.MergeInput) string {
	if err := os.WriteFile(file, plainExport(in), 0o644); err != nil {
		t.Fatal(err)
	}
	r := replay.New(threads(t, file)[0], replay.Options{Roster: in.Roster, Priority: in.Priority})
	conflicts := map[int][]string{}
	for _, p := range findings(r) {
		if p.Rule == "MR-008" {
			n := slices.IndexFunc(r.Windows, func(w *replay.Window) bool { return w.Compiled.Index > p.In.Index })
			conflicts[n] = append(conflicts[n], p.Item+" "+p.Field)
		}
	}
	var out strings.Builder
	for i, w := range append(slices.Clone(r.Windows), r.Pending) {
		compiled := "pending"
		if w.Compiled != nil {
			compiled = w.Compiled.ID
		} else {
			i = -1 // no COMPILED follows
		}
		fmt.Fprintf(&out, "%s %s\n  applied %d\n", compiled, w.Hash(), w.Applied)
		var rejected []string
		for _, d := range w.Rejected {
			rejected = append(rejected, fmt.Sprintf("%s.%d", d.In.ID, d.Index))
		}
		slices.Sort(conflicts[i])
		showOutcome(&out, rejected, conflicts[i], w.OrderSensitive)
	}
	return out.String()
}

// plainExport writes a thread as an export.
func plainExport(in conformance.MergeInput) []byte {
	data, err := json.MarshalIndent(in, "", " ")
	if err != nil {
		panic(err)
	}
	return data
}
