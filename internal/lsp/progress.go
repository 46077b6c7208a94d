package lsp

import (
	"encoding/json"
	"fmt"
	"sync"
)

// progressStep is by how many percent work has gone on when it is reported again.
const progressStep = 10

// workProgress reports how far work is, to a client that gave a token.
type workProgress struct {
	server *server
	token  json.RawMessage // empty if not requested

	mu   sync.Mutex
	last int // the percentage that was reported
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
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	percent := 100 * done / total
	if percent < p.last+progressStep {
		return
	}
	p.last = percent
	p.send(map[string]any{"kind": "report", "message": fmt.Sprintf("%d of %d threads", done, total), "percentage": percent})
}

func (p *workProgress) end() { p.send(map[string]any{"kind": "end"}) }
