// Package sitegen makes the site: the documentation as pages, and the playground.
//
// It reads the repository and returns files; it needs no network, and the same
// repository gives the same bytes. A link that leads nowhere is an error.
package sitegen

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// Options are what a site needs besides the repository.
type Options struct {
	// Version is the version of the program.
	Version string
	// Engine is the program for a browser, as WebAssembly, and Loader the script of the
	// Go release that loads it.
	Engine, Loader []byte
	// Licenses are the licence texts of the modules in Engine.
	Licenses []byte
}

// repository is the address of files that are not part of the site.
const repository = "https://github.com/brennerlint/brennerlint"

// policy is the content security policy of all pages: nothing from outside, no
// scripts and no styles in a page.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"

// playgroundPolicy also allows the playground its worker, and what the worker loads. No
// text can become markup: trusted types are only for the addresses of scripts.
const playgroundPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; " +
	"base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types brennerlint"

// site is a site that is being made.
type site struct {
	Options
	root      fs.FS
	templates *template.Template
	pages     map[string]*source // by their paths in the repository
	groups    []group
	files     map[string][]byte // of the site, by their paths
}

// Build returns the files of the site of the repository at root, by their paths.
func Build(root fs.FS, opts Options) (map[string][]byte, error) {
	s := &site{Options: opts, root: root, files: map[string][]byte{}}
	var err error
	if s.templates, err = template.ParseFS(root, "site/page.html"); err != nil {
		return nil, err
	}
	if err := s.findPages(); err != nil {
		return nil, err
	}
	if err := s.addAssets(); err != nil {
		return nil, err
	}
	for _, at := range slices.Sorted(maps.Keys(s.pages)) {
		if err := s.addPage(s.pages[at]); err != nil {
			return nil, fmt.Errorf("%s: %w", at, err)
		}
	}
	if err := s.addPlayground(); err != nil {
		return nil, err
	}
	if err := s.addServiceWorker(); err != nil {
		return nil, err
	}
	if broken, _ := brokenLinks(s.files); len(broken) > 0 {
		return nil, fmt.Errorf("broken links: %s", strings.Join(broken, ", "))
	}
	return s.files, nil
}

// styles and scripts are joined from parts, because the playground shares styles and
// modules with the HTML report.
var (
	styles  = []string{"report/page/page.css", "site/site.css"}
	modules = []string{
		"report/page/dom.js", "report/page/source.js", "site/playground/engine.js", "site/playground/link.js", "site/playground/editor.js",
		"site/playground/findings.js", "site/playground/threads.js", "site/playground/main.js",
	}
)

// addAssets adds the files that pages share.
func (s *site) addAssets() error {
	for to, parts := range map[string][]string{
		"site.css": styles, "theme.js": {"site/theme.js"}, "rules.js": {"site/rules.js"}, "icon.svg": {"site/icon.svg"},
		"playground/playground.js": modules, "playground/worker.js": {"site/playground/worker.js"},
	} {
		var b bytes.Buffer
		for _, name := range parts {
			data, err := fs.ReadFile(s.root, name)
			if err != nil {
				return err
			}
			b.Write(data)
		}
		s.files[to] = b.Bytes()
	}
	s.files["THIRD_PARTY_LICENSES.txt"] = s.Licenses
	return nil
}

// examples are the texts that the playground offers. It begins with the first.
var examples = []struct{ File, Title, From string }{
	{"delta.md", "A DELTA with a broken block", "site/examples/delta.md"},
	{"draft.json", "A draft as JSON", "examples/draft.json"},
	{"RS-20251230-cell-fate.json", "A thread", "examples/mail/RS-20251230-cell-fate.json"},
	{"RS-20251230-cell-fate.md", "An artifact", "examples/artifacts/RS-20251230-cell-fate.md"},
	{"faulty-artifact.md", "An artifact with faults", "site/examples/faulty-artifact.md"},
}

// addPlayground adds the page that checks what is pasted.
func (s *site) addPlayground() error {
	for _, e := range examples {
		data, err := fs.ReadFile(s.root, e.From)
		if err != nil {
			return err
		}
		s.files["playground/examples/"+e.File] = data
	}
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level exists
	_, _ = z.Write(s.Engine)                                   // a buffer has no errors
	_ = z.Close()
	s.files["playground/engine.bin"], s.files["playground/wasm_exec.js"] = packed.Bytes(), s.Loader
	return s.execute("playground", "playground/index.html", &view{
		Title: "Playground · brennerlint", Class: "playground", Policy: playgroundPolicy, Scripts: []template.HTMLAttr{`type="module" src="playground.js"`},
		Description: "Check artifacts, drafts and threads of the Brenner Protocol in the browser", Examples: examples,
	})
}

// offline reports whether the service worker loads a file in advance: the files of the
// playground, and those that all pages share.
func offline(name string) bool {
	return strings.HasPrefix(name, "playground/") || !strings.Contains(name, "/") && path.Ext(name) != ".txt"
}

// addServiceWorker adds the service worker. Its version is a hash of the site, so that
// each browser gets what is new.
func (s *site) addServiceWorker() error {
	script, err := fs.ReadFile(s.root, "site/sw.js")
	if err != nil {
		return err
	}
	sum := sha256.New()
	var files []string
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		fmt.Fprintf(sum, "%s\x00%d\x00", name, len(s.files[name]))
		sum.Write(s.files[name])
		if offline(name) {
			files = append(files, name)
		}
	}
	list, err := json.Marshal(files)
	if err != nil {
		return err
	}
	s.files["sw.js"] = []byte(strings.NewReplacer(
		`const version = "dev";`, `const version = "`+hex.EncodeToString(sum.Sum(nil)[:8])+`";`,
		`const files = [];`, `const files = `+string(list)+`;`,
	).Replace(string(script)))
	return nil
}
