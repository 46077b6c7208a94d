package lsp

import (
	"context"
	"net/url"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/config"
)

// maxOpen bounds the texts of all open documents, in bytes.
const maxOpen = 256 << 20

// document is an open document.
type document struct {
	uri, path string

	mu      sync.Mutex
	now     *snapshot // nil once it is closed
	publish chan struct{}
	stop    context.CancelFunc
	running context.CancelFunc // of the check of an older content
}

// snapshot is a document with one content, checked under one configuration. It does
// not change.
type snapshot struct {
	doc      *document
	serial   uint64 // distinguishes all snapshots of a session
	version  *int   // of the client, nil if it gives none
	text     []byte
	settings *settings

	index   func() *lines
	checked chan *checked // holds one: what is known so far
	model   func() *artifact.Artifact
}

// documents are those that are open.
type documents struct {
	mu     sync.Mutex
	byURI  map[string]*document
	serial uint64
	size   int
}

func (d *documents) find(uri string) *document {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.byURI[uri]
}

// all returns the open documents in the order of their names.
func (d *documents) all() []*document {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []*document
	for _, doc := range d.byURI {
		out = append(out, doc)
	}
	slices.SortFunc(out, func(a, b *document) int { return strings.Compare(a.uri, b.uri) })
	return out
}

// resize counts bytes; false if they are too many.
func (d *documents) resize(by int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if by > 0 && d.size+by > maxOpen {
		return false
	}
	d.size += by
	return true
}

func (d *documents) nextSerial() uint64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.serial++
	return d.serial
}

// current returns the newest content; nil if the document is closed.
func (d *document) current() *snapshot {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

// newSnapshot makes a content of a document.
func (s *server) newSnapshot(d *document, version *int, text []byte) *snapshot {
	snap := &snapshot{doc: d, serial: s.documents.nextSerial(), version: version, text: text, settings: s.settings.Load(), checked: make(chan *checked, 1)}
	snap.checked <- nil
	unit := s.client.unit
	snap.model = sync.OnceValue(func() *artifact.Artifact { return newModel(snap) })
	snap.index = sync.OnceValue(func() *lines { return newLines(text, unit) })
	return snap
}

// replace gives a document a new content: from now on nothing is published of the
// ones before.
func (s *server) replace(d *document, snap *snapshot) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = snap
	if d.running != nil {
		d.running()
	}
	select {
	case d.publish <- struct{}{}:
	default: // it is already due
	}
}

func (s *server) open(p *didOpenParams) {
	t := &p.TextDocument
	s.forget(t.URI, false)
	if !s.documents.resize(len(t.Text)) {
		s.log(warningMessage, "the open documents are larger than %d MiB: %s is not checked", maxOpen>>20, t.URI)
		return
	}
	ctx, stop := context.WithCancel(s.ctx)
	d := &document{uri: t.URI, path: s.client.pathOf(t.URI), publish: make(chan struct{}, 1), stop: stop}
	s.documents.mu.Lock()
	s.documents.byURI[t.URI] = d
	s.documents.mu.Unlock()
	s.replace(d, s.newSnapshot(d, &t.Version, []byte(t.Text)))
	if !s.client.pulls {
		s.work.Go(func() { s.publishing(ctx, d) })
	}
}

func (s *server) change(p *didChangeParams) {
	d := s.documents.find(p.TextDocument.URI)
	if d == nil {
		return
	}
	old := d.current()
	made := changes{text: old.text, index: old.index, unit: s.client.unit}
	for i := range p.ContentChanges {
		if !made.add(&p.ContentChanges[i]) {
			s.log(warningMessage, "%d changes at once of a document of %d bytes: %s is no longer checked", len(p.ContentChanges), len(made.text), d.uri)
			s.close(d.uri)
			return
		}
	}
	text := made.result()
	if !s.documents.resize(len(text) - len(old.text)) {
		s.log(warningMessage, "the open documents are larger than %d MiB: %s is no longer checked", maxOpen>>20, d.uri)
		s.close(d.uri)
		return
	}
	s.replace(d, s.newSnapshot(d, p.TextDocument.Version, text))
}

func (s *server) close(uri string) { s.forget(uri, true) }

// forget drops a document, and notifies the client if nothing is to be shown of it.
func (s *server) forget(uri string, clear bool) {
	s.documents.mu.Lock()
	d := s.documents.byURI[uri]
	delete(s.documents.byURI, uri)
	s.documents.mu.Unlock()
	if d == nil {
		return
	}
	d.stop()
	d.mu.Lock()
	old := d.now
	d.now = nil
	if d.running != nil {
		d.running()
	}
	if clear && !s.client.pulls {
		s.notify("textDocument/publishDiagnostics", publishParams{URI: uri, Diagnostics: []*Diagnostic{}})
	}
	d.mu.Unlock()
	s.documents.resize(-len(old.text))
}

// maxPause bounds how long the check of a document waits after the last one.
const maxPause = 100 * time.Millisecond

// publishing checks a document after each change and publishes the outcome, until it
// is closed. After a check it rests for a part of the time that the check took: while
// the user types, a small document is checked at every key, and a large one is not.
func (s *server) publishing(ctx context.Context, d *document) {
	rested := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.publish:
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Until(rested)):
		}
		start := time.Now()
		s.guard("textDocument/publishDiagnostics", func() { s.publishOnce(ctx, d) })
		rested = time.Now().Add(min(time.Since(start)/4, maxPause))
	}
}

// publishOnce checks what a document is now. What was overtaken by a change is not
// published.
func (s *server) publishOnce(ctx context.Context, d *document) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d.mu.Lock()
	snap := d.now
	d.running = cancel
	d.mu.Unlock()
	if snap == nil {
		return
	}
	result, err := s.check(ctx, snap)
	if err != nil {
		return // cancelled
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.running = nil
	if d.now == snap {
		s.notify("textDocument/publishDiagnostics", publishParams{URI: d.uri, Version: snap.version, Diagnostics: s.diagnosticsOf(snap, result)})
	}
}

// isConfig reports whether a document is a configuration.
func (d *document) isConfig() bool { return config.IsFileName(path.Base(d.path)) }

// pathOf returns how a document is named in findings, in overrides and in the baseline:
// by its path from the workspace folder.
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

// uriOf returns the URI of a path as findings have it.
func (c *client) uriOf(file string) string {
	file = filepath.FromSlash(file)
	if !filepath.IsAbs(file) {
		file = filepath.Join(c.root, file)
	}
	p := filepath.ToSlash(file)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}
