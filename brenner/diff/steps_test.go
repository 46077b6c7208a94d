package diff

import (
	"fmt"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/source"
)

// TestPairingSteps counts how often identities are examined to pair items whose ids all
// differ: a few times for each item, even if very many have one name.
func TestPairingSteps(t *testing.T) {
	for name, text := range map[string]func(i int) string{
		"one text for all":   func(int) string { return "same" },
		"a text of each":     func(i int) string { return fmt.Sprint("text ", i) },
		"texts of two items": func(i int) string { return fmt.Sprint("text ", i/2) },
	} {
		for _, n := range []int{200, 400, 800} {
			want, shown := &brenner.State{}, &brenner.State{}
			for i := range n {
				fields := map[string]any{"name": text(i), "statement": text(i)}
				want.Add(brenner.NewItem(brenner.ItemID{Section: brenner.AssumptionLedger, Number: int32(i + 1)}, fields))
				shown.Add(brenner.NewItem(brenner.ItemID{Section: brenner.AssumptionLedger, Number: int32(10*n - i)}, fields))
			}
			a := artifact.ParseMarkdown(source.NewText(artifact.Render(shown, artifact.RenderMeta{})), artifact.Limits{})
			c := &Comparison{Artifact: a, Want: want}
			p := &pairing{of: c, sec: brenner.AssumptionLedger, used: map[*brenner.Item]bool{}}
			for it := range a.Items(brenner.AssumptionLedger) {
				p.out = append(p.out, &Pair{Item: it, Got: it.State(brenner.AssumptionLedger)})
			}
			if len(p.out) != n {
				t.Fatalf("%d items are shown, %d expected", len(p.out), n)
			}
			steps := 0
			p.byID(func(want, got *brenner.Item) bool { steps++; return p.identity(want) == p.identity(got) })
			p.byKey(want.Items(brenner.AssumptionLedger), func(it *brenner.Item) Identity { steps++; return p.identity(it) })
			if len(p.used) != n || steps > 3*n {
				t.Errorf("%s: %d steps leave %d of %d items without a partner", name, steps, n-len(p.used), n)
			}
		}
	}
}
