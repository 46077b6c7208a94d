package engine

// scope is what the configuration and the directives of artifacts say of findings.
type scope struct {
	levels     *Severities
	entries    *entryIndex
	directives map[string]*directiveIndex // by the path of the artifact
}

// scopeOfPath is what applies to the findings of one path.
type scopeOfPath struct {
	scope     *scope
	path      string
	overrides []*SeverityOverride
	entries   []*suppression
}

func (s *scope) at(path string) scopeOfPath {
	return scopeOfPath{s, path, s.levels.at(path), s.entries.at(path)}
}
