package lsp

import (
	"bytes"
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/lint"
)

var headerLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i)(?:subject|thread(?:[-_ ]?id)?|from|sender(?:[-_ ]name)?|to|b?cc|ack(?:[-_ ]?required)?|importance)[ \t]*:`)
})

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
