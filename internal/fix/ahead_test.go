package fix

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
)

// layered is toy, where m has no fix but assumes ee, and of what e brings up, n, two
// are reported at once.
func layered(data []byte) ([]*lint.Finding, error) {
	out, err := toy(data)
	for i, c := range data {
		if c == 'm' {
			out = append(out, &lint.Finding{Rule: "m", Range: at(i), Severity: lint.Error, Assume: &lint.Fix{Edits: []lint.Edit{edit(i, i+1, "ee")}}})
		}
	}
	return out, err
}

func TestAhead(t *testing.T) {
	for in, want := range map[string]string{
		"":       "",
		"ok":     "",
		"aaexa":  "n@2",
		"nnena":  "n@2", // the others were there before
		"caec":   "x@0 n@2 x@3",
		"xxxxxw": "v@5",
		"xam":    "e@2 e@2 n@2 n@2",
		"iuun":   "n@0",
	} {
		before, _ := layered([]byte(in))
		after, err := Ahead([]byte(in), before, layered)
		must.OK(t, err)
		if got := messages(after); got != want {
			t.Errorf("Ahead(%q) = %q, want %q", in, got, want)
		}
		for _, f := range after {
			if f.Fix != nil || f.Assume != nil {
				t.Errorf("Ahead(%q) offers a fix of a text that does not exist", in)
			}
		}
	}
}

func messages(findings []*lint.Finding) string {
	var out []string
	for _, f := range findings {
		out = append(out, fmt.Sprintf("%s@%d", f.Rule, f.Range.Start.Offset))
	}
	return strings.Join(out, " ")
}

// TestAheadSpins checks that a fix that begets its own fault ends, in few checks, and
// that a content that is large is checked once only.
func TestAheadSpins(t *testing.T) {
	for _, in := range [][]byte{[]byte("agb"), append([]byte("g"), bytes.Repeat([]byte("a"), maxAhead)...)} {
		before, _ := toy(in)
		checks := 0
		if _, err := Ahead(in, before, func(data []byte) ([]*lint.Finding, error) {
			checks++
			return toy(data)
		}); err != nil {
			t.Fatal(err)
		}
		if want := min(maxSteps, max(1, maxAhead/len(in)+1)); checks > want {
			t.Errorf("%d bytes are checked %d times, want %d", len(in), checks, want)
		}
	}
}
