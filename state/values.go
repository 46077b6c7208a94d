package state

// Values are the fields of an item, or the payload of a delta, by JSON key. Most are looked
// at one by one where they were read, and never made into a map.
type Values struct {
	fields map[string]any
	source ValueSource // if set, instead of fields
}

// ValueSource makes values each time that they are asked for, the same each time.
type ValueSource interface {
	// Value returns the value of a key as plain JSON data, nil if there is none.
	Value(key string) any
	// Text returns the value of a key that is a string.
	Text(key string) (text string, isText bool)
	// HasKey reports whether there is a key for which match is true.
	HasKey(match func(key string) bool) bool
}

// ValuesOf returns the values in a map.
func ValuesOf(fields map[string]any) Values { return Values{fields: fields} }

// ValuesFrom returns the values of a source.
func ValuesFrom(s ValueSource) Values { return Values{source: s} }

// Source returns what the values are from, nil if they are from a map.
func (v Values) Source() ValueSource { return v.source }

// Value returns the value of a key, nil if there is none.
func (v Values) Value(key string) any {
	if v.source != nil {
		return v.source.Value(key)
	}
	return v.fields[key]
}

// Text returns the value of a key that is a string.
func (v Values) Text(key string) (text string, isText bool) {
	if v.source != nil {
		return v.source.Text(key)
	}
	text, isText = v.fields[key].(string)
	return text, isText
}

// HasKey reports whether there is a key for which match is true.
func (v Values) HasKey(match func(key string) bool) bool {
	if v.source != nil {
		return v.source.HasKey(match)
	}
	for key := range v.fields {
		if match(key) {
			return true
		}
	}
	return false
}
