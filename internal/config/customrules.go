package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/internal/customrules"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
	"go.yaml.in/yaml/v3"
)

// RulesDir is the default folder of custom rules and their pages, next to the
// configuration.
const RulesDir = "house-rules"

// The limits on custom rules.
const (
	maxCustomRules = 200
	maxIncluded    = 200     // files
	maxRulePage    = 4 << 20 // bytes
)

// definition is a custom rule with the places of its values.
type definition struct {
	rule   *CustomRule
	node   *yaml.Node
	values map[string]*yaml.Node
	d      *decoder // of the file that defines it
}

func newDefinition(d *decoder, n *yaml.Node, r *CustomRule) definition {
	out := definition{rule: r, node: n, values: map[string]*yaml.Node{}, d: d}
	for i := 0; i+1 < len(n.Content); i += 2 {
		out.values[n.Content[i].Value] = n.Content[i+1]
	}
	return out
}

// rulesFile is a file with rules that a configuration includes.
type rulesFile struct {
	Rules []CustomRule `key:"rules" required:"true"`
}

// includedFile is a file with rules that was read.
type includedFile struct {
	decoder *decoder
	entry   source.Span // where the configuration includes it
}

// includeRules reads the files that the configuration includes. No link leads out of its
// folder.
func (d *decoder) includeRules(c *Config) []includedFile {
	if len(c.IncludeRules) == 0 {
		return nil
	}
	entries := d.entries
	root, err := os.OpenRoot(filepath.Dir(filepath.FromSlash(c.path)))
	if err != nil {
		d.fault(entries[0], "include-rules: %v", source.Reason(err))
		return nil
	}
	defer root.Close()
	var out []includedFile
	seen := map[string]bool{}
	for _, n := range entries {
		names, err := matching(root, n.Value)
		if err != nil {
			d.fault(n, "%v", err)
			if errors.Is(err, errNoFile) {
				d.faults[len(d.faults)-1].missing = true
			}
			continue
		}
		for _, name := range names {
			if seen[name] {
				continue
			}
			if seen[name] = true; len(seen) > maxIncluded {
				d.fault(n, "more than %d files are included", maxIncluded)
				return out
			}
			if file, err := d.readRules(c, root, name); err != nil {
				d.fault(n, "%s: %v", text.QuotePath(name), err)
			} else {
				out = append(out, includedFile{file, d.span(n)})
			}
		}
	}
	return out
}

var (
	errOutside = errors.New("expected a path inside the folder of the configuration")
	errNoFile  = errors.New("no file")
)

// matching returns the files below a folder that a path or glob names, in order.
func matching(root *os.Root, pattern string) ([]string, error) {
	pattern = path.Clean(filepath.ToSlash(pattern))
	if !filepath.IsLocal(filepath.FromSlash(pattern)) {
		return nil, fmt.Errorf("%s: %w", text.QuotePath(pattern), errOutside)
	}
	names, err := fs.Glob(root.FS(), pattern)
	if err != nil {
		return nil, fmt.Errorf("invalid glob %s", text.QuotePath(pattern))
	}
	if len(names) > 0 {
		slices.Sort(names)
		return names, nil
	}
	if _, err := root.Stat(filepath.FromSlash(pattern)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", text.QuotePath(pattern), errOutside) // a link that leads out
	}
	return nil, fmt.Errorf("%w %s", errNoFile, text.QuotePath(pattern))
}

// readRules reads a file with rules. The decoder collects its faults.
func (d *decoder) readRules(c *Config, root *os.Root, name string) (*decoder, error) {
	data, err := readBelow(root, name, maxFile)
	if err != nil {
		return nil, err
	}
	shown := path.Join(path.Dir(c.path), name)
	in := &decoder{text: source.NewFile(shown, data).Text(), rules: d.rules}
	in.fill(reflect.ValueOf(&rulesFile{}).Elem())
	return in, nil
}

