package report

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
	"github.com/brennerlint/brennerlint/lint"
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

// TestTextWidth checks that a letter and its combining marks are one character.
func TestTextWidth(t *testing.T) {
	for _, s := range []string{"a\u02ff\u0300", "ab\u0300", "a\u0300b"} {
		if width := textWidth(s); width != 2 {
			t.Errorf("two letters of which one has a combining mark, %+q: %d columns", s, width)
		}
	}
}

// TestCut marks the part of a line between « and » and compares what a terminal
// shows: the line, and below it the carets.
func TestCut(t *testing.T) {
	long := strings.Repeat("0123456789", 10)
	for name, c := range map[string]struct {
		line    string
		columns int
		text    string
		carets  string
	}{
		"plain":            {`a «bc» d`, 40, `a bc d`, `  ^^`},
		"empty line":       {`«»`, 40, ``, `^`},
		"end of line":      {`abc«»`, 40, `abc`, `   ^`},
		"start":            {`«a»bc`, 40, `abc`, `^`},
		"point":            {`a«»bc`, 40, `abc`, ` ^`},
		"tab before":       {"a\t«b»", 40, `a   b`, `    ^`},
		"tab at its stop":  {"abcd\t«b»", 40, `abcd    b`, `        ^`},
		"tab marked":       {"ab«\t»c", 40, `ab  c`, `  ^^`},
		"wide before":      {`早期«x»`, 40, `早期x`, `    ^`},
		"wide marked":      {`x«早期»y`, 40, `x早期y`, ` ^^^^`},
		"fullwidth":        {`Ａ«b»`, 40, `Ａb`, `  ^`},
		"combining before": {"e\u0301\u0323«x»", 40, "e\u0301\u0323x", ` ^`},
		"combining marked": {"ae«\u0301»x", 40, "ae\u0301x", ` ^`},
		"starts with mark": {"\u0301«x»", 40, "\u0301x", `^`},
		"emoji":            {`😀«x»`, 40, `😀x`, `  ^`},
		"emoji with tone":  {"👍🏽«x»", 40, "👍🏽x", `  ^`},
		"family":           {"👨\u200d👩«x»", 40, "👨<U+200D>👩x", `            ^`},
		"flag":             {`🇩🇪«x»`, 40, `🇩🇪x`, `  ^`},
		"keycap":           {"1\u20e3«x»", 40, "1\u20e3x", ` ^`},
		"emoji look":       {"⚠\ufe0f«x»", 40, "⚠x", ` ^`},
		"emoji joined":     {"👩\u200d💻«x»", 40, "👩<U+200D>💻x", `            ^`},
		"hangul jamo":      {"\u1112\u1161\u11ab«x»", 40, "\u1112\u1161\u11abx", `  ^`},
		"ambiguous":        {`§°×«x»`, 40, `§°×x`, `   ^`},
		"control before":   {"\x1b«x»", 40, `<U+001B>x`, `        ^`},
		"control marked":   {"a«\u202e»b", 40, `a<U+202E>b`, ` ^^^^^^^^`},
		"bad byte":         {"\xff«x»", 40, `<0xFF>x`, `      ^`},
		"cut right":        {`a«b»` + long, 20, `ab01234567890123456…`, ` ^`},
		"cut both":         {long + `«x»` + long, 20, `…456789x01234567890…`, `       ^`},
		"cut left":         {long + `«x»`, 20, `…34567890123456789x`, `                  ^`},
		"long fault":       {`ab«` + long + `»`, 20, `ab01234567890123456…`, `  ^^^^^^^^^^^^^^^^^`},
		"escape not cut":   {`«x»` + long[:15] + "\u202e" + long, 20, `x012345678901234…`, `^`},
		"wide cut":         {strings.Repeat("早", 30) + `«x»` + long, 20, `…早早早x01234567890…`, `       ^`},
	} {
		t.Run(name, func(t *testing.T) {
			start := strings.Index(c.line, "«")
			rest := strings.Replace(c.line, "«", "", 1)
			end := strings.Index(rest, "»")
			f := &lint.Frame{Line: 1, Lines: []string{strings.Replace(rest, "»", "", 1)}, Start: start, End: end}
			text, column, width := excerpt(f, c.columns)
			if w := textWidth(text); w > c.columns {
				t.Errorf("shows %d columns of %d: %q", w, c.columns, text)
			}
			if text != c.text {
				t.Errorf("shows %q, want %q", text, c.text)
			}
			if got := strings.Repeat(" ", column) + strings.Repeat("^", width); got != c.carets {
				t.Errorf("marks %q, want %q", got, c.carets)
			}
		})
	}
}

// TestCutFrame shows a line that the engine has cut already.
func TestCutFrame(t *testing.T) {
	f := &lint.Frame{Lines: []string{"abc"}, Start: 1, End: 2, Before: true, After: true}
	if text, column, width := excerpt(f, 40); text != "…abc…" || column != 2 || width != 1 {
		t.Errorf("shows %q, marks %d columns from %d on", text, width, column)
	}
}

// TestCutFits holds for any line that what is shown fits, and that the mark
// is on what is shown and begins where the fault does.
func TestCutFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{"a", " ", "\t", "早", "§", "\u00ad", "e\u0301", "\u0301", "😀", "👍🏽", "\u202e", "\xff", "##[", strings.Repeat("x", 70), strings.Repeat("期", 40)})
		before := strings.Join(rapid.SliceOfN(part, 0, 12).Draw(t, "before"), "")
		fault := strings.Join(rapid.SliceOfN(part, 0, 6).Draw(t, "fault"), "")
		after := strings.Join(rapid.SliceOfN(part, 0, 12).Draw(t, "after"), "")
		columns := rapid.IntRange(leastSource, 200).Draw(t, "columns")
		f := &lint.Frame{Lines: []string{before + "!" + fault + after}, Start: len(before), End: len(before) + 1 + len(fault)}
		text, at, marked := excerpt(f, columns)
		width := textWidth(text)
		if width > columns || at < 0 || marked < 1 || at+marked > width {
			t.Fatalf("%d columns of %d, mark at %d for %d: %q", width, columns, at, marked, text)
		}
		if shown := sourceText(f.Lines[0]); !strings.HasPrefix(shown, sourceText(before)) {
			t.Fatalf("%q does not begin with %q", shown, sourceText(before))
		}
		column := 0
		for cluster, width := range graphemes(text) {
			if column == at && width > 0 {
				if !strings.HasPrefix(cluster, "!") {
					t.Fatalf("the mark begins at %q in %q", cluster, text)
				}
				return
			}
			column += width
		}
		t.Fatalf("nothing is at column %d of %q", at, text)
	})
}

// TestMessagesWithoutID checks that messages without an id count one by one.
func TestMessagesWithoutID(t *testing.T) {
	about := func(id, from string, at int64) *lint.Finding {
		return &lint.Finding{Rule: "MB-005", Path: "mail.json", Thread: "RS-20251230-x", MessageID: id, Mail: &lint.MailInfo{ID: id, Subject: "DELTA[opus]: x", From: from, Time: time.Unix(at, 0)}}
	}
	findings := []*lint.Finding{about("", "A", 1), about("", "A", 1), about("", "B", 1), about("", "B", 2), about("7", "B", 2), about("7", "B", 2)}
	if messages, _ := atFault(findings); messages != 4 {
		t.Errorf("findings in %d messages, expected 4", messages)
	}
	if groups := tallies("rule", findings); len(groups) != 1 || groups[0].Messages != 4 {
		t.Errorf("statistics of %+v", groups[0])
	}
}
