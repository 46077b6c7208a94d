package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/internal/customrules"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
	"go.yaml.in/yaml/v3"
)

// RulesDir is the default folder of custom rules and their pages, next to the
// configuration.
const RulesDir = "house-rules"

// definition is a custom rule, and where it is written.
type definition struct {
	*customrules.Definition
	node *yaml.Node
}

// includeRules reads the files with rules that the configuration includes, and defines their
// rules. No link leads out of its folder.
func (d *decoder) includeRules(c *Config, list *yaml.Node) {
	root, err := os.OpenRoot(filepath.Dir(filepath.FromSlash(c.path)))
	if err != nil {
		d.fault(list.Content[0], "include-rules: %v", source.Reason(err))
		return
	}
	defer root.Close()
	seen := map[string]bool{}
	for _, n := range list.Content {
		names, err := matching(root, n.Value)
		if err != nil {
			d.fault(n, "%v", err)
			d.faults[len(d.faults)-1].missing = errors.Is(err, errNoFile)
		}
		for _, name := range names {
			if seen[name] {
				continue
			}
			seen[name] = true
			data, err := root.ReadFile(filepath.FromSlash(name))
			if err != nil {
				d.fault(n, "%s: cannot be read: %v", text.QuotePath(name), source.Reason(err))
				continue
			}
			file := source.NewFile(path.Join(path.Dir(c.path), name), data).Text()
			in := &decoder{text: file, entry: d.text.Place(span(d.text, n)), rules: d.rules}
			in.fill(&struct {
				Rules []customrules.Definition `yaml:"rules" required:"true"`
			}{})
			in.defineRules(c, path.Dir(name))
			c.texts = append(c.texts, in.text)
			d.rules, d.faults = in.rules, append(d.faults, in.faults...)
		}
	}
}

var errNoFile = errors.New("no file")

// matching returns the files below a folder that a path or glob names, in order.
func matching(root *os.Root, pattern string) ([]string, error) {
	pattern = path.Clean(filepath.ToSlash(pattern))
	names, err := fs.Glob(root.FS(), pattern)
	if err != nil {
		return nil, fmt.Errorf("invalid glob %s", text.QuotePath(pattern))
	}
	if _, err := root.Stat(filepath.FromSlash(pattern)); len(names) == 0 && err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: expected a path inside the folder of the configuration", text.QuotePath(pattern))
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%w %s", errNoFile, text.QuotePath(pattern))
	}
	slices.Sort(names)
	return names, nil
}

// defineRules makes rules of all definitions of a file that decode. Their pages are in a
// folder. Its path is relative to the folder of the configuration.
func (d *decoder) defineRules(c *Config, dir string) {
	for _, def := range d.defined {
		r, faults := customrules.Compile(def.Definition)
		if key, message := customrules.Collides(def.Definition, d.rules); key != "" {
			faults = append(faults, customrules.Fault{Key: key, Message: message})
		}
		for _, f := range faults {
			d.report(within(d.text, valueOf(def.node, f.Key), f.Span), f.Message)
		}
		if len(faults) > 0 {
			continue
		}
		page := path.Join(dir, r.ID+".md")
		r.Page = pageOf(c.path, page, def.Docs)
		c.pages[r.ID] = path.Join(path.Dir(c.path), page)
		c.custom = append(c.custom, r)
		d.rules = append(slices.Clip(d.rules), r)
	}
}

// PagePath returns where the page of a custom rule is expected: next to the file that
// defines it, or in RulesDir if that is the configuration itself.
func (c *Config) PagePath(id string) string { return c.pages[id] }

// pageOf returns a function that reads the page of a rule, a file below the folder of the
// configuration. Without such a file the page is the rule's docs.
func pageOf(config, name, docs string) func() []byte {
	return sync.OnceValue(func() []byte {
		text := docs
		if root, err := os.OpenRoot(filepath.Dir(filepath.FromSlash(config))); err == nil {
			defer root.Close()
			if data, err := root.ReadFile(filepath.FromSlash(name)); err == nil {
				text = string(data)
			}
		}
		return []byte(printable(strings.ReplaceAll(text, "\r\n", "\n"))) // explain shows it
	})
}

// Source returns the text of the configuration, and of the files with rules that it includes.
func (c *Config) Source() string {
	var b strings.Builder
	for _, t := range c.texts {
		fmt.Fprintf(&b, "%q %q\n", t.File.Path, t.Data)
	}
	return b.String()
}
