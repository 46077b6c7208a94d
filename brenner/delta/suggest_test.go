package delta

import (
	"slices"
	"testing"
)

func TestIsMember(t *testing.T) {
	for _, name := range append(slices.Clone(Members), "", "op", "Payload", "agents") {
		if got := IsMember(name); got != slices.Contains(Members, name) {
			t.Errorf("%q is a member: %v", name, got)
		}
	}
	for name, member := range memberAliases {
		if IsMember(name) || !IsMember(member) {
			t.Errorf("%q is an alias of %q", name, member)
		}
	}
}
