package config

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/wording"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Error tells every fault of a configuration file, with the offending lines.
type Error struct {
	text   *source.Text
	faults []fault
}

type fault struct {
	span    source.Span
	message string
}

// Error shows each fault with its place and a code frame.
func (e *Error) Error() string {
	var b strings.Builder
	for i, f := range e.faults {
		if i > 0 {
			b.WriteByte('\n')
		}
		pos := e.text.Position(f.span.Start)
		line := e.text.Line(pos.Line)
		number := strconv.Itoa(pos.Line)
		width := max(1, e.text.Position(min(f.span.End, line.End)).Column-pos.Column)
		fmt.Fprintf(&b, "%s:%d:%d: %s\n", e.text.File.Path, pos.Line, pos.Column, f.message)
		fmt.Fprintf(&b, "  %s | %s\n", number, strings.ReplaceAll(printable(e.text.String(line)), "\t", " "))
		fmt.Fprintf(&b, "  %s | %s%s", strings.Repeat(" ", len(number)), strings.Repeat(" ", pos.Column-1), strings.Repeat("^", width))
	}
	return b.String()
}

// printable drops what could move a terminal's cursor.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && !strconv.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, s)
}

// decoder fills a Config from YAML nodes. It goes on after a fault.
type decoder struct {
	text   *source.Text
	rules  []*lint.Rule
	faults []fault
}

var yamlLine = regexp.MustCompile(`^yaml: line (\d+): `)

func (d *decoder) document(c *Config) error {
	var root yaml.Node
	if err := yaml.Unmarshal(d.text.Data, &root); err != nil {
		line := 1
		message := err.Error()
		if m := yamlLine.FindStringSubmatch(message); m != nil {
			line, _ = strconv.Atoi(m[1])
			message = "yaml: " + message[len(m[0]):]
		}
		d.faults = append(d.faults, fault{d.text.Line(line), message})
	} else if len(root.Content) > 0 && root.Content[0].Tag != "!!null" {
		d.value(root.Content[0], reflect.ValueOf(c).Elem(), nil)
	}
	if len(d.faults) == 0 {
		return nil
	}
	sort.SliceStable(d.faults, func(i, j int) bool { return d.faults[i].span.Start < d.faults[j].span.Start })
	return &Error{d.text, d.faults}
}

// span is where a node stands: a scalar as written, else its first character.
func (d *decoder) span(n *yaml.Node) source.Span {
	line := d.text.Line(n.Line)
	start := line.Start
	for i := range d.text.String(line) {
		if n.Column--; n.Column <= 0 {
			start = line.Start + i
			break
		}
	}
	width := 1
	if n.Kind == yaml.ScalarNode {
		width = len(n.Value)
		if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
			width += 2
		}
	}
	return source.Span{Start: start, End: min(start+max(1, width), max(line.End, start))}
}

func (d *decoder) fault(n *yaml.Node, format string, args ...any) {
	d.faults = append(d.faults, fault{d.span(n), fmt.Sprintf(format, args...)})
}

// value fills v from a node; f is the field it stands in, nil at the top.
func (d *decoder) value(n *yaml.Node, v reflect.Value, f *reflect.StructField) {
	if n.Kind == yaml.AliasNode {
		d.fault(n, "aliases are not supported here")
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		d.object(n, v)
	case reflect.Slice:
		if n.Kind != yaml.SequenceNode {
			d.fault(n, "expected a list")
			return
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
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if seen[key.Value] {
			d.fault(key, "key %q stands twice", key.Value)
		}
		seen[key.Value] = true
		if f != nil && f.Tag.Get("word") == "rule" {
			d.rule(key)
		}
		elem := reflect.New(v.Type().Elem()).Elem()
		d.scalar(n.Content[i+1], elem, nil)
		v.SetMapIndex(reflect.ValueOf(key.Value), elem)
	}
}

// object fills a struct: every key must be known and stand once.
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
	fields := map[string]reflect.StructField{}
	var keys []string
	for _, f := range reflect.VisibleFields(v.Type()) {
		if key := f.Tag.Get("key"); key != "" {
			fields[key] = f
			keys = append(keys, key)
		}
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		f, ok := fields[key.Value]
		switch {
		case seen[key.Value]:
			d.fault(key, "key %q stands twice", key.Value)
		case !ok && wording.Nearest(key.Value, keys) != "":
			d.fault(key, "unknown key %q; did you mean %q?", key.Value, wording.Nearest(key.Value, keys))
		case !ok:
			d.fault(key, "unknown key %q; expected %s", key.Value, strings.Join(keys, ", "))
		default:
			seen[key.Value] = true
			d.member(key, n.Content[i+1], v.FieldByIndex(f.Index), &f)
		}
	}
	for _, key := range keys {
		if fields[key].Tag.Get("required") == "true" && !seen[key] {
			d.fault(n, "%q is missing", key)
		}
	}
}

// member fills a field; one without a value keeps what it has, unless it is
// required.
func (d *decoder) member(key, n *yaml.Node, v reflect.Value, f *reflect.StructField) {
	before := len(d.faults)
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
			d.rule(n)
		case "glob":
			if !input.ValidGlob(n.Value) {
				d.fault(n, "%q is no glob; write \\ before a bracket or brace that stands for itself", n.Value)
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
		d.fault(n, "expected a number from %d on", least)
	case number < least || number > most:
		d.fault(n, "expected a number from %d to %d", least, most)
	}
	v.SetInt(int64(number))
}

// bounds are the least and the highest value of a number; f is its field, nil
// for a value of a map.
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
	if best := wording.Nearest(n.Value, allowed); best != "" {
		d.fault(n, "unknown value %q; did you mean %q?", n.Value, best)
		return
	}
	d.fault(n, "unknown value %q; expected %s", n.Value, strings.Join(allowed, ", "))
}

// rule checks words that name rules.
func (d *decoder) rule(n *yaml.Node) {
	for _, word := range strings.Split(n.Value, ",") {
		word = strings.TrimSpace(word)
		if len(lint.Match(d.rules, word)) > 0 {
			continue
		}
		var names []string
		for _, r := range d.rules {
			names = append(names, r.ID, r.Name)
		}
		if best := wording.Nearest(word, names); best != "" {
			d.fault(n, "unknown rule %q; did you mean %s?", word, best)
		} else {
			d.fault(n, "unknown rule %q", word)
		}
	}
}

var sizeUnits = []struct {
	suffix string
	factor int64
}{{"KB", 1 << 10}, {"MB", 1 << 20}, {"GB", 1 << 30}, {"B", 1}, {"", 1}}

// parseSize reads a number of bytes such as 512MB; units are powers of 1024.
func parseSize(s string) (Size, error) {
	upper := strings.ToUpper(strings.ReplaceAll(strings.ReplaceAll(s, " ", ""), "iB", "B"))
	for _, u := range sizeUnits {
		number, ok := strings.CutSuffix(upper, u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil || n < 1 || n > (1<<62)/u.factor {
			break
		}
		return Size(n * u.factor), nil
	}
	return 0, errors.New("expected a size such as 512MB")
}
