package input

import "testing"

// TestExclude checks that patterns match the path as shown, or the path from the root of the walk,
// and that the last pattern that matches decides.
func TestExclude(t *testing.T) {
	for _, tt := range []struct {
		patterns     []string
		shown, below string
		dir, want    bool
	}{
		{[]string{"a"}, "root/x/a", "x/a", false, true},
		{[]string{"a/"}, "root/x/a", "x/a", false, false},
		{[]string{"a/"}, "root/x/a", "x/a", true, true},
		{[]string{"x/a"}, "root/x/a", "x/a", false, true},
		{[]string{"root/x/*"}, "./root/x/a", "x/a", false, true},
		{[]string{"./root/**"}, "root/x/a", "x/a", false, true},
		{[]string{"/x/{a,b}"}, "root/x/a", "x/a", false, true},
		{[]string{"b"}, "root/x/a", "x/a", false, false},
		{[]string{"?"}, "root/ä", "ä", false, true},
		{[]string{"*", "!a"}, "root/x/a", "x/a", false, false},
		{[]string{"!a", "*"}, "root/x/a", "x/a", false, true},
	} {
		w := newWalker(t.Context(), Options{Exclude: tt.patterns}, nil)
		if got := w.excluded(tt.shown, tt.below, tt.dir); got != tt.want {
			t.Errorf("%q, %q below it: %v by %q, want %v", tt.shown, tt.below, got, tt.patterns, tt.want)
		}
	}
}
