package jsontree

import "testing"

// TestOnly reads some members, and checks the others all the same.
func TestOnly(t *testing.T) {
	only := Options{Only: map[string]bool{"a": true, "b": true}}
	n, fault := Parse([]byte(`{"a": 1, "x": {"a": 2}, "b": {"a": 3, "y": [4]}, "a": [5, {"a": 6}]}`), only)
	if fault != nil {
		t.Fatal(fault)
	}
	if len(n.Members()) != 3 || !n.Member("a").Repeated || !n.Get("a").Is(Array) || len(n.Get("a").Items()) > 0 {
		t.Errorf("members are %+v", n.Members())
	}
	if got := n.Get("b").Get("a"); got.Text != "3" || n.Get("b").Get("y") != nil {
		t.Errorf("b is %+v", n.Get("b"))
	}
	for _, text := range []string{`{"x": }`, `{"a": [1,]}`, `{"a": 1`, `{"x": {"y": 01}}`} {
		if _, fault := Parse([]byte(text), only); fault == nil {
			t.Errorf("%s: no fault", text)
		}
	}
}
