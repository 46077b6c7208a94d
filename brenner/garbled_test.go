package brenner_test

import (
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
)

func TestMeant(t *testing.T) {
	names := []string{"operation", "section", "subject", "context", "content"}
	for name, want := range map[string]string{
		"\uFFFDperation":            "operation",
		"oper\uFFFDation":           "operation",
		"OPERATIO\uFFFD":            "operation",
		"s\uFFFD\uFFFDction":        "section",
		"con\uFFFDent":              "content",
		"conte\uFFFDt":              "", // both
		"operation":                 "",
		"opera\uFFFDn":              "",
		"\uFFFD":                    "",
		"oper\uFFFDtions":           "",
		strings.Repeat("\uFFFD", 9): "",
	} {
		if got := brenner.Meant(name, names...); got != want {
			t.Errorf("%q means %q; want %q", name, got, want)
		}
	}
}
