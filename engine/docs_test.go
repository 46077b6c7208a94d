package engine_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/must"
)

// TestGoPage checks that the code in docs/go.md is that of examples, which run.
func TestGoPage(t *testing.T) {
	read := func(path string) string {
		data := must.Read(t, path)
		return string(data)
	}
	unindented := func(text string) string {
		return regexp.MustCompile(`(?m)^\s+`).ReplaceAllString(text, "")
	}
	examples := unindented(read("example_test.go") + read("../lint/example_test.go") + read("../report/example_test.go"))
	blocks := regexp.MustCompile("(?ms)^```go\n(.*?)^```$").FindAllStringSubmatch(read("../docs/go.md"), -1)
	for _, b := range blocks {
		if !strings.Contains(examples, unindented(b[1])) {
			t.Errorf("docs/go.md shows what no example does:\n%s", b[1])
		}
	}
	if len(blocks) < 3 {
		t.Errorf("docs/go.md has %d blocks of Go", len(blocks))
	}
}
