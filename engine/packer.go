package engine

import (
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/internal/slab"
	"github.com/brennerlint/brennerlint/workspace"
)

// sessionPacker puts the summaries of threads into few pieces of memory: a mailbox may have
// a hundred thousand threads. It is safe for concurrent use.
type sessionPacker struct {
	mu       sync.Mutex
	sessions slab.Slab[workspace.Session]
	items    slab.Slab[workspace.Item]
	added    slab.Slab[workspace.ItemRecord]
	killed   slab.Slab[workspace.KilledItem]
	agents   map[string]string // a copy of each name, which equal names share
}

// pack returns a copy of a session. Its references are not copied: few sessions have any.
func (p *sessionPacker) pack(s *workspace.Session) *workspace.Session {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := &p.sessions.Make(1)[0]
	*out = *s
	out.Items, out.Added, out.Killed = p.items.Clone(s.Items), p.added.Clone(s.Added), p.killed.Clone(s.Killed)
	for i := range out.Killed {
		out.Killed[i].By = p.agent(out.Killed[i].By)
	}
	return out
}

func (p *sessionPacker) agent(name string) string {
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
