package jsontree

import (
	"encoding/json"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/must"
)

var update = flag.Bool("update", false, "write what is said of mistakes")

// TestMistakes reads the texts of testdata/mistakes.tsv: ⟦ and ⟧ mark the bytes of the first mistake, and what a
// text is read as has a ? before it if that is not certain. Symbols stand for what cannot be seen.
func TestMistakes(t *testing.T) {
	const path = "testdata/mistakes.tsv"
	var all strings.Builder
	for line := range strings.Lines(string(must.Read(t, path))) {
		shown, _, _ := strings.Cut(line, "\t")
		text := []byte(unseen.Replace(shown))
		got := line
		if all.Len() > 0 { // below the names of the columns
			got = tell(t, text)
		}
		all.WriteString(got)
		if got != line && !*update {
			t.Errorf("got  %swant %s", got, line)
		}
	}
	if *update {
		must.Write(t, path, all.String())
	}
}

// tell returns the line of TestMistakes for a text.
func tell(t *testing.T, text []byte) string {
	_, fault := Parse(text, Options{})
	if fault == nil {
		fault = &SyntaxError{}
	} else if json.Valid(text) {
		t.Errorf("%s: encoding/json takes it for valid", text)
	}
	marked := string(text)
	if at := fault.Span; fault.Message != "" {
		marked = marked[:at.Start] + "⟦" + marked[at.Start:at.End] + "⟧" + marked[at.End:]
	}
	r := Recover(text, Options{})
	if r.Text != nil && !json.Valid(r.Text) {
		t.Errorf("%s: the edits make %s of it", text, r.Text)
	}
	reading := string(r.Text)
	if r.Text != nil && !r.Certain {
		reading = "? " + reading
	}
	return seen.Replace(marked) + "\t" + fault.Message + "\t" + fault.Hint + "\t" + seen.Replace(reading) + "\n"
}

var (
	seen   = strings.NewReplacer("\n", "␊", "\r", "␍", "\t", "␉", "\x00", "␀", "\x01", "␁", "\x1b", "␛", "\u00a0", "⍽")
	unseen = strings.NewReplacer("␊", "\n", "␍", "\r", "␉", "\t", "␀", "\x00", "␁", "\x01", "␛", "\x1b", "⍽", "\u00a0", "⟦", "", "⟧", "")
)

// TestBytes: what is wrong with bytes that are no text.
func TestBytes(t *testing.T) {
	for text, want := range map[string]string{
		"\ufeff{}":          "byte order mark before the value at {0 3}",
		"{\"a\": \"\xff\"}": "byte 0xFF is not valid UTF-8 at {7 8}",
		"{\xc3: 1}":         "byte 0xC3 is not valid UTF-8 at {1 2}",
		"{a: \"\xff\"}":     "key a is not in double quotes at {1 2}",
	} {
		if _, fault := Parse([]byte(text), Options{}); fault == nil || fmt.Sprint(fault.Message, " at ", fault.Span) != want {
			t.Errorf("%q: %+v, want %s", text, fault, want)
		}
	}
}

func TestParseAcceptsStrictly(t *testing.T) {
	for _, text := range []string{
		`{}`, ` [ ] `, `null`, `-0.5e+10`, `"\ud800"`, `"\udc00\ud800"`, `"\ud83d\ude00"`, `{"a":1,"a":2}`, "\"\u2028\"", `"\/"`, "\t\r\n1",
	} {
		if _, fault := Parse([]byte(text), Options{}); fault != nil {
			t.Errorf("%s: %v", text, fault)
		}
	}
}

func TestDepth(t *testing.T) {
	deep := strings.Repeat(`[`, 10_001)
	for _, c := range []struct {
		text string
		max  int
		at   int
	}{
		{deep + strings.Repeat(`]`, 10_001), 0, MaxDepth},
		{deep, 0, MaxDepth},
		{strings.Repeat(`{"a":`, 10_000), 3, 3 * 5},
		{`{"a": 1, ` + deep[:1] + `}`, 0, 9},
	} {
		_, fault := Parse([]byte(c.text), Options{MaxDepth: c.max})
		if fault == nil {
			t.Fatalf("%.20s…: no fault", c.text)
		}
		limit := c.max
		if limit == 0 {
			limit = MaxDepth
		}
		want := fmt.Sprintf("nested deeper than %d levels", limit)
		if c.at == 9 {
			want = "[ where a key is expected"
		}
		if fault.Message != want || fault.Span.Start != c.at {
			t.Errorf("%.20s…: %q at %d, want %q at %d", c.text, fault.Message, fault.Span.Start, want, c.at)
		}
	}
	if _, fault := Parse([]byte(strings.Repeat(`[`, MaxDepth)+strings.Repeat(`]`, MaxDepth)), Options{}); fault != nil {
		t.Errorf("depth %d: %v", MaxDepth, fault)
	}
	if fault := CheckSyntax([]byte(deep)); fault == nil || fault.Message != "nested deeper than 10000 levels" || fault.Span.Start < 9_999 || fault.Span.Start > 10_000 {
		t.Errorf("CheckSyntax: %v", fault)
	}
	// Deep nesting where a key should stand is read by the decoder in one go.
	if _, fault := Parse([]byte(`{`+strings.Repeat(`{"":`, 20_000)), Options{}); fault == nil {
		t.Error("no fault")
	}
}
