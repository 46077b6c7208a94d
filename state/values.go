package state

import "maps"

// Values are the fields of an item, or the payload of a delta, by JSON key. Most are looked
// at one by one where they were read, and never made into a map.
type Values struct {
	fields map[string]any
	source ValueSource // if set, instead of fields
}

// ValueSource makes values each time that they are asked for, the same each time.
type ValueSource interface {
	// Lookup returns the value of a key as plain JSON data, and whether there is the key.
	Lookup(key string) (v any, ok bool)
	// Text returns the value of a key that is a string.
	Text(key string) (text string, isText bool)
	// Part returns the values in an object; there are none if the value of the key is
	// something else.
	Part(key string) Values
	// AppendKeys appends all keys to a list, in any order.
	AppendKeys(list []string) []string
	// Map returns all values, in a new map.
	Map() map[string]any
}

// ValuesOf returns the values in a map.
func ValuesOf(fields map[string]any) Values { return Values{fields: fields} }

// ValuesFrom returns the values of a source.
func ValuesFrom(s ValueSource) Values { return Values{source: s} }

// Source returns what the values are from, nil if they are from a map.
func (v Values) Source() ValueSource { return v.source }

// Value returns the value of a key, nil if there is none.
func (v Values) Value(key string) any {
	value, _ := v.Lookup(key)
	return value
}

// Lookup returns the value of a key, and whether there is the key.
func (v Values) Lookup(key string) (value any, ok bool) {
	if v.source != nil {
		return v.source.Lookup(key)
	}
	value, ok = v.fields[key]
	return value, ok
}

// Text returns the value of a key that is a string.
func (v Values) Text(key string) (text string, isText bool) {
	if v.source != nil {
		return v.source.Text(key)
	}
	text, isText = v.fields[key].(string)
	return text, isText
}

// Part returns the values in an object; there are none if the value of the key is something
// else.
func (v Values) Part(key string) Values {
	if v.source != nil {
		return v.source.Part(key)
	}
	part, _ := v.fields[key].(map[string]any)
	return ValuesOf(part)
}

// AppendKeys appends all keys to a list, in any order.
func (v Values) AppendKeys(list []string) []string {
	if v.source != nil {
		return v.source.AppendKeys(list)
	}
	for key := range v.fields {
		list = append(list, key)
	}
	return list
}

// Map returns all values, in a new map.
func (v Values) Map() map[string]any {
	if v.source != nil {
		return v.source.Map()
	}
	return maps.Clone(v.fields)
}
