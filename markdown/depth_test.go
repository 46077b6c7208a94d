package markdown

import (
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/source"
)

// TestDepth nests containers so deep that a parse whose time grows with the
// square of the depth would not end.
func TestDepth(t *testing.T) {
	for _, unit := range []string{"> ", "1. ", "- + ", "> - "} {
		text := strings.Repeat(unit, 1<<20/len(unit))
		Parse(source.NewText([]byte(text + "\n" + text + "x\n")))
	}
	// What is nested as people nest is read.
	doc := Parse(source.NewText([]byte(strings.Repeat("> ", 40) + "```delta\n")))
	if len(doc.Blocks) != 1 || doc.Blocks[0].Kind != Fence {
		t.Errorf("blocks are %+v", doc.Blocks)
	}
}
