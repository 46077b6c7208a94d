package delta

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

// TestMayHold searches for misplaced delta blocks where mayHold reports that there are
// none.
func TestMayHold(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"```delta\n", "```\n", "~~~ delta\n", "~~~delta x\n", "~~~\n", "````md\n", "````\n", ":::delta\n", ":::\n",
		`{"operation": "ADD",`, ` "section": "x"}`, "\n", "\n\n", "text ", "# h\n", "> ", "- ", "  ", "\t", "DELTA[EDIT]: x", "**", "<div>\n", "{", "}", "\r\n",
	})
	rapid.Check(t, func(t *rapid.T) {
		doc := document(strings.Join(rapid.SliceOfN(piece, 0, 14).Draw(t, "pieces"), ""))
		if mayHold(doc) {
			return
		}
		f := finder{doc: doc, data: doc.Text.Data}
		if found := f.find(); len(found) > 0 {
			t.Fatalf("%d are there: %v", len(found), found[0])
		}
	})
}
