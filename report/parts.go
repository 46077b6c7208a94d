package report

import (
	"bufio"
	"bytes"
	"runtime"

	"github.com/brennerlint/brennerlint/lint"
)

// partSize is how many findings are written at a time by one of several goroutines.
// Fewer than two parts are not worth it.
const partSize = 256

// part writes some of the findings into memory.
type part struct {
	textWriter
	text bytes.Buffer
	done chan struct{} // closed when the text is complete; nil without one
}

// parts writes findings by as many goroutines as there are processors, each some
// hundred, and these in order.
func (t *textWriter) parts(findings []*lint.Finding) {
	parts := make([]part, runtime.GOMAXPROCS(0))
	if len(parts) == 1 || len(findings) < 2*partSize {
		t.places(findings, 0, len(findings))
		return
	}
	most := (len(findings) + partSize - 1) / partSize // fewer if many are at one place
	from := 0
	for i := range most + len(parts) {
		p := &parts[i%len(parts)]
		if p.done != nil {
			<-p.done
			if _, err := t.w.Write(p.text.Bytes()); err != nil {
				return
			}
			p.done = nil
		}
		if from < len(findings) {
			to := placeFrom(findings, from+partSize)
			p.start(t, findings, from, to)
			from = to
		}
	}
}

// start writes the findings from an index on up to another, in its own goroutine.
func (p *part) start(t *textWriter, findings []*lint.Finding, from, to int) {
	p.text.Reset()
	p.textWriter = textWriter{w: bufio.NewWriter(&p.text), paint: t.paint, columns: t.columns, links: t.links, pages: t.pages}
	p.done = make(chan struct{})
	go func() {
		defer close(p.done)
		p.places(findings, from, to)
		p.w.Flush()
	}()
}

// placeFrom is where the first place begins at an index or after it.
func placeFrom(findings []*lint.Finding, i int) int {
	for i < len(findings) && samePlace(findings[i-1], findings[i]) {
		i++
	}
	return min(i, len(findings))
}
