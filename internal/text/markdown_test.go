package text

import (
	"strings"
	"testing"
)

func TestMarkdown(t *testing.T) {
	for in, want := range map[string]string{
		"plain text, §161 (a-b).":   "plain text, §161 (a-b).",
		"a\n\n# b\r\n\tc\x00d":      "a # b c d",
		"*a* _b_ snake_case `c`":    "\\*a\\* \\_b\\_ snake_case \\`c\\`",
		"a|b \\ ~~c~~ d~e":          "a\\|b \\\\ \\~\\~c\\~\\~ d~e",
		"[x](y) ![i](u) [r] [q]: z": "[x\\](y) ![i\\](u) [r] [q\\]: z",
		"<b> 1 < 2 &amp; a & b":     "\\<b> 1 < 2 \\&amp; a & b",
		"bad \xff byte":             "bad \uFFFD byte",
	} {
		if got := Markdown(in); got != want {
			t.Errorf("Markdown(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestShorten(t *testing.T) {
	if got := Shorten("aé b", 4); got != "aé b" {
		t.Errorf("a text that fits is shortened to %q", got)
	}
	if got := Shorten("ééé éé", 5); got != "ééé…" {
		t.Errorf("shortened to %q", got)
	}
	long := strings.Repeat("é", 50)
	a, b := ShortenBoth(long+"x"+long, long+"y"+long, 20)
	if a == b || len([]rune(a)) > 20 || !strings.Contains(a, "x") || !strings.Contains(b, "y") {
		t.Errorf("two texts are shortened to %q and %q", a, b)
	}
}
