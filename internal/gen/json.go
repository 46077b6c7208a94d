package gen

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// object is a JSON object. It keeps the order of its members.
type object []field

type field struct{ key, json string }

// members makes an object of names and values in turn.
func members(pairs ...any) (o object) {
	for i := 0; i < len(pairs); i += 2 {
		o.set(pairs[i].(string), pairs[i+1])
	}
	return o
}

func (o *object) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		*o = append(*o, field{key.(string), string(value)})
	}
	return nil
}

// String returns the object as JSON. Its keys are plain words.
func (o object) String() string {
	var all []string
	for _, f := range o {
		all = append(all, `"`+f.key+`":`+f.json)
	}
	return "{" + strings.Join(all, ",") + "}"
}

func (o object) MarshalJSON() ([]byte, error) { return []byte(o.String()), nil }

// get returns a value as JSON, "" if there is none.
func (o object) get(key string) string {
	for _, f := range o {
		if f.key == key {
			return f.json
		}
	}
	return ""
}

// decode reads a value into v, which stays as it is if there is none.
func (o object) decode(key string, v any) {
	if text := o.get(key); text != "" {
		if err := json.Unmarshal([]byte(text), v); err != nil {
			panic(err)
		}
	}
}

// value returns a value as data.
func (o object) value(key string) (v any) {
	o.decode(key, &v)
	return v
}

// set sets a value, at the end if it is new.
func (o *object) set(key string, value any) {
	i := slices.IndexFunc(*o, func(f field) bool { return f.key == key })
	if i < 0 {
		i = len(*o)
		*o = append(*o, field{key: key})
	}
	(*o)[i].json = encoded(value)
}

// encoded returns a value as JSON on one line, with texts as they are.
func encoded(v any) string {
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(out.String(), "\n")
}

var shortArray = regexp.MustCompile(`\[\s+("(?:[^"\\]|\\.)*"(?:,\s+"(?:[^"\\]|\\.)*")*)\s+\]`)

var lineBreak = regexp.MustCompile(`\n\s*`)

// pretty writes a value as agents do: two spaces a level, raw UTF-8, arrays of texts
// on one line.
func pretty(v any) string {
	var b bytes.Buffer
	_ = json.Indent(&b, []byte(encoded(v)), "", "  ") // it is JSON
	return shortArray.ReplaceAllStringFunc(b.String(), func(array string) string {
		return "[" + lineBreak.ReplaceAllString(shortArray.FindStringSubmatch(array)[1], " ") + "]"
	})
}
