package lsp

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path"
	"slices"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/watch"
	"github.com/brennerlint/brennerlint/lint"
)

const (
	// maxWorkspaceDiagnostics bounds what one answer reports of the workspace.
	maxWorkspaceDiagnostics = 20_000
	// documentsAtOnce is how many documents a partial result has.
	documentsAtOnce = 100
)

type workspaceParams struct {
	PreviousResultIDs  []previousResult `json:"previousResultIds"`
	WorkDoneToken      json.RawMessage  `json:"workDoneToken"`
	PartialResultToken json.RawMessage  `json:"partialResultToken"`
}

type previousResult struct {
	URI   string `json:"uri"`
	Value string `json:"value"`
}

type workspaceResult struct {
	Items []workspaceDocument `json:"items"`
}

// workspaceDocument is the report of one document that is not open: full with items, or
// unchanged.
type workspaceDocument struct {
	URI     string `json:"uri"`
	Version *int   `json:"version"` // none: it is the file
	pullResult
}

// workspaceChecked is the outcome of the last check of the workspace.
type workspaceChecked struct {
	turn      chan struct{} // holds one, but while the workspace is checked
	settings  *settings
	paths     []string
	look      watch.Look
	documents []workspaceDocument // with findings, by URI
	previous  engine.Previous     // what the last check left
}

// workspaceDiagnostics checks the files of the workspace. Documents that are open are
// left out: the client asks for these by themselves.
var workspaceDiagnostics = handler(func(s *server, params json.RawMessage) (func(context.Context) (any, error), error) {
	p, err := parse[workspaceParams](params)
	if err != nil {
		return nil, err
	}
	s.refreshing.Store(false)
	s.asksForWorkspace.Store(true)
	return func(ctx context.Context) (any, error) {
		progress := s.beginProgress(p.WorkDoneToken, "checking the workspace")
		defer progress.end()
		all, err := s.checkWorkspace(ctx, progress)
		if err != nil {
			return nil, err
		}
		items := s.changedReports(all, p.PreviousResultIDs)
		if len(p.PartialResultToken) == 0 {
			return workspaceResult{items}, nil
		}
		for part := range slices.Chunk(items, documentsAtOnce) {
			s.notify("$/progress", map[string]any{"token": p.PartialResultToken, "value": workspaceResult{part}})
		}
		return workspaceResult{[]workspaceDocument{}}, nil
	}, nil
})

// changedReports returns the reports of documents as they differ from what the client has.
func (s *server) changedReports(all []workspaceDocument, previous []previousResult) []workspaceDocument {
	had := make(map[string]string, len(previous))
	for _, p := range previous {
		had[p.URI] = p.Value
	}
	out := []workspaceDocument{}
	for _, d := range all {
		known := had[d.URI]
		delete(had, d.URI)
		if s.documents.find(d.URI) != nil {
			continue
		}
		if known == d.ResultID {
			d.pullResult = pullResult{Kind: "unchanged", ResultID: d.ResultID}
		}
		out = append(out, d)
	}
	for _, p := range previous { // what has no findings any more
		if _, ok := had[p.URI]; ok && s.documents.find(p.URI) == nil {
			out = append(out, workspaceDocument{URI: p.URI, pullResult: pullResult{Kind: "full", Items: &[]*Diagnostic{}}})
		}
	}
	return out
}

// checkWorkspace checks all files, or gives what it found last if nothing has changed.
func (s *server) checkWorkspace(ctx context.Context, progress *workProgress) ([]workspaceDocument, error) {
	w := &s.workspace
	select {
	case <-w.turn:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { w.turn <- struct{}{} }()
	now, paths := s.settings.Load(), s.mailPaths()
	if len(paths) == 0 {
		return nil, ctx.Err()
	}
	look, err := watch.LookAt(ctx, paths, input.Options{As: input.As(now.opts.Kind), Exclude: now.opts.Exclude, GitIgnore: now.opts.GitIgnore})
	if err != nil {
		return nil, err
	}
	if w.settings == now && slices.Equal(w.paths, paths) && len(w.look.Changed(look)) == 0 {
		return w.documents, nil
	}
	opts := now.opts
	if w.settings != now {
		w.previous.Close()
	}
	opts.Trace = &engine.Trace{Progress: progress.report}
	box, err := w.previous.Open(ctx, now.rules, opts, paths...)
	if err != nil {
		return nil, err
	}
	defer box.Close()
	rep, err := box.Check(ctx)
	if err != nil {
		return nil, err
	}
	for i := range rep.Failures {
		s.log(errorMessage, "%v", &rep.Failures[i])
	}
	s.keepMailFindings(now.rules, rep.Findings)
	w.settings, w.paths, w.look, w.documents = now, paths, look, s.byDocument(rep.Findings)
	return w.documents, nil
}

// byDocument sorts findings into reports of documents.
func (s *server) byDocument(findings []*lint.Finding) []workspaceDocument {
	if n := len(findings); n > maxWorkspaceDiagnostics {
		s.log(warningMessage, "the workspace has %d findings; the first %d are shown", n, maxWorkspaceDiagnostics)
		findings = findings[:maxWorkspaceDiagnostics]
	}
	byURI := map[string]*[]*Diagnostic{}
	uris := map[string]string{} // by path
	for _, f := range findings {
		if f.Path == "" {
			continue
		}
		uri, ok := uris[f.Path]
		if !ok {
			uri = s.client.uriOf(s.fileOf(f.Path))
			uris[f.Path] = uri
		}
		if byURI[uri] == nil {
			byURI[uri] = &[]*Diagnostic{}
		}
		d := s.diagnostic(&document{uri: uri, path: f.Path}, f, s.client.rangeOf)
		*byURI[uri] = append(*byURI[uri], d)
	}
	var out []workspaceDocument
	for uri, items := range byURI {
		out = append(out, workspaceDocument{URI: uri, pullResult: pullResult{Kind: "full", ResultID: resultID(*items), Items: items}})
	}
	slices.SortFunc(out, func(a, b workspaceDocument) int { return cmp.Compare(a.URI, b.URI) })
	return out
}

// fileOf returns the file that a path of the inputs is in: of a message in a zip the zip.
func (s *server) fileOf(name string) string {
	for p := name; p != "." && p != "/"; p = path.Dir(p) {
		if s.isFile(p) {
			return p
		}
	}
	return name
}

// resultID identifies the diagnostics of a document.
func resultID(items []*Diagnostic) string {
	data, err := json.Marshal(items)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:12])
}
