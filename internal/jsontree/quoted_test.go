package jsontree

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestQuoted checks that a fault repeats no word of the text that is not among its
// Quoted, whatever the messages say, and that it is discreet without them.
func TestQuoted(t *testing.T) {
	words := []string{"zebra", "zebra-zebra", "zebra zebra", "zébra", "12zebra", "0x5eb4a", "5.zebra", "56789.", "56789e", "-zebra", "true_zebra", strings.Repeat("zebra", 50)}
	shapes := []string{
		`{%s: 1}`, `{"a": %s}`, `{"a": '%s'}`, `{'%s': 1}`, `{"a": 1 %s}`, `%s {"a": 1}`, `{"a": 1} %s`, `{"a": "x" %s "y"}`, `{"%s" 1}`, `{"a": "%s`, `{"a": “%s”}`,
		`[%s]`, `[1, %s`, `[1 %s]`, `%s`, `{"a": 1, %s}`, `{"a": "x"%s"y"}`, `{"a": 1 // %s` + "\n}", `{"a": %s, "b": 2}`, "{\"a\": `%s`}", `{"a" %s 1}`, `{%s`, `{"a": \%s}`,
	}
	quoting := 0
	for _, word := range words {
		for _, shape := range shapes {
			text := fmt.Sprintf(shape, word)
			_, fault := Parse([]byte(text), Options{})
			if fault == nil {
				continue
			}
			said := fault.Message + " | " + fault.Hint
			for _, q := range fault.Quoted {
				if !strings.Contains(said, q) {
					t.Errorf("%.60s: %q does not repeat %q", text, said, q)
				}
				said = strings.ReplaceAll(said, q, "")
			}
			said += " | " + fault.Discreet().Message + " | " + fault.Discreet().Hint
			for _, part := range []string{"zebra", "zébra", "5eb4a", "386890", "56789"} {
				if strings.Contains(said, part) {
					t.Errorf("%.60s: without what is quoted the fault still says %q", text, said)
				}
			}
			if len(fault.Quoted) > 0 {
				quoting++
			}
			if got := Quoted(fmt.Errorf("is not JSON: %w", fault)); len(got) != len(fault.Quoted) {
				t.Errorf("%.60s: an error that wraps the fault quotes %q", text, got)
			}
		}
	}
	if quoting < 50 {
		t.Errorf("only %d faults quote the text", quoting)
	}
	if got := Quoted(errors.New("zebra")); got != nil {
		t.Errorf("another error quotes %q", got)
	}
}
