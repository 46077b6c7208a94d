package engine

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/brennerlint/brennerlint/result"
	"github.com/brennerlint/brennerlint/workspace"
)

// fill gives every field that is stored a value of its own.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(*n%100) - 50)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(*n % 200))
	case reflect.String:
		v.SetString(string(rune('a'+*n%26)) + "\x00é")
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.Struct:
		if v.Type() == timeType {
			v.Set(reflect.ValueOf(time.Date(2025, 12, 30, 10, 0, *n%60, *n, time.FixedZone("", 3600))))
			return
		}
		for i := range v.NumField() {
			if isStored(v.Type().Field(i).Type) && v.Field(i).CanSet() {
				fill(v.Field(i), n)
			}
		}
	}
}

// TestCodec checks that whatever a result holds is read as it was written, to the last
// field, and that nil and empty lists stay distinct.
func TestCodec(t *testing.T) {
	same := cmp.Options{cmpopts.IgnoreFields(workspace.Session{}, "Open"), cmp.AllowUnexported(gathered{})}
	n := 0
	for _, v := range []any{&unit{}, &gathered{}} {
		fill(reflect.ValueOf(v).Elem(), &n)
		again := reflect.New(reflect.TypeOf(v).Elem()).Interface()
		if g, ok := v.(*gathered); ok {
			g.failures = nil // a run with failures is not kept
		}
		if err := decode(encode(v), again); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(v, again, same); diff != "" {
			t.Errorf("%T:\n%s", v, diff)
		}
	}
	if n < 300 {
		t.Errorf("only %d values", n)
	}
	u := &unit{Notices: []string{}, Findings: []*result.Finding{nil}}
	var again unit
	if err := decode(encode(u), &again); err != nil || again.Notices == nil || again.Omitted != nil || len(again.Findings) != 1 || again.Findings[0] != nil {
		t.Errorf("read %+v (%v)", again, err)
	}
}

// TestCodecOfSpoiled checks that bytes that are no result are an error, and take no more
// memory than they explain.
func TestCodecOfSpoiled(t *testing.T) {
	n := 0
	u := &unit{}
	fill(reflect.ValueOf(u).Elem(), &n)
	data := encode(u)
	for i := range data {
		if decode(data[:i], &unit{}) == nil {
			t.Fatalf("the first %d bytes are a result", i)
		}
	}
	if decode(append(bytes.Clone(data), 0), &unit{}) == nil {
		t.Error("a result with a byte after it is one")
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		spoiled := bytes.Clone(data)
		for range 1 + random.IntN(4) {
			spoiled[random.IntN(len(spoiled))] = byte(random.IntN(256))
		}
		_ = decode(spoiled, &unit{}) // it ends
	}
	huge := append([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, make([]byte, 100)...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if decode(huge, &unit{}) == nil {
		t.Error("a list that is longer than its bytes is read")
	}
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 1<<20 {
		t.Errorf("%d bytes are allocated", after.TotalAlloc-before.TotalAlloc)
	}
}
