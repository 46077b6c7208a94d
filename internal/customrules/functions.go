package customrules

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/session"
)

// function is one that expressions may call: its line in the reference.
type function struct{ call, scopes, doc string }

// functions are those of all scopes. What they do is in task.functions.
var functions = []function{
	{"words(text) number", "all", "How many words a text has."},
	{"lower(text) text", "all", "The text in lower case."},
	{"upper(text) text", "all", "The text in upper case."},
	{"trim(text) text", "all", "The text without white space around it."},
	{"lines(text) list of texts", "all", "The lines of a text."},
	{"number(text) number", "all", "The text as a number; 0 if it is not a number."},
	{"len(text or list) number", "all", "How many characters a text has, or how many elements a list."},
	{"join(list of texts, text) text", "all", "The texts of a list, joined by a text."},
	{`capture(text, "pattern") text`, "all", "The first match of a regular expression, or of its first group if it has one; empty if there is no match."},
	{"hours(time, time) number", "all", "The hours from one time to a later one; 0 if one of them is empty."},
	{"killed(item) true or false", "artifact, item, thread", "Whether an item is killed; the same as item.killed."},
	{`section("name") section`, "message, delta", "The section with a heading, in any case; an absent section if the message has none."},
	{`field("name") text`, "message, delta", "The value of a field line such as **Status**: OPEN; empty if the message has none."},
	{`section("name") section`, "artifact, item", "A section, by its id or its heading, such as Discriminative Tests or Tests."},
	{`meta("key") text`, "artifact, item", "A value of the front matter; empty if absent, a list or a mapping."},
	{"age(message) number", "thread", "The hours from a message to the last message of the thread. No clock is read."},
}

// loops are the functions on lists, of all scopes. They are those of the library.
var loops = []function{
	{"all(list, condition)", "all", "Whether the condition holds for each element."},
	{"any(list, condition)", "all", "Whether it holds for one or more."},
	{"none(list, condition)", "all", "Whether it holds for none."},
	{"one(list, condition)", "all", "Whether it holds for exactly one."},
	{"filter(list, condition)", "all", "The elements for which it holds."},
	{"map(list, value)", "all", "The value for each element."},
	{"count(list, condition)", "all", "For how many it holds."},
	{"find(list, condition)", "all", "The first element for which it holds; an absent one if there is none."},
}

var loopNames = namesIn(loops, "all")

// namesIn returns the names of the functions that a scope has.
func namesIn(list []function, scope string) (names []string) {
	for _, f := range list {
		if name, _, _ := strings.Cut(f.call, "("); f.scopes == "all" || strings.Contains(f.scopes, scope) {
			names = append(names, name)
		}
	}
	return names
}

// functions returns what the functions do. Those on a message, an artifact or a thread are set again with
// each. Texts are joined by a function, too: the + of the library makes texts of any size.
func (t *task) functions() map[string]any {
	return map[string]any{
		"words":   func(s string) int { return len(strings.Fields(s)) },
		"lower":   func(s string) string { t.charge(len(s)); return strings.ToLower(s) },
		"upper":   func(s string) string { t.charge(len(s)); return strings.ToUpper(s) },
		"trim":    strings.TrimSpace,
		"lines":   t.lines,
		"number":  toNumber,
		"len":     length,
		"join":    t.join,
		"capture": capture,
		"hours":   hours,
		"killed":  func(it *Item) bool { return it.Killed },
		"section": noMessage.section,
		"field":   noMessage.field,
		"meta":    noArtifact.meta,
		"age":     noThread.age,
		"+":       func(a, b string) string { t.charge(len(a) + len(b)); return a + b },
	}
}

// bytesPerElement is what an element of a list of texts takes.
const bytesPerElement = 16

// charge counts bytes of texts that are made. It ends a run that makes too many.
func (t *task) charge(bytes int) {
	if t.made += bytes; t.made > maxMade {
		panic(fmt.Errorf("it makes more than %d MB of text", maxMade>>20))
	}
}

func (t *task) lines(s string) []string {
	t.charge(bytesPerElement * (1 + strings.Count(s, "\n")))
	out := []string{}
	for line := range strings.Lines(s) {
		out = append(out, strings.TrimRight(line, "\r\n"))
	}
	return out
}

func (t *task) join(list any, between string) string {
	texts := elements[string](list)
	for _, s := range texts {
		t.charge(len(s) + len(between))
	}
	return strings.Join(texts, between)
}

// elements returns a list: that of a field, or one that the library made.
func elements[T any](list any) []T {
	if typed, ok := list.([]T); ok {
		return typed
	}
	loose, _ := list.([]any)
	out := make([]T, 0, len(loose))
	for _, v := range loose {
		if v, ok := v.(T); ok {
			out = append(out, v)
		}
	}
	return out
}

func toNumber(s string) float64 {
	n, _ := brenner.Number(strings.TrimSpace(s)).(float64)
	return n
}

func length(v any) int {
	if s, ok := v.(string); ok {
		return utf8.RuneCountInString(s)
	}
	return reflect.ValueOf(v).Len()
}

// patterns are the compiled regular expressions of capture: those of the configuration.
var patterns sync.Map

func capture(s, pattern string) string {
	compiled, ok := patterns.Load(pattern)
	if !ok {
		compiled, _ = patterns.LoadOrStore(pattern, regexp.MustCompile(pattern))
	}
	m := compiled.(*regexp.Regexp).FindStringSubmatch(s)
	if m == nil {
		return ""
	}
	return m[min(1, len(m)-1)]
}

func hours(from, to string) float64 {
	start, err1 := time.Parse(time.RFC3339, from)
	end, err2 := time.Parse(time.RFC3339, to)
	if err1 != nil || err2 != nil {
		return 0
	}
	return end.Sub(start).Hours()
}

func (m *Message) section(name string) *Section {
	if s := m.of.Section(name); s != nil {
		return readSection(m.of, s)
	}
	return noSection
}

func (m *Message) field(name string) string {
	if f := m.of.Field(name); f != nil {
		return f.Text
	}
	return ""
}

// sectionNamed returns the section of an artifact that a word names.
func sectionNamed(word string) brenner.Section {
	for _, s := range brenner.Sections {
		if strings.EqualFold(word, s.ID()) || strings.EqualFold(word, s.Plural()) {
			return s
		}
	}
	return brenner.SectionByTitle(word)
}

func (a *Artifact) section(name string) *Section {
	s := a.of.Section(sectionNamed(name))
	if s == nil {
		return noSection
	}
	content := strings.TrimSpace(a.of.Text.Slice(s.Span)[min(s.Heading.End-s.Span.Start, s.Span.Len()):])
	return &Section{Title: a.of.Text.Slice(s.Heading), Level: 2, Text: content, Empty: content == "" || session.IsPlaceholder(content)}
}

func (a *Artifact) meta(key string) string { return metaText(a.of, key) }

// age returns the hours from a message to the last one that has a time.
func (t *Thread) age(m *Envelope) float64 {
	if m.of == nil || !m.of.HasTime {
		return 0
	}
	for _, last := range slices.Backward(t.Messages) {
		if last.of.HasTime {
			return last.of.Time.Sub(m.of.Time).Hours()
		}
	}
	return 0
}
