package session

import (
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
)

// TestKeyOf checks that a key is the same in any case and spacing.
func TestKeyOf(t *testing.T) {
	want := KeyOf(brenner.HypothesisSlate, "name", "a claim")
	for _, text := range []string{"a claim", "A  Claim", "a\nclaim"} {
		if got := KeyOf(brenner.HypothesisSlate, "Name", text); got != want {
			t.Errorf("the key with %q is %x, want %x", text, got, want)
		}
	}
	if KeyOf(brenner.HypothesisSlate, "na", "mea claim") == KeyOf(brenner.HypothesisSlate, "name", "a claim") {
		t.Error("the name and the text are mixed up")
	}
}
