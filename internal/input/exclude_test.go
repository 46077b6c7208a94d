package input

import (
	"os"
	"path/filepath"
	"testing"
)

// TestExclude checks that patterns match the path as shown, or the path from the root of the walk,
// and that the last pattern that matches decides.
func TestExclude(t *testing.T) {
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	wd = filepath.ToSlash(wd)
	for _, tt := range []struct {
		patterns     []string
		shown, below string
		dir, want    bool
	}{
		{[]string{"a"}, "top/x/a", "x/a", false, true},
		{[]string{"a/"}, "top/x/a", "x/a", false, false},
		{[]string{"a/"}, "top/x/a", "x/a", true, true},
		{[]string{"x/a"}, "top/x/a", "x/a", false, true},
		{[]string{"top/x/*"}, "./top/x/a", "x/a", false, true},
		{[]string{"./top/**"}, "top/x/a", "x/a", false, true},
		{[]string{"/x/{a,b}"}, "top/x/a", "x/a", false, true},
		{[]string{"b"}, "top/x/a", "x/a", false, false},
		{[]string{"top/..."}, "top/x", "x", true, true},
		{[]string{"x/..."}, "top/y/x", "y/x", true, false},
		{[]string{"x/."}, "top/x", "x", true, true},
		{[]string{"x."}, "top/x", "x", false, false},
		{[]string{"/data/x"}, "/data/x", "x/y", false, true},
		{[]string{wd + "/top"}, "top", "top", true, true},
		{[]string{wd + "/top/x"}, "top/y", "y", true, false},
		{[]string{"?"}, "top/ä", "ä", false, true},
		{[]string{"*", "!a"}, "top/x/a", "x/a", false, false},
		{[]string{"!a", "*"}, "top/x/a", "x/a", false, true},
	} {
		ex := newExcludes(&Options{Exclude: tt.patterns})
		if got := ex.match(tt.dir, tt.shown, tt.below); got != tt.want {
			t.Errorf("%q, %q below it: %v by %q, want %v", tt.shown, tt.below, got, tt.patterns, tt.want)
		}
	}
}
