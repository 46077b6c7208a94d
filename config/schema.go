package config

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
)

//go:generate go run ../internal/schemagen ../docs/brennerlint.schema.json

// SchemaJSON is the schema as a file.
func SchemaJSON() []byte {
	out, err := json.MarshalIndent(Schema(), "", "  ")
	if err != nil {
		panic(err) // a schema of plain maps and strings always marshals
	}
	return append(out, '\n')
}

// Schema is the JSON Schema (draft 2020-12) of configuration files, for editors.
// It is made from the types and tags that decode them.
func Schema() map[string]any {
	s := schemaOf(reflect.TypeFor[Config](), nil)
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = "brennerlint configuration"
	return s
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
	case t.Kind() == reflect.Map:
		s["type"], s["additionalProperties"] = "object", schemaOf(t.Elem(), nil)
	case t.Kind() == reflect.Int:
		s["type"] = "integer"
		least, most := bounds(f)
		if least > math.MinInt {
			s["minimum"] = least
		}
		if most < math.MaxInt {
			s["maximum"] = most
		}
	default:
		s["type"] = "string"
		if f != nil && f.Tag.Get("enum") != "" {
			var enum []any
			for _, v := range strings.Split(f.Tag.Get("enum"), ",") {
				enum = append(enum, v)
			}
			s["enum"] = enum
		}
	}
	return s
}
