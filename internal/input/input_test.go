package input_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/source"
)

const corpus = "../../testdata/corpus"

const (
	artifactMD = "---\nsession_id: \"RS-20251230-x\"\n---\n\n# Brenner Protocol Artifact: RS-20251230-x\n"
	freeForm   = "# My research\n\n## 1. Research Thread\n\ntext\n\n# Hypothesis Slate\n\nAssumption ledger\n---\n"
	letter     = "---json\n{\"subject\": \"x\", \"from\": \"A\"}\n---\n\nbody\n"
	threadJSON = `{"project": "/p", "thread_id": "T", "messages": []}`
)

// tree creates files in a new working folder, from pairs of name and content.
func tree(t *testing.T, pairs ...string) {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(pairs); i += 2 {
		must.Write(t, filepath.Join(dir, filepath.FromSlash(pairs[i])), pairs[i+1])
	}
	t.Chdir(dir)
}

// find lists what is discovered, one per line, and then problems and errors.
func find(opts input.Options, paths ...string) string {
	set, err := input.Discover(context.Background(), paths, opts, nil)
	var out []string
	for _, in := range set.Inputs {
		line := fmt.Sprintf("%s: %s", in.Path(), in.Kind)
		if in.Named {
			line += ", named"
		}
		out = append(out, line)
	}
	for _, p := range set.Faults {
		out = append(out, p.Kind.String()+" "+p.Path+": "+p.Err.Error())
	}
	if err != nil {
		out = append(out, err.Error())
	}
	return strings.Join(out, "\n")
}

func same(t *testing.T, want, got string) {
	t.Helper()
	if d := cmp.Diff(strings.TrimSpace(want), got); d != "" {
		t.Error("(-want +got)\n" + d)
	}
}

