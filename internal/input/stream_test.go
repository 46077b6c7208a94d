package input

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"
)

func TestReadStream(t *testing.T) {
	const most = firstPiece + 3*nextPiece
	content := bytes.Repeat([]byte("abcdefg\n"), most/8+1)
	for _, size := range []int{0, 1, firstPiece - 1, firstPiece, firstPiece + 1, firstPiece + nextPiece, firstPiece + nextPiece + 1, most, most + 1} {
		want := content[:min(size, most)]
		file := filepath.Join(t.TempDir(), "stream")
		if err := os.WriteFile(file, content[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		for name, r := range map[string]io.Reader{
			"stream":  bytes.NewReader(content[:size]),
			"in bits": iotest.HalfReader(bytes.NewReader(content[:size])),
			"late":    iotest.DataErrReader(bytes.NewReader(content[:size])),
			"file":    f,
		} {
			got, err := readStream(r, most)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s of %d bytes: read %d, %v; expected %d", name, size, len(got), err, len(want))
			}
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, broken := range []error{errors.New("broken"), io.ErrUnexpectedEOF} { // the latter of a stream that is cut
		if _, err := readStream(io.MultiReader(bytes.NewReader(content[:firstPiece+1]), iotest.ErrReader(broken)), most); !errors.Is(err, broken) {
			t.Errorf("error is %v; expected %v", err, broken)
		}
	}
}

// A file that was read in part before is read from there on.
func TestReadStreamFromMiddle(t *testing.T) {
	f, err := os.OpenFile(filepath.Join(t.TempDir(), "stream"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("0123456789"); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Seek(4, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if got, err := readStream(f, 100); err != nil || string(got) != "456789" {
		t.Errorf("read %q, %v", got, err)
	}
	if got, err := readStream(f, 100); err != nil || len(got) != 0 {
		t.Errorf("read %q, %v at the end", got, err)
	}
}

// A file that is much larger than the limit, here a sparse one, takes no more than the limit.
func TestReadStreamLimit(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "stream"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(1 << 40); err != nil {
		t.Skip(err)
	}
	const limit = firstPiece + 100
	if got, err := readStream(f, limit); err != nil || len(got) != limit || cap(got) != limit {
		t.Errorf("read %d bytes in %d, %v", len(got), cap(got), err)
	}
}
