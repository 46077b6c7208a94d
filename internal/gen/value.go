package gen

import (
	"strconv"

	"github.com/brennerlint/brennerlint/internal/jsontree"
)

// field is one member of an object; objects keep their order.
type field struct {
	key   string
	value any // string, bool, int, nil, []string, list or object
}

type (
	object []field
	list   []object
)

// get returns the value of a key, or nil.
func (o object) get(key string) any {
	for _, f := range o {
		if f.key == key {
			return f.value
		}
	}
	return nil
}

func (o object) str(key string) string {
	s, _ := o.get(key).(string)
	return s
}

// with returns a copy in which the given fields are set.
func (o object) with(fields object) object {
	out := append(object(nil), o...)
next:
	for _, f := range fields {
		for i := range out {
			if out[i].key == f.key {
				out[i].value = f.value
				continue next
			}
		}
		out = append(out, f)
	}
	return out
}

// appendJSON writes a value as agents do: two spaces a level, raw UTF-8, short
// arrays on one line.
func appendJSON(dst []byte, v any, indent string) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, v)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case string:
		return append(dst, jsontree.Quote(v)...)
	case []string:
		dst = append(dst, '[')
		for i, s := range v {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = append(dst, jsontree.Quote(s)...)
		}
		return append(dst, ']')
	case list:
		dst = append(dst, '[')
		for i, o := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(append(append(dst, '\n'), indent...), "  "...)
			dst = appendJSON(dst, o, indent+"  ")
		}
		return append(append(append(dst, '\n'), indent...), ']')
	case object:
		dst = append(dst, '{')
		for i, f := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(append(append(dst, '\n'), indent...), "  "...)
			dst = append(dst, jsontree.Quote(f.key)+": "...)
			dst = appendJSON(dst, f.value, indent+"  ")
		}
		return append(append(append(dst, '\n'), indent...), '}')
	}
	panic("no value of JSON")
}
