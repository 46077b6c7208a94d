package cli

import (
	"bytes"
	"encoding/json"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/config"
	"github.com/brennerlint/brennerlint/rules"
)

// outputAtRoot returns what the program prints, run in the root of the repository.
func outputAtRoot(t *testing.T, args ...string) string {
	t.Helper()
	t.Chdir("..")
	var out bytes.Buffer
	run(t.Context(), args, streams{strings.NewReader(""), &out, io.Discard}, rules.All())
	return out.String()
}

// TestReadmeReport checks that the report in the README is what the program says
// of the examples.
func TestReadmeReport(t *testing.T) {
	data, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := outputAtRoot(t, "--no-config", "examples"); !strings.Contains(string(data), "```text\n$ brennerlint examples\n"+want+"```\n") {
		t.Errorf("README.md does not show what `brennerlint examples` prints:\n%s", want)
	}
}

// TestAlertPicture checks that the picture of an alert shows what the SARIF
// report says.
func TestAlertPicture(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(docs, "code-scanning-alert.svg"))
	if err != nil {
		t.Fatal(err)
	}
	texts := regexp.MustCompile(`<text[^>]*>([^<]*)</text>`).FindAllStringSubmatch(string(data), -1)
	var shown []string
	for _, m := range texts {
		shown = append(shown, html.UnescapeString(m[1]))
	}
	picture := strings.Join(shown, " ")
	var report struct {
		Runs []struct {
			Results []struct {
				RuleID  string
				Message struct{ Text string }
			}
		}
	}
	if err := json.Unmarshal([]byte(outputAtRoot(t, "--no-config", "--format", "sarif", "examples")), &report); err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Runs[0].Results {
		message, _, _ := strings.Cut(r.Message.Text, " See [")
		if strings.Contains(picture, r.RuleID) && strings.Contains(picture, message) {
			return
		}
	}
	t.Errorf("no finding of the examples is what the picture shows: %s", picture)
}

// TestConfigurationPage checks that the page of the configuration has a line for
// every key, and that of rules of one's own for each of theirs.
func TestConfigurationPage(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(docs, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	page, ofRules := read("configuration.md"), read("houserules.md")
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
