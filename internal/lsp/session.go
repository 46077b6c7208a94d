package lsp

import (
	"context"
	"encoding/json"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/report"
)

// notifications are what the server takes once it is initialized, one after the other.
var notifications = map[string]func(*server, json.RawMessage) error{
	"initialized":     on(func(s *server, _ *any) { s.watch() }),
	"$/cancelRequest": on((*server).cancel),
	"textDocument/didOpen": on(func(s *server, p *didOpenParams) {
		s.replace(p.TextDocument.URI, p.TextDocument.Version, []byte(p.TextDocument.Text))
	}),
	"textDocument/didChange":              on((*server).change),
	"textDocument/didClose":               on((*server).close),
	"textDocument/didSave":                on((*server).saved),
	"workspace/didChangeWatchedFiles":     on((*server).filesChanged),
	"workspace/didChangeConfiguration":    on(func(s *server, _ *any) { s.reload() }),
	"workspace/didChangeWorkspaceFolders": on(func(s *server, p *foldersParams) { s.setFolders(p.Event.Added, p.Event.Removed) }),
}

// requests are what the server answers once it is initialized, side by side.
var requests = map[string]func(*server, context.Context, *request) (any, error){
	"textDocument/diagnostic":     pullDiagnostics,
	"workspace/diagnostic":        workspaceDiagnostics,
	"textDocument/codeAction":     onDocument(codeActions),
	"textDocument/hover":          onDocument(hover),
	"textDocument/definition":     onDocument(definition),
	"textDocument/completion":     onDocument(complete),
	"textDocument/references":     onDocument(references),
	"textDocument/documentSymbol": onDocument(documentSymbols),
	"textDocument/prepareRename":  onDocument(prepareRename),
	"textDocument/rename":         onDocument(rename),
	"textDocument/formatting":     onDocument(format),
	"textDocument/foldingRange":   onDocument(foldingRanges),
}

func (s *server) initialize(params json.RawMessage) (any, error) {
	p := &initializeParams{}
	if err := parse(params, p); err != nil {
		return nil, err
	}
	s.readClient(p)
	s.load()
	s.initialized = true
	return map[string]any{
		"serverInfo":   map[string]any{"name": "brennerlint", "version": s.opts.Version},
		"capabilities": s.capabilities(),
	}, nil
}

// readClient notes what the client can do.
func (s *server) readClient(p *initializeParams) {
	c := &s.client
	c.can = p.Capabilities
	can := &c.can
	if len(p.WorkspaceFolders) > 0 {
		c.root = filePath(p.WorkspaceFolders[0].URI)
	}
	if c.root == "" && p.RootURI != nil {
		c.root = filePath(*p.RootURI)
		s.setFolders([]document{{URI: *p.RootURI}}, nil)
	}
	s.setFolders(p.WorkspaceFolders, nil)
	if slices.Contains(can.General.PositionEncodings, utf8Units) {
		c.unit = utf8Units
	}
	c.pulls = can.TextDocument.Diagnostic != nil
	c.markdown = slices.Contains(can.TextDocument.Hover.ContentFormat, "markdown")
	if c.pulls { // it knows what the protocol added to diagnostics earlier
		push := &can.TextDocument.PublishDiagnostics
		push.RelatedInformation, push.CodeDescriptionSupport, push.DataSupport = true, true, true
	}
}

func (s *server) capabilities() map[string]any {
	const incremental = 2
	rename := any(true)
	if s.client.can.TextDocument.Rename.PrepareSupport {
		rename = map[string]any{"prepareProvider": true}
	}
	return map[string]any{
		"positionEncoding": s.client.unit,
		"textDocumentSync": map[string]any{"openClose": true, "change": incremental, "save": map[string]any{"includeText": false}},
		"diagnosticProvider": map[string]any{
			"identifier": "brennerlint", "interFileDependencies": true, "workspaceDiagnostics": true,
		},
		"codeActionProvider":     map[string]any{"codeActionKinds": []string{quickFix, fixAll, compileKind}},
		"completionProvider":     map[string]any{"triggerCharacters": []string{"§", "*", "#", "\""}},
		"hoverProvider":          true,
		"definitionProvider":     true,
		"referencesProvider":     true,
		"documentSymbolProvider": true,
		"foldingRangeProvider":   true,
		"renameProvider":         rename,

		"documentFormattingProvider": true,
		"workspace": map[string]any{
			"workspaceFolders": map[string]any{"supported": true, "changeNotifications": true},
		},
	}
}

