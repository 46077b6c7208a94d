package revision

import (
	"fmt"
	"testing"
)

func TestMoves(t *testing.T) {
	for name, c := range map[string]struct{ gone, added, want map[string]string }{
		"nothing":           {nil, map[string]string{"a.md": "1\n"}, map[string]string{}},
		"moved":             {map[string]string{"a.md": "1\n"}, map[string]string{"b/c.md": "1\n"}, map[string]string{"b/c.md": "a.md"}},
		"moved and edited":  {map[string]string{"a.md": "1\n2\n3\n4\n"}, map[string]string{"b.md": "1\n2\n3\nx\n"}, map[string]string{"b.md": "a.md"}},
		"of two the nearer": {map[string]string{"a.md": "1\n2\n3\n"}, map[string]string{"b.md": "1\n2\nx\n", "c.md": "1\n2\n3\nx\n"}, map[string]string{"c.md": "a.md"}},
		"a copy is new":     {map[string]string{"a.md": "1\n"}, map[string]string{"b.md": "1\n", "c.md": "1\n"}, map[string]string{"b.md": "a.md"}},
		"another kind":      {map[string]string{"a.md": "1\n2\n"}, map[string]string{"b.json": "1\n2\nx\n"}, map[string]string{}},
		"rewritten":         {map[string]string{"a.md": "1\n2\n"}, map[string]string{"b.md": "x\ny\n"}, map[string]string{}},
		"found by its name": {map[string]string{"a.md": "1\n2\n"}, map[string]string{"b/a.md": "x\ny\n"}, map[string]string{"b/a.md": "a.md"}},
		"two of that name":  {map[string]string{"a.md": "1\n", "c/a.md": "2\n"}, map[string]string{"b/a.md": "x\n"}, map[string]string{}},
	} {
		bytes := func(texts map[string]string) map[string][]byte {
			out := map[string][]byte{}
			for name, text := range texts {
				out[name] = []byte(text)
			}
			return out
		}
		if got := Moves(bytes(c.gone), bytes(c.added)); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
