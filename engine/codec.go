package engine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// Results are written field by field, in the order of their declaration: numbers as
// varints, texts and lists with their lengths. What reads them knows the shape, which
// is part of every key.

var timeType = reflect.TypeFor[time.Time]()

// isStored reports whether a field is written: functions are not.
func isStored(t reflect.Type) bool { return t.Kind() != reflect.Func }

// shapeOf names the fields of a type, and of those in it: results of another shape
// are not read.
func shapeOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return t.Kind().String() + " " + shapeOf(t.Elem())
	case reflect.Struct:
		if t == timeType {
			return "time"
		}
		var b strings.Builder
		for i := range t.NumField() {
			if f := t.Field(i); isStored(f.Type) {
				fmt.Fprintf(&b, "%s %s;", f.Name, shapeOf(f.Type))
			}
		}
		return "{" + b.String() + "}"
	}
	return t.Kind().String()
}

// encode writes a result.
func encode(v any) []byte { return appendValue(nil, reflect.ValueOf(v).Elem()) }

func appendValue(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return binary.AppendVarint(b, v.Int())
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return binary.AppendUvarint(b, v.Uint())
	case reflect.String:
		return append(binary.AppendUvarint(b, uint64(v.Len())), v.String()...)
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, 0)
		}
		return appendValue(append(b, 1), v.Elem())
	case reflect.Slice:
		if v.IsNil() {
			return append(b, 0)
		}
		b = binary.AppendUvarint(b, uint64(v.Len())+1)
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			b = appendValue(b, v.Index(i))
		}
		return b
	case reflect.Struct:
		return appendStruct(b, v)
	}
	panic("result of kind " + v.Kind().String())
}

func appendStruct(b []byte, v reflect.Value) []byte {
	t := v.Type()
	if t == timeType {
		data, err := v.Interface().(time.Time).MarshalBinary()
		if err != nil {
			data = nil
		}
		return append(binary.AppendUvarint(b, uint64(len(data))), data...)
	}
	for i := range t.NumField() {
		if isStored(t.Field(i).Type) {
			b = appendValue(b, v.Field(i))
		}
	}
	return b
}

// decode reads a result. It takes no more memory than the data explains.
func decode(data []byte, to any) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("decode: %v", r)
		}
	}()
	d := &decoder{data}
	d.value(reflect.ValueOf(to).Elem())
	if len(d.data) > 0 {
		return errors.New("decode: bytes left")
	}
	return nil
}

// decoder reads values; it panics where the data do not fit.
type decoder struct{ data []byte }

func (d *decoder) take(n uint64) []byte {
	if n > uint64(len(d.data)) {
		panic("too short")
	}
	out := d.data[:n]
	d.data = d.data[n:]
	return out
}

func (d *decoder) uvarint() uint64 {
	n, size := binary.Uvarint(d.data)
	if size <= 0 {
		panic("number")
	}
	d.data = d.data[size:]
	return n
}

func (d *decoder) varint() int64 {
	n, size := binary.Varint(d.data)
	if size <= 0 {
		panic("number")
	}
	d.data = d.data[size:]
	return n
}

func (d *decoder) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(d.take(1)[0] == 1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n := d.varint()
		if v.OverflowInt(n) {
			panic("number")
		}
		v.SetInt(n)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n := d.uvarint()
		if v.OverflowUint(n) {
			panic("number")
		}
		v.SetUint(n)
	case reflect.String:
		v.SetString(string(d.take(d.uvarint())))
	case reflect.Pointer:
		if d.take(1)[0] == 1 {
			v.Set(reflect.New(v.Type().Elem()))
			d.value(v.Elem())
		}
	case reflect.Slice:
		d.slice(v)
	case reflect.Array:
		for i := range v.Len() {
			d.value(v.Index(i))
		}
	case reflect.Struct:
		d.structure(v)
	default:
		panic("kind " + v.Kind().String())
	}
}

// slice reads a list as it grows: each element takes a byte at least.
func (d *decoder) slice(v reflect.Value) {
	n := d.uvarint()
	if n == 0 {
		return
	}
	if n--; n > uint64(len(d.data)) {
		panic("too short")
	}
	const atOnce = 1024
	v.Set(reflect.MakeSlice(v.Type(), 0, int(min(n, atOnce))))
	for i := range int(n) {
		if i == v.Cap() {
			v.Grow(1) // as append does
		}
		v.SetLen(i + 1)
		d.value(v.Index(i))
	}
}

func (d *decoder) structure(v reflect.Value) {
	t := v.Type()
	if t == timeType {
		var at time.Time
		if data := d.take(d.uvarint()); len(data) > 0 {
			if err := at.UnmarshalBinary(data); err != nil {
				panic(err)
			}
		}
		v.Set(reflect.ValueOf(at))
		return
	}
	for i := range t.NumField() {
		if isStored(t.Field(i).Type) {
			d.value(v.Field(i))
		}
	}
}
