package input

import (
	"fmt"
	"testing"
)

// TestManyPaths checks that each path of a shell's expansion is looked at once. Time that grows
// with the square of so many would be minutes.
func TestManyPaths(t *testing.T) {
	const n = 100_000
	contents, paths := make(map[string][]byte, n), make([]string, 0, n+1)
	for i := range n {
		p := fmt.Sprintf("notes/%06d.md", i)
		contents[p] = nil
		paths = append(paths, p)
	}
	found := 0
	w := newWalker(t.Context(), Options{Contents: contents}, func(*Input, error) { found++ })
	if err := w.find(append(paths, paths[0])); err != nil {
		t.Fatal(err)
	}
	if found != n {
		t.Errorf("%d paths are %d files", n, found)
	}
}
