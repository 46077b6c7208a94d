package config

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strings"

	"github.com/brennerlint/brennerlint/lint"
)

//go:generate go run ../schemagen ../../docs/brennerlint.schema.json

// schemaID is where the published schema is.
const schemaID = "https://raw.githubusercontent.com/brennerlint/brennerlint/main/docs/brennerlint.schema.json"

// SchemaJSON returns the schema of configurations for these rules, as a file.
func SchemaJSON(rules lint.Catalogue) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(Schema(rules)); err != nil {
		panic(err) // a schema of plain maps and strings always marshals
	}
	return b.Bytes()
}

// Schema returns the JSON Schema (draft 2020-12) of configuration files, for editors. It is
// made from the types and tags that decode them, and lists the words that name rules.
func Schema(rules lint.Catalogue) map[string]any {
	s := schemaOf(reflect.TypeFor[Config](), nil)
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["$id"] = schemaID
	s["title"] = "brennerlint configuration"
	s["$defs"] = map[string]any{"rule": ruleSchema(rules)}
	return s
}

// ruleSchema lists the words that name rules, with their meanings, for editors.
func ruleSchema(rules lint.Catalogue) map[string]any {
	var words []any
	for _, w := range rules.Words() {
		words = append(words, map[string]any{"const": w.Word, "description": w.Description})
	}
	return map[string]any{"type": "string", "oneOf": words}
}

func schemaOf(t reflect.Type, f *reflect.StructField) map[string]any {
	s := map[string]any{}
	if f != nil {
		s["description"] = f.Tag.Get("doc")
	}
	switch {
	case t == reflect.TypeFor[Level]():
		s["enum"] = []any{"error", "warning", "info", "off"}
	case t == reflect.TypeFor[Size]():
		s["type"], s["pattern"] = []any{"string", "integer"}, `^[0-9]+ ?([KMG]i?)?B?$`
	case t == reflect.TypeFor[Rules]() && f != nil:
		s["anyOf"] = []any{schemaOf(t, nil), schemaOf(reflect.TypeFor[[]CustomRule](), nil)}
	case t.Kind() == reflect.Struct:
		properties, required := map[string]any{}, []any{}
		for _, f := range reflect.VisibleFields(t) {
			key := f.Tag.Get("key")
			if key == "" {
				continue
			}
			properties[key] = schemaOf(f.Type, &f)
			if f.Tag.Get("required") == "true" {
				required = append(required, key)
			}
		}
		s["type"], s["properties"], s["additionalProperties"] = "object", properties, false
		if len(required) > 0 {
			s["required"] = required
		}
	case t.Kind() == reflect.Slice:
		s["type"], s["items"] = "array", schemaOf(t.Elem(), nil)
		if namesRules(f) {
			s["items"] = anyRule()
		}
	case t.Kind() == reflect.Map:
		s["type"], s["additionalProperties"] = "object", schemaOf(t.Elem(), nil)
		if namesRules(f) {
			s["propertyNames"] = anyRule()
		}
	case t.Kind() == reflect.Int:
		s["type"] = "integer"
		least, most := bounds(f)
		if least > math.MinInt {
			s["minimum"] = least
		}
		if most < math.MaxInt {
			s["maximum"] = most
		}
	case namesRules(f):
		s["anyOf"] = []any{anyRule(), map[string]any{"type": "string", "pattern": ","}} // several, separated by commas
	default:
		s["type"] = "string"
		restrict(s, f)
	}
	return s
}

// restrict adds the restrictions of a text to its schema. f is its field, or nil.
func restrict(s map[string]any, f *reflect.StructField) {
	if f == nil {
		return
	}
	if words := f.Tag.Get("enum"); words != "" {
		var enum []any
		for _, v := range strings.Split(words, ",") {
			enum = append(enum, v)
		}
		s["enum"] = enum
	}
	if pattern := f.Tag.Get("pattern"); pattern != "" {
		s["pattern"] = pattern
	}
}

func namesRules(f *reflect.StructField) bool { return f != nil && f.Tag.Get("word") == "rule" }

func anyRule() map[string]any { return map[string]any{"$ref": "#/$defs/rule"} }
