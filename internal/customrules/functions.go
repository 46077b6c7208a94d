package customrules

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/expression"
	"github.com/brennerlint/brennerlint/internal/text"
)

// function is a function that expressions may call, with its line in the reference.
type function struct {
	expression.Function
	name      string
	signature string
	doc       string
	in        []string // the scopes that have it; nil means all
}

func one(name, signature, doc string, typ any, call func(f *expression.Frame, s string) any) function {
	return function{name: name, signature: signature, doc: doc, Function: expression.Function{
		Type: typ,
		Call: func(f *expression.Frame, args []any) any {
			s := args[0].(string)
			f.ChargeText(len(s))
			return call(f, s)
		},
	}}
}

var (
	messageScopes  = []string{"message", "delta"}
	artifactScopes = []string{"artifact", "item"}
)

// functions are all functions, in the order of the reference.
var functions = []function{
	one("words", "words(text) number", "How many words a text has.", (func(string) int)(nil),
		func(f *expression.Frame, s string) any { f.ChargeText(16 * len(s) / 4); return len(strings.Fields(s)) }),
	one("lower", "lower(text) text", "The text in lower case.", (func(string) string)(nil),
		func(f *expression.Frame, s string) any { f.ChargeMade(len(s)); return strings.ToLower(s) }),
	one("upper", "upper(text) text", "The text in upper case.", (func(string) string)(nil),
		func(f *expression.Frame, s string) any { f.ChargeMade(len(s)); return strings.ToUpper(s) }),
	one("trim", "trim(text) text", "The text without white space at its ends.", (func(string) string)(nil),
		func(_ *expression.Frame, s string) any { return strings.TrimSpace(s) }),
	one("lines", "lines(text) list of texts", "The lines of a text.", (func(string) []string)(nil), lines),
	one("number", "number(text) number", "The number that a text is; 0 if it is none.", (func(string) float64)(nil), toNumber),
	{
		name: "len", signature: "len(text or list) number", doc: "How many characters a text has, or how many elements a list.",
		Function: expression.Function{Result: resultOfLen, Call: length},
	},
	{
		name: "join", signature: "join(list of texts, text) text", doc: "The texts of a list, with a text between them.",
		Function: expression.Function{Result: resultOfJoin, Call: join},
	},
	{
		name: "capture", signature: `capture(text, "pattern") text`, doc: "What the first group of a regular expression matches, or all of its first match if it has no group; empty if it does not match.",
		Function: expression.Function{Type: (func(string, string) string)(nil), Pattern: 2, Call: capture},
	},
	{
		name: "hours", signature: "hours(time, time) number", doc: "The hours from one time to a later one; 0 if one of them is empty.",
		Function: expression.Function{Type: (func(string, string) float64)(nil), Call: hours},
	},
	{
		name: "killed", signature: "killed(item) true or false", doc: "Whether an item is killed, as item.killed.",
		Function: expression.Function{Type: (func(*Item) bool)(nil), Call: isKilled},
		in:       []string{"artifact", "item", "thread"},
	},
	{
		name: "section", signature: `section("name") section`, doc: "The section of the message with a heading, in any case; an absent one if there is none.",
		Function: expression.Function{Type: (func(string) *Section)(nil), Call: messageSection},
		in:       messageScopes,
	},
	{
		name: "field", signature: `field("name") text`, doc: "The value of a field line of the message, such as **Status**: OPEN; empty if there is none.",
		Function: expression.Function{Type: (func(string) string)(nil), Call: messageField},
		in:       messageScopes,
	},
	{
		name: "section", signature: `section("name") section`, doc: "A section of the artifact, by its heading, such as Discriminative Tests or Tests, or its id.",
		Function: expression.Function{Type: (func(string) *Section)(nil), Call: artifactSection, Literal: isSection},
		in:       artifactScopes,
	},
	{
		name: "meta", signature: `meta("key") text`, doc: "A value of the front matter; empty if there is none, or if it is a list or mapping.",
		Function: expression.Function{Type: (func(string) string)(nil), Call: meta},
		in:       artifactScopes,
	},
	{
		name: "age", signature: "age(message) number", doc: "The hours from a message to the last message of the thread. No clock is read.",
		Function: expression.Function{Type: (func(*Envelope) float64)(nil), Call: age},
		in:       []string{"thread"},
	},
}

// functionsOf returns the functions of a scope.
func functionsOf(scope string) map[string]*expression.Function {
	out := map[string]*expression.Function{}
	for i := range functions {
		if f := &functions[i]; f.in == nil || slices.Contains(f.in, scope) {
			out[f.name] = &f.Function
		}
	}
	return out
}

