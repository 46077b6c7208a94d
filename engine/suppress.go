package engine

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/markdown"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/source"
)

// Suppression is an entry of the configuration that silences findings
// (decisions.md 34). Empty parts match everything.
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
// ready to be held against findings.
type suppression struct {
	rules ruleSet
	at    source.Place
	// thread is that of the artifact, or the one that an entry names; "" for any.
	thread string
	span   source.Span // what a directive covers in its file
	level  suppressionScope
	entry  *Suppression
	fault  lint.SuppressionFault // why it has no effect, but for IdleSuppression
	word   string                // at fault
	used   atomic.Bool
}

// suppressionScope is what a directive covers. What directives of one level cover is
// disjoint or the same.
type suppressionScope uint8

const (
	fileScope suppressionScope = iota
	sectionScope
	itemScope
	suppressionScopes
)

const (
	directiveWord      = "brennerlint:"
	itemDirective      = "ignore"
	wholeFileDirective = "ignore-file"
)

// directives finds the suppression comments of a Markdown artifact.
func directives(a *artifact.Artifact, thread string, rules *ruleList) []*suppression {
	if a.Doc == nil || !bytes.Contains(a.Text.Data, []byte(directiveWord)) {
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
			if s := directive(a, covers, span, first, rules); s != nil {
				s.thread = thread
				out = append(out, s)
			}
			first = false
		}
	}
	return out
}

// comments are the HTML comments in a block, with their delimiters.
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

// directive reads one comment; nil if it is no directive.
func directive(a *artifact.Artifact, scopes []scopeSpan, span source.Span, first bool, rules *ruleList) *suppression {
	text := strings.TrimSuffix(strings.TrimPrefix(a.Text.Slice(span), "<!--"), "-->")
	text = strings.TrimSpace(text)
	body, ok := strings.CutPrefix(text, directiveWord)
	if !ok {
		return nil
	}
	s := &suppression{at: a.Text.Place(span)}
	word, rest, _ := strings.Cut(body, " ")
	list, reason, _ := strings.Cut(" "+rest+" ", " -- ")
	switch {
	case word != itemDirective && word != wholeFileDirective:
		s.fault, s.word = lint.UnknownDirective, directiveWord+word
	case strings.TrimSpace(list) == "":
		s.fault = lint.NoRuleNamed
	case strings.TrimSpace(reason) == "":
		s.fault = lint.NoReasonGiven
	case word == wholeFileDirective && !first:
		s.fault = lint.NotFirstComment
	}
	if s.fault != 0 {
		return s
	}
	if s.find(rules, list); s.fault != 0 {
		return s
	}
	what, found := scopeSpan{span: source.Span{End: len(a.Text.Data)}}, true
	if word == itemDirective {
		what, found = following(a, scopes, span)
	}
	if !found {
		s.fault = lint.NothingFollows
		return s
	}
	s.level = what.level
	s.span, _ = a.Text.ToFile(what.span)
	return s
}

// scopeSpan is a section or item that a directive may be in front of.
type scopeSpan struct {
	span  source.Span
	level suppressionScope
}

// scopesOf lists sections and items by where they begin, a section before its
// first item. Research Thread and Predictions Table count as one item each.
func scopesOf(a *artifact.Artifact) []scopeSpan {
	var out []scopeSpan
	for _, sec := range a.Sections {
		out = append(out, scopeSpan{sec.Span, sectionScope})
		if wholeSection(sec) {
			continue
		}
		for _, it := range sec.Items {
			out = append(out, scopeSpan{it.Span, itemScope})
		}
	}
	slices.SortStableFunc(out, func(a, b scopeSpan) int { return cmp.Compare(a.span.Start, b.span.Start) })
	return out
}

func wholeSection(sec *artifact.Section) bool {
	return sec.Kind == protocol.ResearchThread || sec.Kind == protocol.PredictionsTable
}

// following is the item or section that a comment speaks of: the one it stands
// in front of.
func following(a *artifact.Artifact, scopes []scopeSpan, comment source.Span) (scopeSpan, bool) {
	i, _ := slices.BinarySearchFunc(a.Sections, comment.End, func(s *artifact.Section, at int) int { return cmp.Compare(s.Span.Start, at) })
	if i > 0 {
		sec := a.Sections[i-1] // the one that the comment is in, if any
		if wholeSection(sec) && sec.Span.Contains(comment) && len(sec.Items) > 0 && sec.Items[len(sec.Items)-1].Span.End > comment.End {
			return scopeSpan{sec.Span, sectionScope}, true
		}
	}
	i, _ = slices.BinarySearchFunc(scopes, comment.End, func(c scopeSpan, at int) int { return cmp.Compare(c.span.Start, at) })
	if i == len(scopes) {
		return scopeSpan{}, false
	}
	return scopes[i], true
}

// idleSuppressions are the suppressions that are malformed, or match nothing
// although their rules ran.
func (c *check) idleSuppressions(failures []lint.Failure) []lint.IdleSuppression {
	failed := map[string]bool{}
	for _, f := range failures {
		failed[f.Rule] = true
	}
	threads := map[string]bool{}
	for _, t := range c.in.store.Threads() {
		threads[""], threads[t.ID] = true, true
	}
	var out []lint.IdleSuppression
	for _, s := range c.sups {
		idle := lint.IdleSuppression{At: s.at, Directive: s.entry == nil, Fault: s.fault, Word: s.word}
		if s.fault == 0 {
			if s.used.Load() || !c.ranAll(s, threads, failed) {
				continue
			}
			idle.Fault = lint.Unused
		}
		out = append(out, idle)
	}
	return out
}

// ranAll reports whether all rules that a suppressor names ran where it counts:
// rules on threads only if its thread was among the inputs, rules on the
// workspace only if there were several sessions, and none that failed.
func (c *check) ranAll(s *suppression, threads, failed map[string]bool) bool {
	n := 0
	for _, r := range c.plan.rules {
		if !s.rules.has(r.ID) || failed[r.ID] ||
			r.Scope == lint.ThreadScope && !threads[s.thread] ||
			r.Scope == lint.WorkspaceScope && len(c.sessions) < 2 {
			continue
		}
		n++
	}
	return n == s.rules.len()
}
