package engine

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
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
			s.rules = append(s.rules, found...)
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
	for _, list := range [...][]*suppression{t.pathSettings.entries, directives} {
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
		return c.index.hasThread(s.thread)
	case lint.MessageScope, lint.DeltaScope:
		return s.entry == nil || c.index.hasThread("")
	}
	return true
}

// concerns reports whether an entry of the configuration is about a path and a thread that were
// checked, by the spellings of inputs that globs know: there may be other files, as pre-commit names
// each that it wants checked.
func (c *check) concerns(s *suppression, inputs [][]string) bool {
	e := s.entry
	ofThread := func(f *artifactFile) bool { return f.thread == e.Thread }
	folder := cmp.Or(c.opts.Files.Folder, ".") // of the configuration
	base, _ := doublestar.SplitPattern(strings.TrimPrefix(e.Path, "/"))
	return (e.Thread == "" || c.index.hasThread(e.Thread) || slices.ContainsFunc(c.artifacts, ofThread) || c.roots().Cover(folder)) &&
		(e.Path == "" || slices.ContainsFunc(inputs, s.globs.Match) || c.roots().Cover(path.Join(folder, base))) &&
		(e.Message == "" || c.index.hasThread(""))
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

const (
	directiveWord      = "brennerlint:"
	itemDirective      = "ignore"
	wholeFileDirective = "ignore-file"
)

// maxDirectives bounds the directives of a file that have an effect: each is compared with
// each finding of the file.
const maxDirectives = 1000

// directives finds the suppression comments of a Markdown artifact. Those within a line of other text
// have no effect.
func directives(a *artifact.Artifact, thread string, rules lint.Catalogue) []*suppression {
	if a.Doc == nil || !bytes.Contains(a.Text.Data, []byte("<!--")) {
		return nil
	}
	var out []*suppression
	first := true
	for i := range a.Doc.Blocks {
		b := &a.Doc.Blocks[i]
		if b.Kind == markdown.Fence || b.Kind == markdown.Code {
			continue
		}
		data := a.Text.Bytes(b.Span)
		ticks, counted := 0, 0
		for _, c := range comment().FindAllIndex(data, -1) {
			ticks += bytes.Count(data[counted:c[0]], []byte("`"))
			counted = c[0]
			inCode := ticks%2 == 1
			s := directive(a, source.Span{Start: c[0], End: c[1]}.Shift(b.Span.Start), first, rules)
			first = first && b.Kind != markdown.HTML
			if s == nil || b.Kind != markdown.HTML && inCode {
				continue
			}
			if b.Kind != markdown.HTML {
				s.Fault = lint.NotOnOwnLine
			}
			s.thread = thread
			out = append(out, s)
			if len(out) > maxDirectives {
				s.Fault = lint.TooManyDirectives
				return out
			}
		}
	}
	return out
}

// comment is an HTML comment in a block, with its delimiters. The last may lack its end.
var comment = text.Pattern(`(?s)<!(?:-->|--->|--.*?(?:-->|$))`)

// separator is between the rules and the reason.
var separator = text.Pattern(`(^|\s)--(\s|$)`)

// directive reads one comment; nil if it is not a directive.
func directive(a *artifact.Artifact, span source.Span, first bool, rules lint.Catalogue) *suppression {
	inner := strings.TrimSuffix(strings.TrimPrefix(a.Text.Slice(span), "<!--"), "-->")
	said := strings.TrimLeft(inner, white)
	n := directiveLength(said)
	if n == 0 {
		return nil
	}
	start := span.Start + len("<!--") + len(inner) - len(said)
	word := strings.TrimRight(said[:n], white)
	if word != directiveWord {
		word = strings.TrimRight(word, ":")
	}
	name, known := strings.CutPrefix(word, directiveWord)
	if known = known && (name == itemDirective || name == wholeFileDirective); !known {
		name = likelyDirective(word)
	}
	list, reason := strings.TrimRight(said[n:], white), ""
	at := separator().FindStringIndex(list)
	if at != nil {
		list, reason = list[:at[0]], list[at[1]:]
	}
	s := &suppression{list: start + n}
	s.At, s.Directive, s.Reason = a.Text.Place(span), true, strings.TrimSpace(reason) != ""
	s.resolve(a, name, list, first, rules)
	s.Reason = s.Reason || at != nil // it is still to be written
	if known {
		return s
	}
	if name != "" {
		s.Suggestion = directiveWord + name
		if s.Fault == 0 {
			s.SuggestionAt = source.Span{Start: start, End: start + len(word)}
		}
	}
	s.Reason = true // a directive that cannot be read may give one
	s.Fault, s.Word = lint.UnknownDirective, word
	return s
}

// resolve finds what a directive covers and for which rules, or why it has no effect.
func (s *suppression) resolve(a *artifact.Artifact, name, list string, first bool, rules lint.Catalogue) {
	switch {
	case strings.TrimSpace(strings.ReplaceAll(list, ",", "")) == "":
		s.Fault = lint.NoRuleNamed
	case !s.Reason:
		s.find(rules, list)
		s.Reason = s.Fault != 0 // an unknown word may be a reason
		s.Fault, s.Word = lint.NoReasonGiven, ""
	case name == wholeFileDirective && !first:
		s.Fault = lint.NotFirstComment
	default:
		s.find(rules, list)
	}
	if s.Fault != 0 {
		return
	}
	what, found := source.Span{End: len(a.Text.Data)}, true
	if name == itemDirective {
		what, found = following(a, s.At.Span)
	}
	if !found {
		s.Fault = lint.NothingFollows
		return
	}
	s.span, _ = a.Text.ToFile(what)
}

// slip is how directives are misspelt: the word of another tool, or other signs. Prose about the
// program does not match, because a rule or the separator must follow.
var slip = text.Pattern(`^(?i:brenner[-_ ]?lint)[\s:_/-]{1,3}(?i:ignore|disable|suppress|noqa|nolint|skip|off|allow)((?i)[-_ ]?(file|all|next[-_ ]?line|next|line|this))?[:\s]*`)

// likeRule is what looks like the id or family of a rule.
var likeRule = text.Pattern(`^(?i)[a-z]{2}(-[a-z]?\d|[,\s]|$)|^--|^$`)

// longestSlip is how much of a comment may name a directive.
const longestSlip = 60

// white is the white space that Markdown knows.
const white = " \t\r\n"

// directiveLength returns how much of a comment's text names a directive, well or not; 0 if
// it is not a directive.
func directiveLength(s string) int {
	word := s
	if i := strings.IndexAny(s, white); i >= 0 {
		word = s[:i]
	}
	if strings.HasPrefix(word, directiveWord) && len(word) > len(directiveWord) {
		return len(word)
	}
	head := s[:min(len(s), longestSlip)]
	if at := slip().FindStringIndex(head); at != nil && likeRule().MatchString(s[at[1]:]) {
		return at[1]
	}
	if word == directiveWord || strings.ContainsAny(word, ":-_") && nearDirective(word) != "" {
		return len(word)
	}
	return 0
}

// likelyDirective returns the directive that a word probably means; "" if none.
func likelyDirective(word string) string {
	switch {
	case !slip().MatchString(word):
		return nearDirective(word)
	case strings.Contains(strings.ToLower(word), "file"):
		return wholeFileDirective
	}
	return itemDirective
}

// nearDirective returns the directive that a word is nearly; "" if none.
func nearDirective(word string) string {
	return strings.TrimPrefix(text.Nearest(word, []string{directiveWord + itemDirective, directiveWord + wholeFileDirective}), directiveWord)
}

// following returns the item or section that a comment is about: the one after it. Research Thread
// and Predictions Table count as one item each.
func following(a *artifact.Artifact, comment source.Span) (next source.Span, found bool) {
	consider := func(s source.Span) {
		if s.Start >= comment.End && (!found || s.Start < next.Start) {
			next, found = s, true
		}
	}
	for _, sec := range a.Sections {
		consider(sec.Span)
		n := len(sec.Items)
		switch {
		case sec.Kind != brenner.ResearchThread && sec.Kind != brenner.PredictionsTable:
			for _, it := range sec.Items {
				consider(it.Span)
			}
		case n > 0 && sec.Span.Contains(comment) && sec.Items[n-1].Span.End > comment.End:
			return sec.Span, true
		}
	}
	return next, found
}
