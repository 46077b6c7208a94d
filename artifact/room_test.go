package artifact

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/source"
)

// TestRun grows lists alternately and beyond the memory: none writes into another.
func TestRun(t *testing.T) {
	for room := range 12 {
		r := run[int]{last: make([]int, 0, room)}
		lists := make([][]int, 3)
		var want [3][]int
		for i, n := range []int{0, 0, 1, 1, 2, 0, 2, 2, 1, 2} {
			lists[n] = r.add(lists[n], i)
			want[n] = append(want[n], i)
			for n := range lists {
				if !slices.Equal(lists[n], want[n]) {
					t.Fatalf("room for %d: list %d is %v after %d elements, expected %v", room, n, lists[n], i+1, want[n])
				}
			}
		}
		for n := range lists {
			_ = append(lists[n], -1)
		}
		for n := range lists {
			if !slices.Equal(lists[n], want[n]) {
				t.Fatalf("room for %d: appending to another list made list %d %v", room, n, lists[n])
			}
		}
	}
}

// TestManyItems reads more items and fields than room is made for at once.
func TestManyItems(t *testing.T) {
	const n = 3 * maxReserved
	var b strings.Builder
	b.WriteString("## 2. Hypothesis Slate\n\n")
	for i := range n {
		fmt.Fprintf(&b, "### H%d: Name %d\n**Claim**: Claim %d\n**Anchors**: §%d, §1\n\n", i+1, i+1, i+1, i+1)
	}
	items := ParseMarkdown(source.NewText([]byte(b.String())), Limits{}).Sections[0].Items
	if len(items) != n {
		t.Fatalf("%d items, expected %d", len(items), n)
	}
	for i, it := range items {
		if it.ID.Number != i+1 || it.Name != fmt.Sprint("Name ", i+1) || len(it.Fields) != 2 || it.Text("claim") != fmt.Sprint("Claim ", i+1) || it.Fields[1].Entries[0].Text != fmt.Sprint("§", i+1) {
			t.Fatalf("item %d is %v: %q with %d fields", i, it.ID, it.Name, len(it.Fields))
		}
	}
}
