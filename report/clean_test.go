package report

import (
	"testing"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain text, 100%":               "plain text, 100%",
		"§161 – “x” 早期 é":                "§161 – “x” 早期 é",
		"a\x00b\x1b[2J\x7f":              "a<U+0000>b<U+001B>[2J<U+007F>",
		"a\r\n\tb":                       "a<U+000D><U+000A><U+0009>b",
		"csi \u009b31m":                  "csi <U+009B>31m",
		"bidi \u202e\u2066\u200f":        "bidi <U+202E><U+2066><U+200F>",
		"zero\u200b\u200d\u00ad\ufeff":   "zero<U+200B><U+200D><U+00AD><U+FEFF>",
		"fill\u3164\u115f\u034f":         "fill<U+3164><U+115F><U+034F>",
		"tag \U000e0041":                 "tag <U+E0041>",
		"line\u2028\u2029\u0085":         "line<U+2028><U+2029><U+0085>",
		"private \ue000 none \U0010ffff": "private <U+E000> none <U+10FFFF>",
		"bad \xff\xc3 byte":              "bad <0xFF><0xC3> byte",
		"real \ufffd":                    "real \ufffd",
		"⚠\ufe0f ☎\ufe0e":                "⚠ ☎",
		"\ufe0f \ufe0f ⚠\ufe0f\ufe0f":    "<U+FE0F> <U+FE0F> ⚠<U+FE0F>",
		"⚠\ufe01":                        "⚠<U+FE01>",
		"##[error]x":                     "##<U+005B>error]x",
		"a ##vso[task.x]y ##[z]":         "a ##vso<U+005B>task.x]y ##<U+005B>z]",
		"## heading [x] # [y] #[z]":      "## heading [x] # [y] #[z]",
	} {
		if got := clean(in); got != want {
			t.Errorf("clean(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestNames checks that names of files are shown apart, and that annotations bear
// them as the runner reads them.
func TestNames(t *testing.T) {
	for _, tt := range []struct{ name, shown, annotated string }{
		{"mail/a b.json", "mail/a b.json", "mail/a b.json"},
		{"100%, a:b.md", "100%, a:b.md", "100%25%2C a%3Ab.md"},
		{"a\nb\r.md", "a<U+000A>b<U+000D>.md", "a%0Ab%0D.md"},
		{"é §.md", "é §.md", "é §.md"},
		{"⚠\ufe0f.md", "⚠<U+FE0F>.md", "⚠\ufe0f.md"},
		{"⚠.md", "⚠.md", "⚠.md"},
		{"a\u202e.md", "a<U+202E>.md", "a%E2%80%AE.md"},
		{"a<U+202E>.md", "a<U+003C>U+202E>.md", "a<U+202E>.md"},
		{"\xff.md", "<0xFF>.md", "%FF.md"},
		{"<0xFF>.md", "<U+003C>0xFF>.md", "<0xFF>.md"},
		{"%FF.md", "%FF.md", "%25FF.md"},
		{"a<b>.md", "a<b>.md", "a<b>.md"},
		{"##[error]x", "##<U+005B>error]x", "##%5Berror]x"},
	} {
		if got := cleanName(tt.name); got != tt.shown {
			t.Errorf("%q is shown as %q, want %q", tt.name, got, tt.shown)
		}
		if got := githubFile(tt.name); got != tt.annotated {
			t.Errorf("%q is annotated as %q, want %q", tt.name, got, tt.annotated)
		}
	}
}

func TestGuard(t *testing.T) {
	for in, want := range map[string]string{
		"::error::x":          "<U+003A>:error::x",
		" \t ::warning::x":    " \t <U+003A>:warning::x",
		"\u3000::add-mask::x": "\u3000<U+003A>:add-mask::x",
		"a ::error::x":        "a ::error::x",
		": :error::x":         ": :error::x",
		"":                    "",
	} {
		if got := guard(in); got != want {
			t.Errorf("guard(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestFromRoot(t *testing.T) {
	o := &Options{Root: "/home/me/repo", Dir: "/home/me/repo/sub"}
	for in, want := range map[string]string{
		"mail/a.json":              "sub/mail/a.json",
		"./mail//a.json":           "sub/mail/a.json",
		"../artifacts/b.md":        "artifacts/b.md",
		"/home/me/repo/x.md":       "x.md",
		"../../other/x.md":         "../../other/x.md",
		"/home/me/repository/x.md": "/home/me/repository/x.md",
		"-":                        "-",
	} {
		if got := o.fromRoot(in); got != want {
			t.Errorf("fromRoot(%q) = %q, want %q", in, got, want)
		}
	}
	if got := (&Options{}).fromRoot("./a/../b.md"); got != "b.md" {
		t.Errorf("fromRoot without a root = %q, want b.md", got)
	}
	windows := &Options{Root: "C:/repo", Dir: "C:/repo/sub"}
	if got := windows.fromRoot("C:/repo/x.md"); got != "x.md" {
		t.Errorf("fromRoot on Windows = %q, want x.md", got)
	}
}
