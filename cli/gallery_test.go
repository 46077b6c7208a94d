package cli

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/docgen"
	"github.com/brennerlint/brennerlint/rules"
)

// pictures are those of the pages, by the command whose coloured output each shows,
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
	if err != nil {
		t.Fatal(err)
	}
	var pages []string
	for _, path := range markdownPages(t) {
		data := readFile(t, path)
		pages = append(pages, data)
	}
	t.Setenv("FORCE_HYPERLINK", "0")
	t.Chdir(filepath.Join("..", "examples"))
	for name, command := range pictures {
		var out bytes.Buffer
		args := slices.Concat(strings.Fields(command)[1:], []string{"--color", "always"})
		run(t.Context(), args, streams{strings.NewReader(""), &out, io.Discard}, rules.All())
		picture := docgen.TerminalSVG(command, out.String())
		path := filepath.Join(images, name+".svg")
		if *update {
			writeFile(t, path, picture)
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
