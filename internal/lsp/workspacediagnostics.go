package lsp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/brennerlint/brennerlint/lint"
)

// maxWorkspaceDiagnostics bounds what one answer reports of the workspace.
const maxWorkspaceDiagnostics = 20_000

type workspaceParams struct {
	PreviousResultIDs []previousResult `json:"previousResultIds"`
}

type previousResult struct {
	URI   string `json:"uri"`
	Value string `json:"value"`
}

// workspaceDocument is the report on a document that is not open.
type workspaceDocument struct {
	document // without a version: it is the file
	pullResult
}

// workspaceDiagnostics checks the files of the workspace. Open documents are left out: the
// client asks for each of them.
func workspaceDiagnostics(s *server, ctx context.Context, r *request) (any, error) {
	var p workspaceParams
	if err := parse(r.params, &p); err != nil {
		return nil, err
	}
	s.refreshing.Store(false)
	s.asksForWorkspace.Store(true)
	all, err := s.checkWorkspace(ctx)
	if err != nil {
		return nil, err
	}
	return map[string]any{"items": s.changedReports(all, p.PreviousResultIDs)}, nil
}

// changedReports returns the reports for the client, which has some of them already.
func (s *server) changedReports(all []workspaceDocument, previous []previousResult) []workspaceDocument {
	had := make(map[string]string, len(previous))
	for _, p := range previous {
		had[p.URI] = p.Value
	}
	out := []workspaceDocument{}
	for _, d := range all {
		known := had[d.URI]
		delete(had, d.URI)
		if s.documents.current(d.URI) != nil {
			continue
		}
		if known == d.ResultID {
			d.pullResult = pullResult{Kind: "unchanged", ResultID: d.ResultID}
		}
		out = append(out, d)
	}
	for _, p := range previous { // what has no findings any more
		if _, ok := had[p.URI]; ok && s.documents.current(p.URI) == nil {
			out = append(out, workspaceDocument{document{URI: p.URI}, pullResult{Kind: "full", Items: []*Diagnostic{}}})
		}
	}
	return out
}

// checkWorkspace checks all files, once for each mailbox.
func (s *server) checkWorkspace(ctx context.Context) (out []workspaceDocument, _ error) {
	err := s.withMailbox(ctx, time.Now(), func(b *mailbox) error {
		b.checking.Lock()
		defer b.checking.Unlock()
		if b.documents == nil {
			rep, err := b.Check(ctx)
			if err != nil {
				return err
			}
			for i := range rep.Failures {
				s.log(errorMessage, "%v", &rep.Failures[i])
			}
			s.keepMailFindings(b.settings, rep.Findings)
			b.documents = s.byDocument(rep.Findings)
		}
		out = b.documents
		return nil
	})
	return out, err
}

// byDocument sorts findings into reports of documents.
func (s *server) byDocument(findings []*lint.Finding) []workspaceDocument {
	if n := len(findings); n > maxWorkspaceDiagnostics {
		s.log(warningMessage, "the workspace has %d findings; the first %d are shown", n, maxWorkspaceDiagnostics)
		findings = findings[:maxWorkspaceDiagnostics]
	}
	byURI := map[string][]*Diagnostic{}
	uris := map[string]string{} // by path
	for _, f := range findings {
		if f.Path == "" {
			continue
		}
		if uris[f.Path] == "" {
			uris[f.Path] = s.client.uriOf(s.fileOf(f.Path))
		}
		uri := uris[f.Path]
		byURI[uri] = append(byURI[uri], s.diagnostic(uri, f, s.client.unit.rangeOf))
	}
	out := []workspaceDocument{}
	for _, uri := range slices.Sorted(maps.Keys(byURI)) {
		items := byURI[uri]
		out = append(out, workspaceDocument{document{URI: uri}, pullResult{Kind: "full", ResultID: resultID(items), Items: items}})
	}
	return out
}

// fileOf returns the file that a path of the inputs is in: for a message in a zip, the zip.
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
	data, _ := json.Marshal(items) // plain data
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:12])
}
