package report

import (
	"bufio"
	"runtime"

	"github.com/brennerlint/brennerlint/result"
)

// partSize is how many findings are written at a time by one of several goroutines.
const partSize = 256

// part writes some of the findings.
type part struct {
	textWriter
	done chan struct{} // closed when the text is complete; nil without one
}

// parts writes findings to w by as many goroutines as there are processors, each some
// hundred, and these in order.
func (t *textWriter) parts(w *bufio.Writer, findings []*result.Finding) {
	parts := make([]part, runtime.GOMAXPROCS(0))
	for i := range parts {
		parts[i].textWriter = *t
		parts[i].text = nil
	}
	most := (len(findings) + partSize - 1) / partSize // fewer if many are at one place
	from := 0
	for i := range most + len(parts) {
		p := &parts[i%len(parts)]
		if p.done != nil {
			<-p.done
			if _, err := w.Write(p.text); err != nil {
				return
			}
			p.done = nil
		}
		if from < len(findings) {
			to := placeFrom(findings, from+partSize)
			p.start(findings, from, to)
			from = to
		}
	}
}

// start writes the findings from an index on up to another, in its own goroutine.
func (p *part) start(findings []*result.Finding, from, to int) {
	p.text, p.done = p.text[:0], make(chan struct{})
	go func() {
		defer close(p.done)
		p.places(findings, from, to)
	}()
}

// placeFrom returns where the first place begins at an index or after it.
func placeFrom(findings []*result.Finding, i int) int {
	for i < len(findings) && samePlace(findings[i-1], findings[i]) {
		i++
	}
	return min(i, len(findings))
}
