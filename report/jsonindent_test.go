package report

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

// TestIndented holds that values are indented as the library does it.
func TestIndented(t *testing.T) {
	text := rapid.SampledFrom([]string{"", "a", "##[error]", `"`, `\`, `\"`, "{", "[]", ":,", "\u202e", "\n", "##", "é[", "\x7f", "😀\u200d"})
	rapid.Check(t, func(t *rapid.T) {
		v := value(t, text, 4)
		e := newJSON(nil)
		var want bytes.Buffer
		if err := json.Indent(&want, e.encode(v), "  ", "  "); err != nil {
			t.Fatal(err)
		}
		if got := appendIndented(nil, e.encoded(v), "  "); !bytes.Equal(got, want.Bytes()) {
			t.Fatalf("got\n%s\nwant\n%s", got, want.Bytes())
		}
	})
}

// value draws a JSON value of some levels.
func value(t *rapid.T, text *rapid.Generator[string], levels int) any {
	if levels == 0 {
		return rapid.SampledFrom([]any{nil, true, -1.5e-9, 1000}).Draw(t, "leaf")
	}
	n := rapid.IntRange(0, 3).Draw(t, "size")
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		return text.Draw(t, "text") + text.Draw(t, "more")
	case 1:
		return value(t, text, 0)
	case 2:
		list := []any{}
		for range n {
			list = append(list, value(t, text, levels-1))
		}
		return list
	default:
		object := map[string]any{}
		for range n {
			object[text.Draw(t, "key")] = value(t, text, levels-1)
		}
		return object
	}
}
