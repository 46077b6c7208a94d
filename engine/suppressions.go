package engine

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/result"
)

// ruleList is all rules, numbered.
type ruleList struct {
	all     []*lint.Rule
	numbers map[string]int // by id

	mu    sync.Mutex
	words map[string]ruleSet // what words name, as far as they were looked up
}

// maxWords bounds the words that a ruleList remembers: there are few, but each may be
// written in many ways.
const maxWords = 4096

func newRuleList(all []*lint.Rule) *ruleList {
	l := &ruleList{all: all, numbers: make(map[string]int, len(all)), words: map[string]ruleSet{}}
	for i, r := range all {
		l.numbers[r.ID] = i
	}
	return l
}

// find looks up the rules of a suppression.
func (s *suppression) find(rules *ruleList, words string) {
	var unknown *lint.UnknownRuleError
	if s.rules, unknown = rules.match(words); unknown != nil {
		s.fault, s.word = lint.UnknownRule, unknown.Word
	}
	s.used = make([]atomic.Uint64, len(s.rules.bits))
}

// ruleSet is a set of rules in few bytes: a file may have thousands of directives
// that name them all.
type ruleSet struct {
	list *ruleList
	bits []uint64
}

// match returns the rules that words separated by commas name; unknown is a word that
// names none.
func (l *ruleList) match(words string) (set ruleSet, unknown *lint.UnknownRuleError) {
	s := l.newSet()
	for word := range strings.SplitSeq(words, ",") {
		word = strings.TrimSpace(word)
		named := l.named(word)
		if named.bits == nil {
			return ruleSet{}, &lint.UnknownRuleError{Word: word}
		}
		for i, b := range named.bits {
			s.bits[i] |= b
		}
	}
	return s, nil
}

// named returns the rules that a word names, not to be changed; the zero set if none.
func (l *ruleList) named(word string) ruleSet {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s, known := l.words[word]; known {
		return s
	}
	var s ruleSet
	if found := lint.Match(l.all, word); len(found) > 0 {
		s = l.newSet()
		for _, r := range found {
			s.add(l.numbers[r.ID])
		}
	}
	if len(l.words) < maxWords {
		l.words[strings.Clone(word)] = s
	}
	return s
}

func (l *ruleList) newSet() ruleSet { return ruleSet{l, make([]uint64, (len(l.all)+63)/64)} }

// add adds the rule of a number.
func (s ruleSet) add(n int) { s.bits[n/64] |= 1 << (n % 64) }

func (s ruleSet) has(id string) bool {
	if s.list == nil {
		return false
	}
	n, known := s.list.numbers[id]
	return known && s.bits[n/64]&(1<<(n%64)) != 0
}

func (s ruleSet) len() int {
	n := 0
	for _, b := range s.bits {
		n += bits.OnesCount64(b)
	}
	return n
}

// entrySuppressions makes suppressions of the configuration's entries.
func entrySuppressions(entries []Suppression, rules *ruleList) []*suppression {
	out := make([]*suppression, 0, len(entries))
	for i := range entries {
		e := &entries[i]
		s := &suppression{entry: e, at: e.At, thread: e.Thread}
		switch {
		case e.Rule == "":
			s.fault = lint.NoRuleNamed
		case strings.TrimSpace(e.Reason) == "":
			s.fault = lint.NoReasonGiven
		default:
			s.find(rules, e.Rule)
		}
		out = append(out, s)
	}
	return out
}

// entryIndex finds the entries that may cover a finding: by the message, the
// thread or the item that they name, else by their path.
type entryIndex struct {
	byMessage, byThread, byItem map[string][]*suppression
	byPath                      []*suppression
	anywhere                    []*suppression
}

func newEntryIndex(entries []*suppression) *entryIndex {
	x := &entryIndex{byMessage: map[string][]*suppression{}, byThread: map[string][]*suppression{}, byItem: map[string][]*suppression{}}
	for _, s := range entries {
		switch e := s.entry; {
		case s.fault != 0:
		case e.Message != "":
			x.byMessage[e.Message] = append(x.byMessage[e.Message], s)
		case e.Thread != "":
			x.byThread[e.Thread] = append(x.byThread[e.Thread], s)
		case e.Item != "":
			x.byItem[e.Item] = append(x.byItem[e.Item], s)
		case e.Path != "":
			x.byPath = append(x.byPath, s)
		default:
			x.anywhere = append(x.anywhere, s)
		}
	}
	return x
}