func TestCorpus(t *testing.T) {
	set, err := input.Discover(context.Background(), []string{corpus}, input.Options{}, nil)
	must.OK(t, err)
	got := map[input.Kind]int{}
	for i, in := range set.Inputs {
		got[in.Kind]++
		if i > 0 && set.Inputs[i-1].Path() >= in.Path() {
			t.Errorf("%s after %s", in.Path(), set.Inputs[i-1].Path())
		}
	}
	want := map[input.Kind]int{
		input.ArtifactMarkdown: 3, input.ArtifactJSON: 4, input.Archive: 204, input.Profile: 21,
		input.JSON: 45, input.SQLite: 1, input.Bundle: 3, input.Zip: 1,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestPaths(t *testing.T) {
	tree(t,
		"artifacts/RS-1.md", artifactMD, "artifacts/sub/x.md", freeForm, "artifacts/README.md", "# Read me\n",
		"mail/b/thread.json", threadJSON, "mail/a.json", threadJSON, "mail/notes.txt", "notes",
		".git/x.json", threadJSON, "[odd].json", threadJSON, "other/c.json", threadJSON,
	)
	tests := []struct {
		name  string
		opts  input.Options
		paths []string
		want  string
	}{
		{"folder", input.Options{}, []string{"mail"}, "mail/a.json: mail JSON\nmail/b/thread.json: mail JSON"},
		{"working folder", input.Options{}, []string{"."}, `[odd].json: mail JSON
artifacts/RS-1.md: artifact
artifacts/sub/x.md: artifact
mail/a.json: mail JSON
mail/b/thread.json: mail JSON
other/c.json: mail JSON`},
		{"slash at the end", input.Options{}, []string{"./mail/"}, "./mail/a.json: mail JSON\n./mail/b/thread.json: mail JSON"},
		{"Go pattern", input.Options{}, []string{"./artifacts/..."}, "./artifacts/RS-1.md: artifact\n./artifacts/sub/x.md: artifact"},
		{"glob", input.Options{}, []string{"mail/**/*.json"}, "mail/a.json: mail JSON\nmail/b/thread.json: mail JSON"},
		{"glob of folders", input.Options{}, []string{"m*"}, "mail/a.json: mail JSON\nmail/b/thread.json: mail JSON"},
		{"glob with alternatives", input.Options{}, []string{"{mail,other}/*.json"}, "mail/a.json: mail JSON\nother/c.json: mail JSON"},
		{"everything by a glob", input.Options{}, []string{"**"}, `[odd].json: mail JSON
artifacts/RS-1.md: artifact
artifacts/sub/x.md: artifact
mail/a.json: mail JSON
mail/b/thread.json: mail JSON
other/c.json: mail JSON`},
		{"a name like a glob", input.Options{}, []string{"[odd].json"}, "[odd].json: mail JSON, named"},
		{"named twice, and in a folder", input.Options{}, []string{"mail", "mail/a.json", "./mail/a.json", "mail/../mail"}, "mail/b/thread.json: mail JSON\nmail/a.json: mail JSON, named"},
		{"folder in a folder", input.Options{}, []string{"mail/b", "mail"}, "mail/b/thread.json: mail JSON\nmail/a.json: mail JSON"},
		{"folder after its parent", input.Options{}, []string{"mail", "mail/b"}, "mail/a.json: mail JSON\nmail/b/thread.json: mail JSON"},
		{"excluded name", input.Options{Exclude: []string{"b"}}, []string{"mail"}, "mail/a.json: mail JSON"},
		{"excluded name, by a glob", input.Options{Exclude: []string{"b"}}, []string{"mail/**/*.json"}, "mail/a.json: mail JSON"},
		{"excluded path", input.Options{Exclude: []string{"mail/b/**"}}, []string{"."}, `[odd].json: mail JSON
artifacts/RS-1.md: artifact
artifacts/sub/x.md: artifact
mail/a.json: mail JSON
other/c.json: mail JSON`},
		{"excluded from the root of the walk", input.Options{Exclude: []string{"/b/"}}, []string{"./mail"}, "./mail/a.json: mail JSON"},
		{"excluded and taken in again", input.Options{Exclude: []string{"*.json", "!a.json"}}, []string{"mail"}, "mail/a.json: mail JSON"},
		{"excluded, but named", input.Options{Exclude: []string{"*.json"}}, []string{"mail/a.json"}, "mail/a.json: mail JSON, named"},
		{"folder without inputs", input.Options{}, []string{"artifacts/sub/../../mail/b/.."}, "artifacts/sub/../../mail/b/../a.json: mail JSON\nartifacts/sub/../../mail/b/../b/thread.json: mail JSON"},
		{"missing", input.Options{}, []string{"nowhere", "mail", "none/*.md", "a[*.md"}, `"nowhere" does not exist
"none/*.md" matches no file
"a[*.md" is not a valid glob; expected *, **, ?, [abc] or {a,b}`},
		{"none of ours", input.Options{}, []string{"mail/notes.txt", "mail/a.json", "artifacts/README.md"}, `mail/a.json: mail JSON, named
"mail/notes.txt" is not recognised as an artifact, a mail export or a draft (--kind artifact, mail or draft checks it anyway)
"artifacts/README.md" is not recognised as an artifact, a mail export or a draft (--kind artifact, mail or draft checks it anyway)`},
		{"empty path", input.Options{}, []string{""}, `"" is not a path`},
		{"standard input", input.Options{Stdin: strings.NewReader(threadJSON)}, []string{"-"}, "-: mail JSON, named"},
		{"named standard input", input.Options{Stdin: strings.NewReader("some text"), StdinName: "artifacts/RS-20251230-x.md"}, []string{"-"}, "artifacts/RS-20251230-x.md: artifact, named"},
		{"no standard input", input.Options{}, []string{"-"}, `"-" cannot be read: there is no standard input`},
		{"--kind artifact", input.Options{As: input.AsArtifact}, []string{"."}, `artifacts/README.md: artifact
artifacts/RS-1.md: artifact
artifacts/sub/x.md: artifact`},
		{"--kind mail", input.Options{As: input.AsMail}, []string{"artifacts", "other"}, "other/c.json: mail JSON"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { same(t, tt.want, find(tt.opts, tt.paths...)) })
	}
	_, err := input.Discover(context.Background(), []string{"nowhere"}, input.Options{}, nil)
	var misuse *input.UsageError
	if !errors.As(err, &misuse) || misuse.Path != "nowhere" {
		t.Error(err)
	}
}

func TestLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	tree(t, "in/a.json", threadJSON, "out/b.json", threadJSON)
	for name, target := range map[string]string{"in/loop": ".", "in/out": "../out", "in/b.json": "../out/b.json", "start": "in", "c.json": "out/b.json"} {
		must.OK(t, os.Symlink(target, name))
	}
	same(t, "in/a.json: mail JSON", find(input.Options{}, "in"))
	same(t, "start/a.json: mail JSON", find(input.Options{}, "start", "in"))
	same(t, "c.json: mail JSON, named", find(input.Options{}, "c.json", "out/b.json"))
}

func TestUnreadable(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("everything is readable here")
	}
	tree(t, "d/x.json", threadJSON, "d/secret/y.json", threadJSON, "d/z.key", "k")
	for _, name := range []string{"d/x.json", "d/secret", "d/z.key"} {
		must.OK(t, os.Chmod(name, 0))
	}
	same(t, "Unreadable d/secret: permission denied\nUnreadable d/x.json: permission denied", find(input.Options{}, "d"))
	same(t, "Unreadable d/z.key: permission denied", find(input.Options{}, "d/z.key"))
	must.OK(t, os.Chmod("d/secret", 0o755))
}

