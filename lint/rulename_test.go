package lint

import "testing"

func TestIsRuleName(t *testing.T) {
	for name, want := range map[string]bool{
		"subject-prefix": true, "sha-256": true, "x": true, "0": true,
		"": false, "-": false, "a-": false, "-a": false, "a--b": false, "Subject": false, "a b": false, "a_b": false, "a-é": false, "aéa": false, "a\n": false,
	} {
		if got := IsRuleName(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}
