package session

import "github.com/brennerlint/brennerlint/brenner"

// node is an item of a session.
type node struct {
	session string
	item    brenner.ItemID
}

// Cycle is a chain of references that comes back to its first item. Each link
// refers to the item of the next, the last to that of the first.
type Cycle []Link

// Cycles finds the chains of references that come back to where they began. Each
// is found once, and begins with its first item in path order.
func (w *Workspace) Cycles() []Cycle {
	var order []node // the items that refer, in the order of their references
	rank := map[node]int{}
	links := map[node][]Link{}
	w.references(func(l Link) {
		from := node{l.From.ID, l.Item}
		if _, known := rank[from]; !known {
			rank[from] = len(order)
			order = append(order, from)
		}
		if _, ok := brenner.ParseItemID(l.Target); ok {
			links[from] = append(links[from], l)
		}
	})
	// A walk in depth; each link back to an item on the path closes a cycle.
	var out []Cycle
	var path []step
	place := map[node]int{} // of items on the path
	tried := map[node]int{} // how many links of an item
	for _, start := range order {
		if _, walked := tried[start]; walked {
			continue
		}
		path, place[start], tried[start] = append(path[:0], step{node: start}), 0, 0
		for len(path) > 0 {
			top := &path[len(path)-1]
			if tried[top.node] == len(links[top.node]) {
				delete(place, top.node)
				path = path[:len(path)-1]
				continue
			}
			top.link = links[top.node][tried[top.node]]
			tried[top.node]++
			target, _ := brenner.ParseItemID(top.link.Target)
			to := node{top.link.Session, target}
			if at, onPath := place[to]; onPath {
				out = append(out, cycle(path[at:], rank))
			} else if _, walked := tried[to]; !walked {
				place[to], tried[to] = len(path), 0
				path = append(path, step{node: to})
			}
		}
	}
	return out
}

// step is an item on the path and the link that is followed from it.
type step struct {
	node
	link Link
}

// cycle returns the links of a path that closes, from its first item on.
func cycle(path []step, rank map[node]int) Cycle {
	first := 0
	for i := range path {
		if rank[path[i].node] < rank[path[first].node] {
			first = i
		}
	}
	out := make(Cycle, 0, len(path))
	for i := range path {
		out = append(out, path[(first+i)%len(path)].link)
	}
	return out
}
