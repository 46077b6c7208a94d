package cli

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/rules"
	"github.com/brennerlint/brennerlint/source"
)

// outputAtRoot returns what the program prints, run in the root of the repository, where
// the test is from then on.
func outputAtRoot(t *testing.T, args ...string) string {
	t.Helper()
	t.Chdir("..")
	var out bytes.Buffer
	run(t.Context(), args, streams{strings.NewReader(""), &out, io.Discard}, rules.All())
	return out.String()
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
		writeFile(t, "README.md", data)
	}
	if !strings.Contains(data, shown) {
		t.Errorf("README.md does not show what `brennerlint examples` prints: run go generate ./cli\n%s", shown)
	}
}

// TestAlertPicture checks that the picture of an alert shows a finding of the examples.
// With -update it draws it.
func TestAlertPicture(t *testing.T) {
	picture, err := template.ParseFiles(filepath.Join("testdata", "alert.svg.tmpl"))
	if err != nil {
		t.Fatal(err)
	}
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
	if err := json.Unmarshal([]byte(outputAtRoot(t, "--no-config", "--format", "json", "examples")), &report); err != nil {
		t.Fatal(err)
	}
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
		"Tags":    "brenner-protocol, " + rule.Scope().String(), "Subject": strings.Join([]string{f.Thread, f.MessageID, f.Item, f.Field}, "/"),
	}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("docs", "code-scanning-alert.svg")
	if *update {
		writeFile(t, path, string(out.Bytes()))
	}
	if stored, err := os.ReadFile(path); err != nil || !bytes.Equal(stored, out.Bytes()) {
		t.Errorf("docs/code-scanning-alert.svg does not show the finding (%v): run go generate ./cli", err)
	}
	if err := xml.Unmarshal(out.Bytes(), new(any)); err != nil {
		t.Error(err)
	}
}

// TestConfigurationPage checks that the page of the configuration has a line for
// every key, and that of rules of one's own for each of theirs.
func TestConfigurationPage(t *testing.T) {
	read := func(name string) string {
		data := readFile(t, filepath.Join(docs, name))
		return data
	}
	page, ofRules := read("configuration.md"), read("custom-rules.md")
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
