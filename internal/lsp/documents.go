package lsp

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"net/url"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// snapshot is an open document with one content and one configuration. It does not change:
// when one of them does, there is a new snapshot.
type snapshot struct {
	uri, path string
	version   *int // of the client, nil if it gives none
	text      []byte
	lines     // of the text
	settings  *Settings

	cancelCheck context.CancelFunc // ends the check that is to be published
	checked     chan *checked      // holds one: what is known so far
	model       func() *artifact.Artifact
}

// documents are the newest snapshots of the open documents.
type documents struct {
	mu    sync.Mutex
	byURI map[string]*snapshot
}

// current returns an open document; nil if it is not open.
func (d *documents) current(uri string) *snapshot {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.byURI[uri]
}

// all returns the open documents in the order of their names.
func (d *documents) all() []*snapshot {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.SortedFunc(maps.Values(d.byURI), func(a, b *snapshot) int { return cmp.Compare(a.uri, b.uri) })
}

// replace makes a new snapshot of a document, with the settings of now. Nothing is published
// for the old one any more.
func (s *server) replace(uri string, version *int, text []byte) {
	ctx, cancel := context.WithCancel(s.ctx)
	snap := &snapshot{
		uri: uri, path: s.client.pathOf(uri), version: version, text: text, lines: newLines(text, s.client.unit), settings: s.settings.Load(),
		cancelCheck: cancel, checked: make(chan *checked, 1),
	}
	snap.checked <- nil
	snap.model = sync.OnceValue(func() *artifact.Artifact { return newModel(snap) })
	s.documents.mu.Lock()
	if old := s.documents.byURI[uri]; old != nil {
		old.cancelCheck()
	}
	s.documents.byURI[uri] = snap
	s.documents.mu.Unlock()
	if !s.client.pulls {
		s.begin("textDocument/publishDiagnostics", func() { s.publish(ctx, snap) })
	}
}

// publish checks a document and sends what was found, unless it was changed or closed
// meanwhile.
func (s *server) publish(ctx context.Context, snap *snapshot) {
	result, err := s.check(ctx, snap)
	if err != nil {
		return // cancelled
	}
	items := s.diagnosticsOf(ctx, snap, result)
	s.documents.mu.Lock() // what is sent later is of a later content
	defer s.documents.mu.Unlock()
	if s.documents.byURI[snap.uri] == snap {
		s.notify("textDocument/publishDiagnostics", publishParams{URI: snap.uri, Version: snap.version, Diagnostics: items})
	}
}

func (s *server) change(p *didChangeParams) {
	old := s.documents.current(p.TextDocument.URI)
	if old == nil {
		return
	}
	made := changes{text: old.lines}
	for i := range p.ContentChanges {
		made.add(&p.ContentChanges[i])
	}
	s.replace(old.uri, p.TextDocument.Version, made.result())
}

// close forgets a document. The client no longer shows what was found in it.
func (s *server) close(p *documentParams) {
	uri := p.TextDocument.URI
	s.documents.mu.Lock()
	defer s.documents.mu.Unlock()
	old := s.documents.byURI[uri]
	if old == nil {
		return
	}
	old.cancelCheck()
	delete(s.documents.byURI, uri)
	if !s.client.pulls {
		s.notify("textDocument/publishDiagnostics", publishParams{URI: uri, Diagnostics: []*Diagnostic{}})
	}
}

// isConfig reports whether a document is a configuration.
func (s *snapshot) isConfig() bool { return config.IsFileName(path.Base(s.path)) }

// pathOf returns the name of a document in findings, overrides and the baseline: its path from
// the workspace folder.
func (c *client) pathOf(uri string) string {
	file := filePath(uri)
	if file == "" {
		return uri
	}
	if c.root != "" {
		if rel, err := filepath.Rel(c.root, file); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(file)
}

// filePath returns the file that a URI names; "" if it names none.
func filePath(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return ""
	}
	p := u.Path
	if runtime.GOOS == "windows" && len(p) > 2 && p[0] == '/' && p[2] == ':' {
		p = p[1:]
	}
	return filepath.FromSlash(p)
}

// fileOf returns the file of a path that a finding names.
func (c *client) fileOf(path string) string {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(c.root, path)
}

// uriOf returns the URI of a path that a finding names.
func (c *client) uriOf(path string) string {
	p := filepath.ToSlash(c.fileOf(path))
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}

var headerLine = text.Pattern(`^(?i)(?:subject|thread(?:[-_ ]?id)?|from|sender(?:[-_ ]name)?|to|b?cc|ack(?:[-_ ]?required)?|importance)[ \t]*:`)

// header returns the header lines of a message draft in Markdown (docs/formats.md): those
// before the first blank line, with a subject among them. It is nil for other documents.
func (s *snapshot) header() []string {
	if ext := strings.ToLower(path.Ext(s.path)); ext != ".md" && ext != ".markdown" {
		return nil
	}
	const most = 16 << 10
	var out []string
	for line := range bytes.Lines(s.text[:min(len(s.text), most)]) {
		text := strings.TrimSpace(string(line))
		if text == "" {
			break
		}
		if !headerLine().MatchString(text) {
			return nil
		}
		out = append(out, text)
	}
	isSubject := func(line string) bool { return strings.HasPrefix(strings.ToLower(line), "subject") }
	if !slices.ContainsFunc(out, isSubject) {
		return nil
	}
	return out
}

// check checks a text of the document: as a draft, if the document is one in Markdown.
func (s *snapshot) check(ctx context.Context, text []byte) (*lint.Report, error) {
	opts := s.settings.Options
	if s.header() != nil {
		opts.Kind = engine.AsDraft
	}
	box, err := engine.OpenContent(ctx, s.settings.Rules, opts, s.path, text)
	if err != nil {
		return nil, err
	}
	defer box.Close()
	return box.Check(ctx)
}

// isArtifact reports whether the document is checked as an artifact file.
func (s *snapshot) isArtifact(ctx context.Context) bool {
	box, err := engine.OpenContent(ctx, s.settings.Rules, s.settings.Options, s.path, s.text)
	if err != nil {
		return false
	}
	defer box.Close()
	inputs, _ := box.Inputs()
	return len(inputs) == 1 && inputs[0].Kind == engine.AsArtifact
}
