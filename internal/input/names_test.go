package input

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/must"
)

func TestNamesCredential(t *testing.T) {
	for text, want := range map[string]bool{
		`{"sender_token": "x"}`:              true,
		`{\"registration_token\" : \"x\"}`:   true,
		`api-key = x`:                        true,
		"`API_KEY`: x":                       true,
		"“Token”: x":                         true,
		"\npassword\n\t: x":                  true,
		`token-count: 3`:                     true, // who knows
		`{"tokens": ["x"], "secret_x": "y"}`: true,
		`the token is x`:                     false,
		`**Token** : x`:                      false,
		`a rapid change: x`:                  false,
		`"api": x`:                           false,
		`: = :`:                              false,
	} {
		if got := NamesCredential([]byte(text)); got != want {
			t.Errorf("NamesCredential(%q) = %v, want %v", text, got, want)
		}
	}
}

// TestExclude checks that patterns match the path as shown, or the path from the root of the walk,
// and that the last pattern that matches decides.
func TestExclude(t *testing.T) {
	wd, err := os.Getwd()
	must.OK(t, err)
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

// TestFolder checks that globs of a configuration begin in its folder, whose name is no glob.
func TestFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	must.OK(t, os.Mkdir("[a]", 0o700))
	wd, err := os.Getwd()
	must.OK(t, err)
	f := NewFolder("[a]")
	for _, tt := range []struct {
		glob, file string
		want       bool
	}{
		{"mail/**", "[a]/mail/x", true},
		{"mail/**", "a/mail/x", false},
		{"mail/**", "[a]/deep/mail/x", false},
		{"mail/**", wd + "/[a]/mail/x", true},
		{"mail/**", "[a]/b/../mail/x", true},
		{"./mail/", "[a]/mail/b/x", true},
		{"mail/", "[a]/deep/mail/x", true},
		{"mail", "[a]/deep/mail/x", true},
		{"mail", "[a]/mails/x", false},
		{"mail/b", "[a]/mail/b/x", true},
		{"mail/*", "[a]/mail/b/x", false},
		{"mail/...", "[a]/mail/b/x", true},
		{"/mail/x", "[a]/mail/x", true},
		{"/mail/x", "[a]/b/mail/x", false},
		{filepath.ToSlash(wd) + "/b/**", "b/x", true},
		{"../b/*", "b/x", true},
		{"../**/x", "[a]/mail/x", true},
		{"../*/x", "[a]/x", true},
		{filepath.ToSlash(wd) + "/*/x", "[a]/x", true},
		{"{mail,b}", "[a]/deep/mail/x", true},
		{"**/" + filepath.Base(wd) + "/**", "elsewhere/x.md", false},
		{filepath.Base(wd), "elsewhere/x.md", false},
		{filepath.Base(wd), filepath.ToSlash(wd) + "/elsewhere/x.md", false},
		{"[a]/mail//**", "[a]/mail/x", false},
		{".", "[a]/mail/x", true},
		{"mail//b/./**", "[a]/mail/b/x", true},
		{"b/../mail/*", "[a]/mail/x", true},
		{filepath.ToSlash(wd) + "/**/x", "[a]/mail/x", true},
		{"*.md", "elsewhere/x.md", true},
		{"**/x.md", "elsewhere/x.md", true},
		{"[[]a]", "[a]/x", false},
		{"**/[[]a]/**", "[a]/x", false},
	} {
		if got := f.Globs(tt.glob).Match(f.Spellings(tt.file)); got != tt.want {
			t.Errorf("%q matches %q: %v, want %v", tt.glob, tt.file, got, tt.want)
		}
	}
}

// A path that is longer than any file's is taken as it is: to look for links in it would take forever.
func TestVeryLongPath(t *testing.T) {
	long := strings.Repeat("a/", 1<<18) + "b.md"
	if got := NewFolder("").Spellings(long); !strings.HasSuffix(got[0], long) {
		t.Errorf("%.80s…", got[0])
	}
}
