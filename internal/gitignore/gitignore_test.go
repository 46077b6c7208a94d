package gitignore

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/brennerlint/brennerlint/internal/must"
	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

func parse(data []byte, limit int) *Patterns { return (&Patterns{}).Add(data, 0, limit) }

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		pattern, path string
		folder, want  bool
	}{
		{"a", "a", false, true}, {"a", "x/a", false, true}, {"a", "a/b", false, false}, {"/a", "a", false, true}, {"/a", "x/a", false, false},
		{"a/", "a", true, true}, {"a/", "a", false, false}, {"a/", "x/a", true, true}, {"x/a", "x/a", false, true}, {"x/a", "y/x/a", false, false},
		{"/x/a/", "x/a", true, true}, {"*.md", "x/a.md", false, true}, {"x/*.md", "x/a.md", false, true}, {"x/*.md", "x/y/a.md", false, false},
		{"**/a", "a", false, true}, {"**/a", "x/y/a", false, true}, {"**/x/a", "y/x/a", false, true}, {"x/**/a", "x/a", false, true}, {"x/**/a", "x/y/z/a", false, true},
		{"x/**", "x", true, false}, {"x/**", "x/y", false, true}, {"x/**", "x/y/z", false, true}, {"x**/a", "xy/a", false, true}, {"x**/a", "xy/z/a", false, false},
		{"{a,b}", "a", false, false}, {"{a,b}", "{a,b}", false, true}, {"{*}", "{a}", false, true}, {"[ab]", "b", false, true}, {"[!ab]", "c", false, true}, {"[!ab]", "b", false, false},
		{"x[!a]y", "x/y", false, false}, {"z/x[!a]y", "z/x/y", false, false}, {"[]a]", "]", false, true}, {"[[:digit:]]", "7", false, true}, {"[[:digit:]]", "d", false, false}, {"[a", "[a", false, false},
		{`\#a`, "#a", false, true}, {"#a", "#a", false, false}, {`\!a`, "!a", false, true}, {`a\ `, "a ", false, true}, {"a  ", "a", false, true}, {`a\\b`, `a\b`, false, true}, {`a\*`, "a*", false, true},
		{`a\*`, "ab", false, false}, {`a\`, "a", false, false}, {`*\*`, "a*", false, true}, {"", "a", false, false}, {"/", "a", true, false}, {"**", "x/a", false, true}, {"?", "é", false, true}, {"a?", "a/", true, false},
		{"a***", "a", false, true}, {"***/a", "x/y/a", false, true}, {"x/***", "x/y/a", false, true}, {"x/a***b", "x/a/b", false, false},
		{"*é", "xé", false, true}, {"*é", "xè", false, false}, {"[é]", "é", false, true}, {"\\é*", "éa", false, true},
		{"a\r", "a", false, true}, {"\xef\xbb\xbfa", "a", false, true},
	} {
		if got, _ := parse([]byte(tt.pattern), 1000).Match(tt.folder, tt.path); got != tt.want {
			t.Errorf("%q and %q (folder: %v): %v, want %v", tt.pattern, tt.path, tt.folder, got, tt.want)
		}
	}
}

// TestLastWins checks that the last pattern decides, also if it is a negated one.
func TestLastWins(t *testing.T) {
	ps := parse([]byte("# mail\n\n*.json\n!keep.json\n!x/*\nx/b.json\n"), 1000)
	for name, want := range map[string][2]bool{
		"a.json": {true, true}, "keep.json": {false, true}, "x/a.json": {false, true}, "x/b.json": {true, true}, "a.md": {false, false},
	} {
		if ignored, decided := ps.Match(false, name); ignored != want[0] || decided != want[1] {
			t.Errorf("%s: %v, %v; want %v", name, ignored, decided, want)
		}
	}
	if ps.Len() != 4 {
		t.Errorf("%d patterns, want 4", ps.Len())
	}
}

// afterLetter matches more than one `*` that is not at the beginning of a path's element.
var afterLetter = regexp.MustCompile(`([^/*!])\*\*+`)

// TestAsGit compares with git itself, where it is installed.
func TestAsGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	run := func(input string, args ...string) string {
		c := exec.Command(git, args...)
		c.Dir, c.Stdin = dir, strings.NewReader(input)
		c.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
		out, err := c.Output()
		if ended := new(exec.ExitError); err != nil && !(errors.As(err, &ended) && ended.ExitCode() == 1) {
			t.Fatalf("git %q: %v", args, err)
		}
		return string(out)
	}
	run("", "init", "-q")
	part := rapid.SampledFrom([]string{"a", "b", "ab", "*", "/**/", "/**", "?", "/", "/", "[ab]", "[!a]", "{a,b}", `\a`, " ", "-"})
	folders := map[string]bool{} // by path: is it a folder?
	for _, file := range []string{"b", "ba", "a/a", "a/-", "a/b/a", "a/ab/a", "a/b /a", "ab/{a,b}", "ab/a/b/ab", "b-/-/a/b/b"} {
		must.Write(t, filepath.Join(dir, file), "")
		folders[file] = false
		for up := path.Dir(file); up != "."; up = path.Dir(up) {
			folders[up] = true
		}
	}
	paths := slices.Sorted(maps.Keys(folders))
	check := func(t *rapid.T) {
		var lines []string
		for range rapid.IntRange(1, 4).Draw(t, "lines") {
			line := rapid.SampledFrom([]string{"", "", "!", "/", "**/"}).Draw(t, "begin") + strings.Join(rapid.SliceOfN(part, 1, 5).Draw(t, "parts"), "")
			// After a letter, git takes `**` for more than it documents, because it looks
			// only at the rest of the pattern. So the test has it next to slashes only.
			lines = append(lines, afterLetter.ReplaceAllString(line, "$1*"))
		}
		text := strings.Join(lines, "\n") + "\n"
		must.Write(t, filepath.Join(dir, ".gitignore"), text)
		ps := parse([]byte(text), 1000)
		var want, got bytes.Buffer
		for line := range strings.Lines(run(strings.Join(paths, "\x00")+"\x00", "check-ignore", "--no-index", "-z", "--stdin")) {
			want.WriteString(strings.ReplaceAll(line, "\x00", "\n"))
		}
		for _, p := range paths {
			if ignoredBelow(ps, p, folders[p]) {
				fmt.Fprintln(&got, p)
			}
		}
		if got.String() != want.String() {
			t.Fatalf("%q ignores\n%s\ngit ignores\n%s", text, got.String(), want.String())
		}
	}
	rapid.Check(t, check)
}

// ignoredBelow looks at the folders on the way to a path, too.
func ignoredBelow(ps *Patterns, p string, folder bool) bool {
	for i := range p {
		if p[i] == '/' {
			if ignored, _ := ps.Match(true, p[:i]); ignored {
				return true
			}
		}
	}
	ignored, _ := ps.Match(folder, p)
	return ignored
}

// TestLimit checks that patterns beyond the limit are left out, and from which line on.
func TestLimit(t *testing.T) {
	text := []byte("# mail\na\n\nb\nc\n")
	for limit, want := range map[int]struct {
		rest    int
		ignored string
	}{0: {2, ""}, 2: {5, "ab"}, 3: {0, "abc"}} {
		ps := parse(text, limit)
		ignored := ""
		for _, name := range []string{"a", "b", "c"} {
			if yes, _ := ps.Match(false, name); yes {
				ignored += name
			}
		}
		if ps.Rest != want.rest || ignored != want.ignored || ps.Len() != len(ignored) {
			t.Errorf("at most %d patterns: the rest begins in line %d, %q are ignored; want %+v", limit, ps.Rest, ignored, want)
		}
	}
}
