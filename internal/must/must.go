// Package must ends tests at once where what they need for themselves does not work.
package must

import (
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/tools/txtar"
)

// TB is a test: a testing.TB or a rapid.T.
type TB interface {
	Helper()
	Fatal(args ...any)
}

// OK ends a test if there is an error.
func OK(tb TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// Read returns the content of a file.
func Read(tb TB, path string) []byte {
	tb.Helper()
	data, err := os.ReadFile(path)
	OK(tb, err)
	return data
}

// Write writes a file, and makes the folders that it is in.
func Write[T ~string | ~[]byte](tb TB, path string, data T) {
	tb.Helper()
	OK(tb, os.MkdirAll(filepath.Dir(path), 0o755))
	OK(tb, os.WriteFile(path, []byte(data), 0o644))
}

// Example is a text in an archive, and what is expected of it.
type Example struct{ Name, In, Want string }

// Examples reads an archive in which a file "want" follows each text.
func Examples(tb TB, path string) []Example {
	tb.Helper()
	a, err := txtar.ParseFile(path)
	OK(tb, err)
	var out []Example
	for pair := range slices.Chunk(a.Files, 2) {
		if len(pair) < 2 || pair[1].Name != "want" {
			tb.Fatal(path, ": nothing is wanted of ", pair[0].Name)
		}
		out = append(out, Example{pair[0].Name, string(pair[0].Data), string(pair[1].Data)})
	}
	return out
}
