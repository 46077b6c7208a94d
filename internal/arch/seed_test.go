package arch

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSeeds checks that property tests draw from a fixed seed: what a change
// breaks does not depend on the day.
func TestSeeds(t *testing.T) {
	tests := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(data, []byte("\t\"pgregory.net/rapid\"\n")) {
			return err
		}
		tests++
		if !bytes.Contains(data, []byte("\t_ \""+module+"/internal/rapidseed\"\n")) {
			t.Errorf("%s imports rapid; expected it to import internal/rapidseed too", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if tests == 0 {
		t.Error("no property test was found")
	}
}
