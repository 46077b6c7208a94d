package words

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestQuote(t *testing.T) {
	long := strings.Repeat("é", 61)
	for _, tt := range []struct{ in, want string }{
		{"plain", `"plain"`},
		{"§42", `"§42"`},
		{"a\x1b[2Jb\nc", `"a\x1b[2Jb\nc"`},
		{"\u202egnp.exe", `"\u202egnp.exe"`},
		{"zero\u200bwidth", `"zero\u200bwidth"`},
		{"\xff", `"\xff"`},
		{strings.Repeat("é", 60), `"` + strings.Repeat("é", 60) + `"`},
		{long, `"` + strings.Repeat("é", 59) + `…"`},
		{strings.Repeat("x", 58) + " yz z", `"` + strings.Repeat("x", 58) + `…"`},
	} {
		if got := Quote(tt.in); got != tt.want {
			t.Errorf("Quote(%q) = %s, want %s", tt.in, got, tt.want)
		}
	}
}

func TestLists(t *testing.T) {
	abc := []string{"a", "b", "c"}
	for i, want := range []string{"", "a", "a and b", "a, b and c"} {
		if got := List(abc[:i]); got != want {
			t.Errorf("List of %d = %q, want %q", i, got, want)
		}
	}
	if got := Or(abc); got != "a, b or c" {
		t.Errorf("Or = %q", got)
	}
	if got := Count(1, "item", "items") + ", " + Count(0, "item", "items"); got != "1 item, 0 items" {
		t.Errorf("Count = %q", got)
	}
}

func TestNearest(t *testing.T) {
	roles := []string{"opus", "gpt", "gemini", "claude", "human"}
	for _, tt := range []struct {
		word string
		from []string
		want string
	}{
		{"opsu", roles, "opus"},
		{"gtp", roles, "gpt"},
		{"Gemni", roles, "gemini"},
		{"operator", roles, ""},
		{"results", roles, ""},
		{"", roles, ""},
		{"ac", []string{"ab", "ad"}, ""},
		{"hypothesis_slat", []string{"hypothesis_slate", "research_thread"}, "hypothesis_slate"},
		{strings.Repeat("opus", 1000), roles, ""},
	} {
		if got := Nearest(tt.word, tt.from); got != tt.want {
			t.Errorf("Nearest(%q) = %q, want %q", tt.word, got, tt.want)
		}
	}
}

func FuzzQuote(f *testing.F) {
	f.Add("KICKOFF: \x1b]0;x\a\u2066")
	f.Fuzz(func(t *testing.T, s string) {
		got := Quote(s)
		if !utf8.ValidString(got) {
			t.Errorf("%q: not valid UTF-8", got)
		}
		for _, r := range got {
			if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
				t.Errorf("%q holds %U", got, r)
			}
		}
	})
}
