package workspace

import (
	"testing"

	"github.com/brennerlint/brennerlint/protocol"
)

// TestKeyOf checks that a key is the same in any case and spacing.
func TestKeyOf(t *testing.T) {
	want := KeyOf(protocol.HypothesisSlate, "name", "a claim")
	for _, text := range []string{"a claim", "A  Claim", "a\nclaim"} {
		if got := KeyOf(protocol.HypothesisSlate, "Name", text); got != want {
			t.Errorf("the key with %q is %x, want %x", text, got, want)
		}
	}
	if KeyOf(protocol.HypothesisSlate, "na", "mea claim") == KeyOf(protocol.HypothesisSlate, "name", "a claim") {
		t.Error("the name and the text are mixed up")
	}
}
