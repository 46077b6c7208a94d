package artifact

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/source"
)

// TestItems checks that Items yields what State has, each once, where ids are given twice,
// are out of order or have large numbers.
func TestItems(t *testing.T) {
	const text = `## 1. Research Thread

## 2. Hypothesis Slate
### H2: First
**Claim**: a
### H2: Again
### H1: Before
### H64: Large
### H999999: Larger
### H64: Again
### H63: Last
### H63: Again

## 3. Predictions Table
| ID | Condition | H1 |
|---|---|---|
| P1 | First | x |
| P1.H1 | Scoped | x |
| P1.H1 | Again | x |
| P1.H2 | Scoped | x |
| P1 | Again | x |

## 2. Hypothesis Slate
### H1: Again
### H3: Later

## 1. Research Thread
**RT**: Why?
`
	a := ParseMarkdown(source.NewText([]byte(text)), Limits{})
	var got []string
	for it := range a.Items() {
		got = append(got, fmt.Sprint(it.ID, " ", it.Name, it.Text("condition"), it.Text("statement")))
	}
	want := []string{"H2 First", "H1 Before", "H64 Large", "H999999 Larger", "H63 Last", "P1 First", "P1.H1 Scoped", "P1.H2 Scoped", "H3 Later", "RT Why?"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for range a.Items() {
		break // the rest is not wanted
	}
	s, n := a.State(), 0
	for it := range a.Items() {
		n++
		if diff := cmp.Diff(it.State(it.ID.Section).Fields(), s.Find(it.ID).Fields()); diff != "" {
			t.Errorf("%v is another item in the state (-item +state):\n%s", it.ID, diff)
		}
	}
	for _, sec := range protocol.Sections {
		n -= s.Len(sec)
	}
	if n != 0 {
		t.Errorf("%d items more than in the state", n)
	}
}
