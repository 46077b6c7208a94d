package cli

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/rules"
)

// TestStart checks that a start of the program makes little: hooks start it for every
// message. What commands complete, list or document is made when it is asked for.
func TestStart(t *testing.T) {
	testenv.SkipUnderRace(t)
	all := rules.All()
	objects := testing.AllocsPerRun(10, func() {
		execute(context.Background(), []string{"--version"}, streams{strings.NewReader(""), io.Discard, io.Discard}, all)
	})
	if objects > 2000 {
		t.Errorf("a start allocates %.0f objects, expected at most 2000", objects)
	}
}
