package config

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"sort"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/lint"
)

// Write writes the effective configuration as a configuration file: the settings that were
// given, and the defaults of all others.
func (c *Config) Write(w io.Writer) error {
	shown := *c
	shown.defaults()
	from := "defaults; no configuration file"
	if c.path != "" {
		from = c.path
	}
	var b bytes.Buffer // the encoder hides errors of a writer
	fmt.Fprintf(&b, "# %s\n", strings.ReplaceAll(from, "\n", " "))
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(toNode(reflect.ValueOf(shown))); err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	if err := e.Close(); err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (c *Config) defaults() {
	setDefault(&c.Scope, "auto")
	setDefault(&c.FailOn, "error")
	setDefault(&c.Hook.OnFailure, "block")
	setDefault(&c.Hook.Warnings, "hide")
	setDefault(&c.CorpusSize, lint.DefaultRuleConfig.CorpusSize)
	setDefault(&c.ArtifactsDir, lint.DefaultRuleConfig.ArtifactsDir)
	setDefault(&c.Limits.FileSize, Size(engine.DefaultLimits.FileSize))
	setDefault(&c.Limits.ExpandedSize, Size(engine.DefaultLimits.ExpandedSize))
	setDefault(&c.Limits.Entries, engine.DefaultLimits.Entries)
	setDefault(&c.Limits.JSONDepth, engine.DefaultLimits.JSONDepth)
	setDefault(&c.Limits.YAMLDepth, engine.DefaultLimits.YAMLDepth)
	setDefault(&c.Limits.YAMLAliases, engine.DefaultLimits.YAMLAliases)
	setDefault(&c.Limits.Findings, engine.DefaultLimits.Findings)
	setDefault(&c.Limits.FrameLine, engine.DefaultLimits.FrameLine)
}

func setDefault[T comparable](v *T, to T) {
	var zero T
	if *v == zero {
		*v = to
	}
}

// toNode writes a value as the decoder reads it; empty values are left out.
func toNode(v reflect.Value) *yaml.Node {
	switch v.Kind() {
	case reflect.Struct:
		n := &yaml.Node{Kind: yaml.MappingNode}
		for _, f := range reflect.VisibleFields(v.Type()) {
			key := f.Tag.Get("key")
			if key == "" || v.FieldByIndex(f.Index).IsZero() {
				continue
			}
			n.Content = append(n.Content, toNode(reflect.ValueOf(key)), toNode(v.FieldByIndex(f.Index)))
		}
		return n
	case reflect.Slice:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		for i := range v.Len() {
			n.Content = append(n.Content, toNode(v.Index(i)))
		}
		return n
	case reflect.Map:
		n := &yaml.Node{Kind: yaml.MappingNode}
		keys := v.MapKeys()
		sort.Slice(keys, func(i, j int) bool { return keys[i].String() < keys[j].String() })
		for _, k := range keys {
			n.Content = append(n.Content, toNode(k), toNode(v.MapIndex(k)))
		}
		return n
	}
	n := &yaml.Node{}
	n.SetString(fmt.Sprint(v.Interface()))
	if v.CanInt() {
		n.Kind, n.Tag, n.Value = yaml.ScalarNode, "!!int", fmt.Sprint(v.Int())
	}
	return n
}
