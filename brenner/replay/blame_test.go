package replay

import (
	"context"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/source"
)

// TestBlame blames the artifact of the example: its T1 lacks what the last delta
// set, and every field has a delta that explains it.
func TestBlame(t *testing.T) {
	data := must.Read(t, "../../examples/artifacts/RS-20251230-cell-fate.md")
	a := artifact.ParseMarkdown(source.NewFile("a.md", data).Text(), artifact.Limits{})
	store := export.NewStore(export.Options{})
	must.OK(t, store.Add(context.Background(), input.New(input.JSON, "../../examples/mail/RS-20251230-cell-fate.json"), nil))
	thread, _ := store.Load(store.Threads()[0])
	r := New(session.NewThread(thread, artifact.Limits{}), Options{})
	seen := map[string]FieldBlame{}
	for _, b := range r.Blame(a, false) {
		seen[b.Item.String()+" "+b.Field] = b
		if b.By == nil {
			t.Errorf("%s %s: no delta explains it", b.Item, b.Field)
		}
	}
	for _, tc := range []struct {
		what, agent, message string
		delta                int
		differs              bool
	}{
		{"T1 potency_check", "BlueLake", "17", 1, true},
		{"T1 procedure", "PurpleMountain", "14", 4, false},
		{"RT statement", "Operator", "12", 1, false},
		{"H3 ", "RedCreek", "13", 3, false},
		{"A3 scale_check", "GreenDog", "15", 3, false},
	} {
		b, ok := seen[tc.what]
		if !ok || b.By == nil || b.By.Agent != tc.agent || b.By.MessageID != tc.message || b.By.Delta != tc.delta || b.Differs != tc.differs {
			t.Errorf("%s: %+v %+v", tc.what, b, b.By)
		}
	}
	w := r.Windows[0]
	var accepted []*merge.Delta
	for _, d := range w.Deltas {
		if d.Rejection == nil {
			accepted = append(accepted, d.data())
		}
	}
	if again := merge.Merge(w.base, accepted, merge.Options{}); again.State.Hash() != w.Hash() {
		t.Error("comparing changed the merged state")
	}
}

// TestBlameTellsWhatIsWrong blames a real artifact in which an outcome was changed and
// a field made up, and whose critiques should have been rejected.
func TestBlameTellsWhatIsWrong(t *testing.T) {
	store := export.NewStore(export.Options{})
	must.OK(t, store.Add(context.Background(), input.New(input.JSON, "../../testdata/corpus/realmail/json/thread-RS-20260102-round2-nanochat.json"), nil))
	mt, _ := store.Load(store.Threads()[0])
	r := New(session.NewThread(mt, artifact.Limits{}), Options{})
	text := string(r.Windows[0].Compiled.Body.Data)
	text = strings.Replace(text, "Task A accuracy >80%", "Task A accuracy >99%", 1)
	text = strings.Replace(text, "**Feasibility**: Requires pre", "**Calculation**: 42\n**Feasibility**: Requires pre", 1)
	var got []string
	for _, b := range r.Blame(artifact.ParseMarkdown(source.NewText([]byte(text)), artifact.Limits{}), false) {
		switch {
		case b.By == nil:
			got = append(got, "unexplained "+b.Item.String()+" "+b.Field)
		case b.Differs:
			got = append(got, "differs "+b.Item.String()+" "+b.Field)
		case b.By.Rejection != nil && b.By.Rejection.Fault == delta.LacksFields && b.Field == "":
			got = append(got, "LacksFields "+b.Item.String())
		}
	}
	want := "differs P3 predictions, unexplained T2 Calculation, LacksFields C1, LacksFields C2"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}
