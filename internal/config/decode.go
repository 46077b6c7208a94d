package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/customrules"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// decoder fills structs from the YAML of a file. It continues after a fault.
type decoder struct {
	text   *source.Text
	entry  source.Place // where the configuration includes the file; unknown in the configuration
	rules  lint.Catalogue
	faults []fault

	defined []definition
	later   []func() // checks of words that name rules, once all rules are known
}

// maxFile bounds a configuration file, and each file with rules that it includes.
const maxFile = 1 << 20

// fill fills a struct from the one document of the file, and returns the node of it.
func (d *decoder) fill(to any) *yaml.Node {
	if len(d.text.Data) > maxFile {
		d.report(source.Span{End: 1}, fmt.Sprintf("larger than %d bytes", maxFile))
		return nil
	}
	var root, second yaml.Node
	decode := func(data []byte) error {
		in := yaml.NewDecoder(bytes.NewReader(data))
		err := in.Decode(&root)
		if err == nil {
			err = in.Decode(&second)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		return err
	}
	switch err := decode(d.text.Data); {
	case err != nil:
		line, message := 1, err.Error()
		if _, err := fmt.Sscanf(message, "yaml: line %d: ", &line); err == nil {
			message = "yaml: " + strings.SplitN(message, ": ", 3)[2]
			if decode(d.text.Data[:d.text.Line(line).End]) == nil {
				line++ // the library counts the lines of some faults from 0
			}
		}
		d.report(d.text.Line(line), message)
	case len(second.Content) > 0:
		d.fault(second.Content[0], "a second YAML document; a configuration is one")
	case len(root.Content) > 0 && root.Content[0].Tag != "!!null":
		d.value(root.Content[0], reflect.ValueOf(to).Elem(), "")
		return root.Content[0]
	}
	return nil
}

// fault records a fault of a node. Long words of the file are cut: a program that runs a hook
// may show the message to an agent.
func (d *decoder) fault(n *yaml.Node, format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = text.Shorten(s, 80)
		}
	}
	d.report(span(d.text, n), fmt.Sprintf(format, args...))
}

func (d *decoder) report(at source.Span, message string) {
	f := fault{at: d.text.Place(at), entry: d.entry, message: message}
	if !f.entry.Known() {
		f.entry = f.at
	}
	d.faults = append(d.faults, f)
}

// value fills v from a node. tag is the tag of the field that v is in, if it is in one.
func (d *decoder) value(n *yaml.Node, v reflect.Value, tag reflect.StructTag) {
	if r, ok := v.Addr().Interface().(*Rules); ok && n.Kind == yaml.SequenceNode {
		v = reflect.ValueOf(&r.Define).Elem()
	}
	kind, expected := yaml.ScalarNode, "a single value"
	switch v.Kind() {
	case reflect.Struct, reflect.Map:
		kind, expected = yaml.MappingNode, "a mapping"
	case reflect.Slice:
		kind, expected = yaml.SequenceNode, "a list"
	}
	switch {
	case n.Kind == yaml.AliasNode:
		d.fault(n, "aliases are not supported here")
	case n.Kind != kind:
		d.fault(n, "expected %s", expected)
	case v.Kind() == reflect.Struct:
		d.object(n, v)
	case v.Kind() == reflect.Map:
		d.mapping(n, v, tag)
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
		for i, c := range n.Content {
			d.value(c, v.Index(i), tag)
		}
	default:
		d.scalar(n, v, tag)
	}
}

// mapping fills a map.
func (d *decoder) mapping(n *yaml.Node, v reflect.Value, tag reflect.StructTag) {
	v.Set(reflect.MakeMap(v.Type()))
	var words []*yaml.Node
	for key, value := range members(n) {
		if v.MapIndex(reflect.ValueOf(key.Value)).IsValid() {
			d.fault(key, "duplicate key %q", key.Value)
		} else {
			words = append(words, key)
		}
		elem := reflect.New(v.Type().Elem()).Elem()
		d.value(value, elem, "")
		v.SetMapIndex(reflect.ValueOf(key.Value), elem)
	}
	if namesRules(tag) {
		d.later = append(d.later, func() { d.checkWords(words) })
	}
}

// members yields the keys of a mapping with their values.
func members(n *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, value *yaml.Node) bool) {
		for pair := range slices.Chunk(n.Content, 2) {
			if !yield(pair[0], pair[1]) {
				return
			}
		}
	}
}

// valueOf returns the value of a key of a mapping; without one the mapping.
func valueOf(n *yaml.Node, key string) *yaml.Node {
	for k, value := range members(n) {
		if k.Value == key {
			return value
		}
	}
	return n
}

