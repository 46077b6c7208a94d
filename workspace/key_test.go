package workspace

import (
	"fmt"
	"testing"

	"github.com/brennerlint/brennerlint/protocol"
)

// TestKeyOf checks that a key is the same in every run, for results on disk hold keys,
// and in any case and spacing.
func TestKeyOf(t *testing.T) {
	const want = "0a51f89deee9621b7580eda9e2a1a844"
	for _, text := range []string{"a claim", "A  Claim", "a\nclaim"} {
		if got := fmt.Sprintf("%x", KeyOf(protocol.HypothesisSlate, "Name", text)); got != want {
			t.Errorf("the key with %q is %s, want %s", text, got, want)
		}
	}
	if KeyOf(protocol.HypothesisSlate, "na", "mea claim") == KeyOf(protocol.HypothesisSlate, "name", "a claim") {
		t.Error("the name and the text are mixed up")
	}
}