// mailGlobs match files that may hold mail, and the logs of databases.
const mailGlobs = "**/*.{json,jsonl,md,markdown,sqlite3,sqlite,db,zip,sqlite3-wal,sqlite-wal,db-wal}"

// watch asks the client to report changes of the configuration, the baseline and the mail. It
// asks again when these are other files than before.
func (s *server) watch() {
	if !s.client.can.Workspace.DidChangeWatchedFiles.DynamicRegistration {
		return
	}
	now := s.settings.Load()
	globs := []string{"**/.brennerlint.{yaml,yml}", mailGlobs}
	if b := now.Baseline; b != nil && filepath.IsLocal(b.Path) {
		globs = append(globs, "**/"+filepath.Base(b.Path))
	}
	for _, glob := range now.RuleFiles {
		globs = append(globs, "**/"+path.Base(glob))
	}
	if slices.Equal(globs, s.watched) {
		return
	}
	const id, method = "settings", "workspace/didChangeWatchedFiles"
	if s.watched != nil {
		s.ask("client/unregisterCapability", map[string]any{"unregisterations": []any{map[string]any{"id": id, "method": method}}}) // the protocol spells it so
	}
	s.watched = globs
	watchers := make([]any, len(globs))
	for i, glob := range globs {
		watchers[i] = map[string]any{"globPattern": glob}
	}
	s.ask("client/registerCapability", map[string]any{"registrations": []any{map[string]any{
		"id": id, "method": method, "registerOptions": map[string]any{"watchers": watchers},
	}}})
}

// filesChanged reads the settings again if one of their files may have changed. The mail is
// read when it is needed.
func (s *server) filesChanged(p *filesParams) {
	now := time.Now()
	s.workspace.changed.Store(&now)
	if len(p.Changes) == 0 || slices.ContainsFunc(p.Changes, func(c document) bool { return s.isSetting(c.URI) }) {
		s.reload()
	} else if s.asksForWorkspace.Load() {
		s.refresh()
	}
}

// isSetting reports whether a file is, by its name, a configuration, the baseline, or a file
// with rules that the configuration includes.
func (s *server) isSetting(uri string) bool {
	name := path.Base(s.client.pathOf(uri))
	now := s.settings.Load()
	for _, glob := range now.RuleFiles {
		if ok, err := path.Match(path.Base(glob), name); ok && err == nil {
			return true
		}
	}
	b := now.Baseline
	return config.IsFileName(name) || b != nil && name == path.Base(filepath.ToSlash(b.Path))
}

// saved reads the settings again if one of their files was saved.
func (s *server) saved(p *documentParams) {
	if s.isSetting(p.TextDocument.URI) {
		s.reload()
	}
}

// load reads the settings. If that fails, the settings before stay, but with the new list of
// files with rules: the fault may be in one of these, and its change must be noticed.
func (s *server) load() {
	loaded, err := s.opts.Load(s.client.root)
	if loaded.Rules == nil {
		loaded.Rules = s.opts.Rules
	}
	if err == nil {
		err = loaded.Rules.Validate()
	}
	if err != nil {
		s.show(errorMessage, report.Message(err.Error()))
		before := Settings{Rules: s.opts.Rules, Paths: loaded.Paths}
		before.Files.GitIgnore = true
		if now := s.settings.Load(); now != nil {
			before = *now
		}
		before.RuleFiles = loaded.RuleFiles
		loaded = before
	} else {
		defer s.fromMail.Store(nil) // they are of other rules, perhaps
	}
	s.settings.Store(&loaded)
}

// reload reads the settings again and checks all documents under them.
func (s *server) reload() {
	s.load()
	if s.watched != nil {
		s.watch()
	}
	for _, now := range s.documents.all() {
		s.replace(now.uri, now.version, now.text)
	}
	s.refresh()
}

// refresh tells the client to ask for diagnostics again, once until it does.
func (s *server) refresh() {
	if s.client.pulls && s.client.can.Workspace.Diagnostics.RefreshSupport && !s.refreshing.Swap(true) {
		s.ask("workspace/diagnostic/refresh", nil)
	}
}
