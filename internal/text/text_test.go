package text

import (
	"strings"
	"testing"
)

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"":                        `""`,
		`say "hi"`:                `"say \"hi\""`,
		"a\x1b[2Jb\r\n":           `"a\x1b[2Jb\r\n"`,
		"a\u202eb\u2066c":         `"a\u202eb\u2066c"`,
		"bad \xff byte":           `"bad \xff byte"`,
		"§161 “x”":                `"§161 “x”"`,
		strings.Repeat("é", 48):   `"` + strings.Repeat("é", 48) + `"`,
		strings.Repeat("é", 49):   `"` + strings.Repeat("é", 47) + `…"`,
		strings.Repeat("x", 1000): `"` + strings.Repeat("x", 47) + `…"`,
	} {
		if got := Quote(in); got != want {
			t.Errorf("Quote(%.60q) = %s, want %s", in, got, want)
		}
	}
}

// If texts begin alike, their difference is shown.
func TestQuoteBoth(t *testing.T) {
	long := strings.Repeat("é", 60)
	for _, tt := range [][4]string{
		{"a", "b", `"a"`, `"b"`},
		{"a", "a", `"a"`, `"a"`},
		{"x" + long, "y" + long, `"x` + strings.Repeat("é", 46) + `…"`, `"y` + strings.Repeat("é", 46) + `…"`},
		{long + "end", long, `"…` + strings.Repeat("é", 16) + `end"`, `"…` + strings.Repeat("é", 16) + `"`},
		{long + "è", long + "ê", `"…` + strings.Repeat("é", 16) + `è"`, `"…` + strings.Repeat("é", 16) + `ê"`},
	} {
		if a, b := QuoteBoth(tt[0], tt[1]); a != tt[2] || b != tt[3] {
			t.Errorf("QuoteBoth(%q, %q) = %s, %s, want %s, %s", tt[0], tt[1], a, b, tt[2], tt[3])
		}
	}
}

func TestLists(t *testing.T) {
	for want, words := range map[string][]string{
		"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"},
	} {
		if got := And(words); got != want {
			t.Errorf("And(%q) = %q, want %q", words, got, want)
		}
	}
	if got := Or([]string{"a", "b", "c"}); got != "a, b or c" {
		t.Errorf("Or = %q", got)
	}
}

func TestHide(t *testing.T) {
	if got := Hide(`a: no "x" in no "x" at all`, []string{`no "x"`, "x", `no "x" at all`}, "…"); got != "a: … in …" {
		t.Errorf("Hide = %q", got)
	}
}

func TestNearest(t *testing.T) {
	relations := []string{"extends", "refines", "refutes", "informed_by", "supersedes", "replicates"}
	for word, want := range map[string]string{
		"extend":                    "extends",
		"Refine":                    "refines",
		"refutes":                   "refutes",
		"informed by":               "informed_by",
		"informed-by":               "informed_by",
		"superceeds":                "supersedes",
		"contradicts":               "",
		"":                          "",
		"x":                         "",
		strings.Repeat("r", 100000): "",
	} {
		if got := Nearest(word, relations); got != want {
			t.Errorf("Nearest(%.20q) = %q, want %q", word, got, want)
		}
	}
	if got := Nearest("DELETE", []string{"ADD", "EDIT", "KILL"}); got != "" {
		t.Errorf(`Nearest("DELETE") = %q: not an edit away from anything`, got)
	}
	for word, known := range map[string]string{
		"unverified": "verified", "unverfied": "verified", "not verified": "verified", "checked": "unchecked", "inactive": "active",
		"UNKILL": "KILL", "superseded_by": "supersedes", "no-cache": "cache",
	} {
		if got := Nearest(word, []string{known}); got != "" {
			t.Errorf("Nearest(%q) = %q, the opposite", word, got)
		}
	}
	for word, known := range map[string]string{"uncheked": "unchecked", "informed by": "informed_by", "desciminative_tests": "discriminative_tests", "nference": "inference"} {
		if got := Nearest(word, []string{known}); got != known {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, known)
		}
	}
	if got := Nearest("EDTI", []string{"ADD", "EDIT", "KILL"}); got != "EDIT" {
		t.Errorf(`Nearest("EDTI") = %q`, got)
	}
}

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
