package jsontree

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

// TestPlainLen: the first byte that a string does not hold as it is is found wherever it is
// among others, whichever these are.
func TestPlainLen(t *testing.T) {
	others := rapid.SliceOfN(rapid.ByteRange(' ', 0xff).Filter(func(c byte) bool { return c != '"' && c != '\\' }), 0, 20)
	special := rapid.OneOf(rapid.ByteRange(0, ' '-1), rapid.SampledFrom([]byte{'"', '\\'}))
	rapid.Check(t, func(t *rapid.T) {
		before := others.Draw(t, "before")
		if n := plainLen(before); n != len(before) {
			t.Fatalf("plainLen(%q) = %d", before, n)
		}
		data := append(bytes.Clone(before), special.Draw(t, "special"))
		data = append(data, rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "after")...)
		if n := plainLen(data); n != len(before) {
			t.Fatalf("plainLen(%q) = %d, expected %d", data, n, len(before))
		}
	})
}
