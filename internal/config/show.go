package config

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
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
	if err := e.Encode(shown); err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	if err := e.Close(); err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (c *Config) defaults() {
	c.Scope = cmp.Or(c.Scope, "auto")
	c.FailOn = cmp.Or(c.FailOn, "error")
	c.Hook.OnFailure = cmp.Or(c.Hook.OnFailure, "block")
	c.Hook.Warnings = cmp.Or(c.Hook.Warnings, "hide")
	c.CorpusSize = cmp.Or(c.CorpusSize, lint.DefaultRuleConfig.CorpusSize)
	c.ArtifactsDir = cmp.Or(c.ArtifactsDir, lint.DefaultRuleConfig.ArtifactsDir)
	c.Limits.FileSize = cmp.Or(c.Limits.FileSize, Size(engine.DefaultLimits.FileSize))
	c.Limits.ExpandedSize = cmp.Or(c.Limits.ExpandedSize, Size(engine.DefaultLimits.ExpandedSize))
	c.Limits.Entries = cmp.Or(c.Limits.Entries, engine.DefaultLimits.Entries)
	c.Limits.JSONDepth = cmp.Or(c.Limits.JSONDepth, engine.DefaultLimits.JSONDepth)
	c.Limits.YAMLDepth = cmp.Or(c.Limits.YAMLDepth, engine.DefaultLimits.YAMLDepth)
	c.Limits.YAMLAliases = cmp.Or(c.Limits.YAMLAliases, engine.DefaultLimits.YAMLAliases)
	c.Limits.Findings = cmp.Or(c.Limits.Findings, engine.DefaultLimits.Findings)
	c.Limits.FrameLine = cmp.Or(c.Limits.FrameLine, engine.DefaultLimits.FrameLine)
}

// MarshalYAML returns a level as people write it: off without quotation marks.
func (l Level) MarshalYAML() (any, error) {
	return &yaml.Node{Kind: yaml.ScalarNode, Value: string(l)}, nil
}
