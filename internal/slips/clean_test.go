package slips

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// lintScene checks the files of a scene.
func lintScene(t testing.TB, s *scene) *lint.Report {
	t.Helper()
	paths, err := s.write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	rep, err := engine.MustNew(rules.All(), engine.Options{Workers: 1}).Check(context.Background(), paths...)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func TestClean(t *testing.T) {
	for st := research; st <= pair; st++ {
		for seed := range uint64(30) {
			s := newScene(rand.New(rand.NewPCG(seed, 1)), st)
			for _, f := range lintScene(t, s).Findings {
				t.Errorf("stage %d seed %d: %s %s:%d %s: %s", st, seed, f.Rule, f.Path, f.Range.Start.Line, f.MessageID, f.Message)
			}
		}
	}
}
