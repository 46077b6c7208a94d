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

// configCompletions are those of a configuration: after the indentation of the line, with its
// dashes, and a key.
var configCompletions = sync.OnceValue(func() []completion {
	return []completion{
		{regexp.MustCompile(`^(\s*(?:- +)*)([\w-]+):\s*\[(?:[^\]]*,)?\s*["']?([\w-]*)$`), configListValues},
		{regexp.MustCompile(`^(\s*(?:- +)*)([\w-]+):\s+["']?([\w-]*)$`), configValues},
		{regexp.MustCompile(`^(\s*(?:- +)+)["']?([\w-]*)$`), configEntries},
		{regexp.MustCompile(`^(\s*)([\w-]*)$`), configKeys},
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
	choices, _ := s["anyOf"].([]map[string]any)
	for _, choice := range choices {
		out = append(out, schema(choice).forms()...)
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

// configKeys offers the keys that can be where the cursor is.
func configKeys(c *cursor) { c.offerKeys(c.configForms(len(c.groups[1]), false)) }

func (c *cursor) offerKeys(forms []schema) {
	for _, s := range forms {
		properties := s.sub("properties")
		for _, key := range slices.Sorted(maps.Keys(properties)) {
			description, _ := properties.sub(key)["description"].(string)
			c.offer(key+": ", description, fieldItem)
		}
		c.offerRules(s.sub("propertyNames"), ": ", fieldItem)
	}
}

// offerRules offers the ids of rules where a schema asks for them.
func (c *cursor) offerRules(s schema, after string, kind int) {
	if s["$ref"] != "#/$defs/rule" {
		return
	}
	for _, r := range c.snap.settings.Rules {
		if strings.HasPrefix(r.ID, strings.ToUpper(c.typed)) {
			c.offer(r.ID+after, r.Name, kind)
		}
	}
}

// configEntries offers the values of an entry of a list, and the keys it can begin with.
func configEntries(c *cursor) {
	forms := c.configForms(strings.LastIndexByte(c.groups[1], '-')+1, true)
	c.offerKeys(forms)
	c.offerFrom(forms)
}

// configValues offers the values of the key on the cursor's line.
func configValues(c *cursor) { c.offerFrom(c.configMembers()) }

// configListValues offers the values of entries of the list on the cursor's line.
func configListValues(c *cursor) { c.offerFrom(entries(c.configMembers())) }

func (c *cursor) configMembers() []schema {
	column, dash := len(c.groups[1]), strings.IndexByte(c.groups[1], '-')
	if dash >= 0 {
		column = dash + 1
	}
	return members(c.configForms(column, dash >= 0), c.groups[2])
}

// offerFrom offers the values that schemas list.
func (c *cursor) offerFrom(forms []schema) {
	for _, s := range forms {
		values, _ := s["enum"].([]string)
		for _, v := range values {
			c.offer(v, "", valueItem)
		}
		c.offerRules(s, "", referenceItem)
	}
}
