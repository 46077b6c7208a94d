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
	for quotes, want := range map[int]bool{40: true, maxDepth: true, maxDepth + 1: false} {
		doc := Parse(source.NewText([]byte(strings.Repeat("> ", quotes) + "```delta\n")))
		if fence := len(doc.Blocks) == 1 && doc.Blocks[0].Kind == Fence; fence != want {
			t.Errorf("in %d quotations the blocks are %+v", quotes, doc.Blocks)
		}
	}
}
