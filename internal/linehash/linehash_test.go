package linehash

import (
	"slices"
	"strings"
	"testing"
)

// all returns the hashes of all lines.
func all(data string) []string {
	n := strings.Count(data, "\n") + strings.Count(data, "\r") + 1
	lines := make([]int, n)
	for i := range lines {
		lines[i] = i + 1
	}
	found := Of([]byte(data), lines...)
	out := []string{}
	for i := range n {
		if h, ok := found[i+1]; ok {
			out = append(out, h)
		}
	}
	return out
}

// The hashes are those that GitHub's own implementation (codeql-action) is tested
// with.
func TestOf(t *testing.T) {
	greetings := []string{
		"8b7cf3e952e7aeb2:1", "b1ae1287ec4718d9:1", "bff680108adb0fcc:1",
		"c6805c5e1288b612:1", "b86d3392aea1be30:1", "e6ceba753e1a442:1",
	}
	for name, c := range map[string]struct {
		data string
		want []string
	}{
		"empty":       {"", []string{"c129715d7a2bc9a3:1"}},
		"white space": {" a\nb\n  \t\tc\n d", []string{"271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"}},
		"LF":          {" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End", greetings},
		"CR":          {" hello; \t\rworld!!!\r\r\r  \t\tGreetings\r End", greetings},
		"CRLF":        {" hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End", greetings},
		"mixed": {" hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\n", []string{
			"e9496ae3ebfced30:1", "fb7c023a8b9ccb3f:1", "ce8ba1a563dcdaca:1", "e20e36e16fcb0cc8:1",
			"b3edc88f2938467e:1", "c8e28b0b4002a3a0:1", "c129715d7a2bc9a3:1",
		}},
		"repeated": {strings.Repeat("Lorem ipsum dolor sit amet.\n", 10), []string{
			"a7f2ff13bc495cf2:1", "a7f2ff13bc495cf2:2", "a7f2ff13bc495cf2:3", "a7f2ff13bc495cf2:4", "a7f2ff13bc495cf2:5",
			"a7f2ff13bc495cf2:6", "a7f2ff1481e87703:1", "a9cf91f7bbf1862b:1", "55ec222b86bcae53:1", "cc97dc7b1d7d8f7b:1", "c129715d7a2bc9a3:1",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := all(c.data); !slices.Equal(got, c.want) {
				t.Errorf("got %q\nwant %q", got, c.want)
			}
		})
	}
}

// TestIllFormed checks the decoding of bytes that are not UTF-8 against the
// output of Node's decoder.
func TestIllFormed(t *testing.T) {
	for in, decoded := range map[string]string{
		"\xe2\x82a":                "\ufffda",
		"\xe2\x82":                 "\ufffd",
		"\xff\xfe":                 "\ufffd\ufffd",
		"\xf0\x9f\x98\n😀":          "\ufffd\n😀",
		"\xf0\x80\x80":             "\ufffd\ufffd\ufffd",
		"\xed\xa0\x80":             "\ufffd\ufffd\ufffd",
		"\xe0\x9f\xbf":             "\ufffd\ufffd\ufffd",
		"\xf4\x90\xf5":             "\ufffd\ufffd\ufffd",
		"\xc0\xaf\xc2":             "\ufffd\ufffd\ufffd",
		"\ufeff---\r\n\xc3 \xa9\r": "\ufeff---\n\ufffd\ufffd\n",
	} {
		if got, want := all(in), all(decoded); !slices.Equal(got, want) {
			t.Errorf("%q has the hashes %q, want those of %q: %q", in, got, decoded, want)
		}
	}
}

func TestOfSome(t *testing.T) {
	data := []byte(strings.Repeat("a line\n", 300))
	got := Of(data, 250, 3, 999)
	if len(got) != 2 || got[3] == "" || got[250] == "" {
		t.Errorf("Of(250, 3, 999) = %v, want those of lines 3 and 250", got)
	}
	if n := all(string(data)); got[250] != n[249] {
		t.Errorf("line 250 alone is %s, among all %s", got[250], n[249])
	}
}
