package jsontree

import (
	"os"
	"testing"
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
	data, err := os.ReadFile("../../testdata/corpus/realmail/json/thread-RS-20260102-round2-nanochat.json")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	return data
}
