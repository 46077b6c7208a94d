package fix

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
	"github.com/brennerlint/brennerlint/lint"
)

func edit(start, end int, text string) lint.Edit {
	var e lint.Edit
	e.Range.Start.Offset, e.Range.End.Offset, e.Text = start, end, text
	return e
}

func fixOf(edits ...lint.Edit) *lint.Fix { return &lint.Fix{Edits: edits} }

func TestApply(t *testing.T) {
	for _, c := range []struct {
		name    string
		fixes   []*lint.Fix
		want    string
		applied []bool
	}{
		{"nothing", nil, "abcdef", []bool{}},
		{"a replacement", []*lint.Fix{fixOf(edit(1, 3, "X"))}, "aXdef", []bool{true}},
		{"an insertion at each end", []*lint.Fix{fixOf(edit(0, 0, "<"), edit(6, 6, ">"))}, "<abcdef>", []bool{true}},
		{"edits out of order", []*lint.Fix{fixOf(edit(4, 5, "E"), edit(0, 1, "A"))}, "AbcdEf", []bool{true}},
		{"neighbours", []*lint.Fix{fixOf(edit(0, 2, "x")), fixOf(edit(2, 4, "y"))}, "xyef", []bool{true, true}},
		{"an overlap: the earlier wins, whole", []*lint.Fix{fixOf(edit(1, 3, "x")), fixOf(edit(2, 4, "y"), edit(5, 6, "z"))}, "axdef", []bool{true, false}},
		{"an insertion inside a replacement", []*lint.Fix{fixOf(edit(1, 4, "x")), fixOf(edit(2, 2, "y"))}, "axef", []bool{true, false}},
		{"a replacement around an insertion", []*lint.Fix{fixOf(edit(2, 2, "y")), fixOf(edit(1, 4, "x"))}, "abycdef", []bool{true, false}},
		{"two insertions at one place", []*lint.Fix{fixOf(edit(2, 2, "x")), fixOf(edit(2, 2, "y"))}, "abxcdef", []bool{true, false}},
		{"the same edit twice", []*lint.Fix{fixOf(edit(1, 2, "x")), fixOf(edit(1, 2, "x"), edit(4, 5, "y"))}, "axcdyf", []bool{true, true}},
		{"a fix that overlaps itself", []*lint.Fix{fixOf(edit(1, 3, "x"), edit(2, 4, "y"))}, "abcdef", []bool{false}},
		{"outside", []*lint.Fix{fixOf(edit(5, 7, "x")), fixOf(edit(-1, 1, "x")), fixOf(edit(3, 2, "x"))}, "abcdef", []bool{false, false, false}},
		{"no edits", []*lint.Fix{fixOf()}, "abcdef", []bool{false}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, applied := Apply([]byte("abcdef"), c.fixes)
			if string(got) != c.want || !slices.Equal(applied, c.applied) {
				t.Errorf("got %q %v, want %q %v", got, applied, c.want, c.applied)
			}
		})
	}
}

// TestApplyProperties holds for any edits at all: a fix is applied whole or not
// at all, what is applied does not overlap, and no other byte changes.
func TestApplyProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOfN(rapid.ByteRange('a', 'z'), 0, 20).Draw(t, "data")
		anyEdit := rapid.Custom(func(t *rapid.T) lint.Edit {
			start := rapid.IntRange(-1, len(data)+1).Draw(t, "start")
			return edit(start, start+rapid.IntRange(-1, 4).Draw(t, "len"), rapid.StringMatching(`[A-Z]{0,2}`).Draw(t, "text"))
		})
		fixes := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) *lint.Fix {
			return fixOf(rapid.SliceOfN(anyEdit, 0, 3).Draw(t, "edits")...)
		}), 0, 8).Draw(t, "fixes")
		before := bytes.Clone(data)
		out, applied := Apply(data, fixes)
		if !bytes.Equal(data, before) {
			t.Fatal("the input was changed")
		}

		var done []lint.Edit
		for i, f := range fixes {
			fits := len(f.Edits) > 0
			for j, e := range f.Edits {
				fits = fits && e.Range.Start.Offset >= 0 && e.Range.Start.Offset <= e.Range.End.Offset && e.Range.End.Offset <= len(data)
				fits = fits && !slices.ContainsFunc(f.Edits[:j], func(o lint.Edit) bool { return o == e || touch(o, e) })
				fits = fits && !slices.ContainsFunc(done, func(o lint.Edit) bool { return touch(o, e) })
			}
			if applied[i] != fits {
				t.Fatalf("fix %d: applied is %t, want %t", i, applied[i], fits)
			}
			if fits {
				done = append(done, f.Edits...)
			}
		}
		slices.SortFunc(done, func(a, b lint.Edit) int { return a.Range.Start.Offset - b.Range.Start.Offset })
		done = slices.Compact(done)
		want := string(data)
		for _, e := range slices.Backward(done) {
			want = want[:e.Range.Start.Offset] + e.Text + want[e.Range.End.Offset:]
		}
		if want != string(out) {
			t.Fatalf("got %q, want %q", out, want)
		}
	})
}

// touch reports whether two different edits cannot both be made.
func touch(a, b lint.Edit) bool {
	from, to := a.Range.Start.Offset, a.Range.End.Offset
	start, end := b.Range.Start.Offset, b.Range.End.Offset
	return a != b && (from == start || from < end && start < to)
}
