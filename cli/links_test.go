package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/testenv"
)

// TestDocumentationLinks checks that what the documentation links to is there.
func TestDocumentationLinks(t *testing.T) {
	testenv.SkipUnderRace(t)
	link := regexp.MustCompile(`\]\(([^)#:<\s]+)(#[^)]*)?\)`)
	fence := regexp.MustCompile("(?ms)^ *(````*).*?^ *````*$")
	pages, err := filepath.Glob("../*.md")
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(docs, func(path string, d fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		data := readFile(t, page)
		for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(data, ""), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s links to %s, which is not there", filepath.ToSlash(page), m[1])
			}
		}
	}
}
