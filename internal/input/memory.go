package input

import (
	"bytes"
	"compress/flate"
	"io"
	"sync"
)

// memory is the content of an input that is not in a file that can be read again: standard
// input or a pipe.
type memory struct {
	size int64

	mu     sync.Mutex
	data   []byte
	packed *packed // once it is compressed, else nil
}

// open returns the content.
func (m *memory) open() *Content {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.packed != nil {
		return &Content{ReaderAt: m.packed, size: m.size}
	}
	return Held(m.data)
}

// Pack compresses the content of an input that is large and in memory, which takes longer to
// read from then on. It is for those who are done with it but for a few places: their own
// slices of it keep it in memory.
func (in *Input) Pack() {
	m := in.memory
	if m == nil || m.size < largeStream {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.packed == nil {
		m.packed, m.data = pack(m.data), nil
	}
}

// blockSize is how many bytes are compressed together: as much has to be read for any of them.
const blockSize = 64 << 10

// packed is bytes that are compressed, in blocks.
type packed struct {
	size   int
	blocks [][]byte
	free   sync.Pool // of *unpacker
}

// unpacker reads blocks one by one.
type unpacker struct {
	compressed bytes.Reader
	reader     io.ReadCloser
	block      int // the one in buf, -1 for none
	buf        []byte
}

func pack(data []byte) *packed {
	p := &packed{size: len(data), blocks: make([][]byte, 0, (len(data)+blockSize-1)/blockSize)}
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is valid
	}
	for at := 0; at < len(data); at += blockSize {
		out.Reset()
		w.Reset(&out)
		_, _ = w.Write(data[at:min(at+blockSize, len(data))]) // a buffer takes all
		_ = w.Close()
		p.blocks = append(p.blocks, bytes.Clone(out.Bytes()))
	}
	return p
}

// ReadAt implements [io.ReaderAt].
func (p *packed) ReadAt(b []byte, off int64) (n int, err error) {
	u, ok := p.free.Get().(*unpacker)
	if !ok {
		u = &unpacker{block: -1, buf: make([]byte, blockSize)}
		u.reader = flate.NewReader(&u.compressed)
	}
	defer p.free.Put(u)
	for n < len(b) {
		at := int(off) + n
		if at >= p.size {
			return n, io.EOF
		}
		block, err := u.read(p, at/blockSize)
		if err != nil {
			return n, err
		}
		n += copy(b[n:], block[at%blockSize:])
	}
	return n, nil
}

// read returns a block.
func (u *unpacker) read(p *packed, i int) ([]byte, error) {
	block := u.buf[:min(blockSize, p.size-i*blockSize)]
	if u.block == i {
		return block, nil
	}
	u.block = -1
	u.compressed.Reset(p.blocks[i])
	if err := u.reader.(flate.Resetter).Reset(&u.compressed, nil); err != nil {
		return nil, err
	}
	if _, err := io.ReadFull(u.reader, block); err != nil {
		return nil, err
	}
	u.block = i
	return block, nil
}
