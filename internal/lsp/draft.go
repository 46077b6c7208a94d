package lsp

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/engine"
)

var headerLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i)(?:subject|thread(?:[-_ ]?id)?|from|sender(?:[-_ ]name)?|to|b?cc|ack(?:[-_ ]?required)?|importance)[ \t]*:`)
})

// header returns the header of a message draft in Markdown (docs/formats.md): the lines
// before the first blank one, one of which is the subject. It is nil of other documents.
func (s *snapshot) header() []string {
	if ext := strings.ToLower(path.Ext(s.doc.path)); ext != ".md" && ext != ".markdown" {
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

// linter checks the document: as a draft, if it is one in Markdown.
func (s *snapshot) linter() *engine.Linter {
	if s.header() != nil {
		return s.settings.drafts()
	}
	return s.settings.linter
}

// newSettings are settings with the linters that they need.
func newSettings(from Settings) (*settings, error) {
	linter, err := engine.New(from.Rules, from.Options)
	if err != nil {
		return nil, err
	}
	drafts := from.Options
	drafts.Kind = engine.AsDraft
	return &settings{
		linter: linter, opts: from.Options, rules: from.Rules, paths: from.Paths, ruleFiles: from.RuleFiles,
		drafts: sync.OnceValue(func() *engine.Linter { return engine.MustNew(from.Rules, drafts) }),
	}, nil
}
