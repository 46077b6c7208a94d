package engine

import "sync"

// scope is what the configuration and the directives of artifacts say of findings.
type scope struct {
	levels     *Severities
	entries    []*suppression             // of the configuration
	directives map[string]*directiveIndex // by the path of the artifact
	paths      sync.Map                   // the scopeOfPath of each that has findings
}

// scopeOfPath is what applies to the findings of one path.
type scopeOfPath struct {
	path      string
	overrides []*SeverityOverride
	entries   []*suppression
}

func (s *scope) at(path string) *scopeOfPath {
	if known, ok := s.paths.Load(path); ok {
		return known.(*scopeOfPath)
	}
	here := &scopeOfPath{path, s.levels.at(path), entriesAt(s.entries, path)}
	s.paths.Store(path, here)
	return here
}
