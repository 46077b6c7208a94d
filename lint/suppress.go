package lint

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/internal/artifact"
	"github.com/brennerlint/brennerlint/internal/mail"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/protocol"
	"github.com/brennerlint/brennerlint/internal/source"
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
	// At is where the entry stands in the configuration.
	At source.Place
}

// suppressor is a directive of an artifact or an entry of the configuration,
// ready to be held against findings.
type suppressor struct {
	rules map[string]bool // ids
	at    source.Place
	path  string      // of the file that a directive stands in
	cover source.Span // what a directive covers in its file
	entry *Suppression
	fault string // why it silences nothing
	used  bool
}

// silences reports whether a finding is covered.
func (s *suppressor) silences(f *Finding) bool {
	if s.fault != "" || !s.rules[f.Rule] {
		return false
	}
	if e := s.entry; e != nil {
		return (e.Path == "" || matchesAny([]string{e.Path}, f.Path)) &&
			(e.Thread == "" || e.Thread == f.Thread) &&
			(e.Message == "" || e.Message == f.MessageID) &&
			(e.Item == "" || e.Item == f.Item)
	}
	return f.Path == s.path && f.Range != nil &&
		s.cover.Start <= f.Range.Start.Offset && f.Range.Start.Offset < max(s.cover.End, s.cover.Start+1)
}

const (
	directiveWord      = "brennerlint:"
	itemDirective      = "ignore"
	wholeFileDirective = "ignore-file"
)

// directives finds the suppression comments of a Markdown artifact.
func directives(a *artifact.Artifact, path string, rules []*Rule) []*suppressor {
	if a.Doc == nil || !bytes.Contains(a.Text.Data, []byte(directiveWord)) {
		return nil
	}
	var out []*suppressor
	first := true
	for i := range a.Doc.Blocks {
		b := &a.Doc.Blocks[i]
		if b.Kind != markdown.HTML {
			continue
		}
		for _, c := range comments(a.Text.Bytes(b.Span)) {
			span := c.Shift(b.Span.Start)
			if s := directive(a, span, first, rules); s != nil {
				s.path = path
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
func directive(a *artifact.Artifact, span source.Span, first bool, rules []*Rule) *suppressor {
	text := strings.TrimSuffix(strings.TrimPrefix(a.Text.String(span), "<!--"), "-->")
	text = strings.TrimSpace(text)
	body, ok := strings.CutPrefix(text, directiveWord)
	if !ok {
		return nil
	}
	s := &suppressor{at: a.Text.Place(span)}
	word, rest, _ := strings.Cut(body, " ")
	list, reason, _ := strings.Cut(" "+rest+" ", " -- ")
	switch {
	case word != itemDirective && word != wholeFileDirective:
		s.fault = fmt.Sprintf("%q is no directive; expected %s%s or %s%s", directiveWord+word, directiveWord, itemDirective, directiveWord, wholeFileDirective)
	case strings.TrimSpace(list) == "":
		s.fault = "the directive names no rule"
	case strings.TrimSpace(reason) == "":
		s.fault = "the directive gives no reason; write it after --"
	case word == wholeFileDirective && !first:
		s.fault = wholeFileDirective + " stands too late; it must be the first comment after the front matter"
	}
	if s.fault != "" {
		return s
	}
	var err error
	if s.rules, err = MatchAll(rules, strings.Split(list, ",")); err != nil {
		s.fault = err.Error()
		return s
	}
	cover, found := source.Span{End: len(a.Text.Data)}, true
	if word == itemDirective {
		cover, found = following(a, span)
	}
	if !found {
		s.fault = "no item or section follows the directive"
		return s
	}
	s.cover, _ = a.Text.ToFile(cover)
	return s
}

// following is the item or section that a comment speaks of: the one it stands
// in front of. Research Thread and Predictions Table count as one item each.
func following(a *artifact.Artifact, comment source.Span) (source.Span, bool) {
	best, found := source.Span{}, false
	consider := func(s source.Span) {
		if s.Start >= comment.End && (!found || s.Start < best.Start) {
			best, found = s, true
		}
	}
	for _, sec := range a.Sections {
		consider(sec.Span)
		if sec.Kind == protocol.ResearchThread || sec.Kind == protocol.PredictionsTable {
			if sec.Span.Contains(comment) && len(sec.Items) > 0 && sec.Items[len(sec.Items)-1].Span.End > comment.End {
				return sec.Span, true
			}
			continue
		}
		for _, it := range sec.Items {
			consider(it.Span)
		}
	}
	return best, found
}

// entrySuppressors makes suppressors of the configuration's entries.
func entrySuppressors(entries []Suppression, rules []*Rule) []*suppressor {
	out := make([]*suppressor, 0, len(entries))
	for i := range entries {
		e := &entries[i]
		s := &suppressor{entry: e, at: e.At}
		switch {
		case e.Rule == "":
			s.fault = "the suppression names no rule"
		case strings.TrimSpace(e.Reason) == "":
			s.fault = "the suppression gives no reason"
		default:
			var err error
			if s.rules, err = MatchAll(rules, strings.Split(e.Rule, ",")); err != nil {
				s.fault = err.Error()
			}
		}
		out = append(out, s)
	}
	return out
}

// suppress drops silenced findings and tells how many they were. Afterwards the
// suppressors know whether they were of use.
func suppress(findings []*Finding, sups []*suppressor) (kept []*Finding, dropped int) {
	if len(sups) == 0 {
		return findings, 0
	}
	byPath := map[string][]*suppressor{}
	var entries []*suppressor
	for _, s := range sups {
		if s.entry != nil {
			entries = append(entries, s)
		} else {
			byPath[s.path] = append(byPath[s.path], s)
		}
	}
	kept = findings[:0]
	for _, f := range findings {
		silenced := false
		for _, list := range [][]*suppressor{byPath[f.Path], entries} {
			for _, s := range list {
				if s.silences(f) {
					s.used, silenced = true, true
				}
			}
		}
		if silenced {
			dropped++
		} else {
			kept = append(kept, f)
		}
	}
	return kept, dropped
}

// suppressionProblems are the IN-005 faults: suppressors that are malformed, or
// silence nothing although their rules ran.
func suppressionProblems(sups []*suppressor, ran *plan) []mail.Problem {
	var out []mail.Problem
	for _, s := range sups {
		p := mail.Problem{Rule: "IN-005", Place: s.at, Message: s.fault}
		switch {
		case s.fault != "":
			p.Hint = "a faulty suppression silences nothing"
		case s.used || !ran.runsAll(s.rules):
			continue
		default:
			p.Message = "this suppression silences nothing"
			p.Hint = "remove it"
		}
		out = append(out, p)
	}
	return out
}

// runsAll reports whether all these rules ran.
func (p *plan) runsAll(ids map[string]bool) bool {
	n := 0
	for _, r := range p.rules {
		if ids[r.ID] {
			n++
		}
	}
	return n == len(ids)
}
