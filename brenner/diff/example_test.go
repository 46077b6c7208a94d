package diff_test

import (
	"fmt"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/source"
)

func ExampleItems() {
	want := &brenner.State{}
	want.Add(brenner.NewItem(brenner.ItemID{Section: brenner.AssumptionLedger, Number: 1}, map[string]any{"name": "Dose", "load": "linear"}))
	text := []byte("## 5. Assumption Ledger\n\n### A1: Dose\n**Load**: cubic\n")
	published := artifact.ParseMarkdown(source.NewText(text), artifact.Limits{})

	for _, item := range diff.Items(want, published, true) {
		for _, f := range item.Fields {
			fmt.Printf("%s %s: %q, expected %q\n", item.ID, f.Key, f.After, f.Before)
		}
	}
	// Output:
	// A1 load: "cubic", expected "linear"
}
