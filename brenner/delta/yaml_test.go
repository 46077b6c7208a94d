package delta

import (
	"strings"
	"testing"
)

// TestYAMLBounds checks how deep and how many values are read as YAML.
func TestYAMLBounds(t *testing.T) {
	deep := func(n int) string { return "operation: " + strings.Repeat("{a: ", n) + "1" + strings.Repeat("}", n) }
	const item = "- operation: ADD\n"
	for name, c := range map[string]struct {
		yaml string
		want int
	}{
		"deep":                {deep(maxYAMLDepth - 1), 1},
		"too deep":            {deep(maxYAMLDepth), 0},
		"far too deep":        {deep(5000), 0},
		"many":                {strings.Repeat(item, maxSeveral), maxSeveral},
		"too many":            {strings.Repeat(item, maxSeveral+1), 0},
		"too many documents":  {strings.Repeat("operation: ADD\n---\n", maxSeveral) + "operation: ADD\n", 0},
		"just many documents": {strings.Repeat("operation: ADD\n---\n", maxSeveral-1) + "operation: ADD\n", maxSeveral},
	} {
		if got := len(extract(block(c.yaml))[0].yaml()); got != c.want {
			t.Errorf("%s: %d objects; want %d", name, got, c.want)
		}
	}
}
