package engine

import (
	"testing"

	"github.com/brennerlint/brennerlint/source"
)

// TestNamesCredential checks that a credential counts if it is in what a frame would show, or
// near it in a long line.
func TestNamesCredential(t *testing.T) {
	f := source.NewFile("mail.json", []byte("[{\"id\": 1},\n{\"token\": \"x\", \"subject\": \"y\"},\n{\"id\": 2},\n{\"id\": 3}]"))
	s := task{runner: &runner{box: &Mailbox{opts: Options{Limits: Limits{FrameLine: 10}}}}}
	for line, want := range []bool{false, true, false, false} {
		at := f.Text().Line(line + 1)
		if got := s.namesCredential(f.Text(), source.Span{Start: at.Start + 1, End: at.Start + 2}); got != want {
			t.Errorf("line %d: %v, want %v", line+1, got, want)
		}
	}
}
