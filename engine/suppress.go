package engine

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Suppression is an entry of the configuration that suppresses findings
// (decisions.md 34: suppressions). Empty parts match everything.
type Suppression struct {
	Path    string // doublestar glob
	Rule    string // id, name, code or prefix
	Thread  string
	Message string // message id
	Item    string
	Reason  string
	// At is where the entry is in the configuration.
	At source.Place
}

// suppression is a directive of an artifact or an entry of the configuration,
// ready to be compared with findings.
type suppression struct {
	rules namedRules
	at    source.Place
	// thread is that of the artifact, or the one that an entry names; "" for any.
	thread       string
	span         source.Span // what a directive covers in its file
	entry        *Suppression
	list         source.Span // of a directive: the words that name rules, in the text of at
	reason       bool
	fault        lint.SuppressionFault // why it has no effect, but for UnusedSuppression
	word         string                // at fault
	suggestion   string                // the directive that word probably is
	suggestionAt source.Span           // what it would replace, if it had an effect then

	mu   sync.Mutex
	used map[string]bool // the ids of the rules whose findings it matched
}

// maxDirectives bounds the directives of a file that have an effect: each is compared with
// each finding of the file.
const maxDirectives = 1000

// directives finds the suppression comments of a Markdown artifact.
func directives(a *artifact.Artifact, thread string, rules *ruleList) []*suppression {
	if a.Doc == nil || !bytes.Contains(a.Text.Data, []byte("<!--")) {
		return nil
	}
	var out []*suppression
	covers := scopesOf(a)
	first := true
	for i := range a.Doc.Blocks {
		b := &a.Doc.Blocks[i]
		if b.Kind != markdown.HTML {
			continue
		}
		for _, c := range comments(a.Text.Bytes(b.Span)) {
			span := c.Shift(b.Span.Start)
			s := directive(a, covers, span, first, rules)
			first = false
			if s == nil {
				continue
			}
			s.thread = thread
			out = append(out, s)
			if len(out) > maxDirectives {
				s.fault = lint.TooManyDirectives
				return out
			}
		}
	}
	return out
}

// comments returns the HTML comments in a block, with their delimiters.
func comments(data []byte) []source.Span {
	var out []source.Span
	for at := 0; ; {
		open := bytes.Index(data[at:], []byte("<!--"))
		if open < 0 {
			return out
		}
		open += at
		end := bytes.Index(data[open:], []byte("-->"))
		if end < 0 {
			return append(out, source.Span{Start: open, End: len(data)})
		}
		at = open + end + len("-->")
		out = append(out, source.Span{Start: open, End: at})
	}
}

// directive reads one comment; nil if it is not a directive.
func directive(a *artifact.Artifact, scopes []source.Span, span source.Span, first bool, rules *ruleList) *suppression {
	d, ok := parseDirective(a.Text.Slice(span))
	if !ok {
		return nil
	}
	s := &suppression{at: a.Text.Place(span), list: d.list.Shift(span.Start), reason: d.reason}
	s.resolve(a, &d, scopes, first, rules)
	if d.name != "" {
		return s
	}
	if d.suggestion != "" {
		s.suggestion = directiveWord + d.suggestion
	}
	if d.suggestion != "" && s.fault == 0 {
		s.suggestionAt = d.word.Shift(span.Start)
	}
	s.reason = true // a directive that cannot be read may give one
	s.fault, s.word = lint.UnknownDirective, a.Text.Slice(d.word.Shift(span.Start))
	return s
}

// resolve finds what a directive covers and for which rules, or why it has no effect.
func (s *suppression) resolve(a *artifact.Artifact, d *directiveText, scopes []source.Span, first bool, rules *ruleList) {
	list, name := a.Text.Slice(s.list), cmp.Or(d.name, d.suggestion)
	switch {
	case strings.TrimSpace(list) == "":
		s.fault = lint.NoRuleNamed
	case !d.reason:
		_, unknown := rules.match(list)
		s.fault, s.reason = lint.NoReasonGiven, unknown != nil // an unknown word may be a reason
	case name == wholeFileDirective && !first:
		s.fault = lint.NotFirstComment
	}
	if s.fault != 0 {
		return
	}
	if s.find(rules, list); s.fault != 0 {
		return
	}
	what, found := source.Span{End: len(a.Text.Data)}, true
	if name == itemDirective {
		what, found = following(a, scopes, s.at.Span)
	}
	if !found {
		s.fault = lint.NothingFollows
		return
	}
	s.span, _ = a.Text.ToFile(what)
}

// scopesOf lists sections and items by where they begin, a section before its
// first item. Research Thread and Predictions Table count as one item each.
func scopesOf(a *artifact.Artifact) []source.Span {
	var out []source.Span
	for _, sec := range a.Sections {
		out = append(out, sec.Span)
		if wholeSection(sec) {
			continue
		}
		for _, it := range sec.Items {
			out = append(out, it.Span)
		}
	}
	slices.SortStableFunc(out, func(a, b source.Span) int { return cmp.Compare(a.Start, b.Start) })
	return out
}

func wholeSection(sec *artifact.Section) bool {
	return sec.Kind == brenner.ResearchThread || sec.Kind == brenner.PredictionsTable
}

// following returns the item or section that a comment is about: the one after it.
func following(a *artifact.Artifact, scopes []source.Span, comment source.Span) (source.Span, bool) {
	i, _ := slices.BinarySearchFunc(a.Sections, comment.End, func(s *artifact.Section, at int) int { return cmp.Compare(s.Span.Start, at) })
	if i > 0 {
		sec := a.Sections[i-1] // the one that the comment is in, if any
		if wholeSection(sec) && sec.Span.Contains(comment) && len(sec.Items) > 0 && sec.Items[len(sec.Items)-1].Span.End > comment.End {
			return sec.Span, true
		}
	}
	i, _ = slices.BinarySearchFunc(scopes, comment.End, func(c source.Span, at int) int { return cmp.Compare(c.Start, at) })
	if i == len(scopes) {
		return source.Span{}, false
	}
	return scopes[i], true
}
