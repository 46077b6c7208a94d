package lsp

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
)

// endless gives the same byte again and again.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// TestLargeFrames checks that a message or header that is too large is passed over
// without being kept, and that the next one is read.
func TestLargeFrames(t *testing.T) {
	next := string(frameOf("{}"))
	for _, c := range []struct {
		name string
		in   io.Reader
	}{
		{"message", io.MultiReader(strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\n", maxFrame+1)), io.LimitReader(endless('x'), maxFrame+1), strings.NewReader(next))},
		{"line", io.MultiReader(io.LimitReader(endless('x'), maxFrame), strings.NewReader("\r\n\r\n"+next))},
		{"header", strings.NewReader(strings.Repeat("X: y\r\n", maxHeader) + "\r\n" + next)},
	} {
		r := bufio.NewReaderSize(c.in, 4<<10)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := readFrame(r)
		runtime.ReadMemStats(&after)
		var bad *frameError
		if !errors.As(err, &bad) {
			t.Errorf("a %s that is too large: %v", c.name, err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 {
			t.Errorf("a %s that is too large took %d bytes", c.name, n)
		}
		if data, err := readFrame(r); err != nil || string(data) != "{}" {
			t.Errorf("after a %s that is too large: %q, %v", c.name, data, err)
		}
	}
}

// TestAnnouncedFrame checks that memory is not taken for what is only announced.
func TestAnnouncedFrame(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := readFrame(bufio.NewReader(strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\n{", maxFrame))))
	runtime.ReadMemStats(&after)
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a message that ends early: %v", err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("a message that ends early took %d bytes", n)
	}
}

// TestNextFrame checks that the message after one that cannot be read is found.
func TestNextFrame(t *testing.T) {
	next := string(frameOf(`{"next": true}`))
	for _, bad := range []string{
		"Content-Length: x\r\n\r\n{\"a\": 1}", "Content-Length: -1\r\n\r\n{\n  \"a\": 1,\n  \"b\": []\n}", "Length: 5\r\n\r\n{    }",
		"nonsense\r\n\r\n", "Content-Length: x\r\n\r\n" + strings.Repeat("x", 3*maxHeader), "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
	} {
		r := bufio.NewReader(strings.NewReader(bad + next + next))
		for i := 0; ; i++ {
			data, err := readFrame(r)
			var wrong *frameError
			if errors.As(err, &wrong) && i < 3 {
				continue
			}
			if err != nil || string(data) != `{"next": true}` {
				t.Errorf("after %.40q: %q, %v", bad, data, err)
			}
			break
		}
	}
}
