package mail

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/input"
)

// TestCorpusJSON holds that each export of the corpus gives its messages, each
// with a place in the file.
func TestCorpusJSON(t *testing.T) {
	files, err := filepath.Glob("../../testdata/corpus/realmail/json/thread-*")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		s := NewStore(Options{Scope: AllScope})
		if err := s.Add(context.Background(), input.New(input.JSON, f)); err != nil {
			t.Error(f, err)
		}
		if len(s.Threads()) != 1 {
			t.Errorf("%s: threads %v", f, s.Threads())
			continue
		}
		th, problems := s.Load(s.Threads()[0])
		if len(problems) > 0 || !strings.Contains(f, "thread-"+th.ID+".") || th.Project == "" || !th.Whole {
			t.Errorf("%s: %s %q %v", f, th.Project, th.ID, problems)
		}
		for _, m := range th.Messages {
			if span, ok := m.Subject.ToFile(m.Subject.All().Span); !ok || m.File.Position(span.Start).Line < 1 {
				t.Errorf("%s: message %s has no place", f, m.ID)
			}
		}
	}
}
