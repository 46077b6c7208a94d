package cli

import (
	"bytes"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out lockedBuffer
		p := &progress{w: &out, end: make(chan struct{})}
		p.ended.Go(func() { p.run(time.Second, 100*time.Millisecond) })
		p.update(7, 0)
		time.Sleep(900 * time.Millisecond)
		if out.String() != "" {
			t.Errorf("%q before a second has passed", out.String())
		}
		time.Sleep(150 * time.Millisecond)
		p.update(3, 20)
		time.Sleep(100 * time.Millisecond)
		p.stop()
		const clear = "\r\x1b[K"
		if want := clear + "reading: 7 files done" + clear + "checked 3 of 20 threads" + clear; out.String() != want {
			t.Errorf("%q, want %q", out.String(), want)
		}
	})
}

// lockedBuffer is read while the progress writes to it.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