// readBelow reads a regular file below a folder.
func readBelow(root *os.Root, name string, most int64) ([]byte, error) {
	info, err := root.Stat(filepath.FromSlash(name))
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", source.Reason(err))
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", source.Reason(err))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", source.Reason(err))
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("larger than %d bytes", most)
	}
	return data, nil
}

// defineRules makes rules of all definitions that decode.
func (d *decoder) defineRules(c *Config, included []includedFile) {
	all := slices.Clone(d.rules)
	digest := sha256.New()
	c.pages = map[string]string{}
	define := func(in *decoder, dir string) {
		for i := range in.defined {
			def := &in.defined[i]
			if len(c.custom) == maxCustomRules {
				in.fault(def.node, "more than %d rules are defined", maxCustomRules)
				return
			}
			if r := def.compile(all); r != nil {
				page := path.Join(filepath.ToSlash(dir), r.ID+".md")
				r.Page = pageOf(c.path, page, def.rule.Docs)
				c.pages[r.ID] = path.Join(path.Dir(c.path), page)
				c.custom = append(c.custom, r)
				fmt.Fprintf(digest, "%q\n", *def.rule)
				all = append(all, r)
			}
		}
	}
	define(d, RulesDir)
	for _, f := range included {
		dir, err := filepath.Rel(filepath.Dir(filepath.FromSlash(c.path)), filepath.Dir(filepath.FromSlash(f.decoder.text.File.Path)))
		if err != nil {
			dir = RulesDir
		}
		define(f.decoder, dir)
		for _, x := range f.decoder.faults {
			x.text, x.included = f.decoder.text, f.entry
			d.faults = append(d.faults, x)
		}
	}
	d.rules = all
	c.digest = digest.Sum(nil)
}

// compile makes a rule of a definition, or records what is wrong with it.
func (def *definition) compile(others lint.Catalogue) *lint.Rule {
	r := def.rule
	written := &customrules.Definition{
		ID: r.ID, Name: r.Name, Scope: r.Scope, Severity: r.Severity, When: r.When, Report: r.Report, At: r.At, Suggestion: r.Suggestion, Docs: r.Docs,
	}
	made, faults := customrules.Compile(written)
	if key, message := customrules.Collides(written, others); key != "" {
		faults = append(faults, customrules.Fault{Key: key, Message: message})
	}
	for _, f := range faults {
		n := def.values[f.Key]
		if n == nil {
			n = def.node
		}
		def.d.faultAt(def.d.within(n, f.Span), "%s", literal(f.Message))
	}
	if len(faults) > 0 {
		return nil
	}
	return made
}

// literal is a message that is not cut, because it is made of short parts.
type literal string

// PagePath returns where the page of a custom rule is expected: next to the file that
// defines it, or in RulesDir if that is the configuration itself.
func (c *Config) PagePath(id string) string {
	if c == nil {
		return ""
	}
	return c.pages[id]
}

// pageOf returns a function that reads the page of a rule, a file below the folder of the
// configuration. Without such a file the page is the rule's docs.
func pageOf(config, name, docs string) func() []byte {
	return sync.OnceValue(func() []byte {
		root, err := os.OpenRoot(filepath.Dir(filepath.FromSlash(config)))
		if err == nil {
			defer root.Close()
			var data []byte
			if data, err = readBelow(root, name, maxRulePage); err == nil {
				return []byte(printableLines(string(data)))
			}
		}
		return []byte(printableLines(docs))
	})
}

// printableLines drops characters that could move a terminal's cursor, except line ends:
// explain shows the text as it is.
func printableLines(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = printable(line)
	}
	return strings.Join(lines, "\n")
}

// Digest identifies the text of the configuration and of the files with rules that it
// includes.
func (c *Config) Digest() string {
	if c == nil {
		return ""
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %x", c.path, c.text.Data, c.digest)
	return hex.EncodeToString(h.Sum(nil))
}
