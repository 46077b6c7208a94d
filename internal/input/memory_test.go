package input

import (
	"bytes"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
)

// TestPack checks that what is packed is read as before, by several readers at once.
func TestPack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, largeStream+12_345)
	for i := range data {
		data[i] = "abcdefgh"[r.IntN(1+i%8)]
	}
	in := NewBytes(JSON, "-", data)
	before, err := in.Open()
	if err != nil {
		t.Fatal(err)
	}
	in.Pack()
	in.Pack() // once more changes nothing
	if in.memory.data != nil || !in.InMemory() {
		t.Error("the content is kept as it was")
	}
	after, err := in.Open()
	if err != nil || after.Size() != before.Size() {
		t.Fatalf("%d bytes instead of %d (%v)", after.Size(), before.Size(), err)
	}
	var all sync.WaitGroup
	for seed := range uint64(4) {
		all.Go(func() {
			r := rand.New(rand.NewPCG(seed, 3))
			for range 100 {
				start := r.IntN(len(data))
				end := min(len(data), start+r.IntN(3*blockSize))
				if part, err := after.Part(start, end); err != nil || !bytes.Equal(part, data[start:end]) {
					t.Errorf("bytes %d to %d differ (%v)", start, end, err)
				}
			}
		})
	}
	all.Wait()
	if n, err := after.ReadAt(make([]byte, 10), int64(len(data))-3); n != 3 || err != io.EOF {
		t.Errorf("at the end %d bytes are read (%v)", n, err)
	}
	if whole, err := after.Bytes(nil); err != nil || !bytes.Equal(whole, data) {
		t.Errorf("the whole differs (%v)", err)
	}
	small := NewBytes(JSON, "-", data[:100])
	if small.Pack(); small.memory.packed != nil {
		t.Error("a short content is packed")
	}
}
