package replay

import (
	"context"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/source"
)

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
