package export

import (
	"context"
	"testing"

	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// TestThreadOf checks which thread a draft joins if several projects have its id: that of
// the project that it names, by path or slug.
func TestThreadOf(t *testing.T) {
	s := NewStore(Options{Scope: AllScope})
	for _, project := range []string{"/data/one", "/data/two"} {
		data := []byte(`{"project":"` + project + `","thread_id":"T","messages":[` + message("thread_id", `"T"`) + `]}`)
		if err := s.Add(context.Background(), input.NewBytes(input.JSON, project+".json", data), nil); err != nil {
			t.Fatal(err)
		}
	}
	for key, want := range map[string]string{"/data/two": "data-two", "data-two": "data-two", "/data/one": "data-one", "/data/three": "data-one", "": "data-one"} {
		draft := `{"project_key": "` + key + `", "subject": "INFO: x", "body_md": "b", "thread_id": "T"}`
		call, _ := ReadDraft(source.NewFile("draft.json", []byte(draft)), jsontree.Options{})
		if got := s.ThreadOf(call.Message); got == nil || got.Project != want {
			t.Errorf("a draft to %q joins %v, want the thread of %s", key, got, want)
		}
	}
}
