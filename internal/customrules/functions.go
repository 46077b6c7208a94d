package customrules

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
)

// The functions that expressions may call, with their lines in the reference.
type (
	functions struct {
		Words   func(string) int             `expr:"words" call:"words(text) number" doc:"How many words a text has."`
		Lower   func(string) string          `expr:"lower" call:"lower(text) text" doc:"The text in lower case."`
		Upper   func(string) string          `expr:"upper" call:"upper(text) text" doc:"The text in upper case."`
		Trim    func(string) string          `expr:"trim" call:"trim(text) text" doc:"The text without white space at its ends."`
		Lines   func(string) []string        `expr:"lines" call:"lines(text) list of texts" doc:"The lines of a text."`
		ToValue func(string) float64         `expr:"number" call:"number(text) number" doc:"The number that a text is; 0 if it is none."`
		Len     func(any) int                `expr:"len" call:"len(text or list) number" doc:"How many characters a text has, or how many elements a list."`
		Join    func(any, string) string     `expr:"join" call:"join(list of texts, text) text" doc:"The texts of a list, with a text between them."`
		Capture func(string, string) string  `expr:"capture" call:"capture(text, \"pattern\") text" doc:"What the first group of a regular expression matches, or all of its first match if it has no group; empty if it does not match."`
		Hours   func(string, string) float64 `expr:"hours" call:"hours(time, time) number" doc:"The hours from one time to a later one; 0 if one of them is empty."`

		made *int // bytes of texts that the run has made
	}
	itemFunctions struct {
		IsKilled func(*Item) bool `expr:"killed" call:"killed(item) true or false" doc:"Whether an item is killed, as item.killed."`
	}
	messageFunctions struct {
		Section func(string) *Section `expr:"section" call:"section(\"name\") section" doc:"The section of the message with a heading, in any case; an absent one if there is none."`
		Field   func(string) string   `expr:"field" call:"field(\"name\") text" doc:"The value of a field line of the message, such as **Status**: OPEN; empty if there is none."`
	}
	artifactFunctions struct {
		Section func(string) *Section `expr:"section" call:"section(\"name\") section" doc:"A section of the artifact, by its heading, such as Discriminative Tests or Tests, or its id."`
		Meta    func(string) string   `expr:"meta" call:"meta(\"key\") text" doc:"A value of the front matter; empty if there is none, or if it is a list or mapping."`
	}
	threadFunctions struct {
		Age func(*Envelope) float64 `expr:"age" call:"age(message) number" doc:"The hours from a message to the last message of the thread. No clock is read."`
	}
)

// newFunctions returns the functions of all scopes.
func newFunctions() functions {
	f := functions{
		made:    new(int),
		Words:   func(s string) int { return len(strings.Fields(s)) },
		Trim:    strings.TrimSpace,
		ToValue: toNumber, Len: length, Capture: capture, Hours: hours,
	}
	f.Lower = func(s string) string { f.charge(len(s)); return strings.ToLower(s) }
	f.Upper = func(s string) string { f.charge(len(s)); return strings.ToUpper(s) }
	f.Lines = func(s string) []string { f.charge(bytesPerElement * (1 + strings.Count(s, "\n"))); return lines(s) }
	f.Join = func(list any, between string) string {
		texts := elements[string](list)
		for _, s := range texts {
			f.charge(len(s) + len(between))
		}
		return strings.Join(texts, between)
	}
	return f
}

// bytesPerElement is what an element of a list of texts takes.
const bytesPerElement = 16

// charge counts bytes of texts that are made. It ends a run that makes too many.
func (f *functions) charge(bytes int) {
	if *f.made += bytes; *f.made > maxMade {
		panic(fmt.Errorf("it makes more than %d MB of text", maxMade>>20))
	}
}

// concat is + of texts. The first argument are the variables.
func concat(args ...any) any {
	a, b := args[1].(string), args[2].(string)
	args[0].(interface{ charge(bytes int) }).charge(len(a) + len(b))
	return a + b
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

func lines(s string) []string {
	out := []string{}
	for line := range strings.Lines(s) {
		out = append(out, strings.TrimRight(line, "\r\n"))
	}
	return out
}

func toNumber(s string) float64 {
	n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
		return 0
	}
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

// killed are the functions of scopes that have items.
var killed = itemFunctions{IsKilled: func(it *Item) bool { return it.Killed }}

// functions returns the functions on a message.
func (m *Message) functions() messageFunctions {
	return messageFunctions{
		Section: func(name string) *Section {
			if s := m.of.Section(name); s != nil {
				return readSection(m.of, s)
			}
			return noSection
		},
		Field: func(name string) string {
			if f := m.of.Field(name); f != nil {
				return f.Text
			}
			return ""
		},
	}
}

// sectionNamed returns the section of an artifact that a word names.
func sectionNamed(word string) brenner.Section {
	if s := brenner.SectionByID(strings.ToLower(word)); s != 0 {
		return s
	}
	if s := brenner.SectionByTitle(word); s != 0 {
		return s
	}
	for _, s := range brenner.Sections {
		if strings.EqualFold(word, s.Plural()) {
			return s
		}
	}
	return 0
}

// artifactFunctionsOn returns the functions on an artifact.
func artifactFunctionsOn(a *artifact.Artifact) artifactFunctions {
	return artifactFunctions{
		Section: func(name string) *Section {
			kind := sectionNamed(name)
			if kind == 0 {
				return noSection
			}
			s := a.Section(kind)
			if s == nil {
				return noSection
			}
			content := strings.TrimSpace(a.Text.Slice(s.Span)[min(s.Heading.End-s.Span.Start, s.Span.Len()):])
			return &Section{Title: a.Text.Slice(s.Heading), Level: 2, Text: content, Empty: content == ""}
		},
		Meta: func(key string) string { return metaText(a, key) },
	}
}

// functions returns the functions on a thread.
func (t *Thread) functions() threadFunctions {
	return threadFunctions{Age: func(m *Envelope) float64 {
		if m.of == nil || !m.of.HasTime {
			return 0
		}
		for _, last := range slices.Backward(t.Messages) {
			if last.of.HasTime {
				return last.of.Time.Sub(m.of.Time).Hours()
			}
		}
		return 0
	}}
}
