package lsp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
)

// TestSettingsLetGo: when the settings change, the database that was checked under those
// before is closed.
func TestSettingsLetGo(t *testing.T) {
	data := must.Read(t, filepath.FromSlash("../../testdata/corpus/realmail/storage.sqlite3"))
	dir := t.TempDir()
	path := filepath.Join(dir, "storage.sqlite3")
	must.Write(t, path, data)
	handles := func() (n int) {
		links, _ := filepath.Glob("/proc/self/fd/*")
		for _, link := range links {
			if target, _ := os.Readlink(link); strings.HasPrefix(target, path) {
				n++
			}
		}
		return n
	}
	c := start(t, Options{Rules: lint.Catalogue{lineCounter(func() {})}, Load: func(string) (Settings, error) { return Settings{Paths: []string{dir}}, nil }})
	c.request(1, "initialize", map[string]any{"rootUri": "file://" + dir})
	check := func(id int) {
		t.Helper()
		if m := c.request(id, "workspace/diagnostic", map[string]any{"previousResultIds": []any{}}); m["error"] != nil {
			t.Fatal(m)
		}
	}
	check(2)
	before := handles()
	for id := range 5 {
		c.notify("workspace/didChangeConfiguration", map[string]any{})
		check(3 + id)
	}
	if after := handles(); before == 0 || after > before {
		t.Errorf("the database is open %d times, then %d times", before, after)
	}
	c.finish()
}
