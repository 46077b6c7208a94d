package cli

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"html/template"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/docgen"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/report"
	"github.com/brennerlint/brennerlint/rules"
	"github.com/brennerlint/brennerlint/source"
)

//go:generate go test -run ^(TestPages|TestGallery|TestReadmeReport|TestAlertPicture)$ -update .

// docs is the folder of the documentation.
var docs = filepath.Join("..", "docs")

// readPage returns a page of the documentation.
func readPage(t *testing.T, name string) string { return readFile(t, filepath.Join(docs, name)) }

// TestPages checks that the table of rules and the page of commands are those of the program.
// With -update it writes both.
func TestPages(t *testing.T) {
	root := newRoot(streams{strings.NewReader(""), io.Discard, io.Discard}, rules.All())
	for name, page := range map[string]string{"rules.md": docgen.RulesPage(rules.All(), "../rules/doc"), "commands.md": docgen.CommandsPage(root)} {
		file := filepath.Join(docs, name)
		if *update {
			must.Write(t, file, page)
		}
		if data, err := os.ReadFile(file); err != nil || string(data) != page {
			t.Errorf("docs/%s is not what the program has (%v): run `go generate ./cli`", name, err)
		}
	}
}

// TestShown checks that what pages show or list is what the program has: the
// workflow that init writes, and the formats.
func TestShown(t *testing.T) {
	if !strings.Contains(readPage(t, "ci.md"), "```yaml\n"+string(workflow)+"```\n") {
		t.Error("docs/ci.md does not show cli/workflow.yml")
	}
	for _, f := range report.FormatNames() {
		if !strings.Contains(readPage(t, "formats.md"), "| `"+f+"` |") {
			t.Errorf("docs/formats.md lacks a line for %s", f)
		}
	}
	if list := "`--format " + strings.Join(report.FormatNames(), "|") + "`"; !strings.Contains(readPage(t, "contract.md"), list) {
		t.Errorf("docs/contract.md lacks %s", list)
	}
}

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
	"brennerlint conformance --":       "the whole suite takes long, and my-compiler stands for the reader's own program; conformance.txtar runs parts",
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
	examples := repositoryOfExamples(t, bash)
	used := map[string]bool{}
	for _, page := range append(markdownPages(t), filepath.Join("..", "README.md")) {
		commands := slices.DeleteFunc(documented(readFile(t, page)), func(command string) bool {
			for begin := range notRun {
				if strings.HasPrefix(command, begin) {
					used[begin] = true
					return true
				}
			}
			return false
		})
		if len(commands) > 0 {
			t.Run(filepath.Base(page), func(t *testing.T) { runCommands(t, bash, examples, commands) })
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

// repositoryOfExamples returns a folder with a repository of the examples, and its origin.
func repositoryOfExamples(t *testing.T, bash string) string {
	t.Helper()
	dir := t.TempDir()
	must.OK(t, os.CopyFS(filepath.Join(dir, "examples"), os.DirFS(filepath.Join("..", "examples"))))
	c := exec.Command(bash, "-c", "git init -q -b main && git add . && git commit -qm x && git clone -q --bare . ../origin.git && git remote add origin ../origin.git")
	c.Dir, c.Env = filepath.Join(dir, "examples"), append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	for name, value := range gitVariables {
		c.Env = append(c.Env, name+"="+value)
	}
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

// runCommands runs commands in a copy of the repository of the examples.
func runCommands(t *testing.T, bash, examples string, commands []string) {
	home, dir := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	for _, d := range []string{"projects/cell-fate", ".config/fish/completions", "bin"} {
		must.OK(t, os.MkdirAll(filepath.Join(home, filepath.FromSlash(d)), 0o755))
	}
	must.OK(t, os.CopyFS(dir, os.DirFS(examples)))
	// reviewdog comments on a pull request; what matters here is that it is given a report.
	reviewdog := "#!/bin/sh\nexec grep -q '\"diagnostics\"'\n"
	must.OK(t, os.WriteFile(filepath.Join(home, "bin", "reviewdog"), []byte(reviewdog), 0o755))
	env := map[string]string{
		"HOME": home, "NO_COLOR": "1", "PATH": filepath.Join(home, "bin") + string(os.PathListSeparator) + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_CONFIG_GLOBAL": os.DevNull,
	}
	maps.Copy(env, gitVariables)
	for name, value := range env {
		t.Setenv(name, value)
	}
	t.Chdir(filepath.Join(dir, "examples"))
	run := func(command string) (string, int) {
		if args, ok := strings.CutPrefix(command, "brennerlint "); ok && !strings.ContainsAny(args, "|&;<>$\"'*(){}~") { // needs no shell
			out, errs, status := runHere(t, strings.Fields(args)...)
			return out + errs, status
		}
		c := exec.Command(bash, "-c", "set -o pipefail; "+command)
		var out bytes.Buffer
		c.Stdout, c.Stderr = &out, &out
		if err := c.Run(); err != nil && c.ProcessState == nil {
			t.Fatal(err)
		}
		return out.String(), c.ProcessState.ExitCode()
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
		data := readPage(t, page)
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

// outputAtRoot returns what the program prints, run in the root of the repository, where
// the test is from then on.
func outputAtRoot(t *testing.T, args ...string) string {
	t.Helper()
	t.Chdir("..")
	out, _, _ := runHere(t, args...)
	return out
}

// shownReport is the report in the README.
var shownReport = regexp.MustCompile("(?s)```text\n\\$ brennerlint examples\n.*?\n```\n")

// TestReadmeReport checks that the report in the README is what the program says
// of the examples. With -update it writes it.
func TestReadmeReport(t *testing.T) {
	shown := "```text\n$ brennerlint examples\n" + outputAtRoot(t, "--no-config", "examples") + "```\n"
	data := readFile(t, "README.md")
	if *update {
		data = shownReport.ReplaceAllLiteralString(data, shown)
		must.Write(t, "README.md", data)
	}
	if !strings.Contains(data, shown) {
		t.Errorf("README.md does not show what `brennerlint examples` prints: run go generate ./cli\n%s", shown)
	}
}

// TestAlertPicture checks that the picture of an alert shows a finding of the examples.
// With -update it draws it.
func TestAlertPicture(t *testing.T) {
	picture, err := template.ParseFiles(filepath.Join("testdata", "alert.svg.tmpl"))
	must.OK(t, err)
	type location struct {
		Path    string
		Range   source.Range
		Message string
	}
	type finding struct {
		location
		Rule, Name, Thread, Item, Field string
		MessageID                       string `json:"message_id"`
		Related                         []location
	}
	var report struct{ Findings []finding }
	must.OK(t, json.Unmarshal([]byte(outputAtRoot(t, "--no-config", "--format", "json", "examples")), &report))
	i := slices.IndexFunc(report.Findings, func(f finding) bool { return f.Rule == "MR-013" })
	f := report.Findings[i]
	rule := rules.All().Match(f.Rule)[0]
	summary, _, _ := strings.Cut(rule.Summary, ";")
	type line struct {
		Y    int
		Text string
	}
	var lines []line
	message := f.Message + ". See " + f.Related[0].Message + "."
	for y := 166; message != ""; y += 20 {
		end := len(message)
		if end > 90 {
			end = strings.LastIndex(message[:90], " ")
		}
		lines = append(lines, line{y, message[:end]})
		message = strings.TrimPrefix(message[end:], " ")
	}
	var out bytes.Buffer
	if err := picture.Execute(&out, map[string]any{
		"Rule": f.Rule, "Name": f.Name, "Summary": summary + ".", "Place": fmt.Sprintf("%s:%d", f.Path, f.Range.Start.Line), "Lines": lines,
		"Related": fmt.Sprintf("%s:%d — %s", f.Related[0].Path, f.Related[0].Range.Start.Line, f.Related[0].Message),
		"Tags":    "brenner-protocol, " + string(rule.Scope()), "Subject": strings.Join([]string{f.Thread, f.MessageID, f.Item, f.Field}, "/"),
	}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("docs", "code-scanning-alert.svg")
	if *update {
		must.Write(t, path, out.String())
	}
	if stored, err := os.ReadFile(path); err != nil || !bytes.Equal(stored, out.Bytes()) {
		t.Errorf("docs/code-scanning-alert.svg does not show the finding (%v): run go generate ./cli", err)
	}
	if err := xml.Unmarshal(out.Bytes(), new(any)); err != nil {
		t.Error(err)
	}
}

// TestConfigurationPage checks that the page of the configuration has a line for every key,
// and the page of custom rules a line for every key of a rule.
func TestConfigurationPage(t *testing.T) {
	page, ofRules := readPage(t, "configuration.md"), readPage(t, "custom-rules.md")
	var check func(prefix string, schema map[string]any)
	check = func(prefix string, schema map[string]any) {
		if items, ok := schema["items"].(map[string]any); ok {
			schema = items
		}
		properties, _ := schema["properties"].(map[string]any)
		for key, sub := range properties {
			nested, _ := sub.(map[string]any)
			if nested["type"] != "object" || nested["properties"] == nil {
				own, isOwn := strings.CutPrefix(prefix+key, "rules.define.")
				if !isOwn && !strings.Contains(page, "| `"+prefix+key+"` |") || isOwn && !strings.Contains(ofRules, "| `"+own+"` |") {
					t.Errorf("no page has a line for %s%s", prefix, key)
				}
			}
			check(prefix+key+".", nested)
			forms, _ := nested["anyOf"].([]any)
			for _, form := range forms {
				if form, ok := form.(map[string]any); ok && form["properties"] != nil {
					check(prefix+key+".", form)
				}
			}
		}
	}
	check("", config.Schema(rules.All()))
}

// pictures are the pictures of the pages. Each shows the coloured output of a command that is
// run in examples/.
var pictures = map[string]string{
	"statistics": "brennerlint --statistics=agent mail/",
	"presend":    "brennerlint presend --thread mailbox/ --format text draft.json",
	"replay":     "brennerlint replay mail/",
	"diff":       "brennerlint diff artifacts/RS-20251230-cell-fate.md mailbox/",
}

// TestGallery checks that pictures show what the program prints, and that a page shows
// each of them with its command. With -update it draws them.
func TestGallery(t *testing.T) {
	images, err := filepath.Abs(filepath.Join(docs, "images"))
	must.OK(t, err)
	var pages []string
	for _, path := range markdownPages(t) {
		pages = append(pages, readFile(t, path))
	}
	t.Setenv("FORCE_HYPERLINK", "0")
	t.Chdir(filepath.Join("..", "examples"))
	for name, command := range pictures {
		out, _, _ := runHere(t, append(strings.Fields(command)[1:], "--color", "always")...)
		picture := terminalSVG(command, out)
		path := filepath.Join(images, name+".svg")
		if *update {
			must.Write(t, path, picture)
		}
		stored, err := os.ReadFile(path)
		if err != nil || string(stored) != picture {
			t.Errorf("docs/images/%s.svg does not show what `%s` prints (%v): run go generate ./cli", name, command, err)
		}
		if err := xml.Unmarshal(stored, new(any)); err != nil {
			t.Errorf("%s is not XML: %v", path, err)
		}
		if !strings.Contains(string(stored), "<tspan fill=") || strings.Contains(string(stored), "\x1b") {
			t.Errorf("%s shows no colours, or shows escapes", path)
		}
		if !slices.ContainsFunc(pages, func(page string) bool {
			return strings.Contains(page, "](images/"+name+".svg)") && strings.Contains(page, "\n"+command)
		}) {
			t.Errorf("no page shows images/%s.svg with `%s`", name, command)
		}
	}
}

// TestDocumentationLinks checks that what the documentation links to is there.
func TestDocumentationLinks(t *testing.T) {
	testenv.SkipUnderRace(t)
	link := regexp.MustCompile(`\]\(([^)#:<\s]+)(#[^)]*)?\)`)
	fence := regexp.MustCompile("(?ms)^ *(````*).*?^ *````*$")
	pages, err := filepath.Glob("../*.md")
	must.OK(t, err)
	err = filepath.WalkDir(docs, func(path string, d fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			pages = append(pages, path)
		}
		return err
	})
	must.OK(t, err)
	for _, page := range pages {
		for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(readFile(t, page), ""), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s links to %s, which is not there", filepath.ToSlash(page), m[1])
			}
		}
	}
}

// The measures of a terminal's picture, in pixels.
const (
	charWidth  = 8.43 // of the fonts below at 14 px
	lineHeight = 19
	margin     = 16
)

// terminalColors are the styles of Select Graphic Rendition, as attributes.
var terminalColors = map[string]string{
	"0": "", "1": `font-weight="bold"`, "2": `fill="#8b949e"`, "32": `fill="#7ee787"`, "36": `fill="#76e3ea"`,
	"1;31": `fill="#ff7b72" font-weight="bold"`, "1;33": `fill="#e3b341" font-weight="bold"`, "1;34": `fill="#79c0ff" font-weight="bold"`,
}

var (
	hyperlink = text.Pattern("\x1b\\]8;[^\x1b\a]*(?:\x1b\\\\|\a)")
	rendition = text.Pattern("\x1b\\[([0-9;]*)m")
)

// terminalColumns is the width at which lines are folded, as a terminal folds them.
const terminalColumns = 112

// terminalSVG draws what a command prints to a terminal, colours included.
func terminalSVG(command, output string) string {
	output = strings.TrimRight(hyperlink().ReplaceAllString(output, ""), "\n")
	var rows []string
	columns := 0
	for _, line := range strings.Split("$ "+command+"\n"+output, "\n") {
		columns = max(columns, min(terminalColumns, utf8.RuneCountInString(rendition().ReplaceAllString(line, ""))))
		rows = append(rows, terminalRows(line)...)
	}
	width, height := int(float64(columns)*charWidth)+2*margin, len(rows)*lineHeight+2*margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img" aria-label="%[3]s">
<rect width="100%%" height="100%%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" fill="#e6edf3">
`, width, height, html.EscapeString("What the terminal shows of "+command))
	for i, row := range rows {
		if row != "" {
			fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text>`+"\n", margin, margin+(i+1)*lineHeight-5, row)
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// terminalRows returns the rows of a line, with its styles.
func terminalRows(line string) []string {
	rows := []string{""}
	attributes, at, used := "", 0, 0
	write := func(text string) {
		for text != "" {
			if used == terminalColumns {
				rows, used = append(rows, ""), 0
			}
			end := 0 // of the text that fits
			for end < len(text) && used < terminalColumns {
				_, size := utf8.DecodeRuneInString(text[end:])
				end += size
				used++
			}
			part := html.EscapeString(strings.ReplaceAll(text[:end], " ", "\u00a0")) // viewers fold blanks
			if attributes != "" {
				part = "<tspan " + attributes + ">" + part + "</tspan>"
			}
			rows[len(rows)-1] += part
			text = text[end:]
		}
	}
	for _, m := range rendition().FindAllStringSubmatchIndex(line, -1) {
		write(line[at:m[0]])
		attributes, at = terminalColors[line[m[2]:m[3]]], m[1]
	}
	write(line[at:])
	return rows
}
