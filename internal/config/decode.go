package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// decoder fills a Config from YAML nodes. It continues after a fault.
type decoder struct {
	text   *source.Text
	rules  lint.Catalogue
	faults []fault

	words   []*yaml.Node   // words that name rules; they are checked once all rules are known
	levels  [][]*yaml.Node // the words of each mapping of levels
	defined []definition
	entries []*yaml.Node // of include-rules
	globs   int          // the number of globs so far
}

// maxGlobs bounds the globs of a configuration: each is tried for every path.
const maxGlobs = 1000

// maxSuppressions bounds the suppressions: each is compared with every finding.
const maxSuppressions = 1000

var yamlLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^yaml: line (\d+): `) })

func (d *decoder) document(c *Config) error {
	d.fill(reflect.ValueOf(c).Elem())
	d.defineRules(c, d.includeRules(c))
	for _, n := range d.words {
		d.rule(n)
	}
	for _, words := range d.levels {
		d.once(words)
	}
	if len(d.faults) == 0 {
		return nil
	}
	sort.SliceStable(d.faults, func(i, j int) bool { return d.faults[i].entry().Start < d.faults[j].entry().Start })
	return &Error{IncludeRules: c.IncludeRules, text: d.text, faults: d.faults}
}

// fill fills a struct from the one document of a file.
func (d *decoder) fill(v reflect.Value) {
	var root, second yaml.Node
	in := yaml.NewDecoder(bytes.NewReader(d.text.Data))
	err := in.Decode(&root)
	if err == nil {
		err = in.Decode(&second)
	}
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		d.syntaxError(err)
	case len(second.Content) > 0:
		d.fault(second.Content[0], "a second YAML document; a configuration is one")
	case len(root.Content) > 0 && root.Content[0].Tag != "!!null":
		d.value(root.Content[0], v, nil)
	}
}

func (d *decoder) syntaxError(err error) {
	line, message := 1, err.Error()
	if m := yamlLine().FindStringSubmatch(message); m != nil {
		line, _ = strconv.Atoi(m[1])
		message = "yaml: " + message[len(m[0]):]
	}
	d.faults = append(d.faults, fault{span: d.text.Line(line), message: message})
}

// span returns where a node is: the whole of a scalar, or else the first character.
func (d *decoder) span(n *yaml.Node) source.Span {
	line := d.text.Line(n.Line)
	start := d.offset(line, n.Column)
	width := 1
	if n.Kind == yaml.ScalarNode {
		width = len(n.Value)
		if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
			width += 2
		}
	}
	return source.Span{Start: start, End: min(start+max(1, width), max(line.End, start))}
}

// offset returns the byte offset of a column of a line, in code points from 1.
func (d *decoder) offset(line source.Span, column int) int {
	at := line.Start
	for ; column > 1; column-- {
		if at == line.End {
			return line.Start
		}
		_, size := utf8.DecodeRune(d.text.Data[at:line.End])
		at += size
	}
	return at
}

// fault records a fault.
func (d *decoder) fault(n *yaml.Node, format string, args ...any) {
	d.faultAt(d.span(n), format, args...)
}

func (d *decoder) faultAt(at source.Span, format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = clip(s)
		}
	}
	d.faults = append(d.faults, fault{span: at, message: fmt.Sprintf(format, args...)})
}

// value fills v from a node; f is the field it is in, nil at the top.
func (d *decoder) value(n *yaml.Node, v reflect.Value, f *reflect.StructField) {
	if n.Kind == yaml.AliasNode {
		d.fault(n, "aliases are not supported here")
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		if r, ok := v.Addr().Interface().(*Rules); ok && n.Kind == yaml.SequenceNode {
			v = reflect.ValueOf(&r.Define).Elem()
			d.value(n, v, f)
			return
		}
		d.object(n, v)
	case reflect.Slice:
		if n.Kind != yaml.SequenceNode {
			d.fault(n, "expected a list")
			return
		}
		if _, ok := v.Interface().([]Suppression); ok && len(n.Content) > maxSuppressions {
			d.fault(n.Content[maxSuppressions], "too many suppressions; expected at most %d in a configuration", maxSuppressions)
		}
		out := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
		for i, c := range n.Content {
			d.value(c, out.Index(i), f)
		}
		v.Set(out)
	case reflect.Map:
		d.mapping(n, v, f)
	default:
		d.scalar(n, v, f)
	}
}

func (d *decoder) mapping(n *yaml.Node, v reflect.Value, f *reflect.StructField) {
	if n.Kind != yaml.MappingNode {
		d.fault(n, "expected a mapping")
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	seen := map[string]bool{}
	var words []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if seen[key.Value] {
			d.fault(key, "duplicate key %q", key.Value)
		} else if f != nil && f.Tag.Get("word") == "rule" {
			words = append(words, key)
		}
		seen[key.Value] = true
		elem := reflect.New(v.Type().Elem()).Elem()
		d.scalar(n.Content[i+1], elem, nil)
		v.SetMapIndex(reflect.ValueOf(key.Value), elem)
	}
	d.words, d.levels = append(d.words, words...), append(d.levels, words)
}

// object fills a struct. Every key must be known and unique.
func (d *decoder) object(n *yaml.Node, v reflect.Value) {
	if n.Kind != yaml.MappingNode {
		d.fault(n, "expected a mapping")
		return
	}
	if s, ok := v.Addr().Interface().(*Suppression); ok {
		at := *n
		s.at = d.span(&at)
		s.at.End = d.text.Line(n.Line).End
	}
	before := len(d.faults)
	keys, fields := fieldsOf(v.Type())
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		f := fields[key.Value]
		switch {
		case seen[key.Value]:
			d.fault(key, "duplicate key %q", key.Value)
		case f == nil:
			d.unknown(key, "key", keys)
		default:
			seen[key.Value] = true
			d.member(key, n.Content[i+1], v.FieldByIndex(f.Index), f)
		}
	}
	for _, key := range keys {
		if fields[key].Tag.Get("required") == "true" && !seen[key] {
			d.fault(n, "%q is missing", key)
		}
	}
	if r, ok := v.Addr().Interface().(*CustomRule); ok && len(d.faults) == before {
		d.defined = append(d.defined, newDefinition(d, n, r))
	}
}

// fieldsOf returns the fields of a struct that have keys.
func fieldsOf(t reflect.Type) (keys []string, fields map[string]*reflect.StructField) {
	fields = map[string]*reflect.StructField{}
	for _, f := range reflect.VisibleFields(t) {
		if key := f.Tag.Get("key"); key != "" {
			keys = append(keys, key)
			fields[key] = &f
		}
	}
	return keys, fields
}

// member fills a field. A field without a value keeps its default, unless it is required.
func (d *decoder) member(key, n *yaml.Node, v reflect.Value, f *reflect.StructField) {
	before := len(d.faults)
	if key.Value == "include-rules" {
		d.entries = n.Content
	}
	if n.Tag != "!!null" {
		d.value(n, v, f)
	}
	empty := v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 || v.Kind() == reflect.String && strings.TrimSpace(v.String()) == ""
	if empty && f.Tag.Get("required") == "true" && len(d.faults) == before {
		d.fault(key, "%q is empty", key.Value)
	}
}

func (d *decoder) scalar(n *yaml.Node, v reflect.Value, f *reflect.StructField) {
	if n.Kind != yaml.ScalarNode {
		d.fault(n, "expected a single value")
		return
	}
	switch v.Interface().(type) {
	case Level:
		if _, err := lint.ParseSeverity(n.Value); err != nil && n.Value != "off" && n.Value != "false" {
			d.fault(n, "unknown level %q; expected error, warning, info or off", n.Value)
		}
		v.SetString(n.Value)
		return
	case Size:
		size, err := parseSize(n.Value)
		if err != nil {
			d.fault(n, "%v", err)
		} else if most, err := parseSize(f.Tag.Get("max")); err == nil && size > most {
			d.fault(n, "expected a size of %s at most", f.Tag.Get("max"))
		}
		v.SetInt(int64(size))
		return
	}
	switch v.Kind() {
	case reflect.Int:
		d.number(n, v, f)
	case reflect.String:
		v.SetString(n.Value)
		if f == nil {
			return
		}
		switch f.Tag.Get("word") {
		case "rule":
			d.words = append(d.words, n)
		case "glob":
			d.globs++
			switch {
			case !input.ValidGlob(n.Value):
				d.fault(n, "invalid glob %q; write \\ before a literal bracket or brace", n.Value)
			case d.globs == maxGlobs+1:
				d.fault(n, "too many globs; expected at most %d in a configuration", maxGlobs)
			}
		}
		if enum := f.Tag.Get("enum"); enum != "" {
			d.enum(n, strings.Split(enum, ","))
		}
	}
}

func (d *decoder) number(n *yaml.Node, v reflect.Value, f *reflect.StructField) {
	number, err := strconv.Atoi(n.Value)
	least, most := bounds(f)
	switch {
	case err != nil:
		d.fault(n, "expected a whole number")
	case number < least && most == math.MaxInt:
		d.fault(n, "expected a number >= %d", least)
	case number < least || number > most:
		d.fault(n, "expected a number from %d to %d", least, most)
	}
	v.SetInt(int64(number))
}

// bounds returns the minimum and maximum of a number. f is its field, or nil for a value
// of a map.
func bounds(f *reflect.StructField) (least, most int) {
	least, most = math.MinInt, math.MaxInt
	if f == nil {
		return least, most
	}
	if n, err := strconv.Atoi(f.Tag.Get("min")); err == nil {
		least = n
	}
	if n, err := strconv.Atoi(f.Tag.Get("max")); err == nil {
		most = n
	}
	return least, most
}

func (d *decoder) enum(n *yaml.Node, allowed []string) {
	for _, a := range allowed {
		if a == n.Value {
			return
		}
	}
	d.unknown(n, "value", allowed)
}

// unknown reports a word that is not one of those allowed.
func (d *decoder) unknown(n *yaml.Node, what string, allowed []string) {
	if best := text.Nearest(n.Value, allowed); best != "" {
		d.fault(n, "unknown "+what+" %q; did you mean %q?", n.Value, best)
		return
	}
	d.fault(n, "unknown "+what+" %q; expected "+strings.Join(allowed, ", "), n.Value)
}
