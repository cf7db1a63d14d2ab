package tree

// SetSpacing makes the index leave a point every so many bytes, and so many more
// for each node that a point needs.
func (t *Tree) SetSpacing(every, perNode int64) { t.index.every, t.index.perNode = every, perNode }

// Points is the number of points in the index.
func (t *Tree) Points() int { return len(t.index.points) }

// Nodes is the number of nodes that the points of the index keep.
func (t *Tree) Nodes() int {
	seen := map[*Node]bool{}
	for _, p := range t.index.points {
		for n := p.in; n != nil && !seen[n]; n = n.Parent {
			seen[n] = true
		}
	}
	return len(seen)
}