// A walked folder may contain a manifest of any size: only a limited part of it is read to
// determine whether the folder is a share.
func TestHugeManifest(t *testing.T) {
	tree(t, "share/manifest.json", `{"database": {}}`, "share/chunks/00000.bin", "x")
	same(t, "share: share bundle", find(input.Options{}, "."))
	f, err := os.Create("share/manifest.json")
	must.OK(t, err)
	defer f.Close()
	if _, err := f.WriteAt([]byte(`"database"`), 65<<20); err != nil { // a hole before it
		t.Fatal(err)
	}
	same(t, "", find(input.Options{}, "."))
}

func TestFile(t *testing.T) {
	for data, want := range map[string]string{
		"a§\n":              "",
		"a§\nb\xffc":        `2:2-2:3 not valid UTF-8: byte 0xFF`,
		"\xef\xbb\xbfa\xc2": `1:2-1:3 not valid UTF-8: byte 0xC2`,
		"\xff\xfea\x00":     `1:1-1:2 not UTF-8: the byte order mark is that of UTF-16`,
	} {
		f, p := input.NewBytes(input.ArtifactMarkdown, "x.md", []byte(data)).File()
		got := ""
		if p != nil {
			span, ok := p.At.Text.ToFile(p.At.Span)
			r := f.Range(span)
			got = fmt.Sprintf("%d:%d-%d:%d %s", r.Start.Line, r.Start.Column, r.End.Line, r.End.Column, p.Err)
			if !ok || p.Kind != source.NotUTF8 {
				t.Errorf("%+v", p)
			}
		}
		if got != want {
			t.Errorf("%q: %s, want %s", data, got, want)
		}
	}
}

// TestVisit checks that every input is visited once, open and with its content readable,
// and that it can be read again afterwards.
func TestVisit(t *testing.T) {
	big := `{"thread_id": "T", "messages": [` + strings.Repeat(" ", 100<<10) + `]}`
	tree(t, "a.json", threadJSON, "b.json", big, "c.md", artifactMD, "d.txt", "none")
	var mu sync.Mutex
	visited := map[string]int{}
	visit := func(in *input.Input) {
		f, p := in.File()
		mu.Lock()
		defer mu.Unlock()
		if p != nil {
			t.Error(p)
			return
		}
		visited[in.Path()] = len(f.Data)
	}
	set, err := input.Discover(context.Background(), []string{"."}, input.Options{Workers: 3}, visit)
	want := map[string]int{"a.json": len(threadJSON), "b.json": len(big), "c.md": len(artifactMD)}
	if d := cmp.Diff(want, visited); err != nil || d != "" {
		t.Error(err, d)
	}
	for _, in := range set.Inputs {
		var f *source.File
		if f, _ = in.File(); f == nil || len(f.Data) != want[in.Path()] {
			t.Error(in.Path())
		}
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	set, err := input.Discover(ctx, []string{corpus}, input.Options{}, nil)
	if !errors.Is(err, context.Canceled) || len(set.Inputs) > 0 {
		t.Error(err, len(set.Inputs))
	}
}

func TestPipe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no /dev/fd there")
	}
	r, w, err := os.Pipe()
	must.OK(t, err)
	defer r.Close()
	go func() {
		if _, err := w.WriteString(threadJSON); err != nil {
			t.Error(err)
		}
		w.Close()
	}()
	name := fmt.Sprintf("/dev/fd/%d", r.Fd())
	same(t, name+": mail JSON, named", find(input.Options{}, name))

	tree(t, "here-document", threadJSON)
	gone, err := os.Open("here-document")
	must.OK(t, err)
	defer gone.Close()
	must.OK(t, os.Remove("here-document")) // as shells do
	name = fmt.Sprintf("/dev/fd/%d", gone.Fd())
	same(t, name+": mail JSON, named", find(input.Options{}, name))
}