func lines(f *expression.Frame, s string) any {
	n := 1 + strings.Count(s, "\n")
	f.ChargeText(len(s))
	f.ChargeList(n)
	out := make([]any, 0, n)
	for line := range strings.Lines(s) {
		out = append(out, strings.TrimRight(line, "\r\n"))
	}
	return out
}

func toNumber(_ *expression.Frame, s string) any {
	n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
		return 0.0
	}
	return n
}

func resultOfLen(args []reflect.Type) (reflect.Type, error) {
	if len(args) != 1 || args[0] == nil || args[0].Kind() != reflect.String && args[0].Kind() != reflect.Slice {
		return nil, errors.New("len expects a text or a list")
	}
	return reflect.TypeFor[int](), nil
}

func length(f *expression.Frame, args []any) any {
	if s, ok := args[0].(string); ok {
		f.ChargeText(len(s))
		return utf8.RuneCountInString(s)
	}
	return len(expression.List(args[0]))
}

func resultOfJoin(args []reflect.Type) (reflect.Type, error) {
	if len(args) != 2 || args[0] == nil || args[0].Kind() != reflect.Slice || args[1] == nil || args[1].Kind() != reflect.String {
		return nil, errors.New("join expects a list of texts and a text")
	}
	return reflect.TypeFor[string](), nil
}

func join(f *expression.Frame, args []any) any {
	var b strings.Builder
	for i, v := range expression.List(args[0]) {
		s, _ := v.(string)
		f.ChargeMade(len(s) + len(args[1].(string)))
		if i > 0 {
			b.WriteString(args[1].(string))
		}
		b.WriteString(s)
	}
	return b.String()
}

func capture(f *expression.Frame, args []any) any {
	s, p := args[0].(string), args[1].(*expression.Pattern)
	p.Charge(f, s)
	m := p.FindStringSubmatch(s)
	if m == nil {
		return ""
	}
	return m[min(1, len(m)-1)]
}

func hours(_ *expression.Frame, args []any) any {
	from, err1 := time.Parse(time.RFC3339, args[0].(string))
	to, err2 := time.Parse(time.RFC3339, args[1].(string))
	if err1 != nil || err2 != nil {
		return 0.0
	}
	return to.Sub(from).Hours()
}

func isKilled(f *expression.Frame, args []any) any {
	return fields()[reflect.TypeFor[*Item]()]["killed"](f, args[0])
}

func messageSection(f *expression.Frame, args []any) any {
	m := task(f).message
	if m == nil {
		return nil
	}
	f.Charge(1 + len(m.Sections))
	if s := m.Section(args[0].(string)); s != nil {
		return s
	}
	return nil
}

func messageField(f *expression.Frame, args []any) any {
	m := task(f).message
	if m == nil {
		return ""
	}
	f.Charge(1 + len(m.Fields))
	if v := m.Field(args[0].(string)); v != nil {
		return v.Text
	}
	return ""
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

func isSection(word string) error {
	if sectionNamed(word) != 0 {
		return nil
	}
	var known []string
	for _, s := range brenner.Sections {
		known = append(known, s.ID())
	}
	if best := text.Nearest(word, known); best != "" {
		return fmt.Errorf("unknown section %s; did you mean %s?", text.Quote(word), text.Quote(best))
	}
	return fmt.Errorf("unknown section %s; expected %s", text.Quote(word), text.Or(known))
}

// part is what expressions see as a Section of an artifact.
type part struct {
	art *artifact.Artifact
	*artifact.Section
}

func artifactSection(f *expression.Frame, args []any) any {
	a, kind := task(f).art, sectionNamed(args[0].(string))
	if a == nil || kind == 0 {
		return nil
	}
	f.Charge(1 + len(a.Sections))
	if s := a.Section(kind); s != nil {
		return part{a, s}
	}
	return nil
}

func (s part) title() string { return s.art.Text.Slice(s.Heading) }

func (s part) content() string {
	return strings.TrimSpace(s.art.Text.Slice(s.Span)[min(s.Heading.End-s.Span.Start, s.Span.Len()):])
}

func meta(f *expression.Frame, args []any) any {
	if a := task(f).art; a != nil {
		return metaText(a, args[0].(string))
	}
	return ""
}

func age(f *expression.Frame, args []any) any {
	m, ok := args[0].(*session.Message)
	t := task(f).thread
	if !ok || t == nil || !m.HasTime {
		return 0.0
	}
	for i := len(t.Messages) - 1; i >= 0; i-- {
		f.Charge(1)
		if last := t.Messages[i]; last.HasTime {
			return last.Time.Sub(m.Time).Hours()
		}
	}
	return 0.0
}
