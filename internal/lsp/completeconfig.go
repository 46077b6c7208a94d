package lsp

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/text"
)

// configCompletions are those of a configuration.
var configCompletions = sync.OnceValue(func() []completion {
	return []completion{
		{regexp.MustCompile(`^\s*(?:- +)*[\w-]+:\s*\[(?:[^\]]*,)?\s*["']?([\w-]*)$`), configListValues},
		{regexp.MustCompile(`^\s*(?:- +)*[\w-]+:\s+["']?([\w-]*)$`), configValues},
		{regexp.MustCompile(`^\s*(?:- +)+["']?([\w-]*)$`), configEntries},
		{regexp.MustCompile(`^\s*([\w-]*)$`), configKeys},
	}
})

// schema is a part of a JSON Schema.
type schema map[string]any

func (s schema) sub(key string) schema {
	if m, ok := s[key].(map[string]any); ok {
		return m
	}
	return nil
}

// forms returns the schema and its alternatives (anyOf): a value has to match one.
func (s schema) forms() []schema {
	if s == nil {
		return nil
	}
	out := []schema{s}
	choices, _ := s["anyOf"].([]any)
	for _, choice := range choices {
		if m, ok := choice.(map[string]any); ok {
			out = append(out, schema(m).forms()...)
		}
	}
	return out
}

// members returns the forms of the value of a key; none if the key is unknown.
func members(forms []schema, key string) []schema {
	var out []schema
	for _, s := range forms {
		found := s.sub("properties").sub(key)
		if found == nil {
			found = s.sub("additionalProperties")
		}
		out = append(out, found.forms()...)
	}
	return out
}

// entries returns the forms of the entries of a list.
func entries(forms []schema) []schema {
	var out []schema
	for _, s := range forms {
		out = append(out, s.sub("items").forms()...)
	}
	return out
}

var configKey = text.Pattern(`^(\s*(?:- +)*)["']?([\w-]+)["']?:`)

// configForms returns the schemas of the mapping or list entry that begins at a column of the
// cursor's line. The less indented keys above say where that is in the configuration.
func (c *cursor) configForms(column int, inList bool) []schema {
	type step struct {
		key    string
		inList bool // what is below the key is an entry of a list
	}
	var path []step
	above := strings.Split(string(c.snap.text[:lineAround(c.snap.text, c.offset).Start]), "\n")
	for _, line := range slices.Backward(above) {
		m := configKey().FindStringSubmatch(line)
		if m == nil || len(m[1]) > column {
			continue
		}
		dash := strings.IndexByte(m[1], '-')
		switch {
		case len(m[1]) < column:
			path = append(path, step{m[2], inList})
			inList, column = dash >= 0, len(m[1])
		case dash >= 0: // the first key of the same entry
			inList = true
		}
		if dash >= 0 && len(m[1]) == column {
			column = dash + 1 // the entries of a list may be as far in as its key
		}
	}
	forms := schema(config.Schema(c.server.opts.Rules)).forms()
	for _, s := range slices.Backward(path) {
		if forms = members(forms, s.key); s.inList {
			forms = entries(forms)
		}
	}
	return forms
}

// lineBefore returns the cursor's line up to the cursor.
func (c *cursor) lineBefore() string {
	return string(c.snap.text[lineAround(c.snap.text, c.offset).Start:c.offset])
}

// configKeys returns the keys that can be where the cursor is.
func configKeys(c *cursor) []word {
	before := c.lineBefore()
	return c.keysOf(c.configForms(len(before)-len(c.groups[1]), false))
}

func (c *cursor) keysOf(forms []schema) []word {
	var out []word
	for _, s := range forms {
		properties := s.sub("properties")
		for _, key := range slices.Sorted(maps.Keys(properties)) {
			out = append(out, word{key + ": ", descriptionOf(properties.sub(key)), fieldItem})
		}
		for _, w := range c.valuesOf(s.sub("propertyNames").forms()) {
			out = append(out, word{w.text + ": ", w.detail, fieldItem})
		}
	}
	return out
}

func descriptionOf(s schema) string {
	d, _ := s["description"].(string)
	return d
}

// configEntries returns the values of an entry of a list, and the keys it can begin with.
func configEntries(c *cursor) []word {
	before := c.lineBefore()
	dash := strings.LastIndexByte(before[:len(before)-len(c.groups[1])], '-')
	forms := c.configForms(dash+1, true)
	return append(c.keysOf(forms), c.valuesOf(forms)...)
}

// configValues returns the values of the key on the cursor's line.
func configValues(c *cursor) []word { return c.valuesOf(c.configMembers()) }

// configListValues returns the values of entries of the list on the cursor's line.
func configListValues(c *cursor) []word { return c.valuesOf(entries(c.configMembers())) }

func (c *cursor) configMembers() []schema {
	m := configKey().FindStringSubmatch(c.lineBefore())
	if m == nil {
		return nil
	}
	column, dash := len(m[1]), strings.IndexByte(m[1], '-')
	if dash >= 0 {
		column = dash + 1
	}
	return members(c.configForms(column, dash >= 0), m[2])
}

// valuesOf returns the values that schemas list, and ids where they ask for rules.
func (c *cursor) valuesOf(forms []schema) []word {
	var out []word
	for _, s := range forms {
		values, _ := s["enum"].([]any)
		for _, v := range values {
			if text, ok := v.(string); ok {
				out = append(out, word{text, "", valueItem})
			}
		}
		if s["$ref"] != "#/$defs/rule" {
			continue
		}
		for _, r := range c.snap.settings.Rules {
			if strings.HasPrefix(r.ID, strings.ToUpper(c.groups[1])) {
				out = append(out, word{r.ID, r.Name, referenceItem})
			}
		}
	}
	return out
}