// at returns the entries that cover a path by that alone.
func (x *entryIndex) at(path string) []*suppression {
	out := slices.Clone(x.anywhere)
	for _, s := range x.byPath {
		if matchesPath(s.entry.Path, path) {
			out = append(out, s)
		}
	}
	return out
}

// suppress marks the entries that cover a finding as used; here are those that
// cover its path.
func (x *entryIndex) suppress(f *result.Finding, here []*suppression) (suppressed bool) {
	for _, list := range [...][]*suppression{here, x.byMessage[f.MessageID], x.byThread[f.Thread], x.byItem[f.Item]} {
		for _, s := range list {
			if e := s.entry; s.rules.has(f.Rule) && (e.Message == "" || e.Message == f.MessageID) && (e.Thread == "" || e.Thread == f.Thread) &&
				(e.Item == "" || e.Item == f.Item) && (e.Path == "" || matchesPath(e.Path, f.Path)) {
				s.use(f.Rule)
				suppressed = true
			}
		}
	}
	return suppressed
}

// matchesPath reports whether a glob matches a path, or any end of it that begins
// at a folder: a configuration speaks of paths below its folder, the command line
// of paths as the user types them.
func matchesPath(glob, path string) bool {
	glob = relativeGlob(glob)
	for p, more := relativePath(path), true; more; _, p, more = strings.Cut(p, "/") {
		if ok, _ := doublestar.Match(glob, p); ok {
			return true
		}
	}
	return false
}

func relativeGlob(glob string) string { return strings.TrimPrefix(glob, "./") }
func relativePath(path string) string { return strings.TrimPrefix(path, "./") }

// directiveIndex finds the directives of a file that cover a place: of each level
// those whose span begins last before it. It is safe for use by several
// goroutines.
type directiveIndex struct {
	byLevel [suppressionScopes][]*coveredPart
}

// coveredPart is a part of a file with the directives that cover it: there may be as
// many as findings.
type coveredPart struct {
	scopeSpan
	directives []*suppression

	mu     sync.Mutex
	byRule map[string]bool // whether a directive names it; then all that do are used
}

func newDirectiveIndex(suppressions []*suppression) *directiveIndex {
	x := &directiveIndex{}
	for _, s := range suppressions {
		if s.fault == 0 {
			x.byLevel[s.level] = append(x.byLevel[s.level], &coveredPart{scopeSpan: scopeSpan{s.span, s.level}, directives: []*suppression{s}})
		}
	}
	for level, list := range x.byLevel {
		slices.SortStableFunc(list, func(a, b *coveredPart) int { return cmp.Compare(a.span.Start, b.span.Start) })
		x.byLevel[level] = joined(list)
	}
	return x
}

// joined makes one of neighbours that cover the same.
func joined(list []*coveredPart) []*coveredPart {
	out := list[:0]
	for _, c := range list {
		if last := len(out) - 1; last >= 0 && out[last].span == c.span {
			out[last].directives = append(out[last].directives, c.directives...)
		} else {
			out = append(out, c)
		}
	}
	return out
}

// suppress marks the directives that cover a finding as used.
func (x *directiveIndex) suppress(f *result.Finding) (suppressed bool) {
	if f.Range == nil {
		return false
	}
	at := f.Range.Start.Offset
	for _, list := range x.byLevel {
		i, _ := slices.BinarySearchFunc(list, at+1, func(c *coveredPart, at int) int { return cmp.Compare(c.span.Start, at) })
		for i--; i >= 0 && at < max(list[i].span.End, list[i].span.Start+1); i-- {
			suppressed = list[i].suppress(f.Rule) || suppressed
		}
	}
	return suppressed
}

func (c *coveredPart) suppress(rule string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	suppressed, known := c.byRule[rule]
	if known {
		return suppressed
	}
	for _, s := range c.directives {
		if s.rules.has(rule) {
			s.use(rule)
			suppressed = true
		}
	}
	if c.byRule == nil {
		c.byRule = map[string]bool{}
	}
	c.byRule[rule] = suppressed
	return suppressed
}
