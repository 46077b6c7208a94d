package jsontree

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

// TestRepeated: of members with one name all but the first are repeated, and all but the
// last, which Member finds, are replaced; in large objects as in small ones.
func TestRepeated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(rapid.StringMatching("[a-d]{1,2}"), 1, 40).Draw(t, "names")
		n, fault := Parse([]byte(`{"`+strings.Join(names, `":0,"`)+`":0}`), Options{})
		if fault != nil {
			t.Fatal(fault)
		}
		seen := map[string]bool{}
		members := n.Members()
		for i := range members {
			m := &members[i]
			if m.Repeated != seen[m.Name] {
				t.Fatalf("member %d of %q is repeated: %v", i, names, m.Repeated)
			}
			if m.Replaced != (n.Member(m.Name) != m) {
				t.Fatalf("member %d of %q is replaced: %v", i, names, m.Replaced)
			}
			seen[m.Name] = true
		}
	})
}