// object fills a struct. Every key must be known and unique. A field without a value keeps its
// default, unless it is required.
func (d *decoder) object(n *yaml.Node, v reflect.Value) {
	before := len(d.faults)
	keys, fields := customrules.FieldsOf(v.Type(), "yaml")
	given, meant := map[string]bool{}, map[string]bool{}
	for key, value := range members(n) {
		f, ok := fields[key.Value]
		switch {
		case !ok:
			d.unknown(key, "key", keys)
			meant[text.Nearest(key.Value, keys)] = true
			continue
		case given[key.Value]:
			d.fault(key, "duplicate key %q", key.Value)
			continue
		}
		given[key.Value] = true
		before, to := len(d.faults), v.FieldByIndex(f.Index)
		if value.Tag != "!!null" {
			d.value(value, to, f.Tag)
		}
		if isRequired(f) && len(d.faults) == before && (to.Len() == 0 || strings.TrimSpace(to.String()) == "") {
			d.fault(key, "%q is empty", key.Value)
		}
	}
	for _, key := range keys {
		if isRequired(fields[key]) && !given[key] && !meant[key] {
			d.fault(n, "%q is missing", key)
		}
	}
	switch to := v.Addr().Interface().(type) {
	case *Rules:
		if to.Select != nil && len(to.Select) == 0 {
			d.fault(valueOf(n, "select"), "no rule would run; leave select out to run all")
		}
	case *engine.Suppression:
		to.At = d.text.Place(source.Span{Start: span(d.text, n).Start, End: d.text.Line(n.Line).End})
	case *customrules.Definition:
		if len(d.faults) == before {
			d.defined = append(d.defined, definition{to, n})
		}
	}
}

// isRequired reports whether a field has to be given: a text or a list that is not empty.
func isRequired(f reflect.StructField) bool { return f.Tag.Get("required") == "true" }

func (d *decoder) scalar(n *yaml.Node, v reflect.Value, tag reflect.StructTag) {
	switch v.Interface().(type) {
	case Level:
		if _, err := lint.ParseSeverity(n.Value); err != nil && n.Value != "off" && n.Value != "false" {
			d.fault(n, "unknown level %q; expected error, warning, info or off", n.Value)
		}
		v.SetString(n.Value)
	case int64:
		size := parseSize(n.Value)
		switch most := parseSize(tag.Get("max")); {
		case size == 0:
			d.fault(n, "expected a size such as 512MB")
		case most > 0 && size > most:
			d.fault(n, "expected a size of %s at most", tag.Get("max"))
		}
		v.SetInt(size)
	case int:
		number, err := strconv.Atoi(n.Value)
		least, most := math.MinInt, math.MaxInt
		_, _ = fmt.Sscan(tag.Get("min"), &least) // they stay without a tag
		_, _ = fmt.Sscan(tag.Get("max"), &most)
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
		case "role":
			if !brenner.IsRole(strings.ToLower(n.Value)) {
				d.fault(n, "invalid role %q; expected letters a to z, such as codex", n.Value)
			}
		case "path":
			if n.Value == "" {
				d.fault(n, "the path is empty")
			}
		case "glob", "exclude":
			switch {
			case n.Value == "" || n.Tag == "!!null":
				d.fault(n, "the glob is empty")
			case n.Value[0] == '!' && tag.Get("word") != "exclude":
				d.fault(n, "a glob of exclude alone can begin with !; name the paths that are meant")
			case !input.ValidGlob(n.Value):
				d.fault(n, "invalid glob %q; write \\ before a literal bracket or brace", n.Value)
			}
		}
		if enum := tag.Get("enum"); enum != "" && !slices.Contains(strings.Split(enum, ","), n.Value) {
			d.unknown(n, "value", strings.Split(enum, ","))
		}
	}
}

// sizeForm is the form of sizes, whose units are powers of 1024.
const sizeForm = `^([0-9]+) ?([KMG]?)i?B?$`

// parseSize reads a number of bytes such as 512MB; 0 if it is not one.
func parseSize(s string) int64 {
	m := regexp.MustCompile("(?i)" + sizeForm).FindStringSubmatch(s)
	if m == nil {
		return 0
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	shift := map[string]int{"": 0, "K": 10, "M": 20, "G": 30}[strings.ToUpper(m[2])]
	if err != nil || n > 1<<62>>shift {
		return 0
	}
	return n << shift
}

// unknown reports a word that is not one of those allowed.
func (d *decoder) unknown(n *yaml.Node, what string, allowed []string) {
	if best := text.Nearest(n.Value, allowed); best != "" {
		d.fault(n, "unknown %s %q; did you mean %q?", what, n.Value, best)
		return
	}
	d.fault(n, "unknown "+what+" %q; expected "+text.Or(allowed), n.Value)
}

// checkWord checks a text that names rules: a word, or several separated by commas.
func (d *decoder) checkWord(n *yaml.Node) {
	for word := range strings.SplitSeq(n.Value, ",") {
		word = strings.TrimSpace(word)
		if len(d.rules.Match(word)) == 0 {
			d.fault(n, "%v", d.rules.Unknown(word))
		}
	}
}

// checkWords checks the keys of a mapping that name rules. No two may name the same rule, or be
// spellings of the same family.
func (d *decoder) checkWords(words []*yaml.Node) {
	named := map[string]string{}
	for _, n := range words {
		d.checkWord(n)
		key, what := strings.ToUpper(strings.TrimRight(n.Value, "-")), "rules"
		found := match(d.rules, n.Value)
		if len(found) == 1 {
			key, what = found[0].ID, "rule"
		}
		if other := named[key]; other != "" && len(found) > 0 {
			d.fault(n, "%q and %q name the same %s", other, n.Value, what)
		}
		named[key] = n.Value
	}
}
