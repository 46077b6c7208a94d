package delta

import (
	"testing"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// TestWithout gives another member the name of an empty payload: its value stays.
func TestWithout(t *testing.T) {
	d := extract(block(`{"operation": "EDIT", "payload": {}, "data": {"claim": "x"}}`))[0]
	got := string(source.Apply(d.Text.Data, d.Without("payload", "data")))
	if want := `{"operation": "EDIT", "payload": {"claim": "x"}}` + "\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestUnwrapKeepsBrace leaves a fence whose opening line has the first brace of an object: without the line the
// object would not be one.
func TestUnwrapKeepsBrace(t *testing.T) {
	body := "```delta{\n\"operation\": \"ADD\",\n\"section\": \"x\"\n}\n``` end\n"
	found := FindMisplaced(document(body), jsontree.Options{})
	if len(found) != 1 || found[0].Form != OuterFence || found[0].Edits != nil {
		t.Errorf("found %+v, want an outer fence without edits", found)
	}
}
