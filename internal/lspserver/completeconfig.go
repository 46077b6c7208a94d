package lspserver

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/config"
)

// configCompletions are those of a configuration.
var configCompletions = []completion{
	{regexp.MustCompile(`^\s*(?:- +)*[\w-]+:\s*\[(?:[^\]]*,)?\s*["']?([\w-]*)$`), configValues},
	{regexp.MustCompile(`^\s*(?:- +)*[\w-]+:\s+["']?([\w-]*)$`), configValues},
	{regexp.MustCompile(`^\s*(?:- +)+["']?([\w-]*)$`), configEntries},
	{regexp.MustCompile(`^\s*([\w-]*)$`), configKeys},
}

// schema is a part of a JSON Schema.
type schema map[string]any

func (s schema) sub(key string) schema {
	if m, ok := s[key].(map[string]any); ok {
		return m
	}
	return nil
}

// member is the schema of the value of a key, nil if the key is not known; that of a
// list is that of its entries.
func (s schema) member(key string) schema {
	found := schema(s.sub("properties")).sub(key)
	if found == nil {
		found = s.sub("additionalProperties")
	}
	if items := found.sub("items"); items != nil {
		return items
	}
	return found
}

var configKey = regexp.MustCompile(`^(\s*(?:- +)*)["']?([\w-]+)["']?:`)

// configSchema is the schema of the mapping that a column on the cursor's line is in:
// it follows the keys above that are less indented.
func (c *cursor) configSchema(column int) schema {
	var path []string
	above := strings.Split(string(c.snap.text[:lineAround(c.snap.text, c.offset).Start]), "\n")
	for _, line := range slices.Backward(above) {
		m := configKey.FindStringSubmatch(line)
		if m == nil || len(m[1]) >= column {
			continue
		}
		path = append(path, m[2])
		if column = len(m[1]); column == 0 {
			break
		}
		// The entries of a list may be as far in as its key.
		if dash := strings.IndexByte(m[1], '-'); dash >= 0 {
			column = dash + 1
		}
	}
	s := schema(config.Schema(c.server.opts.Rules))
	for _, key := range slices.Backward(path) {
		s = s.member(key)
	}
	return s
}

// lineBefore is the cursor's line up to the cursor.
func (c *cursor) lineBefore() string {
	return string(c.snap.text[lineAround(c.snap.text, c.offset).Start:c.offset])
}

// configKeys are the keys that can be where the cursor is.
func configKeys(c *cursor) []word {
	before := c.lineBefore()
	return c.keysOf(c.configSchema(len(before) - len(c.groups[1])))
}

func (c *cursor) keysOf(s schema) []word {
	properties := s.sub("properties")
	var out []word
	for _, key := range slices.Sorted(maps.Keys(properties)) {
		out = append(out, word{key + ": ", descriptionOf(properties.sub(key)), fieldItem})
	}
	if names := s.sub("propertyNames"); names != nil {
		for _, w := range c.valuesOf(names) {
			out = append(out, word{w.text + ": ", w.detail, fieldItem})
		}
	}
	return out
}

func descriptionOf(s schema) string {
	d, _ := s["description"].(string)
	return d
}

// configEntries are what an entry of a list can be, or begin with.
func configEntries(c *cursor) []word {
	before := c.lineBefore()
	dash := strings.LastIndexByte(before[:len(before)-len(c.groups[1])], '-')
	s := c.configSchema(dash + 1)
	return append(c.keysOf(s), c.valuesOf(s)...)
}

// configValues are the values of the key on the cursor's line.
func configValues(c *cursor) []word {
	m := configKey.FindStringSubmatch(c.lineBefore())
	if m == nil {
		return nil
	}
	return c.valuesOf(c.configSchema(len(m[1])).member(m[2]))
}

// valuesOf are the only values that a schema allows, if it names them: rules by their
// ids.
func (c *cursor) valuesOf(s schema) []word {
	var out []word
	values, _ := s["enum"].([]any)
	for _, v := range values {
		if text, ok := v.(string); ok {
			out = append(out, word{text, "", valueItem})
		}
	}
	choices, _ := s["anyOf"].([]any)
	for _, choice := range append(choices, map[string]any(s)) {
		if choice, ok := choice.(map[string]any); ok && choice["$ref"] == "#/$defs/rule" {
			for _, r := range c.server.opts.Rules {
				if !strings.HasPrefix(r.ID, strings.ToUpper(c.groups[1])) {
					continue
				}
				out = append(out, word{r.ID, r.Name, referenceItem})
			}
		}
	}
	return out
}
