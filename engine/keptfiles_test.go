package engine

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/internal/input"
)

// TestKeptFilesLetGo: of files that are gone nothing is kept, once units are dropped.
func TestKeptFilesLetGo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.md")
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	in := input.New(input.ArtifactMarkdown, path)
	k := &Kept{round: 1}
	for round := 0; len(k.files) == 0; round++ { // until its last change is certainly over
		if round == 500 {
			t.Skip("the file system does not tell whether a file was changed")
		}
		if _, ok := k.fileDigest(in); !ok {
			t.Fatal("the file cannot be read")
		}
		time.Sleep(10 * time.Millisecond)
	}
	k.files["gone.md"] = keptFile{round: 1}
	k.round++
	k.fileDigest(in)
	k.dropUnused()
	if left := slices.Collect(maps.Keys(k.files)); !slices.Equal(left, []string{in.Path()}) {
		t.Errorf("kept are %q", left)
	}
}
