package lsp

import (
	"os"
	"slices"

	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// mailFindings are the findings of the last check of the workspace, by path, that need mail: a
// check of the document alone does not have them. They stay while the document is open.
type mailFindings map[string][]*lint.Finding

// keepMailFindings keeps the findings that need mail. If they change for an open document, the
// client is told to ask for its diagnostics again.
func (s *server) keepMailFindings(rules lint.Catalogue, findings []*lint.Finding) {
	needMail := map[string]bool{}
	for _, r := range rules {
		needMail[r.ID] = r.Scope() == lint.ThreadScope || r.Scope() == lint.WorkspaceScope
	}
	now := mailFindings{}
	for _, f := range findings {
		if needMail[f.Rule] && f.Path != "" {
			path := s.client.pathOf(s.client.uriOf(f.Path)) // as documents are named
			now[path] = append(now[path], f)
		}
	}
	before := s.fromMail.Swap(&now)
	for _, d := range s.documents.all() {
		if !slices.EqualFunc(now.of(d), before.of(d), isSame) {
			s.refresh()
			return
		}
	}
}

func isSame(a, b *lint.Finding) bool { return a.Fingerprint == b.Fingerprint }

// of returns the findings in a document.
func (m *mailFindings) of(d *snapshot) []*lint.Finding {
	if m == nil {
		return nil
	}
	return (*m)[d.path]
}

// diagnosticsOf returns what an editor shows: what the check of the document found, and the
// findings that need mail.
func (s *server) diagnosticsOf(snap *snapshot, c *checked) []*Diagnostic {
	var missing []*lint.Finding
	for _, f := range s.fromMail.Load().of(snap) {
		found := func(o *lint.Finding) bool { return o.Rule == f.Rule && o.Message == f.Message }
		if !slices.ContainsFunc(c.findings, found) {
			missing = append(missing, f)
		}
	}
	if len(missing) == 0 {
		return c.diagnostics
	}
	file, err := os.ReadFile(filePath(snap.uri))
	if err != nil {
		file = snap.text // its places are the best that there are
	}
	place := func(r *source.Range) Range {
		if r == nil {
			return Range{}
		}
		return snap.rangeOf(moved(file, snap.text, source.Span{Start: r.Start.Offset, End: r.End.Offset}))
	}
	out := slices.Clone(c.diagnostics)
	for _, f := range missing {
		out = append(out, s.diagnostic(snap.uri, f, place))
	}
	return out
}

// moved returns where a place is after a text was changed in its middle: what both texts begin
// and end with stays.
func moved(before, after []byte, at source.Span) source.Span {
	start, most := 0, min(len(before), len(after))
	for start < most && before[start] == after[start] {
		start++
	}
	end := 0
	for end < most-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	move := func(offset int) int {
		switch {
		case offset <= start:
			return offset
		case offset >= len(before)-end:
			return offset + len(after) - len(before)
		}
		return start
	}
	return source.Span{Start: move(at.Start), End: move(at.End)}
}
