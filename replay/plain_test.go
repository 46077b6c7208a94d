package replay_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/replay"
)

var (
	plainSeed  = flag.Uint64("plain.seed", 1, "seed of the threads that the plain merge is compared with; 0 draws one")
	plainCount = flag.Int("plain.deltas", 3000, "how many deltas the plain merge is compared with")
)

// TestPlainMerge holds the replay against the plain merge, on random threads and
// in whatever order an export lists their messages.
func TestPlainMerge(t *testing.T) {
	seed := *plainSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("go test ./replay -run TestPlainMerge -plain.seed %d -plain.deltas %d", seed, *plainCount)
	g := &plainGenerator{Rand: rand.New(rand.NewPCG(seed, 0))}
	file := filepath.Join(t.TempDir(), "thread.json")
	seen := map[string]int{}
	for n := 0; g.deltas < *plainCount; n++ {
		messages := g.thread()
		windows := plainReplay(messages, g.roster, g.priority)
		want := showPlain(windows)
		for range 2 {
			got := showReplay(t, file, messages, replay.Options{Roster: g.roster, Priority: g.priority})
			if diff := cmp.Diff(want, got); diff != "" {
				for _, w := range windows {
					t.Log("order that shows, by place in the thread and position: ", w.tie)
				}
				t.Fatalf("thread %d of seed %d, priorities %v, roster %v (-plain +replay):\n%s\n%s", n, seed, g.priority, g.roster, diff, listing(messages, g.roster))
			}
			g.Shuffle(len(messages), func(i, j int) { messages[i], messages[j] = messages[j], messages[i] })
		}
		for _, word := range []string{"rejected", "conflict", "order shows", "order settled"} {
			seen[word] += strings.Count(want, word)
		}
	}
	t.Logf("%d deltas: %v", g.deltas, seen)
	for word, n := range seen {
		if n < *plainCount/200 {
			t.Errorf("only %d times %q: the threads are too tame", n, word)
		}
	}
}

// listing shows the deltas of a thread, by place of the message and position.
func listing(messages []plainMessage, roster []string) string {
	var out strings.Builder
	for _, m := range plainThread(messages) {
		fmt.Fprintf(&out, "%d id %q from %s at %s: %s\n", m.index, m.ID, m.From, m.Created, m.Subject)
		for _, d := range plainDeltas(m, roster) {
			fmt.Fprintf(&out, "  %d.%d %s %s %s %s %s %s\n", m.index, d.position, d.at.Format("15:04:05"), d.agent, d.operation, d.section, d.target, plainJSON(d.payload))
		}
	}
	return out.String()
}

func showPlain(windows []plainWindow) string {
	var out strings.Builder
	for _, w := range windows {
		compiled := "pending"
		if w.compiled != nil {
			compiled = w.compiled.ID
		}
		fmt.Fprintf(&out, "%s %s\n  applied %d\n", compiled, w.hash, w.applied)
		showOutcome(&out, w.rejected, w.conflicts, w.sensitive)
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

// showReplay replays a thread as an export in JSON holds it.
func showReplay(t *testing.T, file string, messages []plainMessage, opts replay.Options) string {
	if err := os.WriteFile(file, plainExport(messages), 0o644); err != nil {
		t.Fatal(err)
	}
	r := replay.New(threads(t, file)[0], opts)
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
			i = -1 // what no COMPILED follows
		}
		fmt.Fprintf(&out, "%s %s\n  applied %d\n", compiled, w.Hash(), w.Applied)
		var rejected []string
		for _, d := range w.Rejected {
			rejected = append(rejected, fmt.Sprintf("%d.%d", d.In.Index, d.Index))
		}
		slices.Sort(conflicts[i])
		showOutcome(&out, rejected, conflicts[i], w.OrderSensitive)
	}
	return out.String()
}

// plainExport writes messages as an export of a thread.
func plainExport(messages []plainMessage) []byte {
	type message struct {
		ID     any    `json:"id,omitempty"`
		Thread string `json:"thread_id"`
		plainMessage
	}
	out := struct {
		Thread   string    `json:"thread_id"`
		Messages []message `json:"messages"`
	}{Thread: "RS-20260302-plain-merge"}
	for _, m := range messages {
		each := message{Thread: out.Thread, plainMessage: m}
		if m.ID != "" {
			each.ID = m.ID
		}
		out.Messages = append(out.Messages, each)
	}
	data, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		panic(err)
	}
	return data
}
