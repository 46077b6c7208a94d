package delta

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/source"
)

// TestFindMisplaced finds the deltas of testdata/misplaced.txtar: what is wanted has the form of
// each, and the text that it is in.
func TestFindMisplaced(t *testing.T) {
	for _, ex := range must.Examples(t, "testdata/misplaced.txtar") {
		doc := document(strings.TrimSuffix(ex.In, "\n"))
		got := ""
		for _, m := range FindMisplaced(doc, jsontree.Options{}) {
			s := fmt.Sprintf("%d ", m.Form)
			if m.Edits != nil && (m.Form == BareJSON || m.Form == WrappedJSON) {
				s += "alone "
			}
			if m.Certain && m.Form != OtherFence && m.Form != WrappedJSON && (m.JSON == nil || string(m.JSON[0]) == doc.Text.Slice(m.Span)) {
				s += "valid "
			}
			if m.Form == OtherFence && !m.Certain {
				s += "in a list or an array "
			}
			if m.Form >= OtherFence {
				s += doc.Text.Slice(m.Tag)
				if m.Form == ColonFence {
					s += ", "
				}
				if m.Form == ColonFence && m.Edits != nil {
					s += "closed"
				}
				if !strings.HasSuffix(s, " ") || doc.Text.Slice(m.Tag) == "" {
					s += " "
				}
			}
			got += s + strings.ReplaceAll(doc.Text.Slice(m.Span), "\n", `\n`) + "\n"
		}
		if diff := cmp.Diff(ex.Want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", ex.Name, diff)
		}
	}
	if FindMisplaced(nil, jsontree.Options{}) != nil {
		t.Error("a nil document holds something")
	}
}

// TestEdits makes the edits of the misplaced deltas of testdata/edits.txtar, each the only one in
// its body: an object gets a fence where its context lets it have one, also inside an item of a
// list; an outer fence goes, together with the line that was meant to close it, wherever
// CommonMark sees that. Nothing is wanted where there are no edits.
func TestEdits(t *testing.T) {
	for _, ex := range must.Examples(t, "testdata/edits.txtar") {
		doc := document(strings.TrimSuffix(ex.In, "\n"))
		m := FindMisplaced(doc, jsontree.Options{})
		if len(m) != 1 {
			t.Errorf("%s: %d found", ex.Name, len(m))
			continue
		}
		got := ""
		if m[0].Edits != nil {
			got = string(source.Apply(doc.Text.Data, m[0].Edits)) + "\n"
			if m[0].Form != OuterFence && len(extract(got)) != 1 {
				t.Errorf("%s: the fence holds %d deltas", ex.Name, len(extract(got)))
			}
		}
		if diff := cmp.Diff(ex.Want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", ex.Name, diff)
		}
	}
}
