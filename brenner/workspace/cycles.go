package workspace

import "github.com/brennerlint/brennerlint/brenner"

// node is an item of a session.
type node struct {
	session string
	item    brenner.ItemID
}

// edge is a reference from one item to another.
type edge struct {
	to int
	Link
}

// graph is the items that refer, in the order of their references, those only
// referred to, and the references.
type graph struct {
	nodes []node
	index map[node]int
	links [][]edge
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

// Cycle is a chain of references that comes back to its first item. Each link
// refers to the item of the next, the last to that of the first.
type Cycle []Link

// Cycles finds the chains of references that come back to where they began. Each
// is found once, and begins with its first item in path order.
func (w *Workspace) Cycles() []Cycle {
	g := &graph{index: map[node]int{}}
	w.references(func(l Link) { g.node(node{l.From.ID, l.Item}) })
	w.references(func(l Link) {
		if target, ok := brenner.ParseItemID(l.Target); ok {
			from := g.node(node{l.From.ID, l.Item})
			g.links[from] = append(g.links[from], edge{g.node(node{l.Session, target}), l})
		}
	})
	var out []Cycle
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

// cycle returns the links of a path that closes, from its first item on.
func (g *graph) cycle(path []step) Cycle {
	first := 0
	for i := range path {
		if path[i].node < path[first].node {
			first = i
		}
	}
	out := make(Cycle, 0, len(path))
	for i := range path {
		s := path[(first+i)%len(path)]
		out = append(out, g.links[s.node][s.next-1].Link)
	}
	return out
}
