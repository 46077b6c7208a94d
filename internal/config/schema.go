package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/brennerlint/brennerlint/internal/customrules"
	"github.com/brennerlint/brennerlint/lint"
)

// schemaID is where the published schema is.
const schemaID = "https://raw.githubusercontent.com/brennerlint/brennerlint/main/docs/brennerlint.schema.json"

// Schema returns the JSON Schema (draft 2020-12) of configuration files, for editors. It is
// made from the types and tags that decode them, and lists the words that name rules.
func Schema(rules lint.Catalogue) map[string]any {
	s := schemaOf(reflect.TypeFor[Config](), "")
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["$id"] = schemaID
	s["title"] = "brennerlint configuration"
	var words []map[string]string
	for _, w := range rules.Words() {
		words = append(words, map[string]string{"const": w.Word, "description": w.Description})
	}
	families := map[string]bool{"ALL": true}
	for _, r := range rules {
		families[r.Family()] = true
	}
	custom := map[string]any{
		"description": "a custom rule, by id or letters",
		"pattern":     "^[A-Z]{2,5}(-[0-9]{3})?$",
		"not":         map[string]any{"pattern": "^(" + strings.Join(slices.Sorted(maps.Keys(families)), "|") + ")(-|$)"},
	}
	s["$defs"] = map[string]any{"rule": map[string]any{"type": "string", "anyOf": []map[string]any{{"oneOf": words}, custom}}}
	return s
}

func schemaOf(t reflect.Type, tag reflect.StructTag) map[string]any {
	s := map[string]any{}
	if doc := tag.Get("doc"); doc != "" {
		s["description"] = doc
	}
	switch {
	case t == reflect.TypeFor[Level]():
		s["enum"] = []string{"error", "warning", "info", "off"}
	case t.Kind() == reflect.Int64:
		s["type"], s["pattern"] = []string{"string", "integer"}, sizeForm
	case t == reflect.TypeFor[Rules]() && tag != "":
		s["anyOf"] = []map[string]any{schemaOf(t, ""), schemaOf(reflect.TypeFor[[]customrules.Definition](), "")}
	case t.Kind() == reflect.Struct:
		properties, required := map[string]any{}, []string(nil)
		keys, fields := customrules.FieldsOf(t, "yaml")
		for _, key := range keys {
			f := fields[key]
			properties[key] = schemaOf(f.Type, f.Tag)
			if isRequired(f) {
				required = append(required, key)
			}
		}
		s["type"], s["properties"], s["additionalProperties"] = "object", properties, false
		if len(required) > 0 {
			s["required"] = required
		}
	case t.Kind() == reflect.Slice:
		s["type"], s["items"] = "array", schemaOf(t.Elem(), "")
		if namesRules(tag) {
			s["items"] = anyRule()
		}
	case t.Kind() == reflect.Map:
		s["type"], s["additionalProperties"] = "object", schemaOf(t.Elem(), "")
		if namesRules(tag) {
			s["propertyNames"] = anyRule()
		}
	case t.Kind() == reflect.Int:
		s["type"] = "integer"
		for key, name := range map[string]string{"min": "minimum", "max": "maximum"} {
			if n, err := strconv.Atoi(tag.Get(key)); err == nil {
				s[name] = n
			}
		}
	case namesRules(tag):
		s["anyOf"] = []map[string]any{anyRule(), {"type": "string", "pattern": ","}} // several, separated by commas
	default:
		s["type"] = "string"
		if tag.Get("word") == "message" { // an id, often a number
			s["type"] = []string{"string", "integer"}
		}
		if words := tag.Get("enum"); words != "" {
			s["enum"] = strings.Split(words, ",")
		}
		if pattern := tag.Get("pattern"); pattern != "" {
			s["pattern"] = pattern
		}
	}
	return s
}

func namesRules(tag reflect.StructTag) bool { return tag.Get("word") == "rule" }

func anyRule() map[string]any { return map[string]any{"$ref": "#/$defs/rule"} }

// Write writes the effective configuration as a configuration file: the settings that were
// given, and the defaults of all others.
func (c *Config) Write(w io.Writer) error {
	shown := *c
	shown.Scope = cmp.Or(c.Scope, "auto")
	shown.FailOn = cmp.Or(c.FailOn, "error")
	shown.Hook.OnFailure = cmp.Or(c.Hook.OnFailure, "block")
	shown.Hook.Warnings = cmp.Or(c.Hook.Warnings, "hide")
	shown.CorpusSize = cmp.Or(c.CorpusSize, lint.DefaultRuleConfig.CorpusSize)
	shown.ArtifactsDir = cmp.Or(c.ArtifactsDir, lint.DefaultRuleConfig.ArtifactsDir)
	shown.Limits.SetDefaults()
	from := cmp.Or(c.path, "defaults; no configuration file")
	var b bytes.Buffer // the encoder hides errors of a writer
	fmt.Fprintf(&b, "# %s\n", strings.ReplaceAll(from, "\n", " "))
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := errors.Join(e.Encode(shown), e.Close()); err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	_, err := b.WriteTo(w)
	return err
}

// MarshalYAML returns a level as people write it: off without quotation marks.
func (l Level) MarshalYAML() (any, error) {
	return &yaml.Node{Kind: yaml.ScalarNode, Value: string(l)}, nil
}
