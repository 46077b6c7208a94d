package engine

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Suppression is an entry of the configuration that suppresses findings
// (decisions.md 34: suppressions). Empty parts match everything. Package config reads it by the
// tags.
type Suppression struct {
	Path    string       `yaml:"path,omitempty" word:"glob" doc:"Glob of the paths that the entry applies to."`
	Rule    string       `yaml:"rule,omitempty" required:"true" word:"rule" doc:"The rule, or several separated by commas."`
	Thread  string       `yaml:"thread,omitempty" doc:"Thread id."`
	Message string       `yaml:"message,omitempty" word:"message" doc:"Message id."`
	Item    string       `yaml:"item,omitempty" doc:"Item, such as H2."`
	Reason  string       `yaml:"reason,omitempty" required:"true" doc:"Why the findings are suppressed."`
	At      source.Place `yaml:"-"` // where the entry is in the configuration
}

// suppression is a directive of an artifact or an entry of the configuration,
// ready to be compared with findings.
type suppression struct {
	// UnusedSuppression is what is reported if it has no effect. It has a Fault already if it
	// can have none.
	lint.UnusedSuppression
	rules lint.Catalogue
	// thread is that of the artifact, or the one that an entry names; "" for any.
	thread string
	entry  *Suppression
	globs  input.Globs // of the path of an entry
	span   source.Span // what a directive covers in its file
	list   int         // of a directive: where the words that name rules begin, in the text of At
	words  []ruleWord
}

// ruleWord is a word of a suppression with the rules that it names.
type ruleWord struct {
	span  source.Span // of a directive, in the text of At
	rules lint.Catalogue
}

// use is a suppression that has matched a finding of a rule.
type use struct {
	by   *suppression
	rule *lint.Rule
}

// find looks up the rules that words name, between commas. A word that names none is a fault.
func (s *suppression) find(rules lint.Catalogue, list string) {
	known := map[string]lint.Catalogue{} // a list may repeat a word thousands of times
	at := s.list
	for part := range strings.SplitSeq(list, ",") {
		word := strings.TrimSpace(part)
		start := at + len(part) - len(strings.TrimLeftFunc(part, unicode.IsSpace))
		at += len(part) + len(",")
		found, again := known[word]
		if !again {
			found = rules.Match(word)
			known[word] = found
			if s.rules == nil {
				s.rules = found // shared with others, if the word is ALL
			} else {
				s.rules = append(slices.Clip(s.rules), found...)
			}
		}
		if len(found) == 0 && s.Fault == 0 {
			s.Fault, s.Word = lint.UnknownRule, word
		}
		s.words = append(s.words, ruleWord{source.Span{Start: start, End: start + len(word)}, found})
	}
}

// entrySuppressions makes suppressions of the configuration's entries.
func entrySuppressions(entries []Suppression, rules lint.Catalogue, folder *input.Folder) []*suppression {
	out := make([]*suppression, 0, len(entries))
	for i := range entries {
		e := &entries[i]
		s := &suppression{entry: e, globs: folder.Globs(e.Path), thread: e.Thread}
		s.At = e.At
		switch {
		case e.Rule == "":
			s.Fault = lint.NoRuleNamed
		case strings.TrimSpace(e.Reason) == "":
			s.Fault = lint.NoReasonGiven
		default:
			s.find(rules, e.Rule)
		}
		out = append(out, s)
	}
	return out
}

// entriesAt returns the entries that may cover findings in a file, by its Folder.Spellings.
func entriesAt(entries []*suppression, spellings []string) (out []*suppression) {
	for _, s := range entries {
		if s.Fault == 0 && (s.entry.Path == "" || s.globs.Match(spellings)) {
			out = append(out, s)
		}
	}
	return out
}

// suppresses reports whether an entry for the path of a finding, or a directive of its file,
// covers it, and notes all that do as used.
func (t *task) suppresses(f *lint.Finding, r *lint.Rule) (suppressed bool) {
	directives := t.directives
	if directives == nil {
		directives = t.check.directives[f.Path]
	}
	for _, list := range [...][]*suppression{t.here.entries, directives} {
		for _, s := range list {
			if s.covers(f) && slices.Contains(s.rules, r) {
				t.findings.used[use{s, r}] = true
				suppressed = true
			}
		}
	}
	return suppressed
}