// TestGlobsThatBlowUp checks that a glob visits each file only once: otherwise these would
// not end within the time limit of a test.
func TestGlobsThatBlowUp(t *testing.T) {
	deep := strings.Repeat("a/", 24)
	tree(t, deep+"x.json", threadJSON)
	for _, pattern := range []string{strings.Repeat("**/", 100) + "*.json", strings.Repeat("**/a/", 8) + "**/*.json", strings.Repeat("{a,a}/", 9) + "**/*.json"} {
		same(t, deep+"x.json: mail JSON", find(input.Options{}, pattern))
	}
	same(t, deep+"x.json: mail JSON", find(input.Options{}, strings.Repeat("*/", 20)+"a"))
	for _, pattern := range []string{strings.Repeat("{a,b}", 60), strings.Repeat("{a,{b,", 20) + "c" + strings.Repeat("}}", 20)} {
		if input.ValidGlob(pattern) {
			t.Errorf("%s is a glob", pattern)
		}
		same(t, `"`+pattern+`" is not a valid glob; expected *, **, ?, [abc] or {a,b}`, find(input.Options{}, pattern))
	}
	for _, pattern := range []string{"**/*.{md,markdown,json}", "{a,b}/{c,d}/{e,f}.{g,h}", `\{a,b\}`, "[{,]x"} {
		if !input.ValidGlob(pattern) {
			t.Errorf("%s is no glob", pattern)
		}
	}
}

// TestUnknownSize reads a file that says it is empty.
func TestUnknownSize(t *testing.T) {
	const name = "/proc/self/stat"
	if info, err := os.Stat(name); err != nil || info.Size() > 0 {
		t.Skip("no such file here")
	}
	_, err := input.Discover(t.Context(), []string{name}, input.Options{}, nil)
	if err == nil || strings.Contains(err.Error(), "is empty") {
		t.Errorf("error %v", err)
	}
}

func TestOutputs(t *testing.T) {
	const database = "SQLite format 3\x00"
	tree(t, "share/chunks/1.bin", database, "share/chunks/2.bin", "more", "share/manifest.json", "{}", "chunks/other.bin", "x", "mail.sqlite3", database, "mail.sqlite3-wal", "x")
	set, err := input.Discover(t.Context(), []string{"share/chunks/1.bin", "mail.sqlite3"}, input.Options{}, nil)
	must.OK(t, err)
	defer set.Close()
	for name, isInput := range map[string]bool{
		"share/chunks/1.bin": true, "share/chunks/2.bin": true, "share/manifest.json": true, "chunks/other.bin": false,
		"mail.sqlite3": true, "mail.sqlite3-wal": true, "new.json": false, "": false,
	} {
		if err := input.CheckOutputs(set.Inputs, name); (err != nil) != isInput {
			t.Errorf("CheckOutputs(%q) = %v", name, err)
		}
	}
}

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
	for _, pattern := range []string{"repo", "repo/**/*.md"} {
		same(t, `
repo/a.md: artifact
repo/keep.tmp.md: artifact
repo/mail/a.tmp.md: artifact
repo/mail/build/c.md: artifact
repo/mail/deep/sub/g.md: artifact
repo/vendor/h.tmp.md: artifact
repo/worktree/i.tmp.md: artifact`, find(git, pattern))
	}
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
