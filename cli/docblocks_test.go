package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/rules"
)

// notRun are the beginnings of the commands in the documentation that no test runs,
// and why.
var notRun = map[string]string{
	"go run ./cmd/brennerlint --fail-on never ./examples": ".ci/run runs it, at the root of the repository",
	"go test ./...":                    "it is what runs this test",
	"go install ./cmd/brennerlint":     "installs what this test tests, at the root of the repository",
	"go install github.com/":           "takes a release from the network",
	"go get github.com/":               "takes a release from the network",
	"docker ":                          "takes images from the network",
	"claude ":                          "another program, which changes its settings",
	"codex ":                           "another program, which changes its settings",
	"gemini ":                          "another program, which changes its settings",
	"brennerlint conformance --k":      "my-compiler stands for the reader's own program",
	"go run ./internal/gen/brennergen": "a benchmark of minutes and gigabytes (performance.md); .ci/bench is run by hand",
	".ci/bench":                        "a benchmark",
	"make growth":                      "a benchmark",
	"site/build ":                      ".ci/site runs it, at the root of the repository",
	"brennerlint watch":                "ends only when it is interrupted; watch.txtar runs it",
}

// endsWith are the commands that end with another status than 0 or 1.
var endsWith = map[string]int{"brennerlint presend --hook claude < hook.json": exitUsage} // the message is blocked

var shellBlock = regexp.MustCompile("(?m)^```(sh|console)\n((?s:.*?))^```$")

// documented returns the commands in the blocks of a page, each without its comment.
func documented(text string) []string {
	var out []string
	for _, m := range shellBlock.FindAllStringSubmatch(text, -1) {
		for line := range strings.Lines(strings.ReplaceAll(m[2], "\\\n", " ")) {
			if m[1] == "console" && !strings.HasPrefix(line, "$ ") {
				continue // what it prints
			}
			command, _, _ := strings.Cut(strings.TrimPrefix(line, "$ "), " #")
			if command = strings.TrimSpace(command); command != "" && command[0] != '#' {
				out = append(out, command)
			}
		}
	}
	return out
}

// TestDocumentedCommands runs the commands that the README and the pages show, as
// they are printed and in their order, in a copy of the examples, for each page a
// new one.
func TestDocumentedCommands(t *testing.T) {
	testenv.SkipUnderRace(t)
	bash, err := exec.LookPath("bash")
	if git, gitErr := exec.LookPath("git"); err != nil || gitErr != nil || git == "" || runtime.GOOS == "windows" {
		t.Skip("needs bash and git")
	}
	used := map[string]bool{}
	for _, page := range append(markdownPages(t), filepath.Join("..", "README.md")) {
		data := readFile(t, page)
		commands := slices.DeleteFunc(documented(data), func(command string) bool {
			for begin := range notRun {
				if strings.HasPrefix(command, begin) {
					used[begin] = true
					return true
				}
			}
			return false
		})
		if len(commands) > 0 {
			t.Run(filepath.Base(page), func(t *testing.T) { runCommands(t, bash, commands) })
		}
	}
	for begin := range notRun {
		if !used[begin] {
			t.Errorf("no page shows %q, which need not be run", begin)
		}
	}
}

// markdownPages returns the paths of the pages.
func markdownPages(t *testing.T) []string {
	pages, err := filepath.Glob(filepath.Join(docs, "*.md"))
	if err != nil || len(pages) < 10 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	return pages
}

// runCommands runs commands in a repository of the examples.
func runCommands(t *testing.T, bash string, commands []string) {
	home, dir := t.TempDir(), filepath.Join(t.TempDir(), "examples")
	for _, d := range []string{"projects/cell-fate", ".config/fish/completions", "bin"} {
		if err := os.MkdirAll(filepath.Join(home, filepath.FromSlash(d)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "examples"))); err != nil {
		t.Fatal(err)
	}
	// reviewdog comments on a pull request; what matters here is that it is given a report.
	reviewdog := "#!/bin/sh\nexec grep -q '\"diagnostics\"'\n"
	if err := os.WriteFile(filepath.Join(home, "bin", "reviewdog"), []byte(reviewdog), 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(command string) (string, int) {
		c := exec.Command(bash, "-c", "set -o pipefail; "+command)
		c.Dir = dir
		c.Env = append(os.Environ(), "HOME="+home, "NO_COLOR=1", "PATH="+filepath.Join(home, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"),
			"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org")
		var out bytes.Buffer
		c.Stdout, c.Stderr = &out, &out
		if err := c.Run(); err != nil && c.ProcessState == nil {
			t.Fatal(err)
		}
		return out.String(), c.ProcessState.ExitCode()
	}
	setUp := "git init -q -b main && git add . && git commit -qm x && git clone -q --bare . ../origin.git && git remote add origin ../origin.git"
	if out, status := run(setUp); status != 0 {
		t.Fatalf("%s: %s", setUp, out)
	}
	for _, command := range commands {
		if strings.Contains(command, "completion zsh") {
			if _, err := exec.LookPath("zsh"); err != nil {
				continue
			}
			command = "zsh -fc 'autoload -U compinit; compinit -D; " + command + "'"
		}
		want, exact := endsWith[command]
		out, status := run(command)
		if exact && status != want || !exact && (status < 0 || status > exitFindings) {
			t.Errorf("%s\nends with %d:\n%s", command, status, out)
		}
	}
}

// TestDocumentedConfigurations reads the pieces of configuration that pages show.
func TestDocumentedConfigurations(t *testing.T) {
	yamlBlock := regexp.MustCompile("(?m)^```yaml\n((?:[a-z].*\n(?s:.*?))?)^```$") // those of workflows are indented
	for _, page := range []string{"configuration.md", "suppressions-and-baseline.md", "agents.md", "getting-started.md"} {
		data := readFile(t, filepath.Join(docs, page))
		found := yamlBlock.FindAllStringSubmatch(data, -1)
		if len(found) == 0 {
			t.Errorf("%s shows no configuration", page)
		}
		for _, m := range found {
			if _, err := config.Parse(page, []byte(m[1]), rules.All()); err != nil {
				t.Error(err)
			}
		}
	}
}
