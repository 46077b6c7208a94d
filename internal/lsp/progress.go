package lsp

import (
	"encoding/json"
	"fmt"
	"sync/atomic"
)

// progressStep is how many percent lie between two reports.
const progressStep = 10

// workProgress reports how far work is, to a client that gave a token.
type workProgress struct {
	server *server
	token  json.RawMessage // empty if the client asked for no reports
	last   atomic.Int64    // the percentage that was reported
}

func (s *server) beginProgress(token json.RawMessage, title string) *workProgress {
	p := &workProgress{server: s, token: token}
	p.send(map[string]any{"kind": "begin", "title": title, "percentage": 0})
	return p
}

func (p *workProgress) send(value map[string]any) {
	if len(p.token) > 0 {
		p.server.notify("$/progress", map[string]any{"token": p.token, "value": value})
	}
}

// report takes how many of all threads are done. It may be called concurrently.
func (p *workProgress) report(done, total int) {
	if total == 0 {
		return // mail is still read
	}
	percent, last := int64(100*done/total), p.last.Load()
	if percent >= last+progressStep && p.last.CompareAndSwap(last, percent) {
		p.send(map[string]any{"kind": "report", "message": fmt.Sprintf("%d of %d threads", done, total), "percentage": percent})
	}
}

func (p *workProgress) end() { p.send(map[string]any{"kind": "end"}) }
