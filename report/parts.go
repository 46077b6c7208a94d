package report

import (
	"bufio"
	"runtime"

	"github.com/brennerlint/brennerlint/result"
)

// partSize is how many findings are written at a time by one of several goroutines, and
// findingSize how many bytes most of them take.
const partSize, findingSize = 64, 512

// span is findings from an index on up to another.
type span struct{ from, to int }

// part writes some of the findings after others, in its own goroutine.
type part struct {
	textWriter
	next chan span     // of findings to write; nil before the first
	done chan struct{} // sends when they are written
	busy bool          // they are not taken yet
}

// parts writes findings to w by as many goroutines as there are processors, each some
// dozens, and these in order.
func (t *textWriter) parts(w *bufio.Writer, findings []*result.Finding) {
	parts := make([]part, runtime.GOMAXPROCS(0))
	defer func() {
		for i := range parts {
			parts[i].end()
		}
	}()
	most := (len(findings) + partSize - 1) / partSize // fewer if many are at one place
	from := 0
	for i := range most + len(parts) {
		p := &parts[i%len(parts)]
		if p.busy {
			<-p.done
			if _, err := w.Write(p.text); err != nil {
				return
			}
			p.busy = false
		}
		if from < len(findings) {
			if p.next == nil {
				p.textWriter = *t
				p.start(findings)
			}
			to := placeFrom(findings, from+partSize)
			p.next <- span{from, to}
			p.busy = true
			from = to
		}
	}
}

// start begins to write what comes of the findings.
func (p *part) start(findings []*result.Finding) {
	p.next, p.done = make(chan span, 1), make(chan struct{}, 1)
	p.text = make([]byte, 0, min(len(findings), partSize)*findingSize)
	go func() {
		for s := range p.next {
			p.text = p.text[:0]
			p.places(findings, s.from, s.to)
			p.done <- struct{}{}
		}
	}()
}

// end ends the goroutine, if there is one.
func (p *part) end() {
	if p.next != nil {
		close(p.next)
	}
}

// placeFrom returns where the first place begins at an index or after it.
func placeFrom(findings []*result.Finding, i int) int {
	for i < len(findings) && samePlace(findings[i-1], findings[i]) {
		i++
	}
	return min(i, len(findings))
}