// covers reports whether a suppression for the path of a finding covers its place.
func (s *suppression) covers(f *lint.Finding) bool {
	if e := s.entry; e != nil {
		return (e.Message == "" || e.Message == f.MessageID) && (e.Thread == "" || e.Thread == cmp.Or(f.Thread, f.Session)) &&
			(e.Item == "" || e.Item == f.Item)
	}
	if f.Range == nil || s.Fault != 0 {
		return false
	}
	at := f.Range.Start.Offset
	return s.span.Start <= at && at < max(s.span.End, s.span.Start+1)
}

// unusedSuppressions returns the suppressions that are malformed, or match nothing although
// their rules ran. A rule that failed counts as not run, and so does a workspace rule if there
// was only one session. If some words of a directive are at fault, only these are reported.
// Entries are about mail and artifacts that exist: a draft without a match is no fault.
func (c *check) unusedSuppressions() (out []lint.UnusedSuppression) {
	all := slices.Clone(c.entries)
	for _, f := range c.artifacts {
		all = append(all, c.directives[f.in.Path()]...)
	}
	if c.draftOnly || len(all) == 0 {
		return nil
	}
	var inputs [][]string
	for _, in := range c.found.Inputs {
		inputs = append(inputs, c.folder.Spellings(in.Path()))
	}
	ran := map[*lint.Rule]bool{}
	for _, r := range c.plan.rules {
		failed := slices.ContainsFunc(c.failures, func(f lint.Failure) bool { return f.Rule == r.ID })
		ran[r] = !failed && (r.Scope() != lint.WorkspaceScope || len(c.sessions) > 1)
	}
	for _, s := range all {
		if s.entry != nil && s.Fault == 0 && !c.concerns(s, inputs) {
			continue
		}
		unused := s.UnusedSuppression
		isIdle := func(r *lint.Rule) bool { return ran[r] && c.couldMatch(s, r) && !c.findings.used[use{s, r}] }
		areUnused := func(rules lint.Catalogue) bool {
			return !slices.ContainsFunc(rules, func(r *lint.Rule) bool { return !isIdle(r) })
		}
		switch {
		case s.Fault == lint.UnknownRule && s.Directive:
			unused.Words, unused.LastValid = s.part(func(rules lint.Catalogue) bool { return len(rules) == 0 })
		case s.Fault != 0:
		case areUnused(s.rules):
			unused.Fault = lint.Unused
		case s.Directive: // a part of it is unused, perhaps
			unused.Fault = lint.Unused
			if unused.Words, unused.LastValid = s.part(areUnused); len(unused.Words) == 0 {
				continue
			}
		default:
			continue
		}
		out = append(out, unused)
	}
	return out
}

// couldMatch reports whether there is mail among the inputs in which a suppression could match
// findings of a rule, if the rule is about mail.
func (c *check) couldMatch(s *suppression, r *lint.Rule) bool {
	switch r.Scope() {
	case lint.ThreadScope:
		return c.in.hasThread(s.thread)
	case lint.MessageScope, lint.DeltaScope:
		return s.entry == nil || c.in.hasThread("")
	}
	return true
}

// concerns reports whether an entry of the configuration is about a path and a thread that were
// checked, by the spellings of inputs that globs know: there may be other files, as pre-commit names
// each that it wants checked.
func (c *check) concerns(s *suppression, inputs [][]string) bool {
	e := s.entry
	ofThread := func(f *artifactFile) bool { return f.thread == e.Thread }
	folder := "."
	if s.At.Known() {
		folder = path.Dir(s.At.Text.File.Path) // of the configuration
	}
	base, _ := doublestar.SplitPattern(strings.TrimPrefix(e.Path, "/"))
	return (e.Thread == "" || c.in.hasThread(e.Thread) || slices.ContainsFunc(c.artifacts, ofThread) || c.roots().Cover(folder)) &&
		(e.Path == "" || slices.ContainsFunc(inputs, s.globs.Match) || c.roots().Cover(path.Join(folder, base))) &&
		(e.Message == "" || c.in.hasThread(""))
}

// part returns the words of a directive whose rules are at fault, and where the last of the others begins.
func (s *suppression) part(isAtFault func(lint.Catalogue) bool) (words []source.Span, lastValid int) {
	for _, w := range s.words {
		if isAtFault(w.rules) {
			words = append(words, w.span)
		} else {
			lastValid = w.span.Start
		}
	}
	return words, lastValid
}
