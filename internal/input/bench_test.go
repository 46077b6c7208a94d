package input

import (
	"context"
	"sync/atomic"
	"testing"
)

// BenchmarkDiscover finds, recognises and reads the files of a git archive.
func BenchmarkDiscover(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		var size atomic.Int64
		_, err := Discover(context.Background(), []string{"../../testdata/corpus/realmail/archive"}, Options{}, func(in *Input) {
			data, err := in.Bytes()
			if err != nil {
				b.Error(err)
			}
			size.Add(int64(len(data)))
		})
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(size.Load())
	}
}
