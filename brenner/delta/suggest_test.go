package delta

import "testing"

func TestAliases(t *testing.T) {
	for name, member := range memberAliases {
		if IsMember(name) || !IsMember(member) {
			t.Errorf("%q is an alias of %q", name, member)
		}
	}
}
