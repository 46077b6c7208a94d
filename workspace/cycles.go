package workspace

import (
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/protocol"
)

// node is an item of a session.
type node struct {
	session string
	item    protocol.ItemID
}

func (n node) String() string { return n.session + " " + n.item.String() }

// link is a reference from one item to another.
type link struct {
	to  int
	in  *Session
	ref *Reference
}

// graph is the items that refer, in the order of their references, those only
// referred to, and the references.
type graph struct {
	nodes []node
	index map[node]int
	links [][]link
}

func (g *graph) node(n node) int {
	i, ok := g.index[n]
	if !ok {
		i = len(g.nodes)
		g.index[n] = i
		g.nodes = append(g.nodes, n)
		g.links = append(g.links, nil)
	}
	return i
}

// maxChain is how many items of a cycle a message names.
const maxChain = 12

// Cycles finds chains of references that come back to where they began (XR-003).
// Each is found once, at its first item.
func Cycles(sessions []*Session) []Crossing {
	g := &graph{index: map[node]int{}}
	w := newWorkspace(sessions)
	w.references(func(s *Session, r *Reference) { g.node(node{s.ID, r.Item.ID()}) })
	w.references(func(s *Session, r *Reference) {
		if target, ok := protocol.ParseItemID(r.Target); ok {
			from := g.node(node{s.ID, r.Item.ID()})
			g.links[from] = append(g.links[from], link{g.node(node{r.Session, target}), s, r})
		}
	})
	var out []Crossing
	// A walk in depth; each link back to an item on the path closes a cycle.
	const (
		fresh = iota
		onPath
		done
	)
	mark := make([]int, len(g.nodes))
	at := make([]int, len(g.nodes)) // place on the path
	var path []step
	for start := range g.nodes {
		if mark[start] != fresh {
			continue
		}
		path = append(path[:0], step{node: start})
		mark[start], at[start] = onPath, 0
		for len(path) > 0 {
			top := &path[len(path)-1]
			if top.next == len(g.links[top.node]) {
				mark[top.node] = done
				path = path[:len(path)-1]
				continue
			}
			l := g.links[top.node][top.next]
			top.next++
			switch mark[l.to] {
			case onPath:
				out = append(out, g.cycle(path[at[l.to]:]))
			case fresh:
				mark[l.to], at[l.to] = onPath, len(path)
				path = append(path, step{node: l.to})
			}
		}
	}
	return out
}

// step is an item on the path and the link to be tried next.
type step struct{ node, next int }

// cycle reports a cycle at its first item.
func (g *graph) cycle(path []step) Crossing {
	first := 0
	for i := range path {
		if path[i].node < path[first].node {
			first = i
		}
	}
	chain := make([]string, 0, min(len(path), maxChain)+2)
	for i := range path {
		if i == maxChain {
			chain = append(chain, fmt.Sprintf("… %d more", len(path)-i))
			break
		}
		chain = append(chain, g.nodes[path[(first+i)%len(path)].node].String())
	}
	n := g.nodes[path[first].node]
	chain = append(chain, n.String())
	l := g.links[path[first].node][path[first].next-1]
	message := "references form a cycle: " + strings.Join(chain, " → ")
	if len(path) == 1 {
		message = fmt.Sprintf("%s refers to itself", n)
	}
	return Crossing{From: l.in, At: l.ref.Where, Field: "references", Message: message, Suggestion: "an idea cannot come from one that comes from it: remove one of the references"}
}
