package merge

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

// TestMemberSet checks that a set unites arrays by value, with an index and without one, and
// that only a few texts have none: others would be encoded for each comparison.
func TestMemberSet(t *testing.T) {
	value := rapid.OneOf(
		rapid.Map(rapid.SampledFrom([]string{"", "a", "b", "1", `"a`, "null"}), func(s string) any { return s }),
		rapid.SampledFrom([]any{nil, true, 1.0, 2.0, []any{1.0}, []any{"a"}, map[string]any{"a": 1.0}, map[string]any{"a": "b"}}),
	)
	texts := rapid.Map(rapid.StringN(0, 1, 1), func(s string) any { return s })
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.OneOf(texts, value), 0, 20)
		old, added := list.Draw(t, "old"), list.Draw(t, "added")
		s := newMemberSet(old)
		s.add(added)
		want := slices.Clone(old)
		for _, v := range added {
			if !slices.ContainsFunc(want, func(o any) bool { return memberKey(o) == memberKey(v) }) {
				want = append(want, v)
			}
		}
		if !slices.EqualFunc(s.list, want, func(a, b any) bool { return memberKey(a) == memberKey(b) }) {
			t.Fatalf("%v and %v are united to %v", old, added, s.list)
		}
		few := len(s.list) <= fewMembers && !slices.ContainsFunc(s.list, func(v any) bool { return !isText(v) })
		if few != (s.at == nil) {
			t.Fatalf("%v has an index: %v", s.list, s.at != nil)
		}
		for i, v := range s.list {
			if first := slices.IndexFunc(s.list, func(o any) bool { return memberKey(o) == memberKey(v) }); s.has(v, i) != (first < i) {
				t.Fatalf("%v is among the first %d of %v: %v", v, i, s.list, s.has(v, i))
			}
		}
	})
}
