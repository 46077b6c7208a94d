package input_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/must"
)

// TestGitIgnore checks what walks and patterns exclude, and what is read anyway.
func TestGitIgnore(t *testing.T) {
	tree(t,
		"repo/.git/info/exclude", "secret/\n",
		"repo/.gitignore", "*.tmp.md\n/build/\n!keep.tmp.md\nlogs/*\n",
		"repo/a.md", artifactMD, "repo/a.tmp.md", artifactMD, "repo/keep.tmp.md", artifactMD,
		"repo/build/b.md", artifactMD, "repo/mail/build/c.md", artifactMD, "repo/secret/d.md", artifactMD, "repo/mail/secret/d.md", artifactMD,
		"repo/logs/e.md", artifactMD,
		"repo/mail/.gitignore", "!a.tmp.md\nf.md\n/sub\n", "repo/mail/a.tmp.md", artifactMD, "repo/mail/f.md", artifactMD, "repo/mail/deep/f.md", artifactMD,
		"repo/mail/sub/g.md", artifactMD, "repo/mail/deep/sub/g.md", artifactMD,
		"repo/vendor/.git/info/exclude", "own.md\n", "repo/vendor/own.md", artifactMD, "repo/vendor/h.tmp.md", artifactMD,
		"repo/worktree/.git", "gitdir: ../.git/worktrees/x\n", "repo/worktree/i.tmp.md", artifactMD,
		"plain/.gitignore", "a.md\n", "plain/a.md", artifactMD, "plain/b.md", artifactMD, "plain/in/a.md", artifactMD,
	)
	git := input.Options{GitIgnore: true}
	same(t, `
repo/a.md: artifact
repo/keep.tmp.md: artifact
repo/mail/a.tmp.md: artifact
repo/mail/build/c.md: artifact
repo/mail/deep/sub/g.md: artifact
repo/vendor/h.tmp.md: artifact
repo/worktree/i.tmp.md: artifact`, find(git, "repo"))
	same(t, `
repo/a.md: artifact
repo/keep.tmp.md: artifact
repo/mail/a.tmp.md: artifact
repo/mail/build/c.md: artifact
repo/mail/deep/sub/g.md: artifact
repo/vendor/h.tmp.md: artifact
repo/worktree/i.tmp.md: artifact`, find(git, "repo/**/*.md"))
	if n := strings.Count(find(input.Options{}, "repo"), "artifact"); n != 16 {
		t.Errorf("%d artifacts without GitIgnore, want all 16", n)
	}
	// A folder that is named is walked, and what those above it say about its content
	// applies. A file that is named is read.
	same(t, "repo/build/b.md: artifact", find(git, "repo/build"))
	same(t, "repo/mail/a.tmp.md: artifact\nrepo/mail/build/c.md: artifact\nrepo/mail/deep/sub/g.md: artifact", find(git, "repo/mail"))
	same(t, "", find(git, "repo/logs")) // logs/* is about its content
	same(t, "repo/logs/e.md: artifact, named", find(git, "repo/logs/e.md"))
	same(t, "repo/mail/f.md: artifact, named\nrepo/mail/a.tmp.md: artifact\nrepo/mail/build/c.md: artifact\nrepo/mail/deep/sub/g.md: artifact", find(git, "repo/mail/f.md", "repo/mail"))
	// Outside of a repository the .gitignore files of the walked folders apply.
	same(t, "plain/b.md: artifact", find(git, "plain"))
	same(t, "plain/in/a.md: artifact", find(git, "plain/in"))

	t.Chdir("repo/mail/deep")
	same(t, "sub/g.md: artifact", find(git, "."))
	set, err := input.Discover(context.Background(), []string{"../.."}, git, nil)
	if err != nil || set.Ignored != 9 {
		t.Errorf("%d ignored, %v; want 9", set.Ignored, err)
	}
}

// TestGitIgnoreLinks checks that a .gitignore that is a link is not read, as in git.
func TestGitIgnoreLinks(t *testing.T) {
	tree(t, "other", "a.md\n", "x/a.md", artifactMD)
	if err := os.Symlink("../other", "x/.gitignore"); err != nil {
		t.Skip(err)
	}
	same(t, "x/a.md: artifact", find(input.Options{GitIgnore: true}, "x"))
}

// TestManyIgnorePatterns checks that patterns beyond the limit have no effect, and that a
// notice says so.
func TestManyIgnorePatterns(t *testing.T) {
	var patterns strings.Builder
	for i := range 998 {
		fmt.Fprintf(&patterns, "*%d*\n", i)
	}
	tree(t,
		".gitignore", patterns.String(), "a.md", artifactMD, "a777.md", artifactMD,
		"two/.gitignore", "b.md\nc.md\n", "two/b.md", artifactMD, "two/a.md", artifactMD,
		"three/.gitignore", "b.md\nc.md\nd.md\n", "three/b.md", artifactMD, "three/d.md", artifactMD, "three/a777.md", artifactMD,
	)
	same(t, "a.md: artifact\nthree/d.md: artifact\ntwo/a.md: artifact", find(input.Options{GitIgnore: true}, "."))
	set, err := input.Discover(context.Background(), []string{"."}, input.Options{GitIgnore: true}, nil)
	must.OK(t, err)
	defer set.Close()
	same(t, "three/.gitignore:3: this pattern and those after it have no effect: at most 1000 apply to a file", strings.Join(set.Notices, "\n"))
}
