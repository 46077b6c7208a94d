package input

import (
	"fmt"
	"testing"
	"time"
)

// TestManyPaths checks that each path is looked at once, and that a shell's expansion of
// very many takes no time that grows with their square: that would be minutes.
func TestManyPaths(t *testing.T) {
	const n = 300_000
	contents, paths := make(map[string][]byte, n), make([]string, 0, n+1)
	for i := range n {
		p := fmt.Sprintf("notes/%06d.md", i)
		contents[p] = nil
		paths = append(paths, p)
	}
	w := &walker{opts: Options{Contents: contents}}
	start := time.Now()
	if err := w.expand(append(paths, paths[0])); err != nil {
		t.Fatal(err)
	}
	if len(w.roots) != n {
		t.Errorf("%d paths are %d roots", n, len(w.roots))
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it takes %v", took)
	}
}
