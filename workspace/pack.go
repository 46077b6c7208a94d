package workspace

import (
	"strings"
	"sync"
)

// Packer puts sessions into few pieces of memory. A mailbox may have a hundred thousand,
// and the garbage collector visits every piece that is kept, again and again. The memory of
// a piece is free once all sessions in it are of no use any more. It is safe for use by
// several goroutines.
type Packer struct {
	mu       sync.Mutex
	sessions []Session
	items    []Item
	added    []ItemRecord
	killed   []KilledItem
	agents   map[string]string
}

// packSize is how many sessions, items or records are in one piece of memory at most: each
// is twice as large as the one before.
const packSize = 1024

// Pack is a copy of a session. References are not packed: few sessions have any.
func (p *Packer) Pack(s *Session) *Session {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := *s
	out.Items, out.Added, out.Killed = pack(&p.items, s.Items), pack(&p.added, s.Added), pack(&p.killed, s.Killed)
	for i := range out.Killed {
		out.Killed[i].By = p.agent(out.Killed[i].By)
	}
	return &pack(&p.sessions, []Session{out})[0]
}

// pack copies a list to the end of a piece of memory, or of a new one.
func pack[T any](piece *[]T, list []T) []T {
	if len(list) == 0 {
		return nil
	}
	if cap(*piece)-len(*piece) < len(list) {
		*piece = make([]T, 0, max(len(list), min(2*cap(*piece), packSize)))
	}
	n := len(*piece)
	*piece = append(*piece, list...)
	return (*piece)[n:len(*piece):len(*piece)]
}

// agent is a name that equal names share.
func (p *Packer) agent(name string) string {
	known, ok := p.agents[name]
	if !ok {
		if p.agents == nil {
			p.agents = map[string]string{}
		}
		known = strings.Clone(name)
		p.agents[known] = known
	}
	return known
}
