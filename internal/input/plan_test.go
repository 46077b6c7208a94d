package input

import (
	"fmt"
	"testing"
	"time"
)

// TestPlanOfManyPaths checks that each path is planned once, and that a shell's expansion of
// very many takes no time that grows with their square: that would be minutes.
func TestPlanOfManyPaths(t *testing.T) {
	const n = 300_000
	contents, paths := make(map[string][]byte, n), make([]string, 0, n+1)
	for i := range n {
		p := fmt.Sprintf("notes/%06d.md", i)
		contents[p] = nil
		paths = append(paths, p)
	}
	w := &walker{opts: Options{Contents: contents}}
	start := time.Now()
	if err := w.plan(append(paths, paths[0])); err != nil {
		t.Fatal(err)
	}
	if len(w.targets) != n {
		t.Errorf("%d paths are %d targets", n, len(w.targets))
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("planning takes %v", took)
	}
}
