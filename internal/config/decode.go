package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/brennerlint/brennerlint/internal/customrules"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// decoder fills structs from the YAML of a file. It continues after a fault.
type decoder struct {
	text   *source.Text
	entry  *yaml.Node // where the configuration includes the file; nil in the configuration
	rules  lint.Catalogue
	faults []fault

	entries []*yaml.Node // of include-rules
	defined []definition
	later   []func() // checks of words that name rules, once all rules are known
}

// maxFile bounds a configuration file, and each file with rules that it includes.
const maxFile = 1 << 20

// fill fills a struct from the one document of the file.
func (d *decoder) fill(to any) {
	if len(d.text.Data) > maxFile {
		d.fault(&yaml.Node{Kind: yaml.ScalarNode, Line: 1, Column: 1}, "larger than %d bytes", maxFile)
		return
	}
	var root, second yaml.Node
	in := yaml.NewDecoder(bytes.NewReader(d.text.Data))
	err := in.Decode(&root)
	if err == nil {
		err = in.Decode(&second)
	}
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		line, message := 1, err.Error()
		if _, err := fmt.Sscanf(message, "yaml: line %d: ", &line); err == nil {
			message = "yaml: " + strings.SplitN(message, ": ", 3)[2]
		}
		d.add(fault{node: &yaml.Node{Kind: yaml.ScalarNode, Line: line, Column: 1, Value: d.text.Slice(d.text.Line(line))}, message: message})
	case len(second.Content) > 0:
		d.fault(second.Content[0], "a second YAML document; a configuration is one")
	case len(root.Content) > 0 && root.Content[0].Tag != "!!null":
		d.value(root.Content[0], reflect.ValueOf(to).Elem(), "")
	}
}

// fault records a fault of a node. Long words of the file are cut: a program that runs a hook
// may show the message to an agent.
func (d *decoder) fault(n *yaml.Node, format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = text.Shorten(s, 80)
		}
	}
	d.add(fault{node: n, message: fmt.Sprintf(format, args...)})
}

func (d *decoder) add(f fault) {
	f.text, f.entry = d.text, cmp.Or(d.entry, f.node)
	d.faults = append(d.faults, f)
}

