package slips

import (
	"os"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
	"github.com/brennerlint/brennerlint/internal/testenv"
)

// TestClean checks that the inputs for slips conform: they have no finding, not even an
// info.
func TestClean(t *testing.T) {
	testenv.SkipUnderRace(t)
	rapid.Check(t, func(t *rapid.T) {
		s := scenes.Draw(t, "scene")
		dir, err := os.MkdirTemp("", "clean")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		findings, err := s.findings(dir + "/in")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range simplify(dir+"/in", findings) {
			t.Errorf("%s", f)
		}
	})
}

var scenes = rapid.Custom(func(t *rapid.T) *scene {
	return newScene(drawn{t}, stage(rapid.IntRange(int(research), int(pair)).Draw(t, "stage")))
})
