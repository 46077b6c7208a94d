package delta

import "testing"

func TestAliases(t *testing.T) {
	for name, member := range memberAliases {
		if IsMember(name) || !IsMember(member) {
			t.Errorf("%q is an alias of %q", name, member)
		}
	}
}

// TestSuggestTarget: marks around an id, and the name of its section before it, are no part of it.
func TestSuggestTarget(t *testing.T) {
	for word, want := range map[string]string{
		"#H2": "H2", "[H2]": "H2", "**H2**": "H2", "`H2`": "H2", "~~H2~~": "H2", `"H2"`: "H2",
		"Critique C2": "C2", "Critique H2": "", "foo H2": "", "[x]": "", "H2]x": "",
		"P1-H1": "P1.H1", "P1-H1-x": "", "H1-H2": "", "P1.h1": "P1.H1",
	} {
		if id, ok := SuggestTarget(word); ok != (want != "") || ok && id.String() != want {
			t.Errorf("%s: %v %v, want %q", word, id, ok, want)
		}
	}
}