// value fills v from a node. tag is the tag of the field that v is in, if it is in one.
func (d *decoder) value(n *yaml.Node, v reflect.Value, tag reflect.StructTag) {
	if n.Kind == yaml.AliasNode {
		d.fault(n, "aliases are not supported here")
		return
	}
	if r, ok := v.Addr().Interface().(*Rules); ok && n.Kind == yaml.SequenceNode {
		v = reflect.ValueOf(&r.Define).Elem()
	}
	switch v.Kind() {
	case reflect.Struct:
		d.object(n, v)
	case reflect.Slice:
		if n.Kind != yaml.SequenceNode {
			d.fault(n, "expected a list")
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
		for i, c := range n.Content {
			d.value(c, v.Index(i), tag)
		}
	case reflect.Map:
		d.mapping(n, v, tag)
	default:
		d.scalar(n, v, tag)
	}
}

// mapping fills a map.
func (d *decoder) mapping(n *yaml.Node, v reflect.Value, tag reflect.StructTag) {
	if n.Kind != yaml.MappingNode {
		d.fault(n, "expected a mapping")
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	var words []*yaml.Node
	for key, value := range members(n) {
		if v.MapIndex(reflect.ValueOf(key.Value)).IsValid() {
			d.fault(key, "duplicate key %q", key.Value)
		} else {
			words = append(words, key)
		}
		elem := reflect.New(v.Type().Elem()).Elem()
		d.scalar(value, elem, "")
		v.SetMapIndex(reflect.ValueOf(key.Value), elem)
	}
	if namesRules(tag) {
		d.later = append(d.later, func() { d.checkWords(words) })
	}
}

// members yields the keys of a mapping with their values.
func members(n *yaml.Node) func(yield func(key, value *yaml.Node) bool) {
	return func(yield func(key, value *yaml.Node) bool) {
		for pair := range slices.Chunk(n.Content, 2) {
			if !yield(pair[0], pair[1]) {
				return
			}
		}
	}
}

// object fills a struct. Every key must be known and unique.
func (d *decoder) object(n *yaml.Node, v reflect.Value) {
	if n.Kind != yaml.MappingNode {
		d.fault(n, "expected a mapping")
		return
	}
	before := len(d.faults)
	keys, fields := fieldsOf(v.Type())
	seen := map[string]bool{}
	for key, value := range members(n) {
		f, ok := fields[key.Value]
		switch {
		case seen[key.Value]:
			d.fault(key, "duplicate key %q", key.Value)
		case !ok:
			d.unknown(key, "key", keys)
		default:
			seen[key.Value] = true
			d.member(key, value, v.FieldByIndex(f.Index), f.Tag)
		}
	}
	for _, key := range keys {
		if fields[key].Tag.Get("required") == "true" && !seen[key] {
			d.fault(n, "%q is missing", key)
		}
	}
	switch to := v.Addr().Interface().(type) {
	case *Suppression:
		to.at = source.Span{Start: span(d.text, n).Start, End: d.text.Line(n.Line).End}
	case *customrules.Definition:
		if len(d.faults) == before {
			d.defined = append(d.defined, definition{to, n})
		}
	}
}

// fieldsOf returns the fields of a struct by their keys, and the keys in order.
func fieldsOf(t reflect.Type) (keys []string, fields map[string]reflect.StructField) {
	fields = map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(t) {
		if key, _, _ := strings.Cut(f.Tag.Get("yaml"), ","); key != "" {
			keys = append(keys, key)
			fields[key] = f
		}
	}
	return keys, fields
}

// member fills a field. A field without a value keeps its default, unless it is required.
func (d *decoder) member(key, n *yaml.Node, v reflect.Value, tag reflect.StructTag) {
	before := len(d.faults)
	if key.Value == "include-rules" {
		d.entries = n.Content
	}
	if n.Tag != "!!null" {
		d.value(n, v, tag)
	}
	empty := v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 || v.Kind() == reflect.String && strings.TrimSpace(v.String()) == ""
	if empty && tag.Get("required") == "true" && len(d.faults) == before {
		d.fault(key, "%q is empty", key.Value)
	}
}

func (d *decoder) scalar(n *yaml.Node, v reflect.Value, tag reflect.StructTag) {
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
	case int64:
		size, err := parseSize(n.Value)
		if err != nil {
			d.fault(n, "%v", err)
		} else if most, err := parseSize(tag.Get("max")); err == nil && size > most {
			d.fault(n, "expected a size of %s at most", tag.Get("max"))
		}
		v.SetInt(size)
	case int:
		number, err := strconv.Atoi(n.Value)
		least, most := bounds(tag)
		switch {
		case err != nil:
			d.fault(n, "expected a whole number")
		case number < least && most == math.MaxInt:
			d.fault(n, "expected a number >= %d", least)
		case number < least || number > most:
			d.fault(n, "expected a number from %d to %d", least, most)
		}
		v.SetInt(int64(number))
	case string:
		v.SetString(n.Value)
		switch tag.Get("word") {
		case "rule":
			d.later = append(d.later, func() { d.checkWord(n) })
		case "glob":
			if !input.ValidGlob(n.Value) {
				d.fault(n, "invalid glob %q; write \\ before a literal bracket or brace", n.Value)
			}
		}
		if enum := tag.Get("enum"); enum != "" && !slices.Contains(strings.Split(enum, ","), n.Value) {
			d.unknown(n, "value", strings.Split(enum, ","))
		}
	}
}

// sizeUnits are the units of sizes; they are powers of 1024.
var sizeUnits = []struct {
	suffix string
	factor int64
}{{"KB", 1 << 10}, {"MB", 1 << 20}, {"GB", 1 << 30}, {"B", 1}, {"", 1}}

// parseSize reads a number of bytes such as 512MB.
func parseSize(s string) (int64, error) {
	upper := strings.ToUpper(strings.ReplaceAll(strings.ReplaceAll(s, " ", ""), "iB", "B"))
	for _, u := range sizeUnits {
		if number, ok := strings.CutSuffix(upper, u.suffix); ok {
			n, err := strconv.ParseInt(number, 10, 64)
			if err != nil || n < 1 || n > (1<<62)/u.factor {
				break
			}
			return n * u.factor, nil
		}
	}
	return 0, errors.New("expected a size such as 512MB")
}

// bounds returns the minimum and maximum of a number.
func bounds(tag reflect.StructTag) (least, most int) {
	least, most = math.MinInt, math.MaxInt
	if n, err := strconv.Atoi(tag.Get("min")); err == nil {
		least = n
	}
	if n, err := strconv.Atoi(tag.Get("max")); err == nil {
		most = n
	}
	return least, most
}

// unknown reports a word that is not one of those allowed.
func (d *decoder) unknown(n *yaml.Node, what string, allowed []string) {
	if best := text.Nearest(n.Value, allowed); best != "" {
		d.fault(n, "unknown %s %q; did you mean %q?", what, n.Value, best)
		return
	}
	d.fault(n, "unknown "+what+" %q; expected "+strings.Join(allowed, ", "), n.Value)
}

// checkWord checks a text that names rules: a word, or several separated by commas.
func (d *decoder) checkWord(n *yaml.Node) {
	for word := range strings.SplitSeq(n.Value, ",") {
		word = strings.TrimSpace(word)
		if len(d.rules.Match(word)) > 0 {
			continue
		}
		var names []string
		for _, r := range d.rules {
			names = append(names, r.ID, r.Name)
		}
		if best := text.Nearest(word, names); best != "" {
			d.fault(n, "unknown rule %q; did you mean %s?", word, best)
		} else {
			d.fault(n, "unknown rule %q", word)
		}
	}
}

// checkWords checks the keys of a mapping that name rules. No two may name the same single
// rule.
func (d *decoder) checkWords(words []*yaml.Node) {
	named := map[*lint.Rule]string{}
	for _, n := range words {
		d.checkWord(n)
		found := match(d.rules, n.Value)
		if len(found) != 1 {
			continue
		}
		if other, twice := named[found[0]]; twice {
			d.fault(n, "%q and %q name the same rule", other, n.Value)
		}
		named[found[0]] = n.Value
	}
}
