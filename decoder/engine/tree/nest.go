package tree

// A Nest is a Writer with the values whose children are being written. It writes what is around and between
// them, so that the visitor that embeds it writes only the values. T is what the visitor keeps for each.
type Nest[T any] struct {
	Writer
	open []Level[T]
}

// Brackets are what is written between the children of a value and after them.
type Brackets struct {
	First string // what is written before the first child or key
	Comma string // before any other
	Colon string // what is written between a key and its value
	Last  string // after the last child, if there is one
	Close string // in the end
}

// A Level is a value whose children are being written.
type Level[T any] struct {
	Brackets
	Of   T
	Some bool // a child or key has been written
	Key  bool // the last thing written was a key, whose value comes next
}

// maxNest is the number of levels of nesting in a literal of limited length.
const maxNest = 32

// IsTooDeep reports whether a literal of limited length leaves out the children of one more value.
func (n *Nest[T]) IsTooDeep() bool {
	if n.Limited() && len(n.open) == maxNest {
		n.Cut = true
	}
	return n.Limited() && len(n.open) == maxNest
}

// Begin makes a value the innermost one, after its opening was written.
func (n *Nest[T]) Begin(b Brackets, of T) { n.open = append(n.open, Level[T]{Brackets: b, Of: of}) }

// Depth returns the number of open values.
func (n *Nest[T]) Depth() int { return len(n.open) }

// Top returns the innermost open value; nil if there is none.
func (n *Nest[T]) Top() *Level[T] {
	if len(n.open) == 0 {
		return nil
	}
	return &n.open[len(n.open)-1]
}

// Before implements Visitor.
func (n *Nest[T]) Before(slot Slot) {
	o := n.Top()
	switch {
	case o == nil:
		return
	case o.Key && !slot.Key:
		n.Put(o.Colon)
	case o.Some:
		n.Put(o.Comma)
	default:
		n.Put(o.First)
	}
	o.Some, o.Key = true, slot.Key
}

// Lacks reports whether the last key has no value, and if so writes what precedes that value.
func (n *Nest[T]) Lacks() bool {
	o := n.Top()
	if o.Key {
		n.Put(o.Colon)
	}
	return o.Key
}

// Close implements Visitor.
func (n *Nest[T]) Close() {
	o := n.Top()
	if o.Some {
		n.Put(o.Last)
	}
	n.Put(o.Close)
	n.open = n.open[:len(n.open)-1]
}
