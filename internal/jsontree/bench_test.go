package jsontree

import (
	"testing"

	"github.com/brennerlint/brennerlint/internal/must"
)

// BenchmarkParse reads a mail export into a tree, BenchmarkCheckSyntax without one.
func BenchmarkParse(b *testing.B) {
	data := exported(b)
	for b.Loop() {
		if _, fault := Parse(data, Options{}); fault != nil {
			b.Fatal(fault)
		}
	}
}

func BenchmarkCheckSyntax(b *testing.B) {
	data := exported(b)
	for b.Loop() {
		if fault := CheckSyntax(data); fault != nil {
			b.Fatal(fault)
		}
	}
}

func exported(b *testing.B) []byte {
	data := must.Read(b, "../../testdata/corpus/realmail/json/thread-RS-20260102-round2-nanochat.json")
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	return data
}
