package engine

import (
	"sync"

	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/source"
)

// scope is what the configuration and the directives of artifacts say of findings.
type scope struct {
	levels     *Severities
	entries    []*suppression            // of the configuration
	directives map[string][]*suppression // by the path of the artifact
	paths      sync.Map                  // the scopeOfPath of each that has findings
}

// scopeOfPath is what applies to the findings of one path.
type scopeOfPath struct {
	path      string
	overrides []*SeverityOverride
	entries   []*suppression

	credentials sync.Once
	text        *source.Text // the whole file
	names       bool         // it names a credential somewhere
}

// namesCredential reports whether a file may name a credential: nearly none does, and then no
// frame of it has to be looked at.
func (h *scopeOfPath) namesCredential(file *source.Text) bool {
	h.credentials.Do(func() { h.text, h.names = file, input.NamesCredential(file.Data) })
	return h.names || h.text != file
}

func (s *scope) at(path string) *scopeOfPath {
	if known, ok := s.paths.Load(path); ok {
		return known.(*scopeOfPath)
	}
	here, _ := s.paths.LoadOrStore(path, &scopeOfPath{path: path, overrides: s.levels.at(path), entries: entriesAt(s.entries, path)})
	return here.(*scopeOfPath)
}
