package replay_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/oracle"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/source"
)

// now returns the artifact that the deltas of a thread make.
func now(r *replay.Thread) *artifact.Artifact {
	return artifact.ParseMarkdown(source.NewText(artifact.Render(r.Pending.State, artifact.RenderMeta{SessionID: "x"})), artifact.Limits{})
}

// showHistory writes the history of a field, one event per line.
func showHistory(fields []replay.FieldBlame, item, field string) string {
	var b strings.Builder
	for _, f := range fields {
		if f.Item.String() != item || f.Field != field {
			continue
		}
		for _, e := range f.History {
			fmt.Fprintf(&b, "%s %q", e.Kind, e.Value)
			if e.United {
				b.WriteString(" united")
			}
			if e.By != nil {
				fmt.Fprintf(&b, " by %s %s/%d", e.By.Agent, e.By.MessageID, e.By.Delta)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func named(name string) object {
	return add("hypothesis_slate", object{"name": name, "claim": "It is " + name + ".", "mechanism": "m", "anchors": []string{"§1"}})
}

func TestHistory(t *testing.T) {
	posts := []post{
		{from: "Ada", subject: "DELTA[opus]: one", deltas: []object{
			named("One"), named("Two"),
			add("predictions_table", object{"condition": "c", "predictions": object{"H1": "up", "H2": "down"}}),
		}},
		{from: "Bob", subject: "DELTA[gpt]: two", deltas: []object{
			edit("H1", object{"claim": "Bob's.", "anchors": []string{"§1", "§2"}}), edit("H1", object{"claim": "Bob's."}),
		}},
	}
	posts = publish(posts, 1, func(st *brenner.State) {
		set(st, "H1", "mechanism", "the operator's")
	})
	posts = append(posts,
		post{from: "Ada", subject: "DELTA[opus]: three", deltas: []object{kill("H2"), edit("H1", object{"mechanism": "Ada's", "anchors": []string{"§3"}, "anchors_replace": true})}},
		post{from: "Ada", subject: "DELTA[opus]: four", at: 3600e9, deltas: []object{edit("H1", object{"claim": "a"})}},
		post{from: "Bob", subject: "DELTA[gpt]: five", at: 3600e9, deltas: []object{edit("H1", object{"claim": "b"})}},
	)
	r := replay.New(thread(posts), replay.Options{})
	got := r.Blame(now(r), true)
	for _, c := range []struct{ item, field, want string }{
		{"H1", "", "added \"One\" by Ada 1/1\n"},
		{"H1", "claim", "added \"It is One.\" by Ada 1/1\nedited \"Bob's.\" by Bob 2/1\nedited \"a\" by Ada 5/1\nedited \"b\" by Bob 6/1\nconflict \"CONFLICT: \\\"a\\\" | \\\"b\\\"\" by Bob 6/1\n"},
		{"H1", "mechanism", "added \"m\" by Ada 1/1\npublished \"the operator's\" by Operator 3/0\nedited \"Ada's\" by Ada 4/2\n"},
		{"H1", "anchors", "added \"§1\" by Ada 1/1\nedited \"§2\" united by Bob 2/1\nedited \"§3\" by Ada 4/2\n"},
		{"H2", "killed", "killed \"it is refuted\" by Ada 4/1\n"},
		{"P1", "predictions", "added \"H1: up; H2: down\" by Ada 1/3\nkilled \"H1: up; H2: N/A\" by Ada 4/1\n"},
	} {
		if h := showHistory(got, c.item, c.field); h != c.want {
			t.Errorf("%s %s:\n%swant:\n%s", c.item, c.field, h, c.want)
		}
	}
	if before := r.Blame(now(r), false); len(before) != len(got) || before[0].History != nil {
		t.Error("blame without history has one")
	}
}

// TestHistoryAgrees checks on random threads that the last step of a history is what
// blame reports, and has the merged value.
func TestHistoryAgrees(t *testing.T) {
	g := oracle.NewGenerator(9)
	file := filepath.Join(t.TempDir(), "thread.json")
	steps := 0
	for i := range 300 {
		if !testenv.Sampled(i, 2) {
			continue
		}
		in := g.Thread()
		data, err := json.Marshal(in)
		must.OK(t, err)
		must.Write(t, file, data)
		r := replay.New(threads(t, file)[0], replay.Options{Roster: in.Roster, Priority: in.Priority})
		for _, f := range r.Blame(now(r), true) {
			steps += len(f.History)
			if f.By == nil {
				continue
			}
			if len(f.History) == 0 {
				t.Fatalf("%s %s has no history", f.Item, f.Field)
			}
			last := f.History[len(f.History)-1]
			if it := r.Pending.State.Find(f.Item); f.Field != "" && f.Field != "killed" && !last.United && last.Value != brenner.OneLine(it.Fields()[f.Field]) {
				t.Errorf("%s %s is %q in the end of its history, expected %q", f.Item, f.Field, last.Value, brenner.OneLine(it.Fields()[f.Field]))
			}
			if last.Kind == replay.FieldKilled && f.Field != "killed" || f.Field == "" {
				continue // blame names the deltas of the remaining outcomes and of the item
			}
			if last.By == nil || last.By.MessageID != f.By.MessageID || last.By.Delta != f.By.Delta {
				t.Errorf("%s %s: the last step is of %+v, blame says %+v", f.Item, f.Field, last.By, f.By)
			}
		}
	}
	if steps < 1500 {
		t.Errorf("%d steps, expected more", steps)
	}
}

// TestHistoryOfFiles: a version in a file that has a delta that should have been rejected
// shows in the history. The next version does not start from the file.
func TestHistoryOfFiles(t *testing.T) {
	posts := first()
	published := replay.New(thread(append(posts, post{from: "Ada", subject: "DELTA[opus]: x", deltas: []object{edit("H1", object{"claim": "c"}), named("Four")}})), replay.Options{}).Pending.State
	rejected := edit("H1", object{"claim": "c"})
	rejected["operation"] = "update"
	posts = append(posts,
		post{from: "Ada", subject: "DELTA[opus]: x", deltas: []object{rejected, named("Four")}},
		post{from: "Operator", subject: "COMPILED: v1 x"},
		post{from: "Ada", subject: "DELTA[opus]: y", deltas: []object{edit("H2", object{"claim": "d"})}},
	)
	r := replay.New(thread(posts), replay.Options{Files: []replay.File{file(published, 1, nil)}})
	if applied := slices.Collect(replay.FactsOf[replay.AppliedReject](r)); len(applied) != 1 {
		t.Fatalf("%d rejected deltas are published, want 1", len(applied))
	}
	got := showHistory(r.Blame(now(r), true), "H1", "claim")
	if want := "added \"claim 1\" by Ada 2/2\nedited \"c\" by Ada 4/1\npublished \"claim 1\" by Operator 5/0\n"; got != want {
		t.Errorf("the history is\n%swant:\n%s", got, want)
	}
}
