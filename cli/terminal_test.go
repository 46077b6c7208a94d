package cli

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"
)

func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := &progress{w: &out, next: time.Now().Add(time.Second)}
		p.update(6, 0)
		if out.String() != "" {
			t.Errorf("%q before a second has passed", out.String())
		}
		time.Sleep(time.Second)
		p.update(7, 0)
		p.update(8, 0)
		time.Sleep(100 * time.Millisecond)
		p.update(3, 20)
		p.stop()
		const clear = "\r\x1b[K"
		if want := clear + "reading: 7 files done" + clear + "checked 3 of 20 threads" + clear; out.String() != want {
			t.Errorf("%q, want %q", out.String(), want)
		}
	})
}
